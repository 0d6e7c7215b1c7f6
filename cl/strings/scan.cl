/* scan.cl: from the chunks' sizes to where each begins. Second step of rearranging strings.
 *
 * Idea: one work-group; each work-item sums a run of chunks, then adds what all before it have.
 *
 * Local memory: what group/scan_wide.h needs. Runs after sizes.cl, before move.cl or
 * cpu_move.cl. */
#include "strings/move.h"

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
