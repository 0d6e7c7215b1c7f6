/* phases.h: work in phases by the work-groups of one launch, none of which has to wait.
 *
 * Idea: groups take tasks by a ticket. A phase begins when all tasks of the one before are done;
 * the group that does its last task announces it. A group that has polled for that too long ends.
 * The group that does the last task goes on in any case, so everything is done, if need be by that
 * group alone. No group depends on another that may not be running, which OpenCL does not promise.
 * A launch for each phase would cost about five microseconds, also where there is nothing to do.
 *
 * device_phases_done() alone is the step "the last group goes on". */
#ifndef CLSORT_DEVICE_PHASES_H
#define CLSORT_DEVICE_PHASES_H

#include "device/barrier.h"

/* Whether `phases` phases are complete, and this group sees what was written in them. All
 * work-items call; begins and ends with a barrier. */
CLSORT_INLINE uint device_phases_wait(volatile __global uint *counter, uint phases, uint spin_limit,
                                      __local uint *answer)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* what was answered before has been read */
    if (get_local_id(0) == 0) {
        uint seen = device_load_relaxed(counter);
#pragma unroll 1
        for (uint polls = 0; seen < phases && polls < spin_limit; ++polls)
            seen = device_load_relaxed(counter);
        device_fence();
        *answer = seen >= phases;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* it is known whether they are complete */
    device_fence_each();
    return *answer;
}

/* Adds tasks that this group has done. Returns whether they were the last ones, so that this
 * group has to go on and sees what all have written. Begins and ends with a barrier. */
CLSORT_INLINE uint device_phases_done(volatile __global uint *done, uint num_done, uint num_tasks,
                                      __local uint *answer)
{
    device_fence_each();
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* this group's work is done */
    if (get_local_id(0) == 0) {
        device_fence();
        *answer = num_done > 0 && atomic_add(done, num_done) + num_done == num_tasks;
        device_fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the answer is known */
    device_fence_each();
    return *answer;
}

/* Announces that `phases` phases are complete, and what this group has written since. All
 * work-items call; begins with a barrier. */
CLSORT_INLINE void device_phases_begin(volatile __global uint *counter, uint phases)
{
    device_fence_each();
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* this group has written all */
    if (get_local_id(0) == 0) {
        device_fence();
        atomic_xchg(counter, phases);
    }
}

/* The next task. Begins and ends with a barrier. */
CLSORT_INLINE uint device_phases_take(volatile __global uint *tickets, __local uint *answer)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* the last answer has been read */
    if (get_local_id(0) == 0)
        *answer = atomic_inc(tickets);
    barrier(CLK_LOCAL_MEM_FENCE); /* the task is known */
    return *answer;
}

/* Loops over the tasks below num_tasks that this group gets, and adds how many to num_done. A round
 * begins with the ticket: PoCL 3.1 loses what one work-item does between the last barriers of a
 * loop. */
#define DEVICE_PHASES_TASKS(task, num_done, tickets, num_tasks, answer) \
    for (uint task; (task = device_phases_take(tickets, answer)) < (num_tasks); ++(num_done))

#endif
