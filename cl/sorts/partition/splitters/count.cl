/* count.cl: the bucket of every element of a level's segments, and how many each has
 * (count.h).
 *
 * Runs after: sample.cl. Before: cursors.cl. */
#include "base/config.h"
#include "sorts/partition/splitters/count.h"

KERNEL void quick_count(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_count_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_blocks = quick_num_blocks(q, scratch);
    for (uint block = get_group_id(0); block < num_blocks; block += get_num_groups(0))
        quick_count_block(q, QUICK_BUFFERS, block, &shared);
}
