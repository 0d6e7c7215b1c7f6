/* part.h: radix sort from the most significant digit down, in levels. A level cuts every segment
 * that does not fit in local memory by its next digit:
 *
 *   part_count    counts the digits of each block of a segment. It also sees in which bits the keys
 *                 differ, and whether they are in order already. The last work-group to count a
 *                 segment computes its digit offsets and lists its children (cursors.h).
 *   part_scan     if equal keys keep their order, turns counts into each block's places
 *   part_scatter  moves the elements.
 *
 * The elements of a digit become a leaf if local memory holds them; small neighbours share a leaf.
 * Otherwise they become a segment of the next level. One launch, part_deep, does all levels that
 * random keys do not need.
 *
 * If equal keys may be reordered, no scan is needed: tiles take places by atomic additions. Tiles
 * that run at the same time then write close together, so memory gets whole lines.
 *
 * After the last level:
 *
 *   part_leaf     sorts the leaves in local memory, by bins that hold an element or two.
 *   part_crowded  merges those leaves of which a bin was crowded.
 *
 * The host does not know the segments. It launches every level; a level finds its segments and
 * blocks in lists that the level before has written, and does nothing if they are empty. Bits in
 * which no keys of a segment differ are skipped. The number of levels is bounded by the key's bits,
 * and so is the worst case. In part_deep a work-group that waits for others gives up after a
 * bounded time (device/phases.h); in the other kernels none waits.
 *
 * Elements lie in the input, the output or scratch ("place"); a scatter goes from input or output
 * to scratch, and from scratch to the output. Numbers of elements have 32 bits. */
#ifndef CLSORT_PART_H
#define CLSORT_PART_H

#include "base/item.h"

#define PART_IN 0u
#define PART_OUT 1u
#define PART_WORK 2u

#define PART_UP 1u
#define PART_DOWN 2u
#define PART_EQUAL 4u /* equal ones */

#define PART_COPY 16u    /* a leaf's place: it is in order and only has to be moved */
#define PART_REVERSE 32u /* the whole array stands in reversed order */

/* A narrow key and a narrow payload that need not keep their order go through local memory
 * as one. */
#define PART_JOINED (PAYLOAD_SIZE && PAYLOAD_SIZE <= 4 && KEY_BITS <= 32 && !KEEPS_ORDER)

#define PART_RADIX (1 << RADIX_BITS) /* digits of a level at most */

/* For local memory that holds first one, then the other: compilers may otherwise reorder
 * accesses. */
typedef stored_key_t __attribute__((may_alias)) alias_key_t;
typedef payload_t __attribute__((may_alias)) alias_payload_t;

/* The bits to sort by of a stored key, as a number. */
#define PART_ORDER(stored) (((KEY_ENCODE((key_t)(stored))) >> q->first_bit) & (key_t)q->digits_mask)

/* A stored key's digit, of these bits. */
#define PART_DIGIT(stored, shift, mask) ((uint)(PART_ORDER(stored) >> (shift)) & (mask))

/* All of these take the parameters from q. */
#define PART_AT(type, buffer, slot) \
    ((__global type *)((__global uchar *)(buffer) + q->offsets[slot]))
#define PART_TABLE(type, table) \
    ((__global type *)((__global uchar *)scratch + q->offsets[4] + q->table))
#define PART_CONTROL PART_TABLE(struct part_control, control)

/* The first level's segments are the arrays, unless segments/tile.cl has listed others. */
#define PART_OF_ARRAYS (q->level == 0 && !(q->flags & PART_FLAG_LISTED))

#define PART_ARGS ITEM_ARGS, __global void *scratch

/* The keys, or what moves with them, that lie at a place; base: where the arrays begin. */
CLSORT_INLINE __global stored_key_t *part_keys(const struct part_params *q, PART_ARGS, uint place)
{
    (void)payload_in, (void)payload_out;
    return place == PART_IN    ? (__global stored_key_t *)PART_AT(const stored_key_t, keys_in, 0)
           : place == PART_OUT ? PART_AT(stored_key_t, keys_out, 1)
                               : PART_TABLE(stored_key_t, work_keys);
}

CLSORT_INLINE __global payload_t *part_payload(const struct part_params *q, PART_ARGS, uint place)
{
    (void)keys_in, (void)keys_out;
    return place == PART_IN    ? (__global payload_t *)PART_AT(const payload_t, payload_in, 2)
           : place == PART_OUT ? PART_AT(payload_t, payload_out, 3)
                               : PART_TABLE(payload_t, work_payload);
}
#define PART_BUFFERS keys_in, keys_out, payload_in, payload_out, scratch

/* Where a level moves what lies at a place. */
#define PART_NEXT(place) ((place) == PART_WORK ? PART_OUT : PART_WORK)

/* Blocks of this level, and the segment that owns one. */
CLSORT_INLINE uint part_num_blocks(const struct part_params *q, __global void *scratch)
{
    if (PART_OF_ARRAYS)
        return q->num_arrays * q->blocks_per_array;
    return PART_CONTROL->num_blocks[q->level];
}

CLSORT_INLINE uint part_num_segments(const struct part_params *q, __global void *scratch)
{
    if (PART_OF_ARRAYS)
        return q->num_arrays;
    return PART_CONTROL->num_segments[q->level];
}

CLSORT_INLINE uint part_owner(const struct part_params *q, __global void *scratch, uint block)
{
    return PART_OF_ARRAYS ? block / q->blocks_per_array : PART_TABLE(uint, owners)[block];
}

CLSORT_INLINE void part_find(const struct part_params *q, __global void *scratch, uint number,
                             struct part_segment *segment)
{
    if (!PART_OF_ARRAYS) {
        *segment = PART_TABLE(struct part_segment, segments)[number];
        return;
    }
    segment->low = 0;
    segment->begin = number * q->count;
    segment->size = q->count;
    segment->bits = q->num_bits;
    segment->place = PART_IN;
    segment->first_block = number * q->blocks_per_array;
    segment->num_blocks = q->blocks_per_array;
}

/* Bits of the next level's digits, whose segments are listed: fewer than wanted if the tables have
 * no room for all segments' digits. */
CLSORT_INLINE uint part_next_bits(const struct part_params *q, __global void *scratch)
{
    const uint num_segments = max(PART_CONTROL->num_segments[q->level + 1], 1u);
    return min(q->next_digit_bits, 31u - (uint)clz(q->max_totals / num_segments | 1));
}

/* Zeroes what a level adds to, by work-item `me` of `step`. */
CLSORT_INLINE void part_clear(__global uint *totals, __global struct part_seen *seen,
                              uint num_segments, uint digit_bits, uint me, uint step)
{
#pragma unroll 1
    for (uint i = me; i < num_segments << digit_bits; i += step)
        totals[i] = 0;
#pragma unroll 1
    for (uint i = me; i < num_segments; i += step) {
        seen[i].differing = 0;
        seen[i].directions = 0;
        seen[i].blocks = 0;
    }
}

/* The lowest bit of a segment's next digit. */
#define PART_SHIFT(segment) sub_sat((segment).bits, q->digit_bits)

#endif
