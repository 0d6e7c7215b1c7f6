/* merge_tile.cl: tiles of an array, each merge-sorted by one work-group in local memory. First step of
 * merge sort.
 *
 * Idea: every work-item puts ITEMS neighbours in order in registers, by a network that never moves an
 * item past an equal one. Then pairs of runs are merged, twice as long in each round; every
 * work-item finds by merge path where its ITEMS items of the result begin, and merges them into
 * registers, until the tile is one run.
 *
 * Local memory: the tile, and where each work-item's part begins. Runs before merge_split.cl, or
 * alone. In place is fine. */
#include "merge_local.h"

KERNEL void merge_tile(const struct merge_params p, ITEM_ARGS, __global void *table)
{
    __local ITEM tile[TILE_SLOTS];
    __local uint bounds[GROUP_SIZE + 1];
    __local uint broken[1];
    const uint me = get_local_id(0);
    const ulong array = get_group_id(0) / p.tiles_per_array;
    const ulong begin = get_group_id(0) % p.tiles_per_array * TILE_SLOTS;
    const uint size = (uint)min((ulong)TILE_SLOTS, p.count - begin);
    __global const stored_key_t *from_keys = AT(const stored_key_t, keys_in, 0) + array * p.count;
    __global const payload_t *from_payload = AT(const payload_t, payload_in, 2) + array * p.count;
    for (uint slot = me; slot < size; slot += GROUP_SIZE)
        ITEM_LOAD(tile[slot], from_keys, from_payload, begin + slot, begin + slot, p.flags);
    if (me == 0 && begin == 0)
        AT(ulong, table, 4)[array] = 0; /* no pass has met a comparison that is no order */
    barrier(CLK_LOCAL_MEM_FENCE);       /* the tile is there */

    ITEM own[ITEMS];
    const uint first = me * ITEMS;
    for (uint i = 0; i < ITEMS; ++i)
        own[i] = tile[min(first + i, size - 1)];
    own_sort(own, first < size ? min(size - first, (uint)ITEMS) : 0);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read the tile */
    own_write(own, tile, first, size);
    for (uint run = ITEMS; run < TILE_SLOTS; run *= 2) {
        const uint start = first / (2 * run) * (2 * run);
        const uint middle = min(start + run, size);
        const uint end = min(middle + run, size);
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in runs; all know whether the last merge broke */
        if (me == 0)
            broken[0] = 0;
        if (first < size)
            bounds[me] = local_path(tile, start, middle, end, first - start);
        barrier(CLK_LOCAL_MEM_FENCE); /* every part's begin is known */
        if (first < size)
            own_merge(own, tile, bounds, broken, start, middle, end, first);
        barrier(CLK_LOCAL_MEM_FENCE); /* all have merged; nobody reads the tile */
        if (!broken[0])
            own_write(own, tile, first, size);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order */

    __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1) + array * p.count;
    __global payload_t *to_payload = AT(payload_t, payload_out, 3) + array * p.count;
    for (uint slot = me; slot < size; slot += GROUP_SIZE)
        item_store(to_keys, to_payload, begin + slot, tile[slot], p.flags);
}
