/* radix_scan.cl: from counts to places, a work-group for each digit of each array.
 *
 * Idea: the group turns its digit's counts of all blocks into the number of that digit's elements in
 * the blocks before, and writes their sum behind the arrays of counts: totals[digit] for the array.
 * Where a digit begins is left to radix_scatter.cl, which sums the few totals itself; so no group
 * waits for another.
 *
 * Local memory: a row of GROUP_SIZE sums, twice. Runs after: radix_count.cl. In place. */
#include "config.h"
#include "radix.h"

KERNEL void radix_scan(const struct radix_params p, __global void *counts_io)
{
    __local ulong sums[2][GROUP_SIZE];
    LOCAL_FITS(sizeof(sums));
    const ulong array = get_group_id(0) / RADIX;
    const uint digit = get_group_id(0) % RADIX;
    const uint me = get_local_id(0);
    __global ulong *array_counts = AT(ulong, counts_io, 0) + array * RADIX * (p.num_blocks + 1);
    __global ulong *counts = array_counts + digit * p.num_blocks;
    ulong carry = 0;
    for (uint first = 0; first < p.num_blocks; first += GROUP_SIZE) {
        const ulong own = first + me < p.num_blocks ? counts[first + me] : 0;
        sums[0][me] = own;
        barrier(CLK_LOCAL_MEM_FENCE); /* the counts are there */
#if CLSORT_SUBGROUP > 1
        uint from = 0;
        for (uint step = 1; step < GROUP_SIZE; step *= 2) {
            const ulong below = me >= step ? sums[from][me - step] : 0;
            sums[1 - from][me] = sums[from][me] + below;
            from = 1 - from;
            barrier(CLK_LOCAL_MEM_FENCE); /* this step's sums are there */
        }
        const ulong up_to_me = sums[from][me], all = sums[from][GROUP_SIZE - 1];
#else
        /* as in group_scan.h: no barrier in an inner loop */
        ulong up_to_me = 0, all = 0;
        for (uint i = 0; i < GROUP_SIZE; ++i) {
            up_to_me += i <= me ? sums[0][i] : 0;
            all += sums[0][i];
        }
#endif
        if (first + me < p.num_blocks)
            counts[first + me] = carry + up_to_me - own;
        carry += all;
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the sums before the next round writes */
    }
    if (me == 0)
        array_counts[RADIX * p.num_blocks + digit] = carry;
}
