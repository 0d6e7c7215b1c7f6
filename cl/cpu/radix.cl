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
 * A launch makes one of them; all are one kernel, since PoCL takes 0.12 s to compile the smallest.
 * Buckets are tasks, which work-items take by tickets, so that one that started late does less.
 * None waits for another.
 *
 * Local memory: none. */
#include "cpu/cpu.h"

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
    struct cpu_array array;
    if (p.steps == CPU_ALONE) {
        for (ulong number = group; number < p.num_arrays; number += p.num_workers) {
            OPEN_IN(number, group);
            sort_alone(&p, &array, group);
        }
        return;
    }
    if (p.steps == CPU_COUNT || p.steps == CPU_SCATTER) {
        OPEN(group / p.num_chunks);
        if (p.steps == CPU_COUNT)
            cpu_count_chunk(&p, &array, group % p.num_chunks);
        else
            cpu_scatter_chunk(&p, &array, group % p.num_chunks);
        return;
    }
    if (p.steps == CPU_SCAN) {
        OPEN(group);
        cpu_scan_counts(&p, &array);
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
