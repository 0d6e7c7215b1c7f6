/* radix.cl: the CPUs' radix sort: of few long arrays, which all work-items sort together, or of
 * many that do not fit in a work-item's cache, each sorted by one work-item.
 *
 * Idea: on a CPU a work-group is a loop on one thread, so a work-group is one work-item here, with
 * counters of its own and no barrier. The steps are
 *
 *   count    each chunk of an array samples the array for its range, cuts the range into bins
 *            (bins.h) and counts its keys in each; on the way it sees whether they are in order
 *   scan     neighbouring bins are joined to buckets of nearly equal size; an array
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
#include "cpu/refine.h"

#define OPEN_IN(number, slot) cpu_open(&p, CPU_BUFFERS, number, slot, &array)
#define OPEN(number) OPEN_IN(number, number)

KERNEL void cpu_radix(const struct cpu_params p, CPU_ARGS)
{
    const uint group = (uint)get_group_id(0), num_arrays = (uint)p.num_arrays;
    struct cpu_array array;
    if (p.steps == CPU_ALONE) {
        for (ulong number = group; number < p.num_arrays; number += p.num_workers) {
            OPEN_IN(number, group);
            cpu_deal(&p, &array);
            cpu_finish(&p, &array, 0, 1, group);
        }
    } else if (p.steps == CPU_COUNT) {
        OPEN(group / p.num_chunks);
        cpu_count_chunk(&p, &array, group % p.num_chunks);
    } else if (p.steps == CPU_SCATTER) {
        OPEN(group / p.num_chunks);
        cpu_scatter_chunk(&p, &array, group % p.num_chunks);
    } else if (p.steps == CPU_SCAN) {
        OPEN(group);
        cpu_scan_counts(&p, &array);
    } else {
        for (uint number = 0; number < num_arrays; ++number) {
            OPEN(number);
            cpu_finish(&p, &array, group, p.num_workers, group);
        }
    }
}
