/* msd_count.h: counts the digits of level 2 in the blocks of each digit of level 1 (msd.h).
 *
 * Local memory: the histogram. */
#ifndef CLSORT_MSD_COUNT_H
#define CLSORT_MSD_COUNT_H

#include "group_histogram.h"
#include "msd.h"

#define MSD_COUNTERS ((1 << RADIX_BITS) * HISTOGRAM_COPIES)

/* Task `task`: every p.parts-th tile of a digit's blocks. Begins after, and ends before, a
 * barrier. */
CLSORT_INLINE void count_task(const struct msd_params *params, __global void *scratch, uint task,
                              __local uint *counters)
{
    const struct msd_params p = *params;
    const uint digit = task / p.parts;
    __local uint *own_counters = group_histogram_own(counters);
    __global const uint *begins = MSD_TABLE(uint, list_begins) + digit;
    const uint end = begins[1];
    group_clear(counters, MSD_COUNTERS);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
#pragma unroll 1
    for (uint at = begins[0] + task % p.parts * MSD_TILE_BLOCKS; at < end;
         at += p.parts * MSD_TILE_BLOCKS) {
        const struct msd_share share = msd_share_of(MSD_TABLE(uint, list), at, end);
        ITEM own[ITEMS];
        msd_load_share(own, MSD_TABLE(ITEM, blocks), &share);
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (i * BLOCK_LANES < share.left)
                group_histogram_add(own_counters,
                                    MSD_DIGIT(MSD_KEY(own[i]), p.shifts[1], p.bits[1]));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    __global uint *counts = MSD_TABLE(uint, counts) + (digit << p.bits[1]);
    GROUP_LOOP(i, 0, 1u << p.bits[1]) {
        const uint count = group_histogram_sum(counters, i);
        if (count)
            atomic_add(&counts[i], count);
    }
}

#endif
