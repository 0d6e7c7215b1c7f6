/* quick_split.cl: where every tile of a merge begins in its two runs. Before each quick_merge.cl of records
 * whose comparison may be no order.
 *
 * Idea: as merge_split.cl: a work-item a tile looks for its boundary and the next one's; if the two do not
 * fit together the comparison is no order, and the segment is marked as not to be merged in this
 * pass. Local memory: none. */
#include "config.h"
#include "quick_merge.h"

KERNEL void quick_split(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    const uint num_blocks = QUICK_CONTROL->num_blocks[q->level];
    for (uint block = (uint)get_global_id(0); block < num_blocks;
         block += (uint)get_global_size(0)) {
        struct quick_merge merge;
        if (!quick_merge_find(q, QUICK_BUFFERS, block, &merge))
            continue;
        const uint bound = quick_path(&merge, merge.at - merge.begin);
        const uint next = quick_path(&merge, merge.at + merge.size - merge.begin);
        QUICK_TABLE(uint, splits)[block] = bound;
        if (next < bound || next - bound > merge.size)
            QUICK_TABLE(struct quick_segment, segments)
        [QUICK_TABLE(uint, owners)[block]].broken = q->passes_left;
    }
}
