/* sample.cl: the pivots of every segment of a level (sample.h).
 *
 * Runs before: count.cl. */
#include "base/config.h"
#include "sorts/partition/splitters/sample.h"

CLSORT_INLINE void quick_sample_clear_control(const struct quick_params *q, __global void *scratch)
{
    __global uint *control = QUICK_TABLE(uint, control);
    GROUP_LOOP(i, 0, sizeof(struct quick_control) / 4)
        control[i] = 0;
}

KERNEL void quick_sample(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_sample_local shared;
    LOCAL_FITS(sizeof(shared));
    if (q->level == 0 && get_group_id(0) == 0)
        quick_sample_clear_control(q, scratch);
    const uint num_segments = quick_num_segments(q, scratch);
    for (uint number = get_group_id(0); number < num_segments; number += get_num_groups(0))
        quick_sample_segment(q, QUICK_BUFFERS, number, &shared);
}
