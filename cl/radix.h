/* radix.h: the digit of an item, for radix sort by one digit a step (radix_*.cl).
 *
 * Items are ranked as group_digit_rank.h says. Without sub-groups a work-item is a sub-group of
 * one, and digits are narrower, so that the counters still fit. */
#ifndef CLSORT_RADIX_H
#define CLSORT_RADIX_H

#include "group_digit_rank.h"
#include "item.h"

#if ITEM_SIZE == 16
#define ITEM_ORDERED(item) ((item).x)
#else
#define ITEM_ORDERED(item) ITEM_KEY(item)
#endif
#define DIGIT(ordered, p) ((uint)((ordered) >> (p).shift) & (p).digit_mask)

/* The names that part_*.h has for them. */
#define RADIX_SUBGROUP TILE_SUBGROUP
CLSORT_INLINE uint radix_slot(uint me, uint i)
{
    const uint lane = me % RADIX_SUBGROUP;
    return me / RADIX_SUBGROUP * (RADIX_SUBGROUP * ITEMS) + i * RADIX_SUBGROUP + lane;
}

/* Digits in `ranks` become numbers of elements before with the same digit, in the sub-group's
 * run. */
CLSORT_INLINE void radix_votes(__local uint *counters, uint *ranks)
{
    const uint subgroup = get_local_id(0) / TILE_SUBGROUP;
#pragma unroll
    for (uint i = 0; i < ITEMS; i += DIGIT_RANK_ROUND)
        group_number_in_order(counters + subgroup, NUM_SUBGROUPS, DIGIT_RANK_ROUND, ranks + i,
                              ranks + i);
}

#endif
