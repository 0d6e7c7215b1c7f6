/* part_count.cl: how many elements of each digit every block of a level's segments has
 * (part_count.h).
 *
 * Local memory: the counters and what has been seen; then what part_cursors.h needs. Runs before:
 * part_scan.cl, or part_scatter.cl. */
#include "config.h"
#include "part_count.h"

KERNEL void part_count(const struct part_params p, PART_ARGS)
{
    const struct part_params *q = &p;
    __local struct part_count_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_blocks = part_num_blocks(q, scratch);
    for (uint block = get_group_id(0); block < num_blocks; block += get_num_groups(0))
        part_count_block(q, PART_BUFFERS, block, &shared);
}
