/* scan.cl: group_scan.h, group_scan_wide.h and group_scan_rows.h, each by one work-group. */
#include "base/config.h"
#define SCAN_ROWS ITEMS
#include "group/scan.h"
#include "group/scan_rows.h"
#include "group/scan_wide.h"

KERNEL void before(__global const uint *in, __global uint *out, uint n, uint parameter)
{
    __local struct group_scan_local scan;
    const uint me = get_local_id(0);
    out[me] = group_scan_before(&scan, in[me]);
}

/* `n` numbers in local memory, twice: what a first scan leaves must not disturb the second. */
KERNEL void exclusive(__global const uint *in, __global uint *out, uint n, uint parameter)
{
    __local struct group_scan_local scan;
    __local uint values[4 * GROUP_SIZE];
    for (uint i = get_local_id(0); i < n; i += GROUP_SIZE)
        values[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    group_scan_exclusive(&scan, values, n);
    group_scan_exclusive(&scan, values, n);
    for (uint i = get_local_id(0); i < n; i += GROUP_SIZE)
        out[i] = values[i];
}

KERNEL void wide(__global const uint *in, __global uint *out, uint n, uint parameter)
{
    __local struct group_scan_wide_local scan;
    const uint me = get_local_id(0);
    ulong all;
    const ulong sum = group_scan_wide(&scan, (ulong)in[me] * in[me], &all);
    out[2 * me] = (uint)sum;
    out[2 * me + 1] = (uint)(sum >> 32);
    if (me == GROUP_SIZE / 2) {
        out[2 * GROUP_SIZE] = (uint)all;
        out[2 * GROUP_SIZE + 1] = (uint)(all >> 32);
    }
}

KERNEL void rows(__global const uint *in, __global uint *out, uint n, uint parameter)
{
    __local struct group_scan_rows_local scan;
    const uint me = get_local_id(0);
    uint values[ITEMS];
    for (uint i = 0; i < ITEMS; ++i)
        values[i] = in[i * GROUP_SIZE + me];
    group_scan_rows(&scan, values);
    for (uint i = 0; i < ITEMS; ++i)
        out[i * GROUP_SIZE + me] = values[i];
}
