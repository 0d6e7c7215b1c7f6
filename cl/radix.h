/* radix.h: digits, and the stable rank of elements by their digit inside a tile.
 *
 * A tile's elements are dealt to sub-groups in runs of neighbours, and inside a run striped over the
 * work-items. Every sub-group counts its elements by digit in a row of counters of its own, taking
 * one element of each work-item at a time: those with the same digit find each other by a vote, the
 * place of each among them is the number of votes below its own, and one of them adds their number to
 * the counter. Counters are laid out digit by digit and inside a digit sub-group by sub-group, so one
 * exclusive scan over them turns counts into places (Merrill and Grimshaw, 2011; the votes as in
 * Ashkiani et al., GPU Multisplit, 2016). Without sub-groups a work-item is a sub-group of one, and
 * digits are narrower, so that the counters still fit. */
#ifndef CLSORT_RADIX_H
#define CLSORT_RADIX_H

#include "item.h"
#include "group_scan.h"

#define RADIX (1 << RADIX_BITS)
#if CLSORT_SUBGROUP > 1
#ifndef CLSORT_SUBGROUP_VOTES
#error "radix.h: this device's sub-groups cannot vote; its tuning row must have radix without them"
#endif
#define RADIX_SUBGROUP CLSORT_SUBGROUP
#else
#define RADIX_SUBGROUP 1
#endif
#define NUM_SUBGROUPS (GROUP_SIZE / RADIX_SUBGROUP)
#define NUM_COUNTERS (RADIX * NUM_SUBGROUPS)

#if ITEM_SIZE == 16
#define ITEM_ORDERED(item) ((item).x)
#else
#define ITEM_ORDERED(item) ITEM_KEY(item)
#endif
#define DIGIT(ordered, p) ((uint)((ordered) >> (p).shift) & (p).digit_mask)

/* The slot of a tile, in input order, of a work-item's element number i. */
CLSORT_INLINE uint radix_slot(uint me, uint i)
{
    const uint lane = me % RADIX_SUBGROUP;
    return me / RADIX_SUBGROUP * (RADIX_SUBGROUP * ITEMS) + i * RADIX_SUBGROUP + lane;
}

struct radix_local {
    uint counters[NUM_COUNTERS]; /* [digit][sub-group] */
    struct group_scan_local scan;
};

#define RADIX_ROUND (ITEMS % 8 == 0 ? 8 : ITEMS % 5 == 0 ? 5 : ITEMS % 4 == 0 ? 4 : 1)

#if RADIX_SUBGROUP > 1
/* Counts a work-item's digits, which places[] holds; then places[i] is how many of the sub-group's
 * elements before have the same digit.
 * The lowest of the work-items with one digit adds for all of them and tells them what it found; the
 * telling waits until a round of 8 elements has been added, so that the additions, which local memory
 * does in order for a sub-group, overlap. */
CLSORT_INLINE void radix_votes(__local uint *counters, uint *places)
{
    const uint subgroup = get_local_id(0) / RADIX_SUBGROUP;
    const uint below = clsort_subgroup_lanes_below();
#pragma unroll
    for (uint round = 0; round < ITEMS; round += RADIX_ROUND) {
        uint found[RADIX_ROUND], before[RADIX_ROUND], first[RADIX_ROUND];
#pragma unroll
        for (uint i = 0; i < RADIX_ROUND; ++i) {
            const uint same = clsort_subgroup_match(places[round + i], RADIX_BITS);
            before[i] = popcount(same & below);
            first[i] = 31 - clz(same & -same);
            found[i] = 0;
            if (before[i] == 0)
                found[i] = atomic_add(&counters[places[round + i] * NUM_SUBGROUPS + subgroup],
                                      popcount(same));
        }
#pragma unroll
        for (uint i = 0; i < RADIX_ROUND; ++i)
            places[round + i] = clsort_subgroup_shuffle(found[i], first[i]) + before[i];
    }
}
#endif

/* places[i]: the place of own[i] in the tile if it were sorted by digit, stably. Afterwards
 * shared->counters[digit * NUM_SUBGROUPS] is the place of the digit's first element. Begins and ends
 * with a barrier. */
CLSORT_INLINE void radix_rank(__local struct radix_local *shared, const ITEM *own,
                              const struct radix_params *p, uint *places)
{
    const uint me = get_local_id(0);
    const uint subgroup = me / RADIX_SUBGROUP;
    for (uint i = me; i < NUM_COUNTERS; i += GROUP_SIZE)
        shared->counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0, and last tile's readers are done */
#if RADIX_SUBGROUP > 1
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        places[i] = DIGIT(ITEM_ORDERED(own[i]), *p);
    radix_votes(shared->counters, places);
#else
    for (uint i = 0; i < ITEMS; ++i)
        places[i] = shared->counters[DIGIT(ITEM_ORDERED(own[i]), *p) * NUM_SUBGROUPS + subgroup]++;
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the counts are complete */
    group_scan_exclusive(&shared->scan, shared->counters, NUM_COUNTERS);
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        places[i] += shared->counters[DIGIT(ITEM_ORDERED(own[i]), *p) * NUM_SUBGROUPS + subgroup];
}

#endif
