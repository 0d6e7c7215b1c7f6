/* select_tile.h: what is wanted, out of the items that a work-group has collected in local memory.
 *
 * Local memory: the caller's items. */
#ifndef CLSORT_SELECT_TILE_H
#define CLSORT_SELECT_TILE_H

#include "network.h"
#include "select.h"

/* An item whose order is that of key and index. */
#define SELECT_ITEM(key, index) item_make((key) << KEY_FIRST_BIT, index)

/* Sorts `num` items, and writes `limit` of them, from place `from` on, as an array's. keys: the
 * array. A group that has nothing to write calls with 0 and 0, too: barriers stand in uniform
 * flow. */
CLSORT_INLINE void select_tile_write(const struct select_params *p, SELECT_ARGS,
                                     __global const stored_key_t *keys, ulong array,
                                     __local ITEM *items, uint num, uint from, uint limit)
{
    const uint needed = num > 2 ? 32 - (uint)clz(num - 1) : 1;
    const uint bits = min(max(needed, (uint)ITEM_BITS + 6), (uint)TILE_BITS);
    for (uint i = num + get_local_id(0); i < TILE_SLOTS; i += GROUP_SIZE)
        clsort_item_store(items, clsort_item_slot(i), ITEM_LAST, 1);
    clsort_item_network(items, TILE_SLOTS, bits, 1, 1, bits);
    barrier(CLK_LOCAL_MEM_FENCE); /* they are in order */
    __global stored_key_t *to = BUFFER_AT(stored_key_t, p->offsets, keys_out, 1);
    for (uint i = get_local_id(0); i < limit; i += GROUP_SIZE) {
        ITEM item;
        clsort_item_load(items, clsort_item_slot(min(from + i, TILE_SLOTS - 1u)), &item, 1);
        const ulong at = array * p->limit + i;
        const uint index = min((uint)ITEM_STORED_PAYLOAD(item), p->count - 1);
        if (p->flags & FLAG_STORE_KEYS)
            to[at] = keys[index];
        if (p->flags & FLAG_WIDE_INDEX)
            BUFFER_AT(ulong, p->offsets, indices_out, 3)[at] = index;
        else if (p->flags & FLAG_STORE_PAYLOAD)
            BUFFER_AT(uint, p->offsets, indices_out, 3)[at] = index;
    }
}

#endif
