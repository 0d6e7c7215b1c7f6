/* segments_tile.cl: sorts the segments that fit in local memory, and lists the others for part.h.
 *
 * Idea: a work-group takes all segments that begin among its `tile` elements, so work is shared by
 * elements, whatever the lengths. It reads them into local memory, finds where they begin
 * (segments_heads.h), and sorts them there (segments_sort.h).
 *
 * Only the last segment of a tile can be too long for local memory. Its end is found by words of
 * which a bit stands for 1024 elements. It becomes a leaf, or a segment of the first level.
 *
 * Local memory: as in segments_heads.h. Runs after: segments_mark. Before: part_deep.cl, or
 * part_count.cl. */
#include "config.h"
#include "segments_sort.h"

/* Asks for the elements of the tile, which are read once its heads are known. */
CLSORT_INLINE void tile_prefetch(const struct segments_tile_params *p, PART_ARGS, uint from,
                                 uint size)
{
    const struct part_params *q = &p->part;
    const uint key_step = PREFETCHED / sizeof(stored_key_t);
    const uint payload_step = PREFETCHED / sizeof(payload_t);
    __global const stored_key_t *keys = part_keys(q, PART_BUFFERS, PART_IN) + from;
    __global const payload_t *payloads = PART_AT(const payload_t, payload_in, 2) + from;
    GROUP_LOOP(i, 0, (size + key_step - 1) / key_step)
        PREFETCH(keys + i * key_step);
    const uint num_payloads = PAYLOAD_INDEX && (p->flags & FLAG_MAKE_INDEX) ? 0 : size;
    if (PAYLOAD_SIZE) {
        GROUP_LOOP(i, 0, (num_payloads + payload_step - 1) / payload_step)
            PREFETCH(payloads + i * payload_step);
    }
}

/* The first head from element `at` on, beyond the tile's own bits. By all work-items. */
CLSORT_INLINE uint tile_end(__local struct segments_tile_local *shared,
                            const struct segments_tile_params *p, __global const uint *bits,
                            __global const uint *tops, uint at)
{
    const uint me = get_local_id(0);
    const uint num_words = p->part.count / 32 + 1, num_tops = p->part.count / 32768 + 1;
    if (me == 0)
        shared->behind = ~0u;
    barrier(CLK_LOCAL_MEM_FENCE); /* none is found */
    /* What is left of 1024 elements, then 1024 at once. */
    const uint next_block = at / 1024 + 1;
    for (uint w = at / 32 + me; w < min(next_block * 32, num_words); w += GROUP_SIZE) {
        const uint word = bits[w] & (w == at / 32 ? ~0u << (at & 31) : ~0u);
        if (word)
            atomic_min(&shared->behind, w * 32 + LOWEST_BIT(word));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* these have been seen */
    if (shared->behind != ~0u)
        return shared->behind;
    uint block = ~0u;
    for (uint first = next_block / 32; first < num_tops && block == ~0u; first += GROUP_SIZE) {
        barrier(CLK_LOCAL_MEM_FENCE); /* all have looked */
        const uint t = first + me;
        uint word = t < num_tops ? tops[t] : 0;
        if (t == next_block / 32)
            word &= ~0u << (next_block & 31);
        if (word)
            atomic_min(&shared->behind, t * 32 + LOWEST_BIT(word));
        barrier(CLK_LOCAL_MEM_FENCE); /* these have been seen */
        block = shared->behind;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all know the block */
    if (me == 0)
        shared->behind = p->part.count;
    barrier(CLK_LOCAL_MEM_FENCE); /* the end, if the bits were wrong */
    for (uint w = block * 32 + me; w < min(block * 32 + 32, num_words); w += GROUP_SIZE)
        if (bits[w])
            atomic_min(&shared->behind, w * 32 + LOWEST_BIT(bits[w]));
    barrier(CLK_LOCAL_MEM_FENCE); /* the head is known */
    return shared->behind;
}

/* Lists a segment for part.h: all of the work-items write the owners of its blocks. */
CLSORT_INLINE void tile_list(__local struct segments_tile_local *shared,
                             const struct part_params *q, __global void *scratch, uint begin,
                             uint end)
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
        shared->first = number;
        shared->last = first;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* its numbers are known */
    const uint number = shared->first;
    for (uint i = me; i < num_blocks; i += GROUP_SIZE)
        PART_TABLE(uint, owners)[shared->last + i] = number;
    if (q->flags & FLAG_UNORDERED)
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
    tile_prefetch(&p, PART_BUFFERS, from, size);
    tile_read(&shared, bits, from, q->count);
    struct tile tile;
    tile.first = shared.heads[0] & 1 ? 0 : head_after(&shared, 0);
    if (tile.first >= size)
        return;
    tile.base = tile.first & ~31u;
    const uint last = head_before(&shared, size - 1), behind = head_after(&shared, size - 1);
    const int fits = behind - tile.base <= TILE_SLOTS;
    tile.end = fits ? behind : last;
    tile_measure(&shared, tile);
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
    if (!fits)
        tile_list(&shared, q, scratch, from + last,
                  tile_end(&shared, &p, bits,
                           BUFFER_TABLE(const uint, q->offsets, scratch, p.tops_of_segments),
                           from + size));
}
