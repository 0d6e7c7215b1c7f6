/* cpu_count.cl: how the keys of each chunk of an array lie over its range. First step of the
 * CPUs' radix sort.
 *
 * Idea: on a CPU a work-group is a loop on one thread, so a work-group is one work-item here, with
 * counters of its own and no barrier or atomic. It samples the array for its range, cuts the range
 * into bins (cpu_bins.h) and counts its chunk's keys in each; on the way it sees whether they
 * are in order already. The exact counts of many small bins are what makes equal buckets later.
 *
 * Local memory: none. Runs before: cpu_scan.cl. */
#include "cpu.h"

KERNEL void cpu_count(const struct cpu_params p, CPU_ARGS)
{
    const ulong number = get_group_id(0) / p.num_chunks;
    const uint chunk = get_group_id(0) % p.num_chunks;
    struct cpu_array array;
    cpu_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, number, number, &array);
    cpu_count_chunk(&p, &array, chunk);
}
