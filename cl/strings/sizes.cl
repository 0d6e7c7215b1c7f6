/* sizes.cl: how many bytes the strings of each chunk of the order have, tails and all:
 * written where the chunk's first offset will be. First step of rearranging strings.
 *
 * Local memory: what group/scan_wide.h needs. Runs before scan.cl. */
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
