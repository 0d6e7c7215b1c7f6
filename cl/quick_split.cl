/* quick_split.cl: finds where every tile of a merge begins in its two runs (quick_merge_tile.h).
 * Runs before each quick_merge.cl of records whose comparison may be no order.
 *
 * Idea: as merge_split.cl: a work-item for each tile. Local memory: none. */
#include "config.h"
#include "quick_merge_tile.h"

KERNEL void quick_split(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    const uint num_blocks = QUICK_CONTROL->num_blocks[q->level];
    for (uint block = (uint)get_global_id(0); block < num_blocks; block += (uint)get_global_size(0))
        quick_split_tile(q, QUICK_BUFFERS, block);
}
