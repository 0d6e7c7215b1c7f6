/* serial_arrays.cl: many arrays that do not fit in a work-item's cache, each sorted by one work-item.
 *
 * Idea: the steps of serial.h one after the other, all elements of an array being one chunk.
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
        serial_count_chunk(&p, &array, 0);
        serial_scan_counts(&p, &array);
        if (array.state->directions != (GOES_DOWN | GOES_UP)) {
            serial_copy(&p, &array, 0, 1);
            continue;
        }
        serial_scatter_chunk(&p, &array, 0);
        for (uint bucket = 0; bucket < array.state->num_buckets; ++bucket)
            serial_sort_bucket(&p, &array, bucket, worker);
    }
}
