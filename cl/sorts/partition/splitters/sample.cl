/* sample.cl: the pivots of every segment of a level (quick.h).
 *
 * Idea: a work-group takes one element from each of many equal parts of its segment. Its place in
 * the part looks random but is the same every time. The sample is sorted in local memory, and items
 * at equal distances are candidates for pivots (pivots.h). If candidates are equal, only the
 * first becomes a pivot, and it is heavy. So there are never more buckets than wanted: a heavy
 * pivot's second bucket takes the place of a candidate that was left out.
 *
 * Local memory: the sample, what sorting needs, and flags of the candidates. Runs before:
 * count.cl. */
#include "base/config.h"
#include "sorts/partition/splitters/random.h"
#define LOCAL_SORT_ITEMS(size) (((size) + GROUP_SIZE - 1) / GROUP_SIZE | 1)
#include "group/merge_local.h"
#include "group/scan.h"
#include "sorts/partition/splitters/pivots.h"

struct quick_sample_local {
    struct local_sort sort;
    struct group_scan_local scan;
    uint flags[QUICK_BUCKETS + 1]; /* of candidates */
    ITEM tile[TILE_SLOTS];
};

/* The segments of level 0 are the arrays. */
CLSORT_INLINE void quick_sample_list_array(const struct quick_params *q,
                                           __global struct quick_segment *segment, uint number)
{
    segment->begin = number * q->count;
    segment->size = q->count;
    segment->place = PLACE_IN;
    segment->first_block = number * q->blocks_per_array;
    segment->num_blocks = q->blocks_per_array;
    segment->first_bucket = number * quick_wanted(q->count, q->bucket_size);
}

/* Loads the sample. Ends with a barrier. */
CLSORT_INLINE void quick_sample_load(const struct quick_params *q, QUICK_ARGS,
                                     __global const struct quick_segment *segment, uint samples,
                                     __local ITEM *tile)
{
    const uint begin = segment->begin, size = segment->size, place = segment->place;
    __global const stored_key_t *keys = quick_keys(q, QUICK_BUFFERS, place);
    __global const payload_t *payloads = quick_payload(q, QUICK_BUFFERS, place);
    const uint base = PAYLOAD_INDEX ? begin / q->count * q->count : 0;
    GROUP_LOOP(i, 0, samples) {
        const uint at = quick_sample_place(q, begin, size, i, samples);
        QUICK_LOAD(tile[i], keys, payloads, at, base, QUICK_LOAD_FLAGS(place));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sample is there */
}

/* Candidate j is the item j * samples / wanted of the sample in order. */
#define CANDIDATE(j) LOCAL_ITEM(&shared->sort, shared->tile, (j)*samples / wanted)
#define CANDIDATE_LESS(a, b) MERGE_LESS_LOCAL(CANDIDATE(a), CANDIDATE(b))

/* Writes a segment's pivots and their marks, and clears the counts of its buckets. Ends with a
 * barrier. */
CLSORT_INLINE void quick_sample_write_pivots(const struct quick_params *q, __global void *scratch,
                                             __local struct quick_sample_local *shared,
                                             __global struct quick_segment *segment, uint samples,
                                             uint wanted)
{
    const uint me = get_local_id(0);
    const uint first_bucket = segment->first_bucket;
    __global ITEM *pivots = quick_pivots(q, scratch) + first_bucket;
    __global uint *marks = QUICK_TABLE(uint, marks) + first_bucket;
    __global uint *totals = QUICK_TABLE(uint, totals) + first_bucket;
    GROUP_LOOP(j, 0, QUICK_BUCKETS + 1) {
        QUICK_CANDIDATE_FLAGS(flags, j, wanted, CANDIDATE_LESS)
        shared->flags[j] = flags;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are compared */
    group_scan_exclusive(&shared->scan, shared->flags, QUICK_BUCKETS + 1);
    GROUP_LOOP(j, 0, wanted) {
        const uint before = shared->flags[j], after = shared->flags[j + 1];
        const uint pivot = QUICK_PIVOTS_BEFORE(before);
        if (QUICK_PIVOTS_BEFORE(after) != pivot) {
            pivots[pivot] = CANDIDATE(j);
            marks[pivot] = quick_pivot_mark(before, after);
        }
        totals[j] = 0;
    }
    if (me == 0) {
        const uint num_pivots = QUICK_PIVOTS_BEFORE(shared->flags[wanted]);
        marks[num_pivots] = QUICK_BUCKET_BEHIND(shared->flags[wanted]);
        segment->num_pivots = num_pivots;
        segment->counted = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the flags have been read */
}

/* The pivots of segment `number`. Begins and ends with a barrier. */
CLSORT_INLINE void quick_sample_segment(const struct quick_params *q, QUICK_ARGS, uint number,
                                        __local struct quick_sample_local *shared)
{
    __global struct quick_segment *segment = QUICK_TABLE(struct quick_segment, segments) + number;
    if (q->level == 0 && get_local_id(0) == 0)
        quick_sample_list_array(q, segment, number);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the segment is there */
    const uint wanted = quick_wanted(segment->size, q->bucket_size);
    const uint samples = min(min((uint)TILE_SLOTS, segment->size), wanted * q->samples_per_bucket);
    quick_sample_load(q, QUICK_BUFFERS, segment, samples, shared->tile);
    local_sort(&shared->sort, shared->tile, samples);
    quick_sample_write_pivots(q, scratch, shared, segment, samples, wanted);
}

CLSORT_INLINE void quick_sample_clear_control(const struct quick_params *q, __global void *scratch)
{
    __global uint *control = QUICK_TABLE(uint, control);
    GROUP_LOOP(i, 0, sizeof(struct quick_control) / 4)
        control[i] = 0;
}

KERNEL void quick_sample(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_sample_local shared;
    LOCAL_FITS(sizeof(shared));
    if (q->level == 0 && get_group_id(0) == 0)
        quick_sample_clear_control(q, scratch);
    const uint num_segments = quick_num_segments(q, scratch);
    for (uint number = get_group_id(0); number < num_segments; number += get_num_groups(0))
        quick_sample_segment(q, QUICK_BUFFERS, number, &shared);
}
