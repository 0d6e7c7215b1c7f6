/* check_short.cl: check.cl for short arrays, several to a work-group: its work-items look at the
 * elements of all of them, and each array has a word for its first one out of order.
 * p.block_size: arrays of a work-group.
 *
 * Local memory: these words. Alone. */
#include "base/item.h"

KERNEL void check_short(const struct range_params p, __global const void *keys_in,
                        __global void *result)
{
    __local uint least[GROUP_SIZE];
    LOCAL_FITS(sizeof(least));
    const uint me = get_local_id(0), count = (uint)p.count;
    const ulong first = get_group_id(0) * p.block_size;
    const uint num = (uint)min((ulong)p.block_size, p.num_arrays - first);
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0) + first * count;
    least[me] = count;
    barrier(CLK_LOCAL_MEM_FENCE); /* nothing is found yet */
    for (uint at = me; at < num * count; at += GROUP_SIZE) {
        const uint array = at / count, index = at - array * count;
        if (index > 0 && STORED_LESS(keys[at], keys[at - 1]))
            atomic_min(&least[array], index);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have looked */
    if (me < num)
        AT(ulong, result, 1)[first + me] = least[me];
}
