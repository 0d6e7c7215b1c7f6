/* quick_sample.cl: the pivots of every segment of a level (quick.h).
 *
 * Idea: a work-group takes elements from all parts of its segment, in each from a place that looks
 * random but is the same every time, sorts them in local memory, and takes some at equal distances as
 * pivots. Of equal ones among these the first stays, and is heavy. So there are at most as many
 * buckets as are wanted: every heavy pivot has made room for its second bucket.
 *
 * Local memory: the sample, what sorting needs, and flags of the pivots. Runs before: quick_count.cl. */
#include "config.h"
#include "quick_random.h"
#define LOCAL_SORT_ITEMS(size) (((size) + GROUP_SIZE - 1) / GROUP_SIZE | 1)
#include "merge_local.h"
#include "group_scan.h"

struct quick_sample_local {
    struct local_sort sort;
    struct group_scan_local scan;
    uint flags[QUICK_BUCKETS + 1]; /* low half: pivots so far; high half: heavy ones */
    ITEM tile[TILE_SLOTS];
};

/* The sample in its order. */
#define SAMPLE_ITEM(at) LOCAL_ITEM(&shared.sort, shared.tile, at)
#define SAMPLE_LESS(a, b) MERGE_LESS_LOCAL(SAMPLE_ITEM(a), SAMPLE_ITEM(b))

KERNEL void quick_sample(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_sample_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint me = get_local_id(0);
    if (q->level == 0 && get_group_id(0) == 0) {
        __global uint *control = QUICK_TABLE(uint, control);
        for (uint i = me; i < sizeof(struct quick_control) / 4; i += GROUP_SIZE)
            control[i] = 0;
    }
    const uint num_segments = quick_num_segments(q, scratch);
    for (uint number = get_group_id(0); number < num_segments; number += get_num_groups(0)) {
        __global struct quick_segment *segments = QUICK_TABLE(struct quick_segment, segments);
        if (q->level == 0 && me == 0) {
            segments[number].begin = number * q->count;
            segments[number].size = q->count;
            segments[number].place = PLACE_IN;
            segments[number].first_block = number * q->blocks_per_array;
            segments[number].num_blocks = q->blocks_per_array;
            segments[number].first_bucket = number * quick_wanted(q->count, q->bucket_size);
        }
        barrier(CLK_GLOBAL_MEM_FENCE); /* the segment is there */
        const uint begin = segments[number].begin;
        const uint size = segments[number].size;
        const uint place = segments[number].place;
        const uint first_bucket = segments[number].first_bucket;
        const uint wanted = quick_wanted(size, q->bucket_size);
        const uint samples = min(min((uint)TILE_SLOTS, size), wanted * q->samples_per_bucket);
        __global const stored_key_t *keys = quick_keys(q, QUICK_BUFFERS, place);
        __global const payload_t *payloads = quick_payload(q, QUICK_BUFFERS, place);
        const uint base = PAYLOAD_INDEX ? begin / q->count * q->count : 0;
        for (uint i = me; i < samples; i += GROUP_SIZE) {
            const uint at = quick_sample_place(q, begin, size, i, samples);
            QUICK_LOAD(shared.tile[i], keys, payloads, at, base, QUICK_LOAD_FLAGS(place));
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the sample is there */
        local_sort(&shared.sort, shared.tile, samples);

        /* Candidate j, from 1 on, is the sample's item j * samples / wanted. */
        for (uint j = me; j <= QUICK_BUCKETS; j += GROUP_SIZE) {
            uint flags = 0;
            if (j > 0 && j < wanted) {
                const uint at = j * samples / wanted;
                const uint before = (j - 1) * samples / wanted;
                const uint after = (j + 1) * samples / wanted;
                if (j == 1 || SAMPLE_LESS(before, at))
                    flags = 1 | (j + 1 < wanted && !SAMPLE_LESS(at, after)) << 16;
            }
            shared.flags[j] = flags;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all are compared */
        group_scan_exclusive(&shared.scan, shared.flags, QUICK_BUCKETS + 1);
        __global ITEM *pivots = quick_pivots(q, scratch) + first_bucket;
        __global uint *marks = QUICK_TABLE(uint, marks) + first_bucket;
        __global uint *totals = QUICK_TABLE(uint, totals) + first_bucket;
        for (uint j = me; j < wanted; j += GROUP_SIZE) {
            const uint before = shared.flags[j];
            const uint after = shared.flags[j + 1];
            const uint pivot = before & 0xffff;
            const uint bucket = pivot + (before >> 16);
            if ((after & 0xffff) != pivot) {
                pivots[pivot] = SAMPLE_ITEM(j * samples / wanted);
                marks[pivot] = bucket | ((after >> 16) != (before >> 16) ? QUICK_HEAVY : 0);
            }
            totals[j] = 0;
        }
        if (me == 0) {
            const uint all = shared.flags[wanted];
            const uint num_pivots = all & 0xffff;
            marks[num_pivots] = num_pivots + (all >> 16);
            segments[number].num_pivots = num_pivots;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the flags have been read */
    }
}
