/* serial_short.cl: arrays that fit in a work-item's cache, each read, sorted there (serial_sort.h)
 * and written by one work-item: one short array, or many.
 *
 * Local memory: none. Runs alone. */
#include "serial.h"

KERNEL void serial_short(const struct serial_params p, SERIAL_ARGS)
{
    const ulong worker = get_group_id(0);
    for (ulong number = worker; number < p.num_arrays; number += p.num_workers) {
        struct serial_array array;
        serial_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, number, worker,
                    &array);
        serial_sort_short(&p, &array, worker);
    }
}
