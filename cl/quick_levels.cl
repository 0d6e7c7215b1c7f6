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

enum quick_step { STEP_SAMPLE, STEP_COUNT, STEP_CURSORS, STEP_SCATTER, NUM_STEPS }; /* of a level */

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

/* Whether a step's tasks are the level's blocks, or else its segments. */
#define IS_OF_BLOCKS(step) ((step) == STEP_COUNT || (step) == STEP_SCATTER)

/* The tasks of a phase that this group gets. Returns how many. */
CLSORT_INLINE uint quick_levels_work(const struct quick_params *q, QUICK_ARGS, uint step,
                                     __global uint *tickets, uint num_tasks,
                                     __local struct quick_levels_local *shared)
{
    uint num_done = 0;
#pragma unroll 1
    for (uint task = device_phases_take(tickets, &shared->answer); task < num_tasks;
         task = device_phases_take(tickets, &shared->answer), ++num_done) {
        if (step == STEP_SAMPLE)
            quick_sample_segment(q, QUICK_BUFFERS, task, &shared->storage.sample);
        else if (step == STEP_COUNT)
            quick_count_block(q, QUICK_BUFFERS, task, &shared->storage.count);
        else if (step == STEP_CURSORS)
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
    const uint num_phases = NUM_STEPS * p.num_levels;
    /* The step is counted, since Oclgrind 21.10 takes phase % NUM_STEPS for the phase. */
    uint step = STEP_SAMPLE;
#pragma unroll 1
    for (uint phase = 0; phase < num_phases; ++phase, ++step) {
        if (step == NUM_STEPS) {
            step = STEP_SAMPLE;
            quick_descend(&level);
        }
        const int is_last = q->level + 1 == p.num_levels;
        level.bucket_size = p.bucket_sizes[q->level];
        level.next_bucket_size = is_last ? 0 : p.bucket_sizes[q->level + 1];
        level.next_block_size = is_last ? p.leaf_size : p.block_size;
        const uint num_tasks =
            IS_OF_BLOCKS(step) ? quick_num_blocks(q, scratch) : quick_num_segments(q, scratch);
        if (num_tasks == 0)
            return;
        const uint num_done = quick_levels_work(q, QUICK_BUFFERS, step,
                                                &control->level_tickets[phase], num_tasks, &shared);
        if (phase + 1 == num_phases)
            return;
        if (device_phases_done(&control->level_done[phase], num_done, num_tasks, &shared.answer))
            device_phases_begin(&control->level_phases, phase + 1);
        else if (!device_phases_wait(&control->level_phases, phase + 1, q->spin_limit,
                                     &shared.answer))
            return;
    }
}
