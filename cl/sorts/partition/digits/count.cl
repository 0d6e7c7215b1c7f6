/* count.cl: how many elements of each digit every block of a level's segments has
 * (count.h).
 *
 * Local memory: the counters and what has been seen; then what cursors.h needs. Runs before:
 * scan.cl, or scatter.cl. */
#include "base/config.h"
#include "sorts/partition/digits/count.h"

KERNEL void part_count(const struct part_params p, PART_ARGS)
{
    const struct part_params *q = &p;
    __local struct part_count_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_blocks = part_num_blocks(q, scratch);
    for (uint block = get_group_id(0); block < num_blocks; block += get_num_groups(0))
        part_count_block(q, PART_BUFFERS, block, &shared);
}
