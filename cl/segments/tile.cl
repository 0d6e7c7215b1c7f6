/* tile.cl: sorts the segments that fit in local memory, and lists the others for digits/part.h.
 *
 * Idea: a work-group takes all segments that begin among its `tile` elements, so work is shared by
 * elements, whatever the lengths. It reads them into local memory, finds where they begin
 * (heads.h), and sorts them there (sort.h).
 *
 * A segment that is too long for local memory becomes a leaf, or a segment of the first level.
 *
 * Local memory: as in sort.h. Runs after: segments_mark. Before: digits/deep.cl, or
 * digits/count.cl. */
#include "base/config.h"
#include "segments/sort.h"

/* Lists a segment for digits/part.h: all of the work-items write the owners of its blocks. */
CLSORT_INLINE void tile_list(__local struct segments_heads *shared, const struct part_params *q,
                             __global void *scratch, uint begin, uint end)
{
    const uint me = get_local_id(0), size = end - begin;
    if (size <= q->leaf_size) {
        if (me == 0) {
            __global struct part_leaf *leaf =
                PART_TABLE(struct part_leaf, leaves) + atomic_inc(&PART_CONTROL->num_leaves);
            leaf->low = 0;
            leaf->begin = begin;
            leaf->size = size;
            leaf->bits = q->num_bits;
            leaf->place = PART_IN;
        }
        return;
    }
    const uint num_blocks = (size + q->block_size - 1) / q->block_size;
    if (me == 0) {
        const uint number = atomic_inc(&PART_CONTROL->num_segments[0]);
        const uint first = atomic_add(&PART_CONTROL->num_blocks[0], num_blocks);
        __global struct part_segment *segment = PART_TABLE(struct part_segment, segments) + number;
        segment->low = 0;
        segment->begin = begin;
        segment->size = size;
        segment->bits = q->num_bits;
        segment->place = PART_IN;
        segment->first_block = first;
        segment->num_blocks = num_blocks;
        shared->number = number;
        shared->first_block = first;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* its numbers are known */
    const uint number = shared->number;
    for (uint i = me; i < num_blocks; i += GROUP_SIZE)
        PART_TABLE(uint, owners)[shared->first_block + i] = number;
    part_clear(PART_TABLE(uint, totals) + (number << q->digit_bits),
               PART_TABLE(struct part_seen, seen) + number, 1, q->digit_bits, me, GROUP_SIZE);
}

KERNEL void segments_tile(const struct segments_tile_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local struct segments_tile_local shared;
    LOCAL_FITS(sizeof(shared));
    __global const uint *bits = BUFFER_TABLE(const uint, q->offsets, scratch, p.bits_of_segments);
    const uint me = get_local_id(0);
    const uint from = get_group_id(0) * p.tile, size = min(p.tile, q->count - from);
    tile_prefetch(part_keys(q, PART_BUFFERS, PART_IN) + from,
                  PART_AT(const payload_t, payload_in, 2) + from, size,
                  PAYLOAD_INDEX && p.flags & FLAG_MAKE_INDEX);
    tile_read(&shared.heads, bits, from, q->count);
    struct tile tile;
    if (!tile_take(&shared.heads, size, &tile))
        return;
    tile_measure(&shared.heads, tile);
    const uint base = from + tile.base + me; /* this work-item's first slot */
    const uint begin = tile.first - tile.base - me, num = tile.end - tile.first;
    __global const stored_key_t *keys = part_keys(q, PART_BUFFERS, PART_IN) + base;
    __global const payload_t *payloads = PART_AT(const payload_t, payload_in, 2) + base;
    __local ITEM *items = shared.items + me;
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const uint slot = i * GROUP_SIZE;
        if (slot - begin < num)
            ITEM_LOAD(items[slot], keys, payloads, slot, base + slot, p.flags);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* items and lengths are there */
    tile_sort(&shared, tile);
    __global stored_key_t *keys_to = PART_AT(stored_key_t, keys_out, 1) + base;
    __global payload_t *payloads_to = PART_AT(payload_t, payload_out, 3) + base;
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
