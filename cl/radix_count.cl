/* radix_count.cl: how many elements of each digit every block of an array has.
 *
 * Idea: a work-group goes over its block of neighbouring tiles and counts digits in local memory, in
 * several copies of the counters so that a frequent digit is not one address for all. The counts go
 * to global memory digit by digit: counts[array][digit][block].
 *
 * Local memory: COPIES rows of RADIX counters. Runs before: radix_scan.cl. */
#include "config.h"
#include "radix.h"

#define COPIES (GROUP_SIZE >= 128 ? 4 : 1)

KERNEL void radix_count(const struct radix_params p, __global const void *keys_in,
                        __global void *counts_out)
{
    __local uint counters[COPIES][RADIX];
    LOCAL_FITS(sizeof(counters));
    const ulong array = get_group_id(0) / p.num_blocks;
    const ulong block = get_group_id(0) % p.num_blocks;
    const uint me = get_local_id(0);
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0) + array * p.count;
    __global ulong *counts = AT(ulong, counts_out, 1) + array * RADIX * (p.num_blocks + 1);

    for (uint i = me; i < COPIES * RADIX; i += GROUP_SIZE)
        counters[i / RADIX][i % RADIX] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
    const ulong begin = min(block * p.block_size, p.count);
    const ulong end = min(begin + p.block_size, p.count);
    for (ulong first = begin; first < end; first += TILE_SLOTS) {
        if (first + TILE_SLOTS <= end) { /* all loads before any count: more bytes in flight */
            key_t own[ITEMS];
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i)
                own[i] = keys[first + i * GROUP_SIZE + me];
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i)
                atomic_inc(&counters[me % COPIES][DIGIT(KEY_ENCODE(own[i]), p)]);
        } else {
            for (ulong at = first + me; at < end; at += GROUP_SIZE) {
                const key_t key = keys[at];
                atomic_inc(&counters[me % COPIES][DIGIT(KEY_ENCODE(key), p)]);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    for (uint digit = me; digit < RADIX; digit += GROUP_SIZE) {
        uint count = 0;
        for (uint i = 0; i < COPIES; ++i)
            count += counters[i][digit];
        counts[digit * p.num_blocks + block] = count;
    }
}
