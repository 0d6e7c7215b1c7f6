/* short_pass.cl: the two ranges of short arrays merged, several arrays by one work-group, in
 * local memory as pass.cl does it. Alone: no tile's part has to be looked for.
 *
 * Local memory: the tile, and where each work-item's part begins. In place is fine. */
#include "sorts/merge/short.h"

KERNEL void merge_short_pass(const struct merge_params p, ITEM_ARGS)
{
    __local ITEM tile[TILE_SLOTS];
    __local struct local_sort shared;
    LOCAL_FITS(sizeof(tile) + sizeof(shared));
    struct merge_short arrays;
    struct local_array array;
    merge_short_find(&p, &arrays, &array);
    merge_short_load(&p, keys_in, keys_out, payload_in, payload_out, &arrays, tile);
    local_merge_arrays(&shared, tile, array, (uint)p.run, 1);
    merge_short_store(&p, keys_in, keys_out, payload_in, payload_out, &arrays, &shared, tile);
}
