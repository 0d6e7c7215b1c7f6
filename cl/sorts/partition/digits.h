/* digits.h: partition by digits, from the most significant one down (partition.h).
 *
 * Counting also sees in which bits keys differ, and whether they are in order already. Bits in
 * which no keys of a segment differ are skipped. The number of levels is bounded by the key's bits,
 * and so is the worst case. One launch, partition_levels, does all levels that random keys do not
 * need, if equal keys need no order. After the last level:
 *
 *   partition_rests    sorts the leaves in local memory, by bins that hold an element or two
 *   partition_crowded  merges those leaves of which a bin was crowded */
#ifndef CLSORT_DIGITS_H
#define CLSORT_DIGITS_H

#include "sorts/partition/partition.h"

#define DIGITS_UP 1u
#define DIGITS_DOWN 2u
#define DIGITS_EQUAL 4u /* equal ones */

/* A narrow key and a narrow payload that need not keep their order go through local memory
 * as one. */
#define DIGITS_JOINED (PAYLOAD_SIZE && PAYLOAD_SIZE <= 4 && KEY_BITS <= 32 && !KEEPS_ORDER)

/* For local memory that holds first one, then the other: compilers may otherwise reorder
 * accesses. */
typedef stored_key_t __attribute__((may_alias)) alias_key_t;
typedef payload_t __attribute__((may_alias)) alias_payload_t;

/* The bits to sort by of a stored key, as a number. */
#define DIGITS_ORDER(stored) \
    (((KEY_ENCODE((key_t)(stored))) >> q->first_bit) & (key_t)q->digits_mask)

/* A stored key's digit, of these bits. */
#define DIGITS_DIGIT(stored, shift, mask) ((uint)(DIGITS_ORDER(stored) >> (shift)) & (mask))

/* Bits of the next level's digits, whose segments are listed: fewer than wanted if the tables have
 * no room for all segments' digits. */
CLSORT_INLINE uint digits_next_bits(const struct partition_params *q, __global void *scratch)
{
    const uint num_segments = max(PARTITION_CONTROL->num_segments[q->level + 1], 1u);
    return min(q->next_digit_bits, 31u - (uint)clz(q->max_totals / num_segments | 1));
}

/* Zeroes the totals that a level adds to, by work-item `me` of `step`. */
CLSORT_INLINE void digits_clear(__global uint *totals, uint num, uint me, uint step)
{
#pragma unroll 1
    for (uint i = me; i < num; i += step)
        totals[i] = 0;
}

#define DIGITS_SEEN(number) (PARTITION_TABLE(struct digits_seen, seen) + (number))

/* A segment, with what is known of it. */
struct digits_segment {
    ulong differing, first;
    uint begin, size, place, first_block, num_blocks;
    uint bits, directions, action;
};

CLSORT_INLINE struct digits_segment digits_find(const struct partition_params *q,
                                                __global void *scratch, uint number)
{
    __global const struct partition_segment *listed = PARTITION_SEGMENT(number);
    __global const struct digits_seen *seen = DIGITS_SEEN(number);
    const struct digits_segment segment = {seen->differing,    seen->first,   listed->begin,
                                           listed->size,       listed->place, listed->first_block,
                                           listed->num_blocks, seen->bits,    seen->directions,
                                           seen->action};
    return segment;
}

/* Nothing is known of a segment but in how many bits its keys may differ. */
CLSORT_INLINE void digits_set_seen(__global struct digits_seen *seen, uint bits)
{
    seen->differing = 0;
    seen->bits = bits;
    seen->directions = 0;
}

CLSORT_INLINE void digits_add_leaf(const struct partition_params *q, __global void *scratch,
                                   ulong low, uint begin, uint size, uint bits, uint place,
                                   uint kind)
{
    const uint number = atomic_inc(&PARTITION_CONTROL->num_leaves);
    __global struct digits_low *known = PARTITION_TABLE(struct digits_low, lows) + number;
    partition_add_leaf(q, scratch, number, begin, size, place, kind);
    known->low = low;
    known->bits = bits;
}

/* A leaf, with what its keys agree in. */
struct digits_leaf {
    ulong low;
    uint begin, size, place, kind, bits;
};

CLSORT_INLINE struct digits_leaf digits_find_leaf(const struct partition_params *q,
                                                  __global void *scratch, uint number)
{
    __global const struct partition_leaf *listed =
        PARTITION_TABLE(const struct partition_leaf, leaves) + number;
    __global const struct digits_low *known =
        PARTITION_TABLE(const struct digits_low, lows) + number;
    const struct digits_leaf leaf = {known->low,    listed->begin, listed->size,
                                     listed->place, listed->kind,  known->bits};
    return leaf;
}

/* The lowest bit of a segment's next digit. */
#define DIGITS_SHIFT(segment) sub_sat((segment).bits, q->digit_bits)

#endif
