/* tile.h: writes the wanted ones of the items that a work-group has collected in local
 * memory.
 *
 * Idea: a few items are compared with each other, and each is written to its rank. More items are
 * sorted by the network, which takes many steps with a barrier each.
 *
 * Local memory: the caller's items. */
#ifndef CLSORT_SELECT_TILE_H
#define CLSORT_SELECT_TILE_H

#include "group/network.h"
#include "select/write.h"

/* An item whose order is that of key and index. */
#define SELECT_ITEM(key, index) item_make((key) << KEY_FIRST_BIT, index)
/* Items that are compared with each other, at most. */
#define SELECT_FEW (2 * GROUP_SIZE)

/* Writes the item of place `at` of an array's wanted ones. */
CLSORT_INLINE void select_tile_place(const struct select_params *p, SELECT_BUFFERS, ulong array,
                                     ITEM item, uint at)
{
    const uint index = min((uint)ITEM_STORED_PAYLOAD(item), p->count - 1);
    const stored_key_t key =
        BUFFER_AT(const stored_key_t, p->offsets, keys_in, 0)[array * p->count + index];
    select_write(p, keys_in, keys_out, values_in, payload_out, array, index, key, at);
}

/* Puts `num` items in order, and writes `limit` of them, from place `from` on, as an array's. A
 * group that has nothing to write also calls, with 0 and 0: barriers stand in uniform flow. */
CLSORT_INLINE void select_tile_write(const struct select_params *p, SELECT_BUFFERS, ulong array,
                                     __local ITEM *items, uint num, uint from, uint limit)
{
    if (num <= SELECT_FEW) {
        barrier(CLK_LOCAL_MEM_FENCE); /* they are collected */
        GROUP_LOOP(i, 0, num) {
            const ITEM own = items[clsort_item_slot(i)];
            uint rank = 0;
#pragma unroll 4
            for (uint j = 0; j < num; ++j) {
                const ITEM other = items[clsort_item_slot(j)];
                rank += ITEM_LESS(other, own) ? 1 : 0;
            }
            if (rank - from < limit)
                select_tile_place(p, keys_in, keys_out, values_in, payload_out, array, own,
                                  rank - from);
        }
        return;
    }
    const uint needed = num > 2 ? 32 - (uint)clz(num - 1) : 1;
    const uint bits = min(max(needed, (uint)ITEM_BITS + 6), (uint)TILE_BITS);
    GROUP_LOOP(i, num, TILE_SLOTS)
        clsort_item_store(items, clsort_item_slot(i), ITEM_LAST, 1);
    clsort_item_network(items, TILE_SLOTS, bits, 1, 1, bits);
    /* They are in order: the network ends with a barrier. */
    GROUP_LOOP(i, 0, limit)
        select_tile_place(p, keys_in, keys_out, values_in, payload_out, array,
                          items[clsort_item_slot(min(from + i, TILE_SLOTS - 1u))], i);
}

#endif
