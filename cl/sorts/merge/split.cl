/* split.cl: where every tile of a merge begins in its two runs. Before each pass.cl.
 *
 * Idea: a work-item a tile looks for its boundary by merge path in global memory. For records it
 * looks for the next tile's, too: if the two do not fit together the comparison is no order, and
 * the array is marked as not to be merged in this pass. (A group that looked together, first for
 * its outer two boundaries, lost 10 % where tiles are few and gained 2 % where they are many.)
 *
 * table: [array] the pass in which its comparison was met as no order, then [array][tile] how
 * many items of the merge in front of the tile come from the first run.
 *
 * Local memory: none. */
#include "group/merge.h"

KERNEL void merge_split(const struct merge_params p, __global const void *keys_in,
                        __global void *keys_out, __global const void *payload_in,
                        __global void *payload_out, __global void *table)
{
    const ulong number = get_global_id(0);
    if (number >= p.num_arrays * p.tiles_per_array)
        return;
    const ulong array = number / p.tiles_per_array;
    const ulong at = number % p.tiles_per_array * p.tile;
    const ulong begin = at / p.span * p.span;
    const ulong middle = min(begin + p.run, (ulong)p.count);
    const ulong end = min(begin + p.span, (ulong)p.count);
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0) + array * p.count;
    const ulong bound = merge_path(keys, begin, middle, end, at - begin);
    __global ulong *splits = AT(ulong, table, 4) + p.num_arrays;
    splits[number] = bound;
    if (RECORD_SIZE) {
        const ulong next_at = min(at + p.tile, end);
        const ulong next = merge_path(keys, begin, middle, end, next_at - begin);
        if (next < bound || next - bound > next_at - at)
            AT(ulong, table, 4)[array] = p.pass;
    }
}
