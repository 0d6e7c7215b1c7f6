/* cpu_scan.cl: from counts to places. Second step of the CPUs' radix sort.
 *
 * Idea: one work-item an array adds up the chunks' counts, merges neighbouring bins to buckets of
 * nearly equal size, and finds where every chunk's part of every bucket begins. An array that all
 * chunks found in order gets no buckets.
 *
 * Local memory: none. Runs after cpu_count.cl, before cpu_scatter.cl. */
#include "cpu.h"

KERNEL void cpu_scan(const struct cpu_params p, CPU_ARGS)
{
    struct cpu_array array;
    cpu_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, get_group_id(0),
             get_group_id(0), &array);
    cpu_scan_counts(&p, &array);
}
