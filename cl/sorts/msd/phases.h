/* phases.h: what is to be known between the levels of msd.h, behind level 1 and in its launch.
 *
 * Idea: each step is a phase (device/phases.h), of which level 1 is the first. The blocks of level
 * 1 are listed by digit (list.h). Then the digits of level 2 are counted in them (count.h), which
 * tells where leaves begin (offsets.h); or leaves get rooms (capacity.h). If level 1 has counted
 * the leaves, the phases behind it do not wait for one another. A launch of their own would cost
 * keys that are left to another sort 2 to 10 %.
 *
 * A group that has waited too long for others ends. The group that does a phase's last task goes on
 * in any case, and takes what is left.
 *
 * Local memory: the largest that a phase needs. */
#ifndef CLSORT_MSD_PHASES_H
#define CLSORT_MSD_PHASES_H

#include "device/phases.h"
#include "sorts/msd/capacity.h"
#include "sorts/msd/count.h"
#include "sorts/msd/list.h"
#include "sorts/msd/offsets.h"

union phases_local {
    struct list_local list;
    uint counters[MSD_COUNTERS];
    struct offsets_local offsets;
    struct capacity_local capacity;
};

#define PHASE_SPLIT 0
#define PHASE_LIST 1
#define PHASE_COUNT 2 /* or rooms */
#define PHASE_OFFSETS 3

/* Level 1 has counted the leaves. */
#define PHASES_ARE_COUNTED (MSD_COUNTS_LEAVES && q->counts_leaves)

/* The tasks of a phase that this group gets. */
#define PHASE_TASKS(phase, num_done, num_tasks) \
    DEVICE_PHASES_TASKS(task, num_done, &control->tickets[phase], num_tasks, answer)

/* The end of a phase. This group has done num_done of its tasks. */
#define PHASE_END(phase, num_done, num_tasks)                                               \
    do {                                                                                    \
        if (device_phases_done(&control->done[phase], num_done, num_tasks, answer))         \
            device_phases_begin(&control->phases, (phase) + 1);                             \
        else if (!device_phases_wait(&control->phases, (phase) + 1, q->spin_limit, answer)) \
            return;                                                                         \
    } while (0)

#define PHASE(phase, num_tasks, DO)              \
    do {                                         \
        uint num_done_ = 0;                      \
        PHASE_TASKS(phase, num_done_, num_tasks) \
            DO;                                  \
        PHASE_END(phase, num_done_, num_tasks);  \
    } while (0)

/* The blocks of group `task` of level 1; and its share of the counts becomes 0. */
CLSORT_INLINE void list_task(const struct msd_params *q, __global void *scratch, uint task,
                             __local struct list_local *shared)
{
    const uint num_digits = 1u << q->bits[0], num_leaves = num_digits << q->bits[1];
    __global uint *totals = MSD_TABLE(uint, totals);
    const uint num_empty = PHASES_ARE_COUNTED || MSD_SHORT || MSD_IN_ORDER ? 0 : num_leaves;
#pragma unroll 1
    for (uint i = task * GROUP_SIZE + (uint)get_local_id(0); i < num_empty;
         i += q->num_groups * GROUP_SIZE)
        MSD_TABLE(uint, counts)[i] = 0;
    if (task == 0)
        list_tell(shared, totals, num_digits, MSD_TABLE(uint, list_begins));
    list_blocks(shared, q, scratch, task);
}

/* What follows level 1. This group has done num_done of its shares. Begins after, and ends before,
 * a barrier. */
CLSORT_INLINE void msd_phases(const struct msd_params *q, MSD_ARGS,
                              __local union phases_local *shared, __local uint *answer,
                              uint num_done)
{
    __global struct msd_control *control = MSD_CONTROL;
    const uint num_digits = 1u << q->bits[0];
    PHASE_END(PHASE_SPLIT, num_done, q->num_groups);
    if (!MSD_HAS_BLOCKS)
        return;
    list_begin(&shared->list, MSD_TABLE(uint, totals), num_digits);
    if (PHASES_ARE_COUNTED) {
        PHASE_TASKS(PHASE_LIST, num_done, q->num_groups)
            list_task(q, scratch, task, &shared->list);
        PHASE_TASKS(PHASE_OFFSETS, num_done, num_digits)
            offsets_digit(q, scratch, task, &shared->offsets);
        return;
    }
    PHASE(PHASE_LIST, q->num_groups, list_task(q, scratch, task, &shared->list));
    if (MSD_SHORT) {
        PHASE_TASKS(PHASE_COUNT, num_done, num_digits)
            capacity_digit(q, scratch, task, &shared->capacity);
    } else {
        PHASE(PHASE_COUNT, num_digits * q->parts,
              count_task(q, MSD_BUFFERS, task, shared->counters));
        PHASE_TASKS(PHASE_OFFSETS, num_done, num_digits)
            offsets_digit(q, scratch, task, &shared->offsets);
    }
}

#endif
