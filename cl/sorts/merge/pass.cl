/* pass.cl: neighbouring runs merged to runs twice as long, a tile of the output by each
 * work-group. Later steps of merge sort.
 *
 * Idea: what belongs in the tile lies in one part of either run (split.cl). Both are read to
 * local memory behind one another; there every work-item merges ITEMS items of the result, and the
 * tile is written as it was read, neighbours by neighbours.
 *
 * Local memory: the tile, and where each work-item's part begins. Runs after split.cl. Not in
 * place. */
#include "group/merge_local.h"

KERNEL void merge_pass(const struct merge_params p, ITEM_ARGS, __global const void *table)
{
    __local ITEM tile[TILE_SLOTS];
    __local struct local_sort shared;
    LOCAL_FITS(sizeof(tile) + sizeof(shared));
    const uint me = get_local_id(0);
    const ulong number = get_group_id(0);
    const ulong array = number / p.tiles_per_array;
    __global const stored_key_t *from_keys = AT(const stored_key_t, keys_in, 0) + array * p.count;
    __global const payload_t *from_payload = AT(const payload_t, payload_in, 2) + array * p.count;
    __global const ulong *splits = AT(const ulong, table, 4) + p.num_arrays;
    const int merges = !RECORD_SIZE || AT(const ulong, table, 4)[array] != p.pass;
    const ulong at = number % p.tiles_per_array * TILE_SLOTS;
    const ulong begin = at / p.span * p.span;
    const ulong middle = min(begin + p.run, (ulong)p.count);
    const ulong end = min(begin + p.span, (ulong)p.count);
    const uint size = (uint)min((ulong)TILE_SLOTS, end - at);
    const ulong bound = splits[number];
    const ulong next = at + size < end ? splits[number + 1] : middle - begin;
    const ulong first_at = merges ? begin + bound : at;
    const ulong second_at = middle + (at - begin - bound);
    /* If the ranges are not in order, the tiles' bounds may not fit together. What is read still
     * lies in the two runs. */
    const ulong least = sub_sat((ulong)size, end - second_at);
    const ulong most = min((ulong)size, middle - min(middle, first_at));
    const uint first_size =
        merges ? (uint)clamp((long)(next - bound), (long)least, (long)most) : size;
#define MERGE_FROM(slot) ((slot) < first_size ? first_at + (slot) : second_at + ((slot)-first_size))
    if (!RECORD_SIZE && size == TILE_SLOTS) { /* all loads are on their way at once */
        ITEM own[ITEMS];
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const ulong from = MERGE_FROM(me + i * GROUP_SIZE);
            ITEM_LOAD(own[i], from_keys, from_payload, from, from, p.flags);
        }
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            tile[me + i * GROUP_SIZE] = own[i];
    } else {
        for (uint slot = me; slot < size; slot += GROUP_SIZE) {
            const ulong from = MERGE_FROM(slot);
            ITEM_LOAD(tile[slot], from_keys, from_payload, from, from, p.flags);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* both parts are there */
    local_merge(&shared, tile, size, first_size, merges);

    __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1) + array * p.count;
    __global payload_t *to_payload = AT(payload_t, payload_out, 3) + array * p.count;
    for (uint slot = me; slot < size; slot += GROUP_SIZE)
        ITEM_STORE(to_keys, to_payload, at + slot, LOCAL_ITEM(&shared, tile, slot), p.flags);
}
