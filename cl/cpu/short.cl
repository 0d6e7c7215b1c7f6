/* short.cl: arrays that fit in a work-item's cache, each read, sorted there (sort.h)
 * and written by one work-item: one short array, or many.
 *
 * Local memory: none. Runs alone. */
#include "cpu/cpu.h"

KERNEL void cpu_short(const struct cpu_params p, CPU_ARGS)
{
    const ulong worker = get_group_id(0);
    for (ulong number = worker; number < p.num_arrays; number += p.num_workers) {
        struct cpu_array array;
        cpu_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, number, worker, &array);
        cpu_sort_short(&p, &array, worker);
    }
}
