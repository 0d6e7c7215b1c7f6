/* arrays.cl: many arrays that do not fit in a work-item's cache, each sorted by one work-item.
 *
 * Idea: the steps of cpu.h one after the other, all elements of an array being one chunk.
 *
 * Local memory: none. Runs alone. */
#include "cpu/cpu.h"

KERNEL void cpu_arrays(const struct cpu_params p, CPU_ARGS)
{
    const ulong worker = get_group_id(0);
    for (ulong number = worker; number < p.num_arrays; number += p.num_workers) {
        struct cpu_array array;
        cpu_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, number, worker, &array);
        cpu_count_chunk(&p, &array, 0);
        cpu_scan_counts(&p, &array);
        if (array.state->monotonicity != (DESCENDING | ASCENDING)) {
            cpu_copy(&p, &array, 0, 1);
            continue;
        }
        cpu_scatter_chunk(&p, &array, 0);
        for (uint bucket = 0; bucket < array.state->num_buckets; ++bucket)
            cpu_sort_bucket(&p, &array, bucket, worker);
    }
}
