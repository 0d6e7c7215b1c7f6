/* tile.cl: sorts the segments that fit in local memory, and lists the others for
 * partition/levels.cl.
 *
 * Idea: a work-group takes all segments that begin among its `tile` elements, so work is shared by
 * elements, whatever the lengths. It reads them into local memory, finds where they begin
 * (heads.h), and sorts them there (sort.h).
 *
 * A segment that is too long for local memory becomes a leaf, or a segment of the first level.
 *
 * Local memory: as in sort.h. Runs after: segments_mark. Before: partition/levels.cl,
 * or partition/count.cl. */
#include "base/config.h"
#include "segments/sort.h"

/* Lists a segment for partition by digits: all of the work-items write the owners of its blocks. */
CLSORT_INLINE void tile_list(__local struct segments_heads *shared,
                             const struct partition_params *q, __global void *scratch, uint begin,
                             uint end)
{
    const uint me = get_local_id(0), size = end - begin;
    if (size <= q->leaf_size) {
        if (me == 0)
            digits_add_leaf(q, scratch, atomic_inc(&PARTITION_CONTROL->num_leaves), 0, begin, size,
                            q->num_bits, PLACE_IN, LEAF_SORT);
        return;
    }
    const uint num_blocks = (size + q->block_size - 1) / q->block_size;
    if (me == 0) {
        const uint number = atomic_inc(&PARTITION_CONTROL->num_segments[0]);
        const uint first = atomic_add(&PARTITION_CONTROL->num_blocks[0], num_blocks);
        partition_set_segment(PARTITION_SEGMENT(number), begin, size, PLACE_IN, first, num_blocks);
        PARTITION_SEGMENT(number)->bits = q->num_bits;
        shared->number = number;
        shared->first_block = first;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* its numbers are known */
    const uint number = shared->number;
    for (uint i = me; i < num_blocks; i += GROUP_SIZE)
        PARTITION_TABLE(uint, owners)[shared->first_block + i] = number;
    digits_clear(PARTITION_TABLE(uint, totals) + (number << q->digit_bits), 1u << q->digit_bits, me,
                 GROUP_SIZE);
}

KERNEL void segments_tile(const struct segments_tile_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p.partition;
    __local struct segments_tile_local shared;
    LOCAL_FITS(sizeof(shared));
    __global const uint *bits = BUFFER_TABLE(const uint, q->offsets, scratch, p.bits_of_segments);
    const uint me = get_local_id(0);
    const uint from = get_group_id(0) * p.tile, size = min(p.tile, q->count - from);
    tile_prefetch(place_keys(q, PARTITION_BUFFERS, PLACE_IN) + from,
                  place_payload(q, PARTITION_BUFFERS, PLACE_IN) + from, size,
                  PAYLOAD_INDEX && p.flags & FLAG_MAKE_INDEX);
    tile_read(&shared.heads, bits, from, q->count);
    struct tile tile;
    if (!tile_take(&shared.heads, size, &tile))
        return;
    tile_measure(&shared.heads, tile);
    const uint base = from + tile.base + me; /* this work-item's first slot */
    const uint begin = tile.first - tile.base - me, num = tile.end - tile.first;
    __global const stored_key_t *keys = place_keys(q, PARTITION_BUFFERS, PLACE_IN) + base;
    __global const payload_t *payloads = place_payload(q, PARTITION_BUFFERS, PLACE_IN) + base;
    __local ITEM *items = shared.items + me;
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const uint slot = i * GROUP_SIZE;
        if (slot - begin < num)
            ITEM_LOAD(items[slot], keys, payloads, slot, base + slot, p.flags);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* items and lengths are there */
    tile_sort(&shared, tile);
    __global stored_key_t *keys_to = place_keys(q, PARTITION_BUFFERS, PLACE_OUT) + base;
    __global payload_t *payloads_to = place_payload(q, PARTITION_BUFFERS, PLACE_OUT) + base;
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const uint slot = i * GROUP_SIZE;
        if (slot - begin < num)
            ITEM_STORE(keys_to, payloads_to, slot, items[slot], p.flags);
    }
    if (!tile.fits)
        tile_list(&shared.heads, q, scratch, from + tile.last,
                  tile_end(&shared.heads, bits,
                           BUFFER_TABLE(const uint, q->offsets, scratch, p.tops_of_segments),
                           q->count, from + size));
}
