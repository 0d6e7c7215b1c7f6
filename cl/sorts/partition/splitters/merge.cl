/* merge.cl: a merge pass over the segments that are left after the last level. Neighbouring
 * runs become runs twice as long, and a work-group merges a tile of the result
 * (merge_tile.h).
 *
 * Local memory: the tile, and what merging needs. Runs after: leaf.cl, or the pass before. */
#include "base/config.h"
#include "sorts/partition/splitters/merge_tile.h"

KERNEL void quick_merge(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_merge_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_blocks = QUICK_CONTROL->num_blocks[q->level];
    for (uint block = get_group_id(0); block < num_blocks; block += get_num_groups(0))
        quick_merge_tile(q, QUICK_BUFFERS, block, &shared);
}
