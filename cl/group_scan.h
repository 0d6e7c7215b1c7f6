/* group_scan.h: an exclusive scan of an array in local memory by all work-items of a group. Each
 * sums a run of neighbours, the sums are scanned in log2(GROUP_SIZE) steps (Hillis and Steele, 1986),
 * and each goes over its run again. */
#ifndef CLSORT_GROUP_SCAN_H
#define CLSORT_GROUP_SCAN_H

#include "config.h"

struct group_scan_local {
    uint sums[2][GROUP_SIZE]; /* read from one while the other is written */
};

/* size is a multiple of GROUP_SIZE. Ends with a barrier. Returns nothing: the sum of all is known to
 * the callers. */
CLSORT_INLINE void group_scan_exclusive(__local struct group_scan_local *shared,
                                        __local uint *values, uint size)
{
    const uint me = get_local_id(0);
    const uint run = size / GROUP_SIZE;
    uint sum = 0;
    for (uint i = 0; i < run; ++i)
        sum += values[me * run + i];
    shared->sums[0][me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* every run's sum is there */
#if CLSORT_SUBGROUP > 1
    uint from = 0;
    for (uint step = 1; step < GROUP_SIZE; step *= 2) {
        const uint below = me >= step ? shared->sums[from][me - step] : 0;
        shared->sums[1 - from][me] = shared->sums[from][me] + below;
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE); /* this step's sums are there */
    }
    uint total = me > 0 ? shared->sums[from][me - 1] : 0;
#else
    /* No barrier in a loop inside the caller's loop: PoCL 5.0 makes code of that which crashes. */
    uint total = 0;
    for (uint i = 0; i < me; ++i)
        total += shared->sums[0][i];
#endif
    for (uint i = 0; i < run; ++i) {
        const uint value = values[me * run + i];
        values[me * run + i] = total;
        total += value;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the scan is complete */
}

#endif
