/* cursors.h: where every bucket of a segment begins, and what becomes of it (quick.h).
 *
 * Idea: the work-group that counts a segment's last block scans the totals. Buckets that local
 * memory holds become leaves. A leaf that is merged has the same rounds from half full on. So
 * last-level buckets are small, and each leaf takes as many neighbours as fit. Larger buckets
 * stand apart: they are segments of the next level, or after the last level pieces that are
 * sorted and then merged. So does what is equal to a heavy pivot, unless it is little: it is in
 * order, and is only copied if it is not in the output yet.
 *
 * All work-items search for the buckets that would fill a leaf together with theirs. From the
 * first bucket behind one that stands apart, a work-item goes from leaf to leaf. One work-item
 * alone would take 13 to 17 microseconds for 256 buckets. */
#ifndef CLSORT_QUICK_CURSORS_H
#define CLSORT_QUICK_CURSORS_H

#include "sorts/partition/splitters/quick.h"
#include "device/barrier.h"
#include "group/scan.h"

struct quick_cursors_local {
    struct group_scan_local scan;
    uint begins[QUICK_BUCKETS + 1];
    uchar is_equal[QUICK_BUCKETS];
    /* The sizes of the buckets before, of which those that stand apart count as more than a leaf.
     * Later, by number of large bucket: where its leaves begin in the list, if it has any. */
    uint sums[QUICK_BUCKETS + 1];
    ushort ends[QUICK_BUCKETS + 1];   /* of the leaf that would begin with the bucket, or 0 */
    uchar begins_leaf[QUICK_BUCKETS]; /* whether one does */
    ushort leaf_first[QUICK_BUCKETS]; /* the first bucket of each leaf */
    uint num_leaves, leaves_begin;    /* in the list */
    ushort large[QUICK_BUCKETS];      /* buckets whose parts are to be listed */
    uint num_large;
    uint first_block[QUICK_BUCKETS]; /* of each large bucket: room in the lists */
    uint number[QUICK_BUCKETS];
};

#define WRITERS 16 /* work-items that list the parts of a large bucket */
#define WRITER_STEP (GROUP_SIZE < WRITERS ? GROUP_SIZE : WRITERS)

CLSORT_INLINE uint quick_bucket_size(__local const struct quick_cursors_local *shared, uint bucket)
{
    return shared->begins[bucket + 1] - shared->begins[bucket];
}

/* Finds where the segment's buckets begin. Ends with a barrier. */
CLSORT_INLINE void quick_cursors_load(const struct quick_params *q, __global void *scratch,
                                      __local struct quick_cursors_local *shared,
                                      const struct quick_segment *segment, uint num_buckets)
{
    const uint me = get_local_id(0);
    const uint first = segment->first_bucket;
    GROUP_LOOP(i, 0, QUICK_BUCKETS + 1)
        shared->begins[i] =
            i < num_buckets ? device_load_relaxed(&QUICK_TABLE(uint, totals)[first + i]) : 0;
    GROUP_LOOP(i, 0, QUICK_BUCKETS)
        shared->is_equal[i] = shared->begins_leaf[i] = 0;
    if (me == 0)
        shared->num_large = shared->num_leaves = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there */
    GROUP_LOOP(i, 0, segment->num_pivots) {
        const uint mark = QUICK_TABLE(const uint, marks)[first + i];
        if (mark & QUICK_HEAVY)
            shared->is_equal[(mark & ~QUICK_HEAVY) + 1] = 1;
    }
    group_scan_exclusive(&shared->scan, shared->begins, QUICK_BUCKETS + 1);
}

CLSORT_INLINE int quick_is_apart(const struct quick_params *q,
                                 __local const struct quick_cursors_local *shared, uint bucket)
{
    return shared->sums[bucket + 1] - shared->sums[bucket] > q->leaf_size;
}

/* The end of the leaf that would begin with a bucket; 0: that stands apart. */
CLSORT_INLINE uint quick_leaf_end(const struct quick_params *q,
                                  __local const struct quick_cursors_local *shared, uint first,
                                  uint num_buckets)
{
    uint end = first + 1, too_far = num_buckets + 1;
    if (quick_is_apart(q, shared, first))
        return 0;
#pragma unroll 1
    while (too_far - end > 1) {
        const uint middle = (end + too_far) / 2;
        if (shared->sums[middle] - shared->sums[first] > q->fill_size)
            too_far = middle;
        else
            end = middle;
    }
    return end;
}

/* Finds the buckets with which leaves begin. Ends with a barrier. */
CLSORT_INLINE void quick_cursors_fill(const struct quick_params *q,
                                      __local struct quick_cursors_local *shared, uint num_buckets)
{
    GROUP_LOOP(i, 0, QUICK_BUCKETS + 1) {
        const uint size = i < num_buckets ? quick_bucket_size(shared, i) : 0;
        const uint most = i < num_buckets && shared->is_equal[i] ? q->small_size : q->leaf_size;
        shared->sums[i] = size > most ? q->leaf_size + 1 : size;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sizes are there */
    group_scan_exclusive(&shared->scan, shared->sums, QUICK_BUCKETS + 1);
    GROUP_LOOP(i, 0, num_buckets)
        shared->ends[i] = (ushort)quick_leaf_end(q, shared, i, num_buckets);
    if (get_local_id(0) == 0)
        shared->ends[num_buckets] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* all ends are known */
    GROUP_LOOP(i, 0, num_buckets) {
        if (i == 0 || shared->ends[i - 1] == 0) {
            uint first = i;
#pragma unroll 1
            for (uint end = shared->ends[first]; end; end = shared->ends[first]) {
                shared->begins_leaf[first] = 1;
                first = end;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* it is known where leaves begin */
    GROUP_LOOP(i, 0, num_buckets)
        if (shared->begins_leaf[i] && shared->sums[shared->ends[i]] > shared->sums[i])
            shared->leaf_first[atomic_inc(&shared->num_leaves)] = (ushort)i;
    barrier(CLK_LOCAL_MEM_FENCE); /* the leaves are known */
}

/* Writes the buckets' cursors, finds the large buckets, and lists the leaves. */
CLSORT_INLINE void quick_cursors_list(const struct quick_params *q, __global void *scratch,
                                      __local struct quick_cursors_local *shared,
                                      const struct quick_segment *segment, uint num_buckets)
{
    const int is_in_output = QUICK_NEXT(segment->place) == PLACE_OUT;
    __global uint *cursors = QUICK_TABLE(uint, cursors) + segment->first_bucket;
    if (get_local_id(0) == 0)
        shared->leaves_begin = atomic_add(&QUICK_CONTROL->num_leaves, shared->num_leaves);
    GROUP_LOOP(i, 0, num_buckets) {
        cursors[i] = shared->begins[i];
        if (quick_is_apart(q, shared, i) && !(shared->is_equal[i] && is_in_output))
            shared->large[atomic_inc(&shared->num_large)] = (ushort)i;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the large ones, and room for the leaves, are known */
    GROUP_LOOP(k, 0, shared->num_leaves) {
        const uint first = shared->leaf_first[k], begin = shared->begins[first];
        const uint end = shared->begins[shared->ends[first]];
        quick_add_leaf(q, scratch, shared->leaves_begin + k, segment->begin + begin, end - begin,
                       QUICK_NEXT(segment->place), QUICK_SORT);
    }
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
        shared->sums[k] = atomic_add(&QUICK_CONTROL->num_leaves, (size - 1) / q->leaf_size + 1);
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
            quick_add_leaf(q, scratch, shared->sums[k] + i, begin + i * q->leaf_size,
                           min(q->leaf_size, size - i * q->leaf_size), QUICK_NEXT(segment->place),
                           kind);
    }
}

/* The buckets of a segment, by all work-items of the group that has added the last counts, and
 * knows of the others'. Begins after a barrier, and ends with one. */
CLSORT_INLINE void quick_cursors(const struct quick_params *q, __global void *scratch,
                                 const struct quick_segment *segment,
                                 __local struct quick_cursors_local *shared)
{
    const uint me = get_local_id(0);
    const uint num_buckets =
        QUICK_TABLE(const uint, marks)[segment->first_bucket + segment->num_pivots] + 1;
    quick_cursors_load(q, scratch, shared, segment, num_buckets);
    quick_cursors_fill(q, shared, num_buckets);
    quick_cursors_list(q, scratch, shared, segment, num_buckets);
    const uint num_large = shared->num_large;
    GROUP_LOOP(k, 0, num_large)
        quick_cursors_reserve(q, scratch, shared, segment, k);
    barrier(CLK_LOCAL_MEM_FENCE); /* there is room in the lists */
#pragma unroll 1
    for (uint k = me / WRITERS; k < num_large; k += (GROUP_SIZE + WRITERS - 1) / WRITERS)
        quick_cursors_list_parts(q, scratch, shared, segment, k);
    barrier(CLK_LOCAL_MEM_FENCE); /* the segment's tables are read no more */
}

#endif
