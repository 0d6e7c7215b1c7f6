/* table.cl: a table that kernels count in.
 *
 * fill: table[i] = i % period. With a period of 1 these are zeros, for a step that adds to them;
 *       with an array's length they are the indices of arrays' elements.
 * scan: a work-group takes a row of 64-bit counts. Each becomes the sum of those before it in the
 *       row. The rows' sums go behind all rows.
 *
 * Local memory: what group/scan_wide.h needs, for scan. */
#include "base/buffers.h"
#include "base/index.h"
#include "group/scan_wide.h"

KERNEL void fill(const struct table_params p, __global void *table)
{
    __global index_t *to = AT(index_t, table, 0);
    const ulong begin = get_group_id(0) * p.share, end = min(begin + p.share, p.size);
#pragma unroll 1
    for (ulong at = begin + get_local_id(0); at < end; at += GROUP_SIZE)
        to[at] = (index_t)(p.period == p.size ? at : at % p.period);
}

#define SCAN_RUN 8 /* counts of a work-item at a time. A row of 2^13 takes half as long as with 1 */

KERNEL void scan(const struct table_params p, __global void *table)
{
    __local struct group_scan_wide_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint me = get_local_id(0);
    __global ulong *rows = AT(ulong, table, 0);
    __global ulong *row = rows + get_group_id(0) * p.size;
    ulong carry = 0;
    for (ulong first = 0; first < p.size; first += GROUP_SIZE * SCAN_RUN) {
        const ulong at = first + me * SCAN_RUN;
        ulong own[SCAN_RUN], sum = 0, all;
        for (uint i = 0; i < SCAN_RUN; ++i) {
            own[i] = at + i < p.size ? row[at + i] : 0;
            sum += own[i];
        }
        ulong before = carry + group_scan_wide(&shared, sum, &all);
        for (uint i = 0; i < SCAN_RUN; ++i) {
            if (at + i < p.size)
                row[at + i] = before;
            before += own[i];
        }
        carry += all;
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the sums before the next round writes */
    }
    if (me == 0)
        rows[get_num_groups(0) * p.size + get_group_id(0)] = carry;
}
