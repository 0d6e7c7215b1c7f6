/* scatter.cl: moves the elements of a level's segments to their buckets (scatter.h).
 *
 * Runs after: cursors.cl. Before: the next level's sample.cl, or leaf.cl. */
#include "base/config.h"
#include "sorts/partition/splitters/scatter.h"

KERNEL void quick_scatter(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_scatter_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_blocks = quick_num_blocks(q, scratch);
#pragma unroll 1
    for (uint block = get_group_id(0); block < num_blocks; block += get_num_groups(0))
        quick_scatter_block(q, QUICK_BUFFERS, block, &shared);
}
