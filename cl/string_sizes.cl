/* string_sizes.cl: how many bytes the strings of each chunk of the order have, tails and all: written
 * where the chunk's first offset will be. First step of rearranging strings.
 *
 * Local memory: a sum for each work-item. Runs before string_scan.cl. */
#include "string_move.h"

KERNEL void string_sizes(const struct string_params p, STRING_MOVE_ARGS)
{
    __local ulong sums[GROUP_SIZE];
    LOCAL_FITS(sizeof(sums));
    const uint me = get_local_id(0);
    struct string_set set;
    struct string_place place;
    string_open(&p, bytes, offsets, &set);
    __global const payload_t *order = AT(const payload_t, index, 2);
    const ulong begin = get_group_id(0) * p.chunk_size;
    const ulong end = min(begin + p.chunk_size, (ulong)p.count);
    ulong sum = 0;
    for (ulong i = begin + me; i < end; i += GROUP_SIZE) {
        string_find(&set, order[i], &place);
        sum = add_sat(sum, place.size + place.tail);
    }
    sums[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* every work-item's sum is there */
    if (me > 0)
        return;
    for (uint i = 1; i < GROUP_SIZE; ++i)
        sum = add_sat(sum, sums[i]);
    string_offset_store(&p, offsets_out, begin, sum);
}
