/* list_splitters.h: where every bucket of a segment begins, and what becomes of it (splitters.h).
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
#ifndef CLSORT_LIST_SPLITTERS_H
#define CLSORT_LIST_SPLITTERS_H

#include "sorts/partition/splitters.h"
#include "device/barrier.h"
#include "group/scan.h"

#if SPLITTERS

struct buckets_local {
    struct group_scan_local scan;
    uint begins[PARTITION_BUCKETS + 1];
    uchar is_equal[PARTITION_BUCKETS];
    /* The sizes of the buckets before, of which those that stand apart count as more than a leaf.
     * Later, by number of large bucket: where its leaves begin in the list, if it has any. */
    uint sums[PARTITION_BUCKETS + 1];
    ushort ends[PARTITION_BUCKETS + 1];   /* of the leaf that would begin with the bucket, or 0 */
    uchar begins_leaf[PARTITION_BUCKETS]; /* whether one does */
    ushort leaf_first[PARTITION_BUCKETS]; /* the first bucket of each leaf */
    uint num_leaves, leaves_begin;        /* in the list */
    ushort large[PARTITION_BUCKETS];      /* buckets whose parts are to be listed */
    uint num_large;
    uint number[PARTITION_BUCKETS]; /* of each large bucket's segment */
};

CLSORT_INLINE uint buckets_size(__local const struct buckets_local *shared, uint bucket)
{
    return shared->begins[bucket + 1] - shared->begins[bucket];
}

/* Finds where the segment's buckets begin. Ends with a barrier. */
CLSORT_INLINE void buckets_load(const struct partition_params *q, __global void *scratch,
                                __local struct buckets_local *shared,
                                const struct partition_segment *segment, uint num_buckets)
{
    const uint me = get_local_id(0);
    const uint first = segment->first_bucket;
    GROUP_LOOP(i, 0, PARTITION_BUCKETS + 1)
        shared->begins[i] =
            i < num_buckets ? device_load_relaxed(&PARTITION_TABLE(uint, totals)[first + i]) : 0;
    GROUP_LOOP(i, 0, PARTITION_BUCKETS)
        shared->is_equal[i] = shared->begins_leaf[i] = 0;
    if (me == 0)
        shared->num_large = shared->num_leaves = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there */
    GROUP_LOOP(i, 0, segment->num_pivots) {
        const uint mark = PARTITION_TABLE(const uint, marks)[first + i];
        if (mark & PIVOT_HEAVY)
            shared->is_equal[(mark & ~PIVOT_HEAVY) + 1] = 1;
    }
    group_scan_exclusive(&shared->scan, shared->begins, PARTITION_BUCKETS + 1);
}

CLSORT_INLINE int buckets_is_apart(const struct partition_params *q,
                                   __local const struct buckets_local *shared, uint bucket)
{
    return shared->sums[bucket + 1] - shared->sums[bucket] > q->leaf_size;
}

/* The end of the leaf that would begin with a bucket; 0: that stands apart. */
CLSORT_INLINE uint buckets_leaf_end(const struct partition_params *q,
                                    __local const struct buckets_local *shared, uint first,
                                    uint num_buckets)
{
    uint end = first + 1, too_far = num_buckets + 1;
    if (buckets_is_apart(q, shared, first))
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
CLSORT_INLINE void buckets_fill(const struct partition_params *q,
                                __local struct buckets_local *shared, uint num_buckets)
{
    GROUP_LOOP(i, 0, PARTITION_BUCKETS + 1) {
        const uint size = i < num_buckets ? buckets_size(shared, i) : 0;
        const uint most = i < num_buckets && shared->is_equal[i] ? q->small_size : q->leaf_size;
        shared->sums[i] = size > most ? q->leaf_size + 1 : size;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sizes are there */
    group_scan_exclusive(&shared->scan, shared->sums, PARTITION_BUCKETS + 1);
    GROUP_LOOP(i, 0, num_buckets)
        shared->ends[i] = (ushort)buckets_leaf_end(q, shared, i, num_buckets);
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
CLSORT_INLINE void buckets_list(const struct partition_params *q, __global void *scratch,
                                __local struct buckets_local *shared,
                                const struct partition_segment *segment, uint num_buckets)
{
    const int is_in_output = PLACE_NEXT(segment->place) == PLACE_OUT;
    __global uint *cursors = PARTITION_TABLE(uint, cursors) + segment->first_bucket;
    if (get_local_id(0) == 0)
        shared->leaves_begin = atomic_add(&PARTITION_CONTROL->num_leaves, shared->num_leaves);
    GROUP_LOOP(i, 0, num_buckets) {
        cursors[i] = shared->begins[i];
        if (buckets_is_apart(q, shared, i) && !(shared->is_equal[i] && is_in_output))
            shared->large[atomic_inc(&shared->num_large)] = (ushort)i;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the large ones, and room for the leaves, are known */
    GROUP_LOOP(k, 0, shared->num_leaves) {
        const uint first = shared->leaf_first[k], begin = shared->begins[first];
        const uint end = shared->begins[shared->ends[first]];
        partition_add_leaf(q, scratch, shared->leaves_begin + k, segment->begin + begin,
                           end - begin, PLACE_NEXT(segment->place), LEAF_SORT);
    }
}

/* Reserves room in the lists for large bucket k, which is larger than a leaf or has equal
 * elements. */
CLSORT_INLINE void buckets_reserve(const struct partition_params *q, __global void *scratch,
                                   __local struct buckets_local *shared,
                                   const struct partition_segment *parent, uint k)
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
                                      const struct partition_segment *segment, uint k)
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
                                  __global const struct partition_segment *listed,
                                  __local struct buckets_local *shared)
{
    const struct partition_segment segment = *listed; /* counting needs its registers */
    const uint num_buckets = segment.num_buckets;
    buckets_load(q, scratch, shared, &segment, num_buckets);
    buckets_fill(q, shared, num_buckets);
    buckets_list(q, scratch, shared, &segment, num_buckets);
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
