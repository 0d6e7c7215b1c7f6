/* count.cl: how many elements of each digit every block of an array has.
 *
 * Idea: a work-group goes over its block of neighbouring tiles and counts digits in local memory.
 * The counts go to global memory digit by digit: counts[array][digit][block].
 *
 * Local memory: a counter for each digit. Runs before: move/table.cl. */
#include "base/config.h"
#include "group/radix.h"

/* Counts the digits of the keys from `first` on, of which `left` are there. */
CLSORT_INLINE void radix_count_tile(const struct radix_params *p, __local uint *counters,
                                    __global const stored_key_t *keys, ulong left)
{
    const uint me = get_local_id(0);
    if (left >= TILE_SLOTS) { /* all loads before any count: more bytes in flight */
        key_t own[ITEMS];
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            own[i] = (keys + me)[i * GROUP_SIZE];
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            atomic_inc(&counters[DIGIT(KEY_ENCODE(own[i]), *p)]);
    } else {
        for (uint slot = me; slot < (uint)left; slot += GROUP_SIZE) {
            const key_t key = keys[slot];
            atomic_inc(&counters[DIGIT(KEY_ENCODE(key), *p)]);
        }
    }
}

KERNEL void radix_count(const struct radix_params p, __global const void *keys_in,
                        __global void *counts_out)
{
    __local uint counters[RADIX];
    LOCAL_FITS(sizeof(counters));
    const ulong array = get_group_id(0) / p.num_blocks;
    const ulong block = get_group_id(0) % p.num_blocks;
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0) + array * p.count;
    __global ulong *counts = AT(ulong, counts_out, 1) + array * RADIX * p.num_blocks;

    group_clear(counters, RADIX);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
    const ulong begin = min(block * p.block_size, p.count);
    const ulong end = min(begin + p.block_size, p.count);
    for (ulong first = begin; first < end; first += TILE_SLOTS)
        radix_count_tile(&p, counters, keys + first, end - first);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    for (uint digit = get_local_id(0); digit < RADIX; digit += GROUP_SIZE)
        counts[digit * p.num_blocks + block] = counters[digit];
}
