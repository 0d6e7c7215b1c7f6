/* short.h: short arrays, several in a work-group's tile, one behind another as they lie in
 * memory. Each has the same number of work-items, as many as hold it. p.tile: arrays of a
 * work-group. */
#ifndef CLSORT_MERGE_SHORT_H
#define CLSORT_MERGE_SHORT_H

#define LOCAL_ARRAYS GROUP_SIZE
#include "group/merge_local.h"

/* The group's arrays: where the first one begins, and the elements of all. */
struct merge_short {
    ulong begin;
    uint size;
};

CLSORT_INLINE void merge_short_find(const struct merge_params *p, struct merge_short *arrays,
                                    struct local_array *array)
{
    const uint count = (uint)p->count, me = get_local_id(0);
    const uint owners = (count + ITEMS - 1) / ITEMS;
    const ulong first = get_group_id(0) * p->tile;
    const uint num = (uint)min((ulong)p->tile, p->num_arrays - first);
    arrays->begin = first * count;
    arrays->size = num * count;
    const int has_array = me / owners < num;
    array->number = has_array ? me / owners : 0;
    array->begin = array->number * count;
    array->size = count;
    array->me = has_array ? me % owners : count;
}

/* Ends with a barrier. */
CLSORT_INLINE void merge_short_load(const struct merge_params *p, ITEM_ARGS,
                                    const struct merge_short *arrays, __local ITEM *tile)
{
    __global const stored_key_t *keys =
        BUFFER_AT(const stored_key_t, p->offsets, keys_in, 0) + arrays->begin;
    __global const payload_t *payload =
        BUFFER_AT(const payload_t, p->offsets, payload_in, 2) + arrays->begin;
    for (uint slot = get_local_id(0); slot < arrays->size; slot += GROUP_SIZE)
        ITEM_LOAD(tile[slot], keys, payload, slot, slot % (uint)p->count, p->flags);
    barrier(CLK_LOCAL_MEM_FENCE); /* the arrays are there */
}

CLSORT_INLINE void merge_short_store(const struct merge_params *p, ITEM_ARGS,
                                     const struct merge_short *arrays,
                                     __local struct local_sort *shared, __local const ITEM *tile)
{
    __global stored_key_t *keys = BUFFER_AT(stored_key_t, p->offsets, keys_out, 1) + arrays->begin;
    __global payload_t *payload = BUFFER_AT(payload_t, p->offsets, payload_out, 3) + arrays->begin;
    for (uint slot = get_local_id(0); slot < arrays->size; slot += GROUP_SIZE)
        ITEM_STORE(keys, payload, slot, LOCAL_ITEM_OF(shared, tile, slot / (uint)p->count, slot),
                   p->flags);
}

#endif
