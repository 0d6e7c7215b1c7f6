/* cursors.cl: where every bucket of a level's segments begins, and what becomes of it
 * (cursors.h).
 *
 * Runs after: count.cl. Before: scatter.cl. */
#include "base/config.h"
#include "sorts/partition/splitters/cursors.h"

KERNEL void quick_cursors(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_cursors_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_segments = quick_num_segments(q, scratch);
#pragma unroll 1
    for (uint number = get_group_id(0); number < num_segments; number += get_num_groups(0))
        quick_cursors_segment(q, scratch, number, &shared);
}
