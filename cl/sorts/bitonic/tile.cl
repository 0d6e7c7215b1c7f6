/* tile.cl: the part of the bitonic network that fits in a work-group's local memory.
 *
 * Idea: a tile of TILE_SLOTS elements is read once, as many merges as fit in it are done in local
 * memory, registers and sub-groups (clsort_device.h), and it is written once. Two uses: sort every
 * tile from nothing (first_stage = top = 1), or finish a merge whose longer strides
 * window.cl has done (first_stage = last_stage = that merge, top = log2 of the tile).
 * Arrays shorter than half a tile share one: the merges stop at the slots of one array, so
 * neighbours never meet.
 *
 * Local memory: one tile of items, in the order of clsort_item_slot() against bank conflicts.
 * Runs after: nothing, or window.cl. Before: window.cl, or the end. In place is
 * fine: a group reads and writes the same elements, and all reads come before all writes. */
#include "base/config.h"
#include "group/network.h"
#include "base/tile.h"

KERNEL void bitonic_tile(const struct tile_params p, ITEM_ARGS)
{
    __local ITEM items[TILE_SLOTS];
    LOCAL_FITS(sizeof(items));
    struct tile tile;
    tile_find(&p, TILE_SLOTS, &tile);
    const uint me = get_local_id(0);

    __global const stored_key_t *from_keys = AT(const stored_key_t, keys_in, 0);
    __global const payload_t *from_payload = AT(const payload_t, payload_in, 2);
    /* Slots are shared out in stripes, so that neighbours read and write neighbours. */
    const uint own_slot = clsort_item_slot(me);
    if (tile.whole) { /* without index tests a tile's merge takes 40 % less */
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const uint pack = i * GROUP_SIZE;
            clsort_item_store(items, own_slot ^ clsort_item_slot(pack),
                              pack_load_whole(from_keys, from_payload, tile.whole_base,
                                              tile.first_index, (pack + me) * LANES, p.flags),
                              1);
        }
    } else {
        for (uint i = 0; i < ITEMS; ++i) {
            const uint pack = i * GROUP_SIZE;
            struct tile_element at;
            tile_locate(&p, &tile, (pack + me) * LANES, &at);
            clsort_item_store(
                items, own_slot ^ clsort_item_slot(pack),
                pack_load(from_keys, from_payload, at.base, at.index, at.count, p.flags), 1);
        }
    }

    clsort_item_network(items, TILE_SLOTS, TILE_BITS, p.first_stage, p.top, p.last_stage);

    __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1);
    __global payload_t *to_payload = AT(payload_t, payload_out, 3);
    if (tile.whole) {
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const uint slot = i * GROUP_SIZE;
            PACK pack;
            clsort_item_load(items, own_slot ^ clsort_item_slot(slot), &pack, 1);
            pack_store_whole(to_keys, to_payload, tile.whole_base, (slot + me) * LANES, pack,
                             p.flags);
        }
    } else {
        for (uint i = 0; i < ITEMS; ++i) {
            const uint slot = i * GROUP_SIZE;
            struct tile_element at;
            tile_locate(&p, &tile, (slot + me) * LANES, &at);
            PACK pack;
            clsort_item_load(items, own_slot ^ clsort_item_slot(slot), &pack, 1);
            pack_store(to_keys, to_payload, at.base, at.index, at.count, pack, p.flags);
        }
    }
}
