/* list.h: where every bucket of a segment begins, and which become leaves (list_digits.h,
 * list_splitters.h).
 *
 * Idea: the work-group that counts a segment's last block scans the totals. Buckets that local
 * memory holds become leaves, and each leaf takes as many neighbours as fit. Larger buckets stand
 * apart.
 *
 * All work-items search for the buckets that would fill a leaf together with theirs. From the
 * first bucket behind one that stands apart, a work-item goes from leaf to leaf. One work-item
 * alone would take 13 to 17 microseconds for 256 buckets. */
#ifndef CLSORT_PARTITION_LIST_H
#define CLSORT_PARTITION_LIST_H

#include "sorts/partition/partition.h"
#include "device/barrier.h"
#include "group/scan.h"

struct buckets_local {
    uint num_leaves, leaves_begin; /* in the list */
    struct group_scan_local scan;
    uint begins[PARTITION_BUCKETS + 1];
    uchar is_equal[PARTITION_BUCKETS];
    /* The sizes of the buckets before, of which those that stand apart count as more than a leaf.
     * Later, by number of large bucket: where its leaves begin in the list, if it has any. */
    uint sums[PARTITION_BUCKETS + 1];
    ushort ends[PARTITION_BUCKETS + 1];   /* of the leaf that would begin with the bucket, or 0 */
    uchar begins_leaf[PARTITION_BUCKETS]; /* whether one does */
    ushort leaf_first[PARTITION_BUCKETS]; /* the first bucket of each leaf */
    ushort large[PARTITION_BUCKETS];      /* buckets whose parts are to be listed */
    uint num_large;
    uint number[PARTITION_BUCKETS]; /* of each large bucket's segment */
};

CLSORT_INLINE uint buckets_size(__local const struct buckets_local *shared, uint bucket)
{
    return shared->begins[bucket + 1] - shared->begins[bucket];
}

/* Loads how many elements each bucket of the segment has. Ends with a barrier. */
CLSORT_INLINE void buckets_load(const struct partition_params *q, __global void *scratch,
                                __local struct buckets_local *shared, const segment_t *segment)
{
    const uint first = segment->first_bucket;
    GROUP_LOOP(i, 0, PARTITION_BUCKETS + 1)
        shared->begins[i] = i < segment->num_buckets
                                ? device_load_relaxed(&PARTITION_TABLE(uint, totals)[first + i])
                                : 0;
    GROUP_LOOP(i, 0, PARTITION_BUCKETS)
        shared->is_equal[i] = shared->begins_leaf[i] = 0;
    if (get_local_id(0) == 0)
        shared->num_large = shared->num_leaves = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there */
}

/* From their numbers of elements to where the buckets begin, which are also their first cursors.
 * Begins after a barrier, and has some inside. */
CLSORT_INLINE void buckets_scan(const struct partition_params *q, __global void *scratch,
                                __local struct buckets_local *shared, const segment_t *segment)
{
    group_scan_exclusive(&shared->scan, shared->begins, PARTITION_BUCKETS + 1);
    GROUP_LOOP(i, 0, segment->num_buckets)
        PARTITION_TABLE(uint, cursors)[segment->first_bucket + i] = shared->begins[i];
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

/* Finds the large buckets, and takes room for the leaves. Equal elements that are in the output
 * need nothing. Ends with a barrier. */
CLSORT_INLINE void buckets_find(const struct partition_params *q, __global void *scratch,
                                __local struct buckets_local *shared, uint num_buckets,
                                int is_in_output)
{
    if (get_local_id(0) == 0)
        shared->leaves_begin = atomic_add(&PARTITION_CONTROL->num_leaves, shared->num_leaves);
    GROUP_LOOP(i, 0, num_buckets)
        if (buckets_is_apart(q, shared, i) && !(shared->is_equal[i] && is_in_output))
            shared->large[atomic_inc(&shared->num_large)] = (ushort)i;
    barrier(CLK_LOCAL_MEM_FENCE); /* the large ones, and room for the leaves, are known */
}

#endif
