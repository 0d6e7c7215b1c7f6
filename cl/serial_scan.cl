/* serial_scan.cl: from counts to places. Second step of the CPUs' radix sort.
 *
 * Idea: one work-item an array adds up the chunks' counts, merges neighbouring cells to buckets of
 * nearly equal size, and finds where every chunk's part of every bucket begins. An array that all
 * chunks found in order gets no buckets.
 *
 * Local memory: none. Runs after serial_count.cl, before serial_scatter.cl. */
#include "serial.h"

KERNEL void serial_scan(const struct serial_params p, SERIAL_ARGS)
{
    struct serial_array array;
    serial_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, get_group_id(0),
                get_group_id(0), &array);
    serial_scan_counts(&p, &array);
}
