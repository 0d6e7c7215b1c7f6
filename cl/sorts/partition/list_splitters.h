/* list_splitters.h: where every bucket of a segment begins, and what becomes of it (splitters.h).
 *
 * Idea: as in list.h. A leaf that is merged has the same rounds from half full on. So last-level
 * buckets are small. Larger buckets are segments of the next level, or after the last level pieces
 * that are sorted and then merged. What is equal to a heavy pivot stands apart, too, unless it is
 * little: it is in order, and is only copied if it is not in the output yet. */
#ifndef CLSORT_LIST_SPLITTERS_H
#define CLSORT_LIST_SPLITTERS_H

#include "sorts/partition/splitters.h"
#include "sorts/partition/list.h"

#if SPLITTERS

/* Reserves room in the lists for large bucket k, which is larger than a leaf or has equal
 * elements. */
CLSORT_INLINE void buckets_reserve(const struct partition_params *q, __global void *scratch,
                                   __local struct buckets_local *shared, const segment_t *parent,
                                   uint k)
{
    const uint bucket = shared->large[k];
    const uint size = buckets_size(shared, bucket);
    const int is_last = q->next_bucket_size == 0;
    if (shared->is_equal[bucket] || is_last)
        shared->sums[k] = atomic_add(&PARTITION_CONTROL->num_leaves, (size - 1) / q->leaf_size + 1);
    if (shared->is_equal[bucket])
        return;
    const uint number = partition_add_segment(q, scratch, parent->begin + shared->begins[bucket],
                                              size, PLACE_NEXT(parent->place), q->next_block_size);
    shared->number[k] = number;
    if (!is_last)
        PARTITION_NEXT_SEGMENT(number)->first_bucket =
            atomic_add(&PARTITION_CONTROL->num_buckets[q->level + 1],
                       buckets_wanted(size, q->next_bucket_size));
}

/* Lists the blocks and leaves of large bucket k, by several work-items. */
CLSORT_INLINE void buckets_list_parts(const struct partition_params *q, __global void *scratch,
                                      __local const struct buckets_local *shared,
                                      const segment_t *segment, uint k)
{
    const uint bucket = shared->large[k];
    const uint begin = segment->begin + shared->begins[bucket];
    const uint size = buckets_size(shared, bucket);
    const int is_equal = shared->is_equal[bucket];
    if (!is_equal)
        partition_own_blocks(q, scratch, shared->number[k]);
    if (is_equal || q->next_bucket_size == 0) {
        const uint kind = is_equal                              ? LEAF_COPY
                          : left_passes(size, q->leaf_size) % 2 ? LEAF_PIECE_WORK
                                                                : LEAF_PIECE;
#pragma unroll 1
        for (uint i = WRITER; i < (size - 1) / q->leaf_size + 1; i += WRITER_STEP)
            partition_add_leaf(q, scratch, shared->sums[k] + i, begin + i * q->leaf_size,
                               min(q->leaf_size, size - i * q->leaf_size),
                               PLACE_NEXT(segment->place), kind);
    }
}

/* The buckets of a segment, by all work-items of the group that has added the last counts, and
 * knows of the others'. Begins after a barrier, and ends with one. */
CLSORT_INLINE void splitters_list(const struct partition_params *q, __global void *scratch,
                                  __global const segment_t *listed,
                                  __local struct buckets_local *shared)
{
    const segment_t segment = *listed; /* counting needs its registers */
    const uint num_buckets = segment.num_buckets;
    buckets_load(q, scratch, shared, &segment);
    GROUP_LOOP(i, 0, segment.num_pivots) {
        const uint mark = PARTITION_TABLE(const uint, marks)[segment.first_bucket + i];
        if (mark & PIVOT_HEAVY)
            shared->is_equal[(mark & ~PIVOT_HEAVY) + 1] = 1;
    }
    buckets_scan(q, scratch, shared, &segment);
    buckets_fill(q, shared, num_buckets);
    buckets_find(q, scratch, shared, num_buckets, PLACE_NEXT(segment.place) == PLACE_OUT);
    GROUP_LOOP(k, 0, shared->num_leaves) {
        const uint first = shared->leaf_first[k], begin = shared->begins[first];
        partition_add_leaf(q, scratch, shared->leaves_begin + k, segment.begin + begin,
                           shared->begins[shared->ends[first]] - begin, PLACE_NEXT(segment.place),
                           LEAF_SORT);
    }
    const uint num_large = shared->num_large;
    GROUP_LOOP(k, 0, num_large)
        buckets_reserve(q, scratch, shared, &segment, k);
    /* There is room in the lists, and segments are known. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    WRITERS_LOOP(k, num_large)
        buckets_list_parts(q, scratch, shared, &segment, k);
    barrier(CLK_LOCAL_MEM_FENCE); /* the segment's tables are read no more */
}

#endif

#endif
