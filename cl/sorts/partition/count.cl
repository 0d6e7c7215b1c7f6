/* count.cl: how many elements of each bucket every block of a level's segments has
 * (count_digits.h, count_splitters.h).
 *
 * Local memory: as there. Runs after: begin.cl, pivots.cl, or the last level's scatter.cl. Before:
 * scan.cl, or scatter.cl. */
#include "base/config.h"
#include "sorts/partition/count_digits.h"
#include "sorts/partition/count_splitters.h"

KERNEL void partition_count(const struct partition_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p;
    __local struct partition_count_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_blocks = PARTITION_NUM_BLOCKS;
    for (uint block = get_group_id(0); block < num_blocks; block += get_num_groups(0))
        partition_count_block(q, PARTITION_BUFFERS, block, &shared);
}
