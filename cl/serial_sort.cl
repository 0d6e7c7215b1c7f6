/* serial_sort.cl: the buckets sorted, each by one work-item in its cache, and written to the output.
 * Last step of the CPUs' radix sort.
 *
 * Idea: buckets are in order among themselves, so each is sorted alone (serial_sort.h). Work-items
 * take buckets by an atomic counter: none waits, and a large bucket holds up nobody else's.
 *
 * Local memory: none. Runs after serial_scatter.cl. */
#include "serial.h"

KERNEL void serial_sort(const struct serial_params p, SERIAL_ARGS)
{
    const ulong worker = get_group_id(0);
    for (ulong number = 0; number < p.num_arrays; ++number) {
        struct serial_array array;
        serial_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, number, number,
                    &array);
        if (array.state->directions != (GOES_DOWN | GOES_UP)) {
            serial_copy(&p, &array, worker, p.num_workers);
            continue;
        }
        const uint num_buckets = array.state->num_buckets;
        for (;;) {
            const uint bucket = atomic_inc((__global uint *)&array.state->next_bucket);
            if (bucket >= num_buckets)
                break;
            serial_sort_bucket(&p, &array, bucket, worker);
        }
    }
}
