/* quick_levels.cl: all levels of partition quicksort in one launch (quick.h), as a fallback.
 *
 * Idea: a level has four phases (device_phases.h): the segments' samples, the counts of their
 * blocks, their buckets' cursors, and the blocks' moves. Mostly another sort has the array, and the
 * launch does nothing: launches of their own, ten for 2^22 u64, took an H100 31 microseconds then.
 *
 * Local memory: the largest of what the phases need. Runs after: part_sample.cl, which empties the
 * lists. Before: quick_leaf.cl. */
#include "config.h"
#include "device_phases.h"
#include "quick_sample.h"
#include "quick_count.h"
#include "quick_cursors.h"
#include "quick_scatter.h"

struct quick_levels_local {
    union {
        struct quick_sample_local sample;
        struct quick_count_local count;
        struct quick_cursors_local cursors;
        struct quick_scatter_local scatter;
    } storage;
    uint answer;
};

/* From one level to the next, whose segments the last one has listed. */
CLSORT_INLINE void quick_descend(struct quick_params *q)
{
    const param_u64 segments = q->segments, owners = q->owners;
    q->segments = q->next_segments;
    q->next_segments = segments;
    q->owners = q->next_owners;
    q->next_owners = owners;
    q->level += 1;
}

/* The tasks of a phase that this group gets. Returns how many. */
CLSORT_INLINE uint quick_levels_work(const struct quick_params *q, QUICK_ARGS, uint phase,
                                     uint num_tasks, __local struct quick_levels_local *shared)
{
    __global uint *tickets = &QUICK_CONTROL->level_tickets[phase];
    uint num_done = 0;
#pragma unroll 1
    for (uint task = device_phases_take(tickets, &shared->answer); task < num_tasks;
         task = device_phases_take(tickets, &shared->answer), ++num_done) {
        if (phase % 4 == 0)
            quick_sample_segment(q, QUICK_BUFFERS, task, &shared->storage.sample);
        else if (phase % 4 == 1)
            quick_count_block(q, QUICK_BUFFERS, task, &shared->storage.count);
        else if (phase % 4 == 2)
            quick_cursors_segment(q, scratch, task, &shared->storage.cursors);
        else
            quick_scatter_block(q, QUICK_BUFFERS, task, &shared->storage.scatter);
    }
    return num_done;
}

KERNEL void quick_levels(const struct quick_params p, QUICK_ARGS)
{
    struct quick_params level = p;
    const struct quick_params *q = &level;
    __local struct quick_levels_local shared;
    LOCAL_FITS(sizeof(shared));
    __global struct quick_control *control = QUICK_CONTROL;
    const uint num_phases = 4 * p.num_levels;
#pragma unroll 1
    for (uint phase = 0; phase < num_phases; ++phase) {
        if (phase > 0 && phase % 4 == 0)
            quick_descend(&level);
        const int is_last = q->level + 1 == p.num_levels;
        level.bucket_size = p.bucket_sizes[q->level];
        level.next_bucket_size = is_last ? 0 : p.bucket_sizes[q->level + 1];
        level.next_block_size = is_last ? p.leaf_size : p.block_size;
        const uint num_tasks =
            phase % 2 ? quick_num_blocks(q, scratch) : quick_num_segments(q, scratch);
        if (num_tasks == 0)
            return;
        const uint num_done = quick_levels_work(q, QUICK_BUFFERS, phase, num_tasks, &shared);
        if (phase + 1 == num_phases)
            return;
        if (device_phases_done(&control->level_done[phase], num_done, num_tasks, &shared.answer))
            device_phases_begin(&control->level_phases, phase + 1);
        else if (!device_phases_wait(&control->level_phases, phase + 1, q->spin_limit,
                                     &shared.answer))
            return;
    }
}
