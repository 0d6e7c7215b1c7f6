/* count.h: counts the digits of level 2 in the blocks of each digit of level 1 (msd.h).
 *
 * Local memory: the histogram. */
#ifndef CLSORT_MSD_COUNT_H
#define CLSORT_MSD_COUNT_H

#include "group/scan.h"
#include "sorts/msd/msd.h"

#define MSD_COUNTERS (1 << RADIX_BITS)

/* Task `number`, of level 2. Its counts are added to those of other tasks, or, in order, are the
 * task's own. Begins after, and ends before, a barrier. */
CLSORT_INLINE void count_task(const struct msd_params *q, MSD_ARGS, uint number,
                              __local uint *counters)
{
    const struct msd_task task = msd_task_of(q, scratch, number);
    group_clear(counters, MSD_COUNTERS);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
#pragma unroll 1
    for (uint at = task.at; at < task.end; at += task.step) {
        const struct msd_share share = msd_share_of(q, scratch, at, task.end);
        ITEM own[ITEMS];
        msd_load_share(own, &share);
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (i * MSD_STEP < share.left)
                atomic_inc(&counters[MSD_DIGIT(MSD_KEY(own[i]), q->shifts[1], q->bits[1])]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    __global uint *counts =
        MSD_TABLE(uint, counts) + ((MSD_IN_ORDER ? number : task.digit) << q->bits[1]);
    GROUP_LOOP(i, 0, 1u << q->bits[1]) {
        const uint count = counters[i];
        if (MSD_IN_ORDER)
            counts[i] = count;
        else if (count)
            atomic_add(&counts[i], count);
    }
}

#endif
