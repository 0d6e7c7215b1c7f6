/* move.cl: the strings of a chunk of the order to where they belong, and their offsets.
 * Last step of rearranging strings.
 *
 * Idea: the output is cut into blocks, and a chunk has a work-group for each block that it reaches
 * into. The group knows where each of the chunk's strings begins in the output. Then neighbouring
 * work-items copy neighbouring bytes of the block, and find by bisection whose they are. So a long
 * string among short ones is no work-item's alone, and a very long one no work-group's.
 *
 * Local memory: where each string lies and is to begin. Runs after sizes.cl. */
#include "strings/move.h"

/* The chunk of a work-group. A chunk's first group has the chunk's number and the first block's
 * together. There is no chunk before `low`, also where chunks lie behind the last block. */
CLSORT_INLINE uint string_move_chunk(const struct string_params *p, __global void *offsets_out,
                                     uint group, uint num_blocks)
{
    uint low = group - min(group, num_blocks);
    uint high = min(group, p->num_chunks - 1);
    while (low < high) {
        const uint cut = high - (high - low) / 2;
        const ulong begin = string_offset_load(p, offsets_out, (ulong)cut * GROUP_SIZE);
        const ulong block_end = (group - cut + 1ul) * p->block_size;
        if (begin < block_end)
            low = cut;
        else
            high = cut - 1;
    }
    return low;
}

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
    const uint group = (uint)get_group_id(0);
    const uint number =
        string_move_chunk(&p, offsets_out, group, (uint)get_num_groups(0) - p.num_chunks);
    const ulong block = (group - number) * (ulong)p.block_size;
    const ulong first = (ulong)number * GROUP_SIZE;
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
    const ulong room = sub_sat((ulong)p.num_bytes, chunk);
    const int is_first = p.num_bytes - room >= block;
    if (is_first && me < num && me > 0)
        string_offset_store(&p, offsets_out, first + me, add_sat(chunk, start));
    if (is_first && me == num - 1 && first + num == p.count)
        string_offset_store(&p, offsets_out, p.count, add_sat(chunk, start + size));
    barrier(CLK_LOCAL_MEM_FENCE); /* all starts are there */

    __global uchar *to = AT(uchar, bytes_out, 3);
    const ulong block_end = sub_sat(block + p.block_size, chunk);
    const ulong end = min(min(starts[GROUP_SIZE], room), block_end);
    for (ulong at = sub_sat(block, chunk) + me; at < end; at += GROUP_SIZE) {
        uint low = 0;
        for (uint step = GROUP_SIZE / 2; step > 0;
             step /= 2) /* the last that starts at or before it */
            low += starts[low + step] <= at ? step : 0;
        to[chunk + at] = set.bytes[begins[low] + (at - starts[low])];
    }
}
