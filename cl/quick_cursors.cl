/* quick_cursors.cl: where every bucket of a segment begins, and what becomes of it (quick.h).
 *
 * Idea: a work-group scans the totals of a segment. Buckets that local memory holds become leaves, small
 * neighbours together: a leaf's time is its room's, so the buckets of the last level are made so
 * small that several fill it. Larger ones are segments of the next level, or after the last one pieces that are sorted
 * and then merged; what is equal to a heavy pivot is only copied, if it is not where it belongs.
 *
 * Local memory: the totals, and what scanning needs. Runs after: quick_count.cl. Before: quick_scatter.cl. */
#include "config.h"
#include "quick.h"
#include "group_scan.h"

struct quick_cursors_local {
    struct group_scan_local scan;
    uint begins[QUICK_BUCKETS + 1];
    uchar is_equal[QUICK_BUCKETS];
    ushort large[QUICK_BUCKETS]; /* buckets whose parts are to be listed */
    uint num_large;
    uint first_leaf[QUICK_BUCKETS]; /* of each of these: room in the lists */
    uint first_block[QUICK_BUCKETS];
    uint number[QUICK_BUCKETS];
};

#define SMALL 0u /* part of a leaf, with its neighbours */
#define ALONE 1u /* a leaf */
#define LARGE 2u

#define LISTERS 16 /* work-items that list the parts of a bucket */
#define STEP (GROUP_SIZE < LISTERS ? GROUP_SIZE : LISTERS)

CLSORT_INLINE uint quick_class(const struct quick_params *q, uint size)
{
    return size > q->leaf_size ? LARGE : size > q->small_size ? ALONE : SMALL;
}

CLSORT_INLINE void quick_add_leaf(const struct quick_params *q, __global void *scratch, uint number,
                                  uint begin, uint size, uint place, uint kind)
{
    __global struct quick_leaf *leaf = QUICK_TABLE(struct quick_leaf, leaves) + number;
    leaf->begin = begin;
    leaf->size = size;
    leaf->place = place;
    leaf->kind = kind;
}

/* Room in the lists for large bucket k, which is larger than a leaf or has equal elements. */
CLSORT_INLINE void quick_reserve(const struct quick_params *q, __global void *scratch,
                                 __local struct quick_cursors_local *shared, uint k, uint begin,
                                 uint size, uint place, int is_equal)
{
    const uint next = q->level + 1;
    const int is_last = q->next_bucket_size == 0;
    const uint num_blocks = (size - 1) / q->next_block_size + 1;
    if (is_equal || is_last)
        shared->first_leaf[k] =
            atomic_add(&QUICK_CONTROL->num_leaves, (size - 1) / q->leaf_size + 1);
    if (is_equal)
        return;
    const uint number = atomic_inc(&QUICK_CONTROL->num_segments[next]);
    const uint first_block = atomic_add(&QUICK_CONTROL->num_blocks[next], num_blocks);
    shared->number[k] = number;
    shared->first_block[k] = first_block;
    __global struct quick_segment *segment =
        QUICK_TABLE(struct quick_segment, next_segments) + number;
    segment->begin = begin;
    segment->size = size;
    segment->place = place;
    segment->first_block = first_block;
    segment->num_blocks = num_blocks;
    segment->first_bucket = is_last ? 0
                                    : atomic_add(&QUICK_CONTROL->num_buckets[next],
                                                 quick_wanted(size, q->next_bucket_size));
    segment->num_pivots = 0;
    segment->broken = 0;
}

KERNEL void quick_cursors(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_cursors_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint me = get_local_id(0);
    const uint num_segments = quick_num_segments(q, scratch);
    for (uint number = get_group_id(0); number < num_segments; number += get_num_groups(0)) {
        const struct quick_segment segment = QUICK_TABLE(struct quick_segment, segments)[number];
        const uint first = segment.first_bucket;
        const uint last_mark = QUICK_TABLE(const uint, marks)[first + segment.num_pivots];
        const uint num_buckets = last_mark + 1;
        const uint place = QUICK_NEXT(segment.place);
        for (uint i = me; i <= QUICK_BUCKETS; i += GROUP_SIZE)
            shared.begins[i] = i < num_buckets ? QUICK_TABLE(const uint, totals)[first + i] : 0;
        for (uint i = me; i < QUICK_BUCKETS; i += GROUP_SIZE)
            shared.is_equal[i] = 0;
        if (me == 0)
            shared.num_large = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there */
        for (uint i = me; i < segment.num_pivots; i += GROUP_SIZE) {
            const uint mark = QUICK_TABLE(const uint, marks)[first + i];
            if (mark & QUICK_HEAVY)
                shared.is_equal[(mark & ~QUICK_HEAVY) + 1] = 1;
        }
        group_scan_exclusive(&shared.scan, shared.begins, QUICK_BUCKETS + 1);

        /* Small ones that begin in the same cell fit in a leaf together. */
        const uint cell = q->leaf_size - q->small_size;
        for (uint i = me; i < num_buckets; i += GROUP_SIZE) {
            const uint begin = shared.begins[i];
            const uint end = shared.begins[i + 1];
            const uint class = quick_class(q, end - begin);
            QUICK_TABLE(uint, cursors)[first + i] = begin;
            if (class != SMALL && (class == LARGE || shared.is_equal[i])) {
                if (!shared.is_equal[i] || place != PLACE_OUT)
                    shared.large[atomic_inc(&shared.num_large)] = (ushort)i;
            } else if (class == ALONE) {
                quick_add_leaf(q, scratch, atomic_inc(&QUICK_CONTROL->num_leaves),
                               segment.begin + begin, end - begin, place, QUICK_SORT);
            } else if (i == 0 || begin / cell != shared.begins[i - 1] / cell ||
                       quick_class(q, begin - shared.begins[i - 1]) != SMALL) {
                /* The first of the small ones that begin in its cell: it writes them all. */
                uint last = i;
                while (last + 1 < num_buckets && shared.begins[last + 1] / cell == begin / cell &&
                       quick_class(q, shared.begins[last + 2] - shared.begins[last + 1]) == SMALL)
                    ++last;
                const uint last_end = shared.begins[last + 1];
                if (last_end > begin)
                    quick_add_leaf(q, scratch, atomic_inc(&QUICK_CONTROL->num_leaves),
                                   segment.begin + begin, last_end - begin, place, QUICK_SORT);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the large ones are known */
        const uint num_large = shared.num_large;
        for (uint k = me; k < num_large; k += GROUP_SIZE) {
            const uint bucket = shared.large[k];
            quick_reserve(q, scratch, &shared, k, segment.begin + shared.begins[bucket],
                          shared.begins[bucket + 1] - shared.begins[bucket], place,
                          shared.is_equal[bucket]);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* there is room in the lists */
        for (uint k = me / LISTERS; k < num_large; k += (GROUP_SIZE + LISTERS - 1) / LISTERS) {
            const uint bucket = shared.large[k];
            const uint begin = segment.begin + shared.begins[bucket];
            const uint size = shared.begins[bucket + 1] - shared.begins[bucket];
            const int is_equal = shared.is_equal[bucket];
            if (!is_equal)
                for (uint i = me % LISTERS; i < (size - 1) / q->next_block_size + 1; i += STEP)
                    QUICK_TABLE(uint, next_owners)[shared.first_block[k] + i] = shared.number[k];
            if (is_equal || q->next_bucket_size == 0) {
                const uint kind = is_equal                               ? QUICK_COPY
                                  : quick_passes(size, q->leaf_size) % 2 ? QUICK_PIECE_WORK
                                                                         : QUICK_PIECE;
                for (uint i = me % LISTERS; i < (size - 1) / q->leaf_size + 1; i += STEP)
                    quick_add_leaf(q, scratch, shared.first_leaf[k] + i, begin + i * q->leaf_size,
                                   min(q->leaf_size, size - i * q->leaf_size), place, kind);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* nobody reads the segment's tables */
    }
}
