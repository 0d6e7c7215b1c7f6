/* short.cl: arrays that fit in a work-item's cache, each read, sorted there (sort.h)
 * and written by one work-item: one short array, or many.
 *
 * Local memory: none. Runs alone. */
#include "cpu/cpu.h"

KERNEL void cpu_short(const struct cpu_params p, CPU_ARGS)
{
    const ulong worker = get_group_id(0);
    const uint count = (uint)p.count;
    for (ulong number = worker; number < p.num_arrays; number += p.num_workers) {
        struct cpu_array array;
        cpu_open(&p, CPU_BUFFERS, number, worker, &array);
        for (uint i = 0; i < count; ++i)
            array.items[i] = item_load(array.keys, array.payloads, i, i, p.flags);
        bucket_sort(array.items, (__global ITEM *)(array.tables + p.spare) + worker * p.spare_items,
                    count, array.keys_out, array.payloads_out, p.flags);
    }
}
