/* string_move.cl: the strings of a chunk of the order to where they belong, and their offsets,
 * by a work-group, or by several in turns if strings are long. Last step of rearranging strings.
 *
 * Idea: the group knows where each of its strings begins in the output. Then neighbouring
 * work-items copy neighbouring bytes, and find by bisection whose they are: so a long string
 * among short ones is no work-item's alone.
 *
 * Local memory: where each string lies and is to begin. Runs after string_scan.cl. */
#include "string_move.h"

KERNEL void string_move(const struct string_params p, STRING_MOVE_ARGS)
{
    __local ulong begins[GROUP_SIZE];
    __local ulong starts[GROUP_SIZE + 1]; /* counted from the chunk's */
    __local struct group_scan_wide_local scan;
    LOCAL_FITS(sizeof(begins) + sizeof(starts) + sizeof(scan));
    const uint me = get_local_id(0);
    struct string_set set;
    struct string_span span = {0, 0, 0};
    string_open(&p, bytes, offsets, &set);
    const uint num_slices = (uint)(get_num_groups(0) / p.num_chunks);
    const uint slice = (uint)get_group_id(0) % num_slices;
    const ulong first = (ulong)get_group_id(0) / num_slices * GROUP_SIZE;
    const uint num = (uint)min((ulong)GROUP_SIZE, p.count - first);
    if (me < num)
        string_find(&set, AT(const payload_t, index, 2)[first + me], &span);
    begins[me] = span.begin;
    const ulong chunk = string_offset_load(&p, offsets_out, first);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all have read where the chunk begins */
    const ulong size = span.size + span.tail;
    ulong all;
    const ulong start = group_scan_wide(&scan, size, &all);
    starts[me] = start;
    if (me == 0)
        starts[GROUP_SIZE] = all;
    /* Where the chunk begins stays what it is: its other work-groups may be reading it. */
    if (slice == 0 && me < num && me > 0)
        string_offset_store(&p, offsets_out, first + me, add_sat(chunk, start));
    if (slice == 0 && me == num - 1 && first + num == p.count)
        string_offset_store(&p, offsets_out, p.count, add_sat(chunk, start + size));
    barrier(CLK_LOCAL_MEM_FENCE); /* all starts are there */

    __global uchar *to = AT(uchar, bytes_out, 3);
    const ulong room = p.num_bytes - min(chunk, (ulong)p.num_bytes);
    const ulong end = min(starts[GROUP_SIZE], room);
    for (ulong at = slice * GROUP_SIZE + me; at < end; at += num_slices * GROUP_SIZE) {
        uint low = 0;
        for (uint step = GROUP_SIZE / 2; step > 0;
             step /= 2) /* the last that starts at or before it */
            low += starts[low + step] <= at ? step : 0;
        to[chunk + at] = set.bytes[begins[low] + (at - starts[low])];
    }
}
