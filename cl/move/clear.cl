/* clear.cl: makes a table in scratch 0, before a step that adds to it.
 *
 * Local memory: none. No barrier. */
#include "base/config.h"

KERNEL void clear(const struct clear_params p, __global void *scratch)
{
    __global uint *table = (__global uint *)((__global uchar *)scratch + p.offsets[0] + p.begin);
#pragma unroll 1
    for (ulong at = get_global_id(0); at < p.words; at += get_global_size(0))
        table[at] = 0;
}
