/* sizes.cl: where the strings of each chunk of the order begin. First steps of rearranging strings.
 *
 *   string_sizes  how many bytes a chunk's strings have, tails and all: written where the chunk's
 *                 first offset will be
 *   string_scan   turns these to where each chunk begins. One work-group; each work-item sums a run
 *                 of chunks, then adds what all before it have
 *
 * Local memory: what group/scan_wide.h needs. Run before move.cl or cpu_move.cl. */
#include "strings/move.h"

KERNEL void string_sizes(const struct string_params p, STRING_MOVE_ARGS)
{
    __local struct group_scan_wide_local scan;
    LOCAL_FITS(sizeof(scan));
    struct string_set set;
    struct string_span span;
    string_open(&p, bytes, offsets, &set);
    __global const payload_t *order = AT(const payload_t, index, 2);
    const ulong begin = get_group_id(0) * p.chunk_size;
    const ulong end = min(begin + p.chunk_size, (ulong)p.count);
    ulong sum = 0, all;
    for (ulong i = begin + get_local_id(0); i < end; i += GROUP_SIZE) {
        string_find(&set, order[i], &span);
        sum = add_sat(sum, span.size + span.tail);
    }
    group_scan_wide(&scan, sum, &all);
    if (get_local_id(0) == 0)
        string_offset_store(&p, offsets_out, begin, all);
}

KERNEL void string_scan(const struct string_params p, STRING_MOVE_ARGS)
{
    __local struct group_scan_wide_local scan;
    LOCAL_FITS(sizeof(scan));
    const uint share = (p.num_chunks + GROUP_SIZE - 1) / GROUP_SIZE;
    const uint begin = min((uint)get_local_id(0) * share, p.num_chunks);
    const uint end = min(begin + share, p.num_chunks);
    ulong sum = 0, all;
    for (uint i = begin; i < end; ++i)
        sum = add_sat(sum, string_offset_load(&p, offsets_out, i * p.chunk_size));
    ulong at = group_scan_wide(&scan, sum, &all);
    for (uint i = begin; i < end; ++i) {
        const ulong size = string_offset_load(&p, offsets_out, i * p.chunk_size);
        string_offset_store(&p, offsets_out, i * p.chunk_size, at);
        at = add_sat(at, size);
    }
}
