/* move.cl: values of any size moved in pieces of MOVE_UNIT bytes, ITEMS pieces to a work-item.
 *
 * gather: out[i] = in[index[i]], after a sort that has carried indices instead of values, or by
 *         indices of the caller's, for those places of each array's order that are wanted; an index
 *         counts from the start of its array. One that is not below the count moves nothing. The
 *         first place follows the last one. Not in place.
 *         Without indices (PAYLOAD_SIZE is 0) it copies the wanted places of each array, or all
 *         before a sort that cannot work in place.
 * gather_whole: all places, for CPUs. A work-item, alone in its group, has a share of elements and
 *         moves each as a whole, in the widest moves there are. MOVE_UNIT is 1, since these need
 *         no alignment. No division finds a piece's element, and a compiler puts no test
 *         whether in and out overlap in front of a loop over two pieces.
 *
 * Local memory: none. No barrier. */
#include "base/buffers.h"
#include "base/config.h"
#include "base/index.h"
#include "base/piece.h"

/* Where in `in` piece `at` of the output lies, or MOVES_NOTHING. The output has the wanted places
 * of each array. */
#define MOVES_NOTHING (~0ul)
CLSORT_INLINE ulong move_source(const struct move_params *p, __global const index_t *index,
                                ulong at)
{
    if (!PAYLOAD_SIZE && p->skip == 0 && p->wanted == p->count)
        return at;
    const ulong element = p->num_units == 1 ? at : at / p->num_units;
    const ulong array = p->num_elements == p->wanted ? 0 : element / p->wanted;
    const ulong wanted = element - array * p->wanted + p->skip;
    ulong place = wanted < p->count ? wanted : wanted - p->count;
    if (PAYLOAD_SIZE)
        place = index[array * p->order + place];
    const ulong piece = at - element * p->num_units;
    return place < p->count ? (array * p->count + place) * p->num_units + piece : MOVES_NOTHING;
}

KERNEL void gather(const struct move_params p, __global const void *in, __global void *out,
                   __global const void *index_in)
{
    __global const piece_t *from = AT(const piece_t, in, 0);
    __global piece_t *to = AT(piece_t, out, 1);
    __global const index_t *index = AT(const index_t, index_in, 2);
    const ulong num_pieces = p.num_elements * p.num_units;
    for (uint i = 0; i < ITEMS; ++i) {
        const ulong at = (get_group_id(0) * ITEMS + i) * GROUP_SIZE + get_local_id(0);
        if (at < num_pieces) {
            const ulong source = move_source(&p, index, at);
            if (source != MOVES_NOTHING)
                to[at] = from[source];
        }
    }
}

/* Numbers at any address. */
typedef ulong2 __attribute__((aligned(1))) bytes16_t;
typedef ulong __attribute__((aligned(1))) bytes8_t;
typedef uint __attribute__((aligned(1))) bytes4_t;
typedef ushort __attribute__((aligned(1))) bytes2_t;

#define MOVE(type)                                                          \
    (*(__global type *)(to + done) = *(__global const type *)(from + done), \
     done += (uint)sizeof(type))

CLSORT_INLINE void move_element(__global uchar *to, __global const uchar *from, uint size)
{
    uint done = 0;
    while (size - done >= 16)
        MOVE(bytes16_t);
    if (size & 8)
        MOVE(bytes8_t);
    if (size & 4)
        MOVE(bytes4_t);
    if (size & 2)
        MOVE(bytes2_t);
    if (size & 1)
        to[done] = from[done];
}

KERNEL void gather_whole(const struct move_params p, __global const void *in, __global void *out,
                         __global const void *index_in)
{
    __global const uchar *from = AT(const uchar, in, 0);
    __global uchar *to = AT(uchar, out, 1);
    __global const index_t *index = AT(const index_t, index_in, 2);
    const ulong begin = min(get_group_id(0) * p.share, p.num_elements);
    const ulong end = min(begin + p.share, p.num_elements);
    for (ulong at = begin; at < end; ++at) {
        const ulong base = p.num_elements == p.count ? 0 : at - at % p.count;
        if (index[at] < p.count)
            move_element(to + at * p.num_units, from + (base + index[at]) * p.num_units,
                         p.num_units);
    }
}
