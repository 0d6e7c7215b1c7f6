/* short.cl: short arrays, several in a work-group's tile, one behind another as they lie in memory.
 * p.pass: 0, to sort each array as tile.cl sorts a part of one; or 1, to merge the two ranges that
 * it has, as pass.cl does it. A work-group for each array would have little to do, and a launch
 * takes the longer the more groups it has. No tile's part of a merge has to be looked for.
 *
 * Each array has the same number of work-items, as many as hold it. p.tile: arrays of a work-group.
 *
 * Local memory: the tile, and where each work-item's part begins. Alone. In place is fine. */
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

KERNEL void merge_short(const struct merge_params p, ITEM_ARGS)
{
    __local ITEM tile[TILE_SLOTS];
    __local struct local_sort shared;
    LOCAL_FITS(sizeof(tile) + sizeof(shared));
    const uint me = get_local_id(0), count = (uint)p.count;
    struct merge_short arrays;
    struct local_array array;
    merge_short_find(&p, &arrays, &array);
    __global const stored_key_t *from_keys = AT(const stored_key_t, keys_in, 0) + arrays.begin;
    __global const payload_t *from_payload = AT(const payload_t, payload_in, 2) + arrays.begin;
    for (uint slot = me; slot < arrays.size; slot += GROUP_SIZE)
        ITEM_LOAD(tile[slot], from_keys, from_payload, slot, slot % count, p.flags);
    barrier(CLK_LOCAL_MEM_FENCE); /* the arrays are there */
    if (p.pass == 0)
        local_sort_arrays(&shared, tile, array);
    else
        local_merge_arrays(&shared, tile, array, (uint)p.run, 1);
    __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1) + arrays.begin;
    __global payload_t *to_payload = AT(payload_t, payload_out, 3) + arrays.begin;
    for (uint slot = me; slot < arrays.size; slot += GROUP_SIZE)
        ITEM_STORE(to_keys, to_payload, slot, LOCAL_ITEM_OF(&shared, tile, slot / count, slot),
                   p.flags);
}
