/* quick_cursors.h: where every bucket of a segment begins, and what becomes of it (quick.h).
 *
 * Idea: a work-group scans the totals of a segment. Buckets that local memory holds become leaves,
 * small neighbours together: sorting a leaf costs the same however full it is, so last-level
 * buckets are small, and several share a leaf. Larger buckets are segments of the next level, or
 * after the last level pieces that are sorted and then merged. What is equal to a heavy pivot is in
 * order, and is only copied if it is not in the output yet.
 *
 * Local memory: the totals, and what scanning needs. */
#ifndef CLSORT_QUICK_CURSORS_H
#define CLSORT_QUICK_CURSORS_H

#include "quick.h"
#include "group_scan.h"

struct quick_cursors_local {
    struct group_scan_local scan;
    uint begins[QUICK_BUCKETS + 1];
    uchar is_equal[QUICK_BUCKETS];
    ushort large[QUICK_BUCKETS]; /* buckets whose parts are to be listed */
    uint num_large;
    uint first_leaf[QUICK_BUCKETS]; /* of each large bucket: room in the lists */
    uint first_block[QUICK_BUCKETS];
    uint number[QUICK_BUCKETS];
};

enum quick_class {
    QUICK_SMALL, /* part of a leaf, with its neighbours */
    QUICK_ALONE, /* a leaf */
    QUICK_LARGE
};

#define WRITERS 16 /* work-items that list the parts of a large bucket */
#define WRITER_STEP (GROUP_SIZE < WRITERS ? GROUP_SIZE : WRITERS)

CLSORT_INLINE enum quick_class quick_classify(const struct quick_params *q, uint size)
{
    return size > q->leaf_size ? QUICK_LARGE : size > q->small_size ? QUICK_ALONE : QUICK_SMALL;
}

CLSORT_INLINE uint quick_bucket_size(__local const struct quick_cursors_local *shared, uint bucket)
{
    return shared->begins[bucket + 1] - shared->begins[bucket];
}

CLSORT_INLINE int quick_is_small(const struct quick_params *q,
                                 __local const struct quick_cursors_local *shared, uint bucket)
{
    return quick_classify(q, quick_bucket_size(shared, bucket)) == QUICK_SMALL;
}

/* Finds where the segment's buckets begin. Ends with a barrier. */
CLSORT_INLINE void quick_cursors_load(const struct quick_params *q, __global void *scratch,
                                      __local struct quick_cursors_local *shared,
                                      const struct quick_segment *segment, uint num_buckets)
{
    const uint me = get_local_id(0);
    const uint first = segment->first_bucket;
    GROUP_LOOP(i, 0, QUICK_BUCKETS + 1)
        shared->begins[i] = i < num_buckets ? QUICK_TABLE(const uint, totals)[first + i] : 0;
    GROUP_LOOP(i, 0, QUICK_BUCKETS)
        shared->is_equal[i] = 0;
    if (me == 0)
        shared->num_large = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there */
    GROUP_LOOP(i, 0, segment->num_pivots) {
        const uint mark = QUICK_TABLE(const uint, marks)[first + i];
        if (mark & QUICK_HEAVY)
            shared->is_equal[(mark & ~QUICK_HEAVY) + 1] = 1;
    }
    group_scan_exclusive(&shared->scan, shared->begins, QUICK_BUCKETS + 1);
}

/* Adds the leaf of a bucket that is not large. Small buckets that begin in the same cell fit in a
 * leaf together; the first of them adds it. */
CLSORT_INLINE void quick_cursors_add(const struct quick_params *q, __global void *scratch,
                                     __local const struct quick_cursors_local *shared,
                                     const struct quick_segment *segment, uint num_buckets,
                                     uint bucket)
{
    const uint cell = q->leaf_size - q->small_size;
    const uint begin = shared->begins[bucket];
    uint last = bucket;
    if (quick_is_small(q, shared, bucket)) {
        if (bucket > 0 && begin / cell == shared->begins[bucket - 1] / cell &&
            quick_is_small(q, shared, bucket - 1))
            return;
#pragma unroll 1
        while (last + 1 < num_buckets && shared->begins[last + 1] / cell == begin / cell &&
               quick_is_small(q, shared, last + 1))
            ++last;
    }
    const uint end = shared->begins[last + 1];
    if (end > begin)
        quick_add_leaf(q, scratch, atomic_inc(&QUICK_CONTROL->num_leaves), segment->begin + begin,
                       end - begin, QUICK_NEXT(segment->place), QUICK_SORT);
}

/* Writes the buckets' cursors, adds leaves, and lists the large buckets. Ends with a barrier. */
CLSORT_INLINE void quick_cursors_list(const struct quick_params *q, __global void *scratch,
                                      __local struct quick_cursors_local *shared,
                                      const struct quick_segment *segment, uint num_buckets)
{
    const int is_in_output = QUICK_NEXT(segment->place) == PLACE_OUT;
    __global uint *cursors = QUICK_TABLE(uint, cursors) + segment->first_bucket;
    GROUP_LOOP(i, 0, num_buckets) {
        const enum quick_class class = quick_classify(q, quick_bucket_size(shared, i));
        cursors[i] = shared->begins[i];
        if (class == QUICK_LARGE || (class == QUICK_ALONE && shared->is_equal[i])) {
            if (!shared->is_equal[i] || !is_in_output)
                shared->large[atomic_inc(&shared->num_large)] = (ushort)i;
        } else {
            quick_cursors_add(q, scratch, shared, segment, num_buckets, i);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the large ones are known */
}

/* Reserves room in the lists for large bucket k, which is larger than a leaf or has equal
 * elements. */
CLSORT_INLINE void quick_cursors_reserve(const struct quick_params *q, __global void *scratch,
                                         __local struct quick_cursors_local *shared,
                                         const struct quick_segment *parent, uint k)
{
    const uint bucket = shared->large[k];
    const uint size = quick_bucket_size(shared, bucket);
    const uint next = q->level + 1;
    const int is_last = q->next_bucket_size == 0;
    const uint num_blocks = (size - 1) / q->next_block_size + 1;
    if (shared->is_equal[bucket] || is_last)
        shared->first_leaf[k] =
            atomic_add(&QUICK_CONTROL->num_leaves, (size - 1) / q->leaf_size + 1);
    if (shared->is_equal[bucket])
        return;
    const uint number = atomic_inc(&QUICK_CONTROL->num_segments[next]);
    const uint first_block = atomic_add(&QUICK_CONTROL->num_blocks[next], num_blocks);
    shared->number[k] = number;
    shared->first_block[k] = first_block;
    __global struct quick_segment *segment =
        QUICK_TABLE(struct quick_segment, next_segments) + number;
    segment->begin = parent->begin + shared->begins[bucket];
    segment->size = size;
    segment->place = QUICK_NEXT(parent->place);
    segment->first_block = first_block;
    segment->num_blocks = num_blocks;
    segment->first_bucket = is_last ? 0
                                    : atomic_add(&QUICK_CONTROL->num_buckets[next],
                                                 quick_wanted(size, q->next_bucket_size));
    segment->num_pivots = 0;
    segment->broken = 0;
}

/* Lists the blocks and leaves of large bucket k, by several work-items. */
CLSORT_INLINE void quick_cursors_list_parts(const struct quick_params *q, __global void *scratch,
                                            __local const struct quick_cursors_local *shared,
                                            const struct quick_segment *segment, uint k)
{
    const uint bucket = shared->large[k];
    const uint begin = segment->begin + shared->begins[bucket];
    const uint size = quick_bucket_size(shared, bucket);
    const int is_equal = shared->is_equal[bucket];
    const uint first = get_local_id(0) % WRITERS;
    if (!is_equal)
#pragma unroll 1
        for (uint i = first; i < (size - 1) / q->next_block_size + 1; i += WRITER_STEP)
            QUICK_TABLE(uint, next_owners)[shared->first_block[k] + i] = shared->number[k];
    if (is_equal || q->next_bucket_size == 0) {
        const uint kind = is_equal                               ? QUICK_COPY
                          : quick_passes(size, q->leaf_size) % 2 ? QUICK_PIECE_WORK
                                                                 : QUICK_PIECE;
#pragma unroll 1
        for (uint i = first; i < (size - 1) / q->leaf_size + 1; i += WRITER_STEP)
            quick_add_leaf(q, scratch, shared->first_leaf[k] + i, begin + i * q->leaf_size,
                           min(q->leaf_size, size - i * q->leaf_size), QUICK_NEXT(segment->place),
                           kind);
    }
}

/* The buckets of segment `number`. Begins after a barrier, and ends with one. */
CLSORT_INLINE void quick_cursors_segment(const struct quick_params *q, __global void *scratch,
                                         uint number, __local struct quick_cursors_local *shared)
{
    const uint me = get_local_id(0);
    const struct quick_segment segment = QUICK_TABLE(struct quick_segment, segments)[number];
    const uint num_buckets =
        QUICK_TABLE(const uint, marks)[segment.first_bucket + segment.num_pivots] + 1;
    quick_cursors_load(q, scratch, shared, &segment, num_buckets);
    quick_cursors_list(q, scratch, shared, &segment, num_buckets);
    const uint num_large = shared->num_large;
    GROUP_LOOP(k, 0, num_large)
        quick_cursors_reserve(q, scratch, shared, &segment, k);
    barrier(CLK_LOCAL_MEM_FENCE); /* there is room in the lists */
#pragma unroll 1
    for (uint k = me / WRITERS; k < num_large; k += (GROUP_SIZE + WRITERS - 1) / WRITERS)
        quick_cursors_list_parts(q, scratch, shared, &segment, k);
    barrier(CLK_LOCAL_MEM_FENCE); /* the segment's tables are read no more */
}

#endif
