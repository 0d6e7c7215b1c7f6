/* check.cl: where arrays are out of order for the first time.
 *
 * check_blocks: each work-group looks at a block of an array, every work-item at elements and those
 *               before them, until it finds one that comes before its predecessor. The group's
 *               first is written to the table; if the array is one block, to the result.
 * check_result: a work-group for each array takes the first block that found one.
 *
 * Local memory: a word. Both run alone, or check_result after check_blocks. */
#include "base/item.h"

#define CHECK_NONE 0xffffffffu

/* The offset from `begin` of an element of a tile that this work-item found out of order, its
 * first; or CHECK_NONE. A tile without one, which is the common case, has no branch inside. */
CLSORT_INLINE uint check_tile(__global const stored_key_t *keys, ulong begin, ulong tile, ulong end)
{
    const uint me = get_local_id(0);
    if (!RECORD_SIZE && tile > 0 && tile + TILE_SLOTS <= end) {
        uint descents = 0;
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const ulong at = tile + i * GROUP_SIZE + me;
            descents |= (uint)STORED_LESS(keys[at], keys[at - 1]);
        }
        if (!descents)
            return CHECK_NONE;
    }
    for (ulong at = max(tile, 1ul) + me; at < min(tile + TILE_SLOTS, end); at += GROUP_SIZE)
        if (STORED_LESS(keys[at], keys[at - 1]))
            return (uint)(at - begin);
    return CHECK_NONE;
}

KERNEL void check_blocks(const struct range_params p, __global const void *keys_in,
                         __global void *result, __global void *table)
{
    __local uint least[1];
    LOCAL_FITS(sizeof(least));
    const ulong array = get_group_id(0) / p.num_blocks;
    const ulong begin = get_group_id(0) % p.num_blocks * p.block_size;
    const ulong end = min(begin + p.block_size, (ulong)p.count);
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0) + array * p.count;
    uint found = CHECK_NONE;
    for (ulong tile = begin; tile < end && found == CHECK_NONE; tile += TILE_SLOTS)
        found = check_tile(keys, begin, tile, end);
    if (get_local_id(0) == 0)
        least[0] = CHECK_NONE;
    barrier(CLK_LOCAL_MEM_FENCE); /* nothing is found yet */
    if (found != CHECK_NONE)
        atomic_min(least, found);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have looked */
    if (get_local_id(0) == 0) {
        if (p.num_blocks == 1)
            AT(ulong, result, 1)[array] = least[0] == CHECK_NONE ? p.count : least[0];
        else
            AT(uint, table, 2)[get_group_id(0)] = least[0];
    }
}

KERNEL void check_result(const struct range_params p, __global void *result,
                         __global const void *table)
{
    __local uint first[1];
    LOCAL_FITS(sizeof(first));
    const uint me = get_local_id(0);
    const ulong array = get_group_id(0);
    __global const uint *found = AT(const uint, table, 1) + array * p.num_blocks;
    uint mine = CHECK_NONE;
    for (uint block = me; block < p.num_blocks && mine == CHECK_NONE; block += GROUP_SIZE)
        mine = found[block] == CHECK_NONE ? CHECK_NONE : block;
    if (me == 0)
        first[0] = CHECK_NONE;
    barrier(CLK_LOCAL_MEM_FENCE); /* no block is known yet */
    if (mine != CHECK_NONE)
        atomic_min(first, mine);
    barrier(CLK_LOCAL_MEM_FENCE); /* the first block is known */
    if (me == 0)
        AT(ulong, result, 0)
    [array] = first[0] == CHECK_NONE ? p.count : first[0] * p.block_size + found[first[0]];
}
