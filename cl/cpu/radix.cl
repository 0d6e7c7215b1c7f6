/* radix.cl: the CPUs' radix sort: of few long arrays, which all work-items sort together, or of
 * many that do not fit in a work-item's cache, each sorted by one work-item.
 *
 * Idea: on a CPU a work-group is a loop on one thread, so a work-group is one work-item here, with
 * counters of its own and no barrier. The steps are
 *
 *   count    each chunk of an array samples the array for its range, cuts the range into bins
 *            (bins.h) and counts its keys in each; on the way it sees whether they are in order
 *   scan     neighbouring bins are joined to buckets of nearly equal size (buckets.h); an array
 *            in which all chunks are in order gets none
 *   scatter  each chunk moves its elements, in order, to their buckets
 *   sort     each bucket is sorted alone, in the cache (sort.h), and written to the output
 *   fill     of keys of 8 or 16 bits alone, instead of the last two: each is written as often as it
 *            was counted
 *   alone    instead of all these: a work-item makes the steps one after the other for arrays of
 *            its own, all elements of an array being one chunk
 *
 * A launch makes one or more of them. One launch after the count is faster than three, as long as a
 * step takes hardly longer than threads need to wake up. All steps are one kernel, since PoCL takes
 * 0.12 s to compile the smallest.
 *
 * Chunks and buckets are tasks, which work-items take by tickets, so that one that started late
 * does less. Between two steps of a launch a work-item waits for the tasks of the others, but only
 * for a while: then it leaves the rest to them (as in device/phases.h). So none depends on another
 * that may not be running; the one that does a step's last task always goes on.
 *
 * Local memory: none. */
#include "cpu/cpu.h"
#include "device/barrier.h"

/* Adds tasks that this work-item has done to those of the step. Returns whether all were done in
 * time. */
CLSORT_INLINE int tasks_done(volatile __global uint *done, uint num_done, uint num_tasks,
                             uint spin_limit)
{
    device_fence(); /* what was done comes before the count */
    uint all = num_done ? atomic_add(done, num_done) + num_done : device_load_relaxed(done);
    for (uint polls = 0; all < num_tasks && polls < spin_limit; ++polls)
        all = device_load_relaxed(done);
    device_fence(); /* the count comes before what others did */
    return all == num_tasks;
}

CLSORT_INLINE void sort_alone(const struct cpu_params *p, const struct cpu_array *array,
                              ulong worker)
{
    cpu_count_chunk(p, array, 0);
    cpu_scan_counts(p, array);
    if (array->state->monotonicity != (DESCENDING | ASCENDING)) {
        cpu_copy(p, array, 0, 1);
        return;
    }
    cpu_scatter_chunk(p, array, 0);
    for (uint bucket = 0; bucket < array->state->num_buckets; ++bucket)
        cpu_sort_bucket(p, array, bucket, worker);
}

#define OPEN_IN(number, slot) cpu_open(&p, CPU_BUFFERS, number, slot, &array)
#define OPEN(number) OPEN_IN(number, number)

KERNEL void cpu_radix(const struct cpu_params p, CPU_ARGS)
{
    const uint group = (uint)get_group_id(0), num_arrays = (uint)p.num_arrays;
    const uint num_chunks = num_arrays * p.num_chunks;
    struct cpu_array array;
    if (p.steps & CPU_ALONE) {
        for (ulong number = group; number < p.num_arrays; number += p.num_workers) {
            OPEN_IN(number, group);
            sort_alone(&p, &array, group);
        }
        return;
    }
    if (p.steps & CPU_COUNT) { /* in a launch of its own, since it empties the tickets */
        OPEN(group / p.num_chunks);
        cpu_count_chunk(&p, &array, group % p.num_chunks);
        return;
    }
    OPEN(0);
    __global struct cpu_tasks *tasks = &array.state->tasks;
    if (p.steps & CPU_SCAN) {
        uint num_done = 0;
        for (uint task; (task = atomic_inc(&tasks->scans)) < num_arrays; ++num_done) {
            OPEN(task);
            cpu_scan_counts(&p, &array);
        }
        if (p.steps == CPU_SCAN ||
            !tasks_done(&tasks->scans_done, num_done, num_arrays, p.spin_limit))
            return;
    }
    if (p.steps & CPU_SCATTER) {
        uint num_done = 0;
        for (uint task; (task = atomic_inc(&tasks->chunks)) < num_chunks; ++num_done) {
            OPEN(task / p.num_chunks);
            cpu_scatter_chunk(&p, &array, task % p.num_chunks);
        }
        if (p.steps == CPU_SCATTER ||
            !tasks_done(&tasks->chunks_done, num_done, num_chunks, p.spin_limit))
            return;
    }
    for (uint number = 0; number < num_arrays; ++number) {
        OPEN(number);
        if (KEY_BITS <= 16 && p.steps == CPU_FILL)
            cpu_fill(&p, &array, group);
        else
            cpu_sort_buckets(&p, &array, group);
    }
}
