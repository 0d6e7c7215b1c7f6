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

/* How neighbours follow each other. */
#define DIGITS_UP 1u
#define DIGITS_DOWN 2u
#define DIGITS_EQUAL 4u

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

#if !SPLITTERS
CLSORT_INLINE void digits_add_leaf(const struct partition_params *q, __global void *scratch,
                                   uint number, ulong low, uint begin, uint size, uint bits,
                                   uint place, uint kind)
{
    __global leaf_t *leaf = partition_add_leaf(q, scratch, number, begin, size, place, kind);
    leaf->low = low;
    leaf->bits = bits;
}
#endif

/* The lowest bit of a segment's next digit. */
#define DIGITS_SHIFT(segment) sub_sat((segment).bits, q->digit_bits)

#endif
