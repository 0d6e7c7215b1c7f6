/* serial_arrays.cl: whole arrays, each sorted by one work-item: one short array, or many.
 *
 * Idea: an array that fits in the cache is read, sorted there (serial_sort.h) and written. A longer
 * one goes through the steps of serial.h, all its elements one chunk.
 *
 * Local memory: none. Runs alone. */
#include "serial.h"

KERNEL void serial_arrays(const struct serial_params p, SERIAL_ARGS)
{
    const ulong worker = get_group_id(0);
    for (ulong number = worker; number < p.num_arrays; number += p.num_workers) {
        struct serial_array array;
        serial_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, number, worker,
                    &array);
        if (p.count <= p.spare_items) {
            serial_sort_short(&p, &array, worker);
            continue;
        }
        serial_count_chunk(&p, &array, 0);
        serial_scan_counts(&p, &array);
        if (array.state->sorted) {
            serial_copy(&p, &array, 0, 1);
            continue;
        }
        serial_scatter_chunk(&p, &array, 0);
        for (uint bucket = 0; bucket < array.state->num_buckets; ++bucket)
            serial_sort_bucket(&p, &array, bucket, worker);
    }
}
