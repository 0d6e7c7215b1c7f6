/* serial_scatter.cl: every element to its bucket. Third step of the CPUs' radix sort.
 *
 * Idea: a work-item moves one chunk, in order, to the places that serial_scan.cl found, so the move
 * is stable. Where the elements are more than the cache holds, it fills a line of each bucket in the
 * cache and writes whole lines past it (serial_buckets.h).
 *
 * Local memory: none. Runs after serial_scan.cl, before serial_sort.cl. */
#include "serial.h"

KERNEL void serial_scatter(const struct serial_params p, SERIAL_ARGS)
{
    const ulong number = get_group_id(0) / p.num_chunks;
    const uint chunk = get_group_id(0) % p.num_chunks;
    struct serial_array array;
    serial_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, number, number, &array);
    serial_scatter_chunk(&p, &array, chunk);
}
