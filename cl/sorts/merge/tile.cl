/* tile.cl: tiles of an array, each merge-sorted by one work-group in local memory. First
 * step of merge sort.
 *
 * Idea: every work-item puts ITEMS neighbours in order in registers. Then pairs of runs are
 * merged, twice as long in each round (group/merge_local.h); every work-item finds by merge path
 * where its ITEMS items of the result begin, and merges them into registers, until the tile is one
 * run.
 *
 * Local memory: the tile, and where each work-item's part begins. Runs before split.cl, or
 * alone. In place is fine. */
#include "group/merge_local.h"

KERNEL void merge_tile(const struct merge_params p, ITEM_ARGS, __global void *table)
{
    __local ITEM tile[TILE_SLOTS];
    __local struct local_sort shared;
    LOCAL_FITS(sizeof(tile) + sizeof(shared));
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
    local_sort(&shared, tile, size);

    __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1) + array * p.count;
    __global payload_t *to_payload = AT(payload_t, payload_out, 3) + array * p.count;
    for (uint slot = me; slot < size; slot += GROUP_SIZE)
        ITEM_STORE(to_keys, to_payload, begin + slot, LOCAL_ITEM(&shared, tile, slot), p.flags);
}
