/* levels.cl: all levels of partition quicksort in one launch (quick.h), as a fallback.
 *
 * Idea: a level has four phases (device/phases.h): the segments' samples, the counts of their
 * blocks, their buckets' cursors, and the blocks' moves. Mostly another sort has the array, and the
 * launch does nothing. Launches of their own, ten for 2^22 u64, took 31 microseconds then.
 *
 * Local memory: the largest of what the phases need, and the parameters. Runs after:
 * sample/sample.cl, which empties the lists. Before: leaf.cl. */
#include "base/config.h"
#include "device/phases.h"
#include "sorts/partition/splitters/sample.h"
#include "sorts/partition/splitters/count.h"
#include "sorts/partition/splitters/cursors.h"
#include "sorts/partition/splitters/scatter.h"

enum quick_step { STEP_SAMPLE, STEP_COUNT, STEP_CURSORS, STEP_SCATTER, NUM_STEPS }; /* of a level */

struct quick_levels_local {
    union {
        struct quick_sample_local sample;
        struct quick_count_local count;
        struct quick_cursors_local cursors;
        struct quick_scatter_local scatter;
    } storage;
    struct quick_params level; /* of the level at work */
    uint answer;
};

/* Sets what differs from level to level, whose segments the level before has listed. By one
 * work-item. */
CLSORT_INLINE void levels_begin(__local struct quick_params *q, uint level)
{
    if (level > 0) {
        const param_u64 segments = q->segments, owners = q->owners;
        q->segments = q->next_segments;
        q->next_segments = segments;
        q->owners = q->next_owners;
        q->next_owners = owners;
    }
    const int is_last = level + 1 == q->num_levels;
    q->level = level;
    q->bucket_size = q->bucket_sizes[level];
    q->next_bucket_size = is_last ? 0 : q->bucket_sizes[level + 1];
    q->next_block_size = is_last ? q->leaf_size : q->block_size;
}

/* Whether a step's tasks are the level's blocks, or else its segments. */
#define IS_OF_BLOCKS(step) ((step) == STEP_COUNT || (step) == STEP_SCATTER)

/* One step of a task. It reads the parameters again. For items of 16 bytes it is a call, and
 * NVIDIA's compiler compiles each step by itself, which gains 3 to 5 %; keys alone lose 5 % by
 * calls. If each work-item kept the parameters in its own memory, a launch that finds nothing to do
 * would take 10 microseconds longer. */
#if ITEM_SIZE == 16
#define LEVELS_STEP CALLED
#else
#define LEVELS_STEP CLSORT_INLINE
#endif

LEVELS_STEP void levels_sample(QUICK_ARGS, uint task, __local struct quick_levels_local *shared)
{
    const struct quick_params q = shared->level;
    quick_sample_segment(&q, QUICK_BUFFERS, task, &shared->storage.sample);
}

LEVELS_STEP void levels_count(QUICK_ARGS, uint task, __local struct quick_levels_local *shared)
{
    const struct quick_params q = shared->level;
    quick_count_block(&q, QUICK_BUFFERS, task, &shared->storage.count);
}

LEVELS_STEP void levels_cursors(__global void *scratch, uint task,
                                __local struct quick_levels_local *shared)
{
    const struct quick_params q = shared->level;
    quick_cursors_segment(&q, scratch, task, &shared->storage.cursors);
}

LEVELS_STEP void levels_scatter(QUICK_ARGS, uint task, __local struct quick_levels_local *shared)
{
    const struct quick_params q = shared->level;
    quick_scatter_block(&q, QUICK_BUFFERS, task, &shared->storage.scatter);
}

/* The tasks of a phase that this group gets. Returns how many. */
CLSORT_INLINE uint levels_work(QUICK_ARGS, uint step, __global uint *tickets, uint num_tasks,
                               __local struct quick_levels_local *shared)
{
    uint num_done = 0;
#pragma unroll 1
    for (uint task = device_phases_take(tickets, &shared->answer); task < num_tasks;
         task = device_phases_take(tickets, &shared->answer), ++num_done) {
        if (step == STEP_SAMPLE)
            levels_sample(QUICK_BUFFERS, task, shared);
        else if (step == STEP_COUNT)
            levels_count(QUICK_BUFFERS, task, shared);
        else if (step == STEP_CURSORS)
            levels_cursors(scratch, task, shared);
        else
            levels_scatter(QUICK_BUFFERS, task, shared);
    }
    return num_done;
}

KERNEL void quick_levels(const struct quick_params p, QUICK_ARGS)
{
    __local struct quick_levels_local shared;
    LOCAL_FITS(sizeof(shared));
    if (get_local_id(0) == 0)
        shared.level = p;
    const uint num_phases = NUM_STEPS * p.num_levels;
    /* The step is counted, since Oclgrind 21.10 takes phase % NUM_STEPS for the phase. */
    uint step = STEP_SAMPLE, number = 0;
#pragma unroll 1
    for (uint phase = 0; phase < num_phases; ++phase, ++step) {
        if (step == NUM_STEPS) {
            step = STEP_SAMPLE;
            ++number;
        }
        if (step == STEP_SAMPLE && get_local_id(0) == 0)
            levels_begin(&shared.level, number);
        barrier(CLK_LOCAL_MEM_FENCE); /* the level's parameters are there */
        const struct quick_params level = shared.level;
        const struct quick_params *q = &level;
        __global struct quick_control *control = QUICK_CONTROL;
        const uint num_tasks =
            IS_OF_BLOCKS(step) ? quick_num_blocks(q, scratch) : quick_num_segments(q, scratch);
        if (num_tasks == 0)
            return;
        const uint num_done =
            levels_work(QUICK_BUFFERS, step, &control->level_tickets[phase], num_tasks, &shared);
        if (phase + 1 == num_phases)
            return;
        if (device_phases_done(&control->level_done[phase], num_done, num_tasks, &shared.answer))
            device_phases_begin(&control->level_phases, phase + 1);
        else if (!device_phases_wait(&control->level_phases, phase + 1, p.spin_limit,
                                     &shared.answer))
            return;
    }
}
