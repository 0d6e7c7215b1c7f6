/* starts.cl: where each block of a level's segments puts its elements of each bucket, if
 * equal ones are to stay in order (quick.h).
 *
 * Idea: a bucket's elements of a block go behind those of the blocks before it. A work-group takes
 * neighbouring buckets of a segment. Its work-items stand in rows. A row has a work-item for each
 * of the buckets, and a run of the segment's blocks. It adds up its run's counts. Then it knows
 * where its run begins, and turns the counts into places.
 *
 * Local memory: the sums of the runs. Runs after: count.cl. Before: scatter.cl. */
#include "base/config.h"
#include "sorts/partition/splitters/quick.h"

#define STARTS_AHEAD 16 /* counts that are loaded before any is used */

/* Buckets of a task: few if an array has many blocks, so that many groups go over them. */
#define STARTS_FEW (GROUP_SIZE < 4 ? GROUP_SIZE : 4)
#define STARTS_MOST (GROUP_SIZE < QUICK_BUCKETS ? GROUP_SIZE : QUICK_BUCKETS)

/* The sum of a column's counts of blocks `first` and up, STARTS_AHEAD or `left` if those are fewer,
 * added to `sum`. If `writes` is true, each count becomes the sum before it. */
CLSORT_INLINE uint starts_add(__global uint *column, uint first, uint left, int writes, uint sum)
{
    uint counts[STARTS_AHEAD];
#pragma unroll
    for (uint i = 0; i < STARTS_AHEAD; ++i)
        counts[i] = i < left ? column[(size_t)(first + i) * QUICK_BUCKETS] : 0;
#pragma unroll
    for (uint i = 0; i < STARTS_AHEAD; ++i) {
        if (writes && i < left)
            column[(size_t)(first + i) * QUICK_BUCKETS] = sum;
        sum += counts[i];
    }
    return sum;
}

/* Finds the places of `width` buckets of a segment, from bucket task * width on. */
CLSORT_INLINE void starts_find(const struct quick_params *q, __global void *scratch,
                               const struct quick_segment *segment, uint width, uint task,
                               __local uint *sums)
{
    const uint me = get_local_id(0);
    const uint num_buckets =
        QUICK_TABLE(const uint, marks)[segment->first_bucket + segment->num_pivots] + 1;
    const uint run = me / width, bucket = task * width + me % width;
    const uint length = (segment->num_blocks - 1) / (GROUP_SIZE / width) + 1;
    const uint first = run * length;
    const uint last = bucket < num_buckets ? min(first + length, segment->num_blocks) : first;
    __global uint *column = quick_block_starts(q, scratch, segment->first_block) + bucket;
    uint sum = 0;
#pragma unroll 1
    for (uint row = first; row < last; row += STARTS_AHEAD)
        sum = starts_add(column, row, last - row, 0, sum);
    barrier(CLK_LOCAL_MEM_FENCE); /* the last task's sums have been read */
    sums[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums are there */
    uint start =
        bucket < num_buckets ? QUICK_TABLE(const uint, cursors)[segment->first_bucket + bucket] : 0;
#pragma unroll 1
    for (uint before = me % width; before < me; before += width)
        start += sums[before];
#pragma unroll 1
    for (uint row = first; row < last; row += STARTS_AHEAD)
        start = starts_add(column, row, last - row, 1, start);
}

KERNEL void quick_starts(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local uint sums[GROUP_SIZE];
    LOCAL_FITS(sizeof(sums));
    const int has_many = q->level == 0 && q->blocks_per_array >= QUICK_MANY_BLOCKS;
    const uint width = has_many ? STARTS_FEW : STARTS_MOST;
    const uint tasks = (QUICK_BUCKETS + width - 1) / width; /* of a segment */
    const ulong num_tasks = (ulong)quick_num_segments(q, scratch) * tasks;
#pragma unroll 1
    for (ulong number = get_group_id(0); number < num_tasks; number += get_num_groups(0)) {
        const struct quick_segment segment =
            QUICK_TABLE(struct quick_segment, segments)[number / tasks];
        starts_find(q, scratch, &segment, width, (uint)(number % tasks), sums);
    }
}
