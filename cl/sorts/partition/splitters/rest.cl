/* rest.cl: merges the pieces of each segment that is left after the last level, by one work-group,
 * all passes in one launch (rest.h). For few elements that is cheaper than sharing a pass among
 * work-groups: a launch takes as long as one work-group needs for a pass of 2^16 u32.
 *
 * Local memory: a tile, and what merging needs. Runs after: leaf.cl. */
#include "base/config.h"
#include "sorts/partition/splitters/rest.h"

KERNEL void quick_rest(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_rest_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_segments = QUICK_CONTROL->num_segments[q->level];
    for (uint number = get_group_id(0); number < num_segments; number += get_num_groups(0)) {
        const struct quick_segment segment = QUICK_TABLE(struct quick_segment, segments)[number];
        quick_rest_segment(q, QUICK_BUFFERS, &shared, &segment);
    }
}
