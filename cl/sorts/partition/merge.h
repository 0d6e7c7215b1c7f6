/* merge.h: which merge a block of what the levels have left over belongs to (splitters.h). */
#ifndef CLSORT_LEFT_MERGE_H
#define CLSORT_LEFT_MERGE_H

#include "sorts/partition/splitters.h"
#include "group/merge_local.h"

/* Runs [begin, middle) and [middle, end), and the tile of the result from `at` on; elements of all
 * arrays. */
struct left_merge {
    uint begin, middle, end;
    uint at, size;
    uint broken; /* of the segment */
    __global const stored_key_t *keys;
    __global const payload_t *payloads;
    __global stored_key_t *to_keys;
    __global payload_t *to_payloads;
};

/* The merge that tile `tile` of a segment belongs to, with `left` passes to come, this one
 * included. */
CLSORT_INLINE void left_merge_of(const struct partition_params *q, PARTITION_ARGS,
                                 const segment_t *segment, uint tile, uint left,
                                 struct left_merge *merge)
{
    const uint passes = left_passes(segment->size, q->leaf_size);
    const ulong run = (ulong)q->leaf_size << (passes - min(left, passes));
    const uint from = tile * q->leaf_size;
    const ulong start = from / (2 * run) * (2 * run);
    merge->begin = segment->begin + (uint)start;
    merge->middle = segment->begin + (uint)min(start + run, (ulong)segment->size);
    merge->end = segment->begin + (uint)min(start + 2 * run, (ulong)segment->size);
    merge->at = segment->begin + from;
    merge->size = min(q->leaf_size, segment->size - from);
    merge->broken = segment->broken;
    const uint to = left % 2 ? PLACE_OUT : PLACE_WORK;
    const uint place = left % 2 ? PLACE_WORK : PLACE_OUT;
    merge->keys = place_keys(q, PARTITION_BUFFERS, place);
    merge->payloads = place_payload(q, PARTITION_BUFFERS, place);
    merge->to_keys = place_keys(q, PARTITION_BUFFERS, to);
    merge->to_payloads = place_payload(q, PARTITION_BUFFERS, to);
}

/* The merge of a block in this pass; false if its segment has none. */
CLSORT_INLINE int left_merge_find(const struct partition_params *q, PARTITION_ARGS, uint block,
                                  struct left_merge *merge)
{
    const segment_t segment = *PARTITION_SEGMENT(PARTITION_OWNER(block));
    left_merge_of(q, PARTITION_BUFFERS, &segment, block - segment.first_block, q->passes_left,
                  merge);
    return q->passes_left <= left_passes(segment.size, q->leaf_size);
}

/* Whether the element at `second` comes before the one at `first`. */
CLSORT_INLINE int left_second_less(const struct left_merge *merge, uint first, uint second)
{
#if RECORD_IS_WIDE && !(KEEPS_ORDER && PAYLOAD_INDEX)
    return STORED_LESS(merge->keys[second], merge->keys[first]);
#elif RECORD_IS_WIDE
    return RECORD_BEFORE_OR_TIE(global, merge->keys[second], global, merge->keys[first],
                                merge->payloads[second] < merge->payloads[first]);
#else
    ITEM one, other;
    PLACE_LOAD(one, merge->keys, merge->payloads, first, 0, FLAG_STORE_PAYLOAD);
    PLACE_LOAD(other, merge->keys, merge->payloads, second, 0, FLAG_STORE_PAYLOAD);
    return SPLITTERS_LESS(other, one);
#endif
}

/* How many of the first `diagonal` items of the merge come from the first run. */
CLSORT_INLINE uint left_path(const struct left_merge *merge, uint diagonal)
{
#define LEFT_PATH_LESS(j, i) left_second_less(merge, merge->begin + (i), merge->middle + (j))
    MERGE_PATH(uint, cut, merge->middle - merge->begin, merge->end - merge->middle, diagonal,
               LEFT_PATH_LESS)
    return cut;
}

/* Puts the tile together from `first_size` items from `first_at` on and others from `second_at` on,
 * merges both, and writes it. Begins after a barrier, and ends before one. */
CLSORT_INLINE void left_merge_parts(const struct left_merge *merge, __local struct local_sort *sort,
                                    __local ITEM *tile, uint size, uint first_at, uint first_size,
                                    uint second_at, int merges, uint stores)
{
    const uint me = get_local_id(0);
    for (uint slot = me; slot < size; slot += GROUP_SIZE) {
        const uint from = slot < first_size ? first_at + slot : second_at + slot - first_size;
        PLACE_LOAD(tile[slot], merge->keys, merge->payloads, from, 0, FLAG_STORE_PAYLOAD);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* both parts are there */
    local_merge(sort, tile, size, first_size, merges);
    for (uint slot = me; slot < size; slot += GROUP_SIZE)
        ITEM_STORE(merge->to_keys, merge->to_payloads, merge->at + slot,
                   LOCAL_ITEM(sort, tile, slot), stores);
}

#endif
