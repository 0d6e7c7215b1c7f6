/* merge_tile.h: a work-group merges a tile of a segment that is left after the last level
 * (quick.h).
 *
 * Idea: as merge/pass.cl, for segments of a list. A segment of few pieces takes part only in the
 * last passes, so that all end in the output. Two work-items find where the tile begins and ends in
 * its two runs. If the comparison may be no order, quick_split_tile() has found it before, since
 * the parts of tiles must fit together even then. */
#ifndef CLSORT_QUICK_MERGE_TILE_H
#define CLSORT_QUICK_MERGE_TILE_H

#include "sorts/partition/splitters/merge.h"

struct quick_merge_local {
    struct local_sort sort;
    uint splits[2];
    ITEM tile[TILE_SLOTS];
};

/* One work-item finds where a block begins in its two runs, and where the next one does. If the two
 * do not fit together, the comparison is no order, and the segment is marked: this pass does not
 * merge it. Both are found by one piece of code, so that the next block finds the same. */
CLSORT_INLINE void quick_split_tile(const struct quick_params *q, QUICK_ARGS, uint block)
{
    struct quick_merge merge;
    if (!quick_merge_find(q, QUICK_BUFFERS, block, &merge))
        return;
    uint bound = 0, next = 0;
#pragma unroll 1
    for (uint i = 0; i < 2; ++i) {
        bound = next;
        next = quick_path(&merge, merge.at + i * merge.size - merge.begin);
    }
    QUICK_TABLE(uint, splits)[block] = bound;
    if (next < bound || next - bound > merge.size)
        QUICK_TABLE(struct quick_segment, segments)
    [QUICK_TABLE(uint, owners)[block]].broken = q->passes_left;
}

/* A block's tile in this pass. No barrier at the end: the next tile is loaded behind one. */
CLSORT_INLINE void quick_merge_tile(const struct quick_params *q, QUICK_ARGS, uint block,
                                    __local struct quick_merge_local *shared)
{
    const uint me = get_local_id(0);
    struct quick_merge merge;
    const int takes_part = quick_merge_find(q, QUICK_BUFFERS, block, &merge);
    /* A work-group may be one work-item. */
#if QUICK_SPLITS
    const int merges = merge.broken != q->passes_left;
    for (uint i = me; i < 2; i += GROUP_SIZE)
        shared->splits[i] = takes_part && merge.at + i * merge.size < merge.end
                                ? QUICK_TABLE(const uint, splits)[block + i]
                                : merge.middle - merge.begin;
#else
    const int merges = 1;
    for (uint i = me; i < 2 && takes_part; i += GROUP_SIZE)
        shared->splits[i] = quick_path(&merge, merge.at + i * merge.size - merge.begin);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile's parts are known */
    const uint size = takes_part ? merge.size : 0;
    const uint split = shared->splits[0];
    const uint first_size = merges ? shared->splits[1] - split : size;
    const uint first_at = merges ? merge.begin + split : merge.at;
    const uint second_at = merge.middle + (merge.at - merge.begin - split);
    for (uint slot = me; slot < size; slot += GROUP_SIZE) {
        const uint from = slot < first_size ? first_at + slot : second_at + slot - first_size;
        QUICK_LOAD(shared->tile[slot], merge.keys, merge.payloads, from, 0, FLAG_STORE_PAYLOAD);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* both parts are there */
    local_merge(&shared->sort, shared->tile, size, first_size, merges);
    const uint stores = q->passes_left > 1 ? q->flags | FLAG_STORE_KEYS : q->flags;
    for (uint slot = me; slot < size; slot += GROUP_SIZE)
        ITEM_STORE(merge.to_keys, merge.to_payloads, merge.at + slot,
                   LOCAL_ITEM(&shared->sort, shared->tile, slot), stores);
}

#endif
