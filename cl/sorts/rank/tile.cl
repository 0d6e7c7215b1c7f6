/* tile.cl: rank sort of arrays that fit in a work-group's local memory, several to a group if
 * they are short.
 *
 * Idea: every work-item remembers its elements, counts for each how many of its array come before
 * it, all wait, and all write at once to these ranks ("parallel swap"). Equal keys are
 * placed by their index, so the sort is stable. Then the tile is written to global memory in order.
 *
 * Local memory: one tile of items in natural order; all work-items of a sub-group read the same
 * item while counting, which local memory broadcasts. Runs alone. In place is fine. */
#include "base/config.h"
#include "group/rank.h"
#include "base/tile.h"

KERNEL void rank_tile(const struct tile_params p, ITEM_ARGS)
{
    __local ITEM items[TILE_SLOTS];
    LOCAL_FITS(sizeof(items));
    struct tile tile;
    tile_find(&p, TILE_SLOTS, &tile);
    const uint me = get_local_id(0);
    ITEM own[ITEMS];
    uint ranks[ITEMS];

    __global const stored_key_t *from_keys = AT(const stored_key_t, keys_in, 0);
    __global const payload_t *from_payload = AT(const payload_t, payload_in, 2);
    for (uint i = 0; i < ITEMS; ++i) {
        const uint slot = i * GROUP_SIZE + me;
        struct tile_element at;
        tile_locate(&p, &tile, slot, &at);
        if (at.index < at.count) {
            own[i] = item_load(from_keys, from_payload, at.base + at.index, at.index, p.flags);
            items[slot] = own[i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all items of the tile are in local memory */

    for (uint i = 0; i < ITEMS; ++i) {
        const uint slot = i * GROUP_SIZE + me;
        struct tile_element at;
        tile_locate(&p, &tile, slot, &at);
        const uint start = slot >> p.slot_bits << p.slot_bits;
        if (at.index < at.count)
            ranks[i] = start + clsort_item_rank(items + start, (uint)p.count, own[i], slot - start);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* every work-item has counted before any writes */

    for (uint i = 0; i < ITEMS; ++i) {
        struct tile_element at;
        tile_locate(&p, &tile, i * GROUP_SIZE + me, &at);
        if (at.index < at.count)
            items[ranks[i]] = own[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order */

    __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1);
    __global payload_t *to_payload = AT(payload_t, payload_out, 3);
    for (uint i = 0; i < ITEMS; ++i) {
        const uint slot = i * GROUP_SIZE + me;
        struct tile_element at;
        tile_locate(&p, &tile, slot, &at);
        if (at.index < at.count)
            item_store(to_keys, to_payload, at.base + at.index, items[slot], p.flags);
    }
}
