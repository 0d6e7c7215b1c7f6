/* scatter.cl: moves the elements of a level's segments to their buckets (scatter_digits.h,
 * scatter_splitters.h).
 *
 * Local memory: as there. Runs after: count.cl or scan.cl. Before: the next level's pivots.cl or
 * count.cl, or the leaves. */
#include "base/config.h"
#include "sorts/partition/scatter_digits.h"
#include "sorts/partition/scatter_splitters.h"

KERNEL void partition_scatter(const struct partition_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p;
    __local struct partition_scatter_local shared;
    LOCAL_FITS(sizeof(shared));
    if (!SPLITTERS) /* whose pivots.cl does it */
        digits_clear(PARTITION_TABLE(uint, next_totals),
                     PARTITION_CONTROL->num_segments[q->level + 1] << digits_next_bits(q, scratch),
                     (uint)get_global_id(0), (uint)get_global_size(0));
    const uint num_blocks = PARTITION_NUM_BLOCKS;
#pragma unroll 1
    for (uint block = get_group_id(0); block < num_blocks; block += get_num_groups(0))
        partition_scatter_block(q, PARTITION_BUFFERS, block, &shared);
}
