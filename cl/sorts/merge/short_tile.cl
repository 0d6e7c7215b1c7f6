/* short_tile.cl: short arrays, several merge-sorted by one work-group, as tile.cl sorts
 * a part of one. Merge sort of many arrays, alone: a work-group for each would have little to do,
 * and a launch takes the longer the more groups it has.
 *
 * Local memory: the tile, and where each work-item's part begins. In place is fine. */
#include "sorts/merge/short.h"

KERNEL void merge_short_tile(const struct merge_params p, ITEM_ARGS)
{
    __local ITEM tile[TILE_SLOTS];
    __local struct local_sort shared;
    LOCAL_FITS(sizeof(tile) + sizeof(shared));
    struct merge_short arrays;
    struct local_array array;
    merge_short_find(&p, &arrays, &array);
    merge_short_load(&p, keys_in, keys_out, payload_in, payload_out, &arrays, tile);
    local_sort_arrays(&shared, tile, array);
    merge_short_store(&p, keys_in, keys_out, payload_in, payload_out, &arrays, &shared, tile);
}
