/* digit_rank.h: the rank of each element of a tile if the tile were sorted by a digit.
 *
 * Idea: an element takes a number among those of its digit from a counter; a scan over the
 * counters says where each digit begins; both together are the rank. Numbers come
 *
 *   in order       A sub-group has a row of counters of its own. It goes over its run of the tile,
 *                  one element of each work-item at a time. Elements with the same digit find each
 *                  other by a vote a bit. An element's number is the votes below its own, and
 *                  the lowest work-item adds for all of them. Where sub-groups cannot vote, a
 *                  work-item is a sub-group of one.
 *   in any order   By an atomic increment (sorts/partition/rank.h).
 *
 * Counters that begin at the ranks of first elements give ranks instead of numbers.
 *
 * A scan of the counters digit by digit, and inside a digit sub-group by sub-group, makes ranks
 * of the first kind stable (Merrill and Grimshaw, 2011; the votes as in Ashkiani et al., GPU
 * Multisplit, 2016).
 *
 * Local memory: struct group_digit_rank_local, or counters that the caller has. */
#ifndef CLSORT_GROUP_DIGIT_RANK_H
#define CLSORT_GROUP_DIGIT_RANK_H

#include "group/scan.h"
#include "group/tile_load.h"

#define RADIX (1 << RADIX_BITS)
#if CLSORT_SUBGROUP > 1 && !defined(CLSORT_SUBGROUP_VOTES)
#error "digit_rank.h: this device's sub-groups cannot vote; its tuning row must do without"
#endif
#define NUM_SUBGROUPS (GROUP_SIZE / TILE_SUBGROUP)
#define NUM_COUNTERS (RADIX * NUM_SUBGROUPS)

/* Elements whose votes are counted before any is told its number: the additions, which local
 * memory does in order for a sub-group, then overlap. */
#define DIGIT_RANK_ROUND (ITEMS % 8 == 0 ? 8 : ITEMS % 5 == 0 ? 5 : ITEMS % 4 == 0 ? 4 : 1)

/* group_number_in_order(): numbers of `round` elements of each work-item, DIGIT_RANK_ROUND at most.
 * counters: of this sub-group, `stride` words apart. Where sub-groups vote, two may share words:
 * then counters and numbers begin at bit `shift`. digits and numbers may be the same array. */
#if TILE_SUBGROUP > 1

CLSORT_INLINE void group_number_in_order(__local uint *counters, uint stride, uint shift,
                                         uint round, const uint *digits, uint *numbers)
{
    uint found[DIGIT_RANK_ROUND], before[DIGIT_RANK_ROUND], first[DIGIT_RANK_ROUND];
    const uint below = clsort_subgroup_lanes_below();
#pragma unroll
    for (uint i = 0; i < round; ++i) {
        const uint same = clsort_subgroup_match(digits[i], RADIX_BITS);
        before[i] = popcount(same & below);
        first[i] = 31 - clz(same & -same);
        found[i] = 0;
        if (before[i] == 0)
            found[i] = atomic_add(&counters[digits[i] * stride], popcount(same) << shift);
    }
#pragma unroll
    for (uint i = 0; i < round; ++i)
        numbers[i] = clsort_subgroup_shuffle(found[i], first[i]) + (before[i] << shift);
}

#else

CLSORT_INLINE void group_number_in_order(__local uint *counters, uint stride, uint shift,
                                         uint round, const uint *digits, uint *numbers)
{
    (void)shift;
    for (uint i = 0; i < round; ++i)
        numbers[i] = counters[digits[i] * stride]++;
}

#endif

struct group_digit_rank_local {
    uint counters[NUM_COUNTERS]; /* [digit][sub-group] */
    struct group_scan_local scan;
};

/* The stable rank of each of a work-item's elements, which lie by sub-groups in the tile.
 * Afterwards counters[digit * NUM_SUBGROUPS] is the rank of the digit's first element. Begins
 * and ends with a barrier. */
CLSORT_INLINE void group_digit_rank(__local struct group_digit_rank_local *shared,
                                    const uint *digits, uint *ranks)
{
    __local uint *own = shared->counters + get_local_id(0) / TILE_SUBGROUP;
    group_clear(shared->counters, NUM_COUNTERS);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0, and the last tile's readers are done */
#pragma unroll
    for (uint i = 0; i < ITEMS; i += DIGIT_RANK_ROUND)
        group_number_in_order(own, NUM_SUBGROUPS, 0, DIGIT_RANK_ROUND, digits + i, ranks + i);
    barrier(CLK_LOCAL_MEM_FENCE); /* the counts are complete */
    group_scan_exclusive(&shared->scan, shared->counters, NUM_COUNTERS);
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        ranks[i] += own[digits[i] * NUM_SUBGROUPS];
}

#endif
