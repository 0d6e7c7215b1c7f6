/* rest.h: one work-group merges the pieces of a bucket that local memory does not hold, which are
 * in order, pass by pass (whole.cl).
 *
 * Idea: as partition/merges.cl, but the work-group goes over the tiles of its segment one after the
 * other. So it knows where the tile before has ended in either run, and tiles fit together whatever
 * the comparison is. */
#ifndef CLSORT_WHOLE_REST_H
#define CLSORT_WHOLE_REST_H

#include "sorts/partition/leaf.h"
#include "sorts/partition/merge.h"

struct rest_local {
    struct leaf_local leaf;
    uint next; /* where the next tile begins in the first run */
};

/* Merges a tile. `split` items of the first run are used up before; returns how many are
 * afterwards. Begins after, and ends with, a barrier. */
CLSORT_INLINE uint rest_tile(__local struct rest_local *shared, const struct left_merge *merge,
                             uint split, uint stores)
{
    const uint done = merge->at - merge->begin;
    const uint size = merge->size;
    if (get_local_id(0) == 0) {
        const uint next = left_path(merge, done + size);
        const uint most = min(split + size, merge->middle - merge->begin);
        /* Neither run has less left than is taken from it. */
        const uint least = max(split, sub_sat(done + size, merge->end - merge->middle));
        shared->next = clamp(next, least, most);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile's parts are known */
    const uint first_size = shared->next - split;
    const uint second_at = merge->middle + (done - split);
    left_merge_parts(merge, &shared->leaf.sort, shared->leaf.tile, size, merge->begin + split,
                     first_size, second_at, 1, stores);
    const uint next = shared->next;
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile has been written */
    return next;
}

/* All passes of a segment; begins after a barrier. */
CLSORT_INLINE void rest_segment(const struct partition_params *q, PARTITION_ARGS,
                                __local struct rest_local *shared, const segment_t *segment)
{
    for (uint left = left_passes(segment->size, q->leaf_size); left > 0; --left) {
        const uint stores = left > 1 ? q->flags | FLAG_STORE_KEYS : q->flags;
        uint split = 0;
        for (uint i = 0; i < segment->num_blocks; ++i) {
            struct left_merge merge;
            left_merge_of(q, PARTITION_BUFFERS, segment, i, left, &merge);
            if (merge.at == merge.begin)
                split = 0;
            split = rest_tile(shared, &merge, split, stores);
        }
        barrier(CLK_GLOBAL_MEM_FENCE); /* a pass is done */
    }
}

#endif
