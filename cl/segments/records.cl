/* records.cl: sorts the segments of records that fit in local memory, and lists the others
 * for partition/merges.cl.
 *
 * Idea: a work-group takes all segments that begin among its `tile` elements, as in
 * tile.cl, and sorts them in local memory (slots.h). A segment that is too long
 * for that is listed as one that quicksort's levels have left over: partition/leaf.cl sorts its
 * pieces, and merges make one run of them. All of this keeps equal records in their order.
 *
 * Local memory: as in slots.h. Runs after: segments_mark. Before: partition/leaf.cl. In place
 * is fine. */
#include "base/config.h"
#include "segments/slots.h"

/* Lists a segment's pieces, and if there are several the merges' blocks, by all work-items. */
CLSORT_INLINE void records_list(const struct partition_params *q, __global void *scratch,
                                __local struct segments_slots *shared, uint begin, uint end)
{
    const uint me = get_local_id(0), size = end - begin;
    const uint num_pieces = (size - 1) / q->leaf_size + 1;
    const uint passes = left_passes(size, q->leaf_size);
    const uint kind = !passes ? LEAF_SORT : passes % 2 ? LEAF_PIECE_WORK : LEAF_PIECE;
    if (me == 0)
        shared->leaf = atomic_add(&PARTITION_CONTROL->num_leaves, num_pieces);
    if (me == 0 && passes) {
        const uint number = atomic_inc(&PARTITION_CONTROL->num_segments[q->level]);
        const uint first_block = atomic_add(&PARTITION_CONTROL->num_blocks[q->level], num_pieces);
        partition_set_segment(PARTITION_SEGMENT(number), begin, size, PLACE_IN, first_block,
                              num_pieces);
        shared->heads.number = number;
        shared->heads.first_block = first_block;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* there is room in the lists */
    for (uint i = me; i < num_pieces; i += GROUP_SIZE) {
        const uint from = i * q->leaf_size;
        partition_add_leaf(q, scratch, shared->leaf + i, begin + from,
                           min(q->leaf_size, size - from), PLACE_IN, kind);
        if (passes)
            PARTITION_TABLE(uint, owners)[shared->heads.first_block + i] = shared->heads.number;
    }
}

KERNEL void segments_records(const struct segments_tile_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p.partition;
    __local struct segments_slots shared;
    LOCAL_FITS(sizeof(shared));
    __global const uint *bits = BUFFER_TABLE(const uint, q->offsets, scratch, p.bits_of_segments);
    const uint me = get_local_id(0);
    const uint from = get_group_id(0) * p.tile, size = min(p.tile, q->count - from);
    __global const stored_key_t *keys = place_keys(q, PARTITION_BUFFERS, PLACE_IN);
    __global const payload_t *payloads = place_payload(q, PARTITION_BUFFERS, PLACE_IN);
    tile_prefetch(keys + from, payloads + from, size, PAYLOAD_INDEX);
    tile_read(&shared.heads, bits, from, q->count);
    struct tile tile;
    if (!tile_take(&shared.heads, size, &tile))
        return;
    tile_measure(&shared.heads, tile);
    const uint base = from + tile.base, end = tile.end - tile.base;
    for (uint slot = tile.first - tile.base + me; slot < end; slot += GROUP_SIZE)
        PLACE_LOAD(shared.items[slot], keys, payloads, base + slot, 0, PLACE_LOAD_FLAGS(PLACE_IN));
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* records and lengths are there */
    slots_sort(&shared, tile);
    __global stored_key_t *keys_to = place_keys(q, PARTITION_BUFFERS, PLACE_OUT);
    __global payload_t *payloads_to = place_payload(q, PARTITION_BUFFERS, PLACE_OUT);
    for (uint slot = tile.first - tile.base + me; slot < end; slot += GROUP_SIZE)
        ITEM_STORE(keys_to, payloads_to, base + slot, LOCAL_ITEM(&shared.sort, shared.items, slot),
                   q->flags);
    if (!tile.fits)
        records_list(q, scratch, &shared, from + tile.last,
                     tile_end(&shared.heads, bits,
                              BUFFER_TABLE(const uint, q->offsets, scratch, p.tops_of_segments),
                              q->count, from + size));
}
