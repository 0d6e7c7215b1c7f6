/* clear.cl: makes tables in scratch 0, before a sort that adds to them.
 *
 * Local memory: none. No barrier. */
#include "base/config.h"

KERNEL void clear(const struct clear_params p, __global void *scratch)
{
#pragma unroll 1
    for (uint i = 0; i < CLEAR_TABLES; ++i) {
        __global uint *table =
            (__global uint *)((__global uchar *)scratch + p.offsets[0] + p.begins[i]);
#pragma unroll 1
        for (ulong at = get_global_id(0); at < p.words[i]; at += get_global_size(0))
            table[at] = 0;
    }
}
