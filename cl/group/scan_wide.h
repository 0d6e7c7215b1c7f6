/* scan_wide.h: an exclusive scan of one 64-bit number of each work-item, and the sum of
 * all.
 *
 * Idea: log2(GROUP_SIZE) steps in local memory (Hillis and Steele, 1986). Where work-items are
 * loops of a CPU, each sums what is before it: there a barrier costs more than a short loop.
 *
 * SCAN_WIDE_ADD(a, b) may be defined before: any associative addition whose neutral element is
 * 0.
 *
 * Local memory: one or two rows of GROUP_SIZE numbers. */
#ifndef CLSORT_GROUP_SCAN_WIDE_H
#define CLSORT_GROUP_SCAN_WIDE_H

#include "base/config.h"

#ifndef SCAN_WIDE_ADD
#define SCAN_WIDE_ADD(a, b) ((a) + (b))
#endif

/* group_scan_wide(): the sum of the values of the work-items before this one; all: of all.
 * Begins after a barrier, has some inside, and there is one before the next call. */
#if CLSORT_SUBGROUP > 1

struct group_scan_wide_local {
    ulong sums[2][GROUP_SIZE]; /* read from one while the other is written */
};

CLSORT_INLINE ulong group_scan_wide(__local struct group_scan_wide_local *shared, ulong value,
                                    ulong *all)
{
    const uint me = get_local_id(0);
    shared->sums[0][me] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* every value is there */
    uint from = 0;
    for (uint step = 1; step < GROUP_SIZE; step *= 2) {
        const ulong below = me >= step ? shared->sums[from][me - step] : 0;
        shared->sums[1 - from][me] = SCAN_WIDE_ADD(shared->sums[from][me], below);
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE); /* this step's sums are there */
    }
    *all = shared->sums[from][GROUP_SIZE - 1];
    return me > 0 ? shared->sums[from][me - 1] : 0;
}

#else

struct group_scan_wide_local {
    ulong sums[1][GROUP_SIZE];
};

/* No barrier in a loop, as in scan.h. */
CLSORT_INLINE ulong group_scan_wide(__local struct group_scan_wide_local *shared, ulong value,
                                    ulong *all)
{
    const uint me = get_local_id(0);
    shared->sums[0][me] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* every value is there */
    ulong before = 0, sum = 0;
    for (uint i = 0; i < GROUP_SIZE; ++i) {
        before = i == me ? sum : before;
        sum = SCAN_WIDE_ADD(sum, shared->sums[0][i]);
    }
    *all = sum;
    return before;
}

#endif

#endif
