/* stream.cl: rank sort of arrays larger than one work-group.
 *
 * Idea: a group owns TILE_SLOTS elements, ITEMS to a work-item, in registers. The whole array
 * streams through local memory in tiles of that size, and every work-item counts the elements that
 * come before its own. A tile wholly before the group's own counts with "not after", one wholly
 * behind it with "before", so ties go by position without an index test; only the group's own tile
 * needs one. Each element is then written once, to its rank. The work grows as n^2.
 *
 * Local memory: one tile of items, read as broadcasts. Runs alone. Not in place: other groups still
 * read while this one writes (the planner copies first). */
#include "base/config.h"
#include "group/rank.h"

KERNEL void rank_stream(const struct rank_params p, ITEM_ARGS)
{
    __local ITEM tile[TILE_SLOTS];
    LOCAL_FITS(sizeof(tile));
    const ulong array = get_group_id(0) / p.groups_per_array;
    const ulong first = get_group_id(0) % p.groups_per_array * TILE_SLOTS;
    const ulong base = array * p.count;
    const uint me = get_local_id(0);

    __global const stored_key_t *from_keys = AT(const stored_key_t, keys_in, 0);
    __global const payload_t *from_payload = AT(const payload_t, payload_in, 2);
    ITEM own[ITEMS];
    uint ranks[ITEMS];
    for (uint i = 0; i < ITEMS; ++i) {
        const ulong at = min(first + i * GROUP_SIZE + me, p.count - 1);
        own[i] = item_load(from_keys, from_payload, base + at, at, p.flags);
        ranks[i] = 0;
    }

    for (ulong start = 0; start < p.count; start += TILE_SLOTS) {
        const uint size = (uint)min((ulong)TILE_SLOTS, p.count - start);
        barrier(CLK_LOCAL_MEM_FENCE); /* the last tile is read before it is overwritten */
        for (uint i = 0; i < ITEMS; ++i) {
            const uint slot = i * GROUP_SIZE + me;
            if (slot < size)
                tile[slot] =
                    item_load(from_keys, from_payload, base + start + slot, start + slot, p.flags);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in local memory */
        if (start == first) {
            for (uint i = 0; i < ITEMS; ++i)
                ranks[i] +=
                    clsort_item_rank(tile, size, own[i], min(i * GROUP_SIZE + me, size - 1));
        } else {
            for (uint j = 0; j < size; ++j) {
                const ITEM item = tile[j];
                for (uint i = 0; i < ITEMS; ++i)
                    ranks[i] += start < first ? !ITEM_KEY_LESS(own[i], item)
                                              : (uint)ITEM_KEY_LESS(item, own[i]);
            }
        }
    }

    __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1);
    __global payload_t *to_payload = AT(payload_t, payload_out, 3);
    for (uint i = 0; i < ITEMS; ++i) {
        if (first + i * GROUP_SIZE + me < p.count)
            item_store(to_keys, to_payload, base + ranks[i], own[i], p.flags);
    }
}
