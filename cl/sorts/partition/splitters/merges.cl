/* merges.cl: merge passes over the segments that are left after the last level (merge_tile.h).
 *
 * Idea: a pass is a phase (device/phases.h). If the comparison may be no order, finding where tiles
 * begin is a phase of its own before it. A launch makes all phases, or where work-groups are not to
 * wait for each other, only one: phases_left says which. Mostly no segment is left, and a launch
 * does nothing.
 *
 * Local memory: the tile, and what merging needs. Runs after: leaf.cl. */
#include "base/config.h"
#include "device/phases.h"
#include "sorts/partition/splitters/merge_tile.h"

#define PHASES (1 + QUICK_SPLITS) /* of a pass */

/* Passes of the largest segment, by all of a work-group. Ends with a barrier. */
CLSORT_INLINE uint quick_most_passes(const struct quick_params *q, __global void *scratch,
                                     __local uint *most)
{
    const uint num_segments = QUICK_CONTROL->num_segments[q->level];
    uint size = 1;
    if (get_local_id(0) == 0)
        *most = 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* it is 1 */
    GROUP_LOOP(i, 0, num_segments)
        size = max(size, (uint)QUICK_TABLE(struct quick_segment, segments)[i].size);
    atomic_max(most, size);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have been looked at */
    return quick_passes(*most, q->leaf_size);
}

KERNEL void quick_merges(const struct quick_params p, QUICK_ARGS)
{
    struct quick_params pass = p;
    const struct quick_params *q = &pass;
    __local struct quick_merge_local shared;
    __local uint answer;
    LOCAL_FITS(sizeof(shared) + sizeof(answer));
    __global struct quick_control *control = QUICK_CONTROL;
    const uint num_blocks = control->num_blocks[q->level];
    if (num_blocks == 0)
        return;
    const uint num_phases = quick_most_passes(q, scratch, &answer) * PHASES;
    if (q->phases_left > num_phases)
        return;
    const uint first = q->phases_left ? num_phases - q->phases_left : 0;
    const uint end = q->phases_left ? first + 1 : num_phases;
    for (uint phase = first; phase < end; ++phase) {
        const int splits = QUICK_SPLITS && phase % PHASES == 0;
        const uint num_tasks = splits ? (num_blocks - 1) / GROUP_SIZE + 1 : num_blocks;
        pass.passes_left = (num_phases - phase - 1) / PHASES + 1;
        uint num_done = 0;
        __global uint *tickets = &control->tickets[phase];
        for (uint task = device_phases_take(tickets, &answer); task < num_tasks;
             task = device_phases_take(tickets, &answer), ++num_done) {
            if (!splits)
                quick_merge_tile(q, QUICK_BUFFERS, task, &shared);
            else if (task * GROUP_SIZE + get_local_id(0) < num_blocks)
                quick_split_tile(q, QUICK_BUFFERS, task * GROUP_SIZE + (uint)get_local_id(0));
        }
        if (phase + 1 == end)
            return;
        if (device_phases_done(&control->done[phase], num_done, num_tasks, &answer))
            device_phases_begin(&control->phases, phase + 1);
        else if (!device_phases_wait(&control->phases, phase + 1, q->spin_limit, &answer))
            return;
    }
}
