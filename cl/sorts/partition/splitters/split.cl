/* split.cl: finds where every tile of a merge begins in its two runs (merge_tile.h).
 * Runs before each merge.cl of records whose comparison may be no order.
 *
 * Idea: as merge/split.cl: a work-item for each tile. Local memory: none. */
#include "base/config.h"
#include "sorts/partition/splitters/merge_tile.h"

KERNEL void quick_split(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    const uint num_blocks = QUICK_CONTROL->num_blocks[q->level];
    for (uint block = (uint)get_global_id(0); block < num_blocks; block += (uint)get_global_size(0))
        quick_split_tile(q, QUICK_BUFFERS, block);
}
