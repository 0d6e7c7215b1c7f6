/* cpu_scatter.cl: every element to its bucket. Third step of the CPUs' radix sort.
 *
 * Idea: a work-item moves one chunk, in order, to the places that cpu_scan.cl found, so the move
 * is stable. Where the elements are more than the cache holds, it fills a line of each bucket in
 * the cache and writes whole lines past it (cpu_buckets.h).
 *
 * Local memory: none. Runs after cpu_scan.cl, before cpu_sort.cl. */
#include "cpu.h"

KERNEL void cpu_scatter(const struct cpu_params p, CPU_ARGS)
{
    const ulong number = get_group_id(0) / p.num_chunks;
    const uint chunk = get_group_id(0) % p.num_chunks;
    struct cpu_array array;
    cpu_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, number, number, &array);
    cpu_scatter_chunk(&p, &array, chunk);
}
