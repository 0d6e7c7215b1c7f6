/* cpu_sort.cl: the buckets sorted, each by one work-item in its cache, and written to the output.
 * Last step of the CPUs' radix sort.
 *
 * Idea: buckets are in order among themselves, so each is sorted alone (cpu_sort.h). Work-items
 * take buckets by an atomic counter: none waits, and a large bucket delays no other.
 *
 * Local memory: none. Runs after cpu_scatter.cl. */
#include "cpu.h"

KERNEL void cpu_sort(const struct cpu_params p, CPU_ARGS)
{
    const ulong worker = get_group_id(0);
    for (ulong number = 0; number < p.num_arrays; ++number) {
        struct cpu_array array;
        cpu_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, number, number, &array);
        cpu_sort_buckets(&p, &array, worker);
    }
}
