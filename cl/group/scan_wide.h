/* scan_wide.h: an exclusive scan of one 64-bit number of each work-item, and the sum of
 * all.
 *
 * Idea: each work-item adds up the numbers of its run of neighbours, and then the sums of the runs.
 * So no barrier stands in a loop (scan.h).
 *
 * SCAN_WIDE_ADD(a, b) may be defined before: any associative addition whose neutral element is
 * 0.
 *
 * Local memory: GROUP_SIZE numbers. */
#ifndef CLSORT_GROUP_SCAN_WIDE_H
#define CLSORT_GROUP_SCAN_WIDE_H

#include "base/config.h"

#ifndef SCAN_WIDE_ADD
#define SCAN_WIDE_ADD(a, b) ((a) + (b))
#endif

#define SCAN_WIDE_RUN (GROUP_SIZE < 16 ? GROUP_SIZE : 16) /* work-items */

struct group_scan_wide_local {
    ulong sums[GROUP_SIZE];
};

/* The sum of `num` numbers, `step` apart; before: of those in front of number `own`. */
CLSORT_INLINE ulong scan_wide_run(__local const ulong *numbers, uint num, uint step, uint own,
                                  ulong *before)
{
    ulong sum = 0;
    for (uint i = 0; i < num; ++i) {
        *before = i == own ? sum : *before;
        sum = SCAN_WIDE_ADD(sum, numbers[i * step]);
    }
    return sum;
}

/* The sum of the values of the work-items before this one; all: of all. Begins after a barrier, has
 * some inside, and there is one before the next call. */
CLSORT_INLINE ulong group_scan_wide(__local struct group_scan_wide_local *shared, ulong value,
                                    ulong *all)
{
    const uint me = get_local_id(0), run = me / SCAN_WIDE_RUN, own = me % SCAN_WIDE_RUN;
    ulong before = 0, runs_before = 0;
    shared->sums[me] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* every value is there */
    const ulong sum = scan_wide_run(shared->sums + me - own, SCAN_WIDE_RUN, 1, own, &before);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have been read */
    shared->sums[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* every run's sum is there */
    *all =
        scan_wide_run(shared->sums, GROUP_SIZE / SCAN_WIDE_RUN, SCAN_WIDE_RUN, run, &runs_before);
    return SCAN_WIDE_ADD(runs_before, before);
}

#endif
