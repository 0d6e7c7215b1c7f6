/* places.cl: the wanted places of the order of segments, which are sorted already
 * (segments.h, skip and limit).
 *
 *   segments_places  copies them to an output that has `limit` places for each segment, or, if
 *                    there is no limit, to where their segment begins. Places that a short segment
 *                    leaves are not written. With SEGMENTS_FLAG_BY_PLACE there is a thread for each
 *                    place of the output, otherwise one for each element, whichever are fewer.
 *   segments_turn    copies all elements. In each segment those behind `skip` come first. It is a
 *                    permutation, whatever the offsets are, since it uses the segments' numbers.
 *
 * An element is moved in pieces of MOVE_UNIT bytes, ITEMS pieces to a work-item.
 *
 * Local memory: none. No barrier. Runs after a sort of segments, and segments_turn after
 * segments_number. */
#include "base/config.h"
#include "base/piece.h"
#include "segments/segments.h"

#define PLACES_ARGS                                                                            \
    const struct segments_params p, __global const void *offsets, __global const void *sorted, \
        __global void *out, __global void *unused, __global void *scratch
#define PIECE(i) ((get_group_id(0) * ITEMS + (i)) * GROUP_SIZE + get_local_id(0))

/* The last segment that does not begin behind element `at`, or the first one. */
CLSORT_INLINE ulong segments_find(const struct segments_params *q, __global const void *offsets,
                                  ulong at)
{
    ulong low = 0;
    for (ulong high = q->num_segments; low + 1 < high;) {
        const ulong middle = low + (high - low) / 2;
        if (segments_offset(q, offsets, middle) <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

KERNEL void segments_places(PLACES_ARGS)
{
    const struct segments_params *q = &p;
    __global const piece_t *from = AT(const piece_t, sorted, 1);
    __global piece_t *to = AT(piece_t, out, 2);
    const int by_place = (p.flags & SEGMENTS_FLAG_BY_PLACE) != 0;
    const ulong first = segments_offset(q, offsets, 0);
    const ulong last = segments_offset(q, offsets, p.num_segments);
    for (uint i = 0; i < ITEMS; ++i) {
        const ulong at = PIECE(i), element = at / p.num_units;
        if (element >= p.num_places)
            break;
        const ulong number = by_place ? element / p.limit : segments_find(q, offsets, element);
        const ulong begin = segments_offset(q, offsets, number);
        const ulong end = segments_offset(q, offsets, number + 1);
        /* In its segment's order. In front of the segment it is larger than any size. */
        const ulong place = by_place ? element % p.limit + p.skip : element - begin;
        if (end <= begin || place >= end - begin || place < p.skip ||
            (p.limit && place - p.skip >= p.limit))
            continue;
        if (begin + place < first || begin + place >= last)
            continue; /* in no segment: what lies there was not sorted, and has no index */
        const ulong target = (p.limit ? number * p.limit : begin) + place - p.skip;
        const ulong piece = at - element * p.num_units;
        to[target * p.num_units + piece] = from[(begin + place) * p.num_units + piece];
    }
}

KERNEL void segments_turn(PLACES_ARGS)
{
    const struct segments_params *q = &p;
    __global const piece_t *from = AT(const piece_t, sorted, 1);
    __global piece_t *to = AT(piece_t, out, 2);
    __global const index_t *numbers = SEGMENTS_TABLE(const index_t, numbers);
    __global const index_t *begins = SEGMENTS_TABLE(const index_t, begins);
    const ulong first = segments_offset(q, offsets, 0);
    const ulong end = segments_offset(q, offsets, p.num_segments);
    for (uint i = 0; i < ITEMS; ++i) {
        const ulong at = PIECE(i), element = at / p.num_units;
        if (element >= p.num_places)
            break;
        const index_t number = numbers[element];
        const ulong begin = begins[number], size = begins[number + 1] - begin;
        const ulong place = element - begin + p.skip;
        const int is_kept = element < first || element >= end || p.skip >= size;
        const ulong source = is_kept ? element : begin + (place < size ? place : place - size);
        to[at] = from[source * p.num_units + (at - element * p.num_units)];
    }
}
