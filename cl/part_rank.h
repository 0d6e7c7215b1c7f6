/* part_rank.h: the place of each element of a tile if the tile were sorted by a digit.
 *
 * Keys alone that are equal cannot be told apart, so a digit's elements may come in any order: each takes
 * the number that an atomic increment of the digit's counter returns. With something that moves along,
 * the order of the input is kept: as in radix.h, sub-groups vote. */
#ifndef CLSORT_PART_RANK_H
#define CLSORT_PART_RANK_H

#include "part.h"
#include "radix.h"

#if PAYLOAD_SIZE
#define PART_STABLE 1
#define PART_COUNTERS NUM_COUNTERS
#define PART_COUNTER(digit) ((digit)*NUM_SUBGROUPS)
#else
#define PART_STABLE 0
#define PART_COUNTERS PART_RADIX
#define PART_COUNTER(digit) (digit)
#endif

struct part_rank_local {
    uint counters[PART_COUNTERS];
    struct group_scan_local scan;
};

/* Element number i of a work-item is at slot radix_slot(me, i) of the tile; those from slot `size` on
 * are padding, with the last digit; their places are behind all others (keys alone: they have none).
 * Afterwards counters[PART_COUNTER(digit)] is the place of the digit's first element. Begins and ends
 * with a barrier. */
CLSORT_INLINE void part_rank(__local struct part_rank_local *shared, const uint *digits, uint size,
                             uint *places)
{
    const uint me = get_local_id(0);
    for (uint i = me; i < PART_COUNTERS; i += GROUP_SIZE)
        shared->counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0, and last tile's readers are done */
#if !PART_STABLE
    const int left = (int)size - (int)radix_slot(me, 0);
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * RADIX_SUBGROUP < left)
            places[i] = atomic_inc(&shared->counters[digits[i]]);
#elif RADIX_SUBGROUP > 1
    (void)size;
    radix_votes(shared->counters, digits, places);
#else
    (void)size;
    for (uint i = 0; i < ITEMS; ++i)
        places[i] = shared->counters[PART_COUNTER(digits[i]) + me]++;
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the counts are complete */
    group_scan_exclusive(&shared->scan, shared->counters, PART_COUNTERS);
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        places[i] +=
            shared->counters[PART_COUNTER(digits[i]) + (PART_STABLE ? me / RADIX_SUBGROUP : 0)];
}

#endif
