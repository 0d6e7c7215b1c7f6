/* pivots.cl: the pivots of every segment of a level (splitters.h).
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
#include "sorts/partition/splitters.h"
#define LOCAL_SORT_ITEMS(size) (((size) + GROUP_SIZE - 1) / GROUP_SIZE | 1)
#include "group/merge_local.h"
#include "group/scan.h"
#include "group/pivots.h"

struct pivots_local {
    struct local_sort sort;
    struct group_scan_local scan;
    uint flags[PARTITION_BUCKETS + 1]; /* of candidates */
    ITEM tile[TILE_SLOTS];
};

/* Loads the sample. Ends with a barrier. */
CLSORT_INLINE void pivots_load(const struct partition_params *q, PARTITION_ARGS,
                               __global const segment_t *segment, uint samples, __local ITEM *tile)
{
    const uint begin = segment->begin, size = segment->size, place = segment->place;
    __global const stored_key_t *keys = place_keys(q, PARTITION_BUFFERS, place);
    __global const payload_t *payloads = place_payload(q, PARTITION_BUFFERS, place);
    const uint base = PAYLOAD_INDEX ? begin / q->count * q->count : 0;
    GROUP_LOOP(i, 0, samples) {
        const uint at = pivots_place(q, begin, size, i, samples);
        PLACE_LOAD(tile[i], keys, payloads, at, base, PLACE_LOAD_FLAGS(place));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sample is there */
}

/* Candidate j is the item j * samples / wanted of the sample in order. */
#define CANDIDATE(j) LOCAL_ITEM(&shared->sort, shared->tile, (j)*samples / wanted)
#define CANDIDATE_LESS(a, b) MERGE_LESS_LOCAL(CANDIDATE(a), CANDIDATE(b))

/* Writes a segment's pivots and their marks, and clears the counts of its buckets. Ends with a
 * barrier. */
CLSORT_INLINE void pivots_write_pivots(const struct partition_params *q, __global void *scratch,
                                       __local struct pivots_local *shared,
                                       __global segment_t *segment, uint samples, uint wanted)
{
    const uint me = get_local_id(0);
    const uint first_bucket = segment->first_bucket;
    __global ITEM *pivots = pivots_table(q, scratch) + first_bucket;
    __global uint *marks = PARTITION_TABLE(uint, marks) + first_bucket;
    __global uint *totals = PARTITION_TABLE(uint, totals) + first_bucket;
    GROUP_LOOP(j, 0, PARTITION_BUCKETS + 1) {
        PIVOT_CANDIDATE_FLAGS(flags, j, wanted, CANDIDATE_LESS)
        shared->flags[j] = flags;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are compared */
    group_scan_exclusive(&shared->scan, shared->flags, PARTITION_BUCKETS + 1);
    GROUP_LOOP(j, 0, wanted) {
        const uint before = shared->flags[j], after = shared->flags[j + 1];
        const uint pivot = PIVOTS_BEFORE(before);
        if (PIVOTS_BEFORE(after) != pivot) {
            pivots[pivot] = CANDIDATE(j);
            marks[pivot] = pivot_mark(before, after);
        }
        totals[j] = 0;
    }
    if (me == 0) {
        const uint num_pivots = PIVOTS_BEFORE(shared->flags[wanted]);
        marks[num_pivots] = BUCKET_BEHIND(shared->flags[wanted]);
        segment->num_pivots = num_pivots;
        segment->num_buckets = BUCKET_BEHIND(shared->flags[wanted]) + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the flags have been read */
}

/* The pivots of segment `number`. Begins and ends with a barrier. */
CLSORT_INLINE void pivots_segment(const struct partition_params *q, PARTITION_ARGS, uint number,
                                  __local struct pivots_local *shared)
{
    __global segment_t *segment = PARTITION_SEGMENT(number);
    const uint wanted = buckets_wanted(segment->size, q->bucket_size);
    const uint samples = min(min((uint)TILE_SLOTS, segment->size), wanted * q->samples_per_bucket);
    pivots_load(q, PARTITION_BUFFERS, segment, samples, shared->tile);
    local_sort(&shared->sort, shared->tile, samples);
    pivots_write_pivots(q, scratch, shared, segment, samples, wanted);
}

KERNEL void partition_pivots(const struct partition_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p;
    __local struct pivots_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_segments = PARTITION_NUM_SEGMENTS;
    for (uint number = get_group_id(0); number < num_segments; number += get_num_groups(0))
        pivots_segment(q, PARTITION_BUFFERS, number, &shared);
}
