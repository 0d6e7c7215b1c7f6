/* scatter.cl: moves the elements of a level's segments to their digits' places
 * (scatter.h).
 *
 * Local memory: as there. Runs after: count.cl or scan.cl. Before: the next level's
 * count.cl, or leaf.cl. */
#include "base/config.h"
#include "sorts/partition/digits/scatter.h"

KERNEL void part_scatter(const struct part_params p, PART_ARGS)
{
    const struct part_params *q = &p;
    __local struct part_scatter_local shared;
    LOCAL_FITS(sizeof(shared));
    part_clear(PART_TABLE(uint, next_totals), PART_TABLE(struct part_seen, next_seen),
               PART_CONTROL->num_segments[q->level + 1], part_next_bits(q, scratch),
               (uint)get_global_id(0), (uint)get_global_size(0));
    const uint num_blocks = part_num_blocks(q, scratch);
    for (uint block = get_group_id(0); block < num_blocks; block += get_num_groups(0))
        part_scatter_block(q, PART_BUFFERS, block, &shared);
}
