/* scan.cl: from counts to offsets, a work-group for each digit of each array.
 *
 * Idea: the group turns its digit's counts of all blocks into the number of that digit's
 * elements in the blocks before, and writes their sum behind the array's counts: totals[digit].
 * Where a digit begins is left to scatter.cl, which sums the few totals itself; so no
 * group waits for another.
 *
 * Local memory: what group/scan_wide.h needs. Runs after: count.cl. In place. */
#include "base/config.h"
#include "group/scan_wide.h"
#include "group/radix.h"

KERNEL void radix_scan(const struct radix_params p, __global void *counts_io)
{
    __local struct group_scan_wide_local scan;
    LOCAL_FITS(sizeof(scan));
    const ulong array = get_group_id(0) / RADIX;
    const uint digit = get_group_id(0) % RADIX;
    const uint me = get_local_id(0);
    __global ulong *array_counts = AT(ulong, counts_io, 0) + array * RADIX * (p.num_blocks + 1);
    __global ulong *counts = array_counts + digit * p.num_blocks;
    ulong carry = 0;
    for (uint first = 0; first < p.num_blocks; first += GROUP_SIZE) {
        const ulong count = first + me < p.num_blocks ? counts[first + me] : 0;
        ulong all;
        const ulong before = group_scan_wide(&scan, count, &all);
        if (first + me < p.num_blocks)
            counts[first + me] = carry + before;
        carry += all;
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the sums before the next round writes */
    }
    if (me == 0)
        array_counts[RADIX * p.num_blocks + digit] = carry;
}
