/* scan.cl: where each block of a level's segments puts its elements of each bucket, if equal ones
 * are to stay in order (partition.h).
 *
 * Idea: a bucket's elements of a block go behind those of the blocks before it. A work-group takes
 * neighbouring buckets of a segment. Its work-items stand in rows. A row has a work-item for each
 * of the buckets, and a run of the segment's blocks. It adds up its run's counts. Then it knows
 * where its run begins, and turns the counts into places.
 *
 * Local memory: the sums of the runs. Runs after: count.cl. Before: scatter.cl. */
#include "base/config.h"
#include "sorts/partition/partition.h"

#define SCAN_AHEAD 16 /* counts that are loaded before any is used */

/* The sum of a column's counts of blocks `first` and up, SCAN_AHEAD or `left` if those are fewer,
 * added to `sum`. If `writes` is true, each count becomes the sum before it. */
CLSORT_INLINE uint scan_add(__global uint *column, uint row_bits, uint left, int writes, uint sum)
{
    uint counts[SCAN_AHEAD];
#pragma unroll
    for (uint i = 0; i < SCAN_AHEAD; ++i)
        counts[i] = i < left ? column[(size_t)i << row_bits] : 0;
#pragma unroll
    for (uint i = 0; i < SCAN_AHEAD; ++i) {
        if (writes && i < left)
            column[(size_t)i << row_bits] = sum;
        sum += counts[i];
    }
    return sum;
}

/* Finds the places of a segment's buckets from bucket task * width on. */
CLSORT_INLINE void scan_find(const struct partition_params *q, __global void *scratch, uint number,
                             uint task, __local uint *sums)
{
    const segment_t segment = *PARTITION_SEGMENT(number);
    const uint me = get_local_id(0), width = q->scan_width;
    const uint run = me / width, bucket = task * width + me % width;
    const uint length = (segment.num_blocks - 1) / (GROUP_SIZE / width) + 1;
    const uint first = run * length;
    const uint last =
        bucket < segment.num_buckets ? min(first + length, segment.num_blocks) : first;
    uint sum = 0;
#pragma unroll 1
    for (uint row = first; row < last; row += SCAN_AHEAD)
        sum = scan_add(partition_row(q, scratch, segment.first_block + row) + bucket, q->digit_bits,
                       last - row, 0, sum);
    barrier(CLK_LOCAL_MEM_FENCE); /* the last task's sums have been read */
    sums[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums are there */
    uint start = bucket < segment.num_buckets
                     ? PARTITION_TABLE(const uint, cursors)[segment.first_bucket + bucket]
                     : 0;
#pragma unroll 1
    for (uint before = me % width; before < me; before += width)
        start += sums[before];
#pragma unroll 1
    for (uint row = first; row < last; row += SCAN_AHEAD)
        start = scan_add(partition_row(q, scratch, segment.first_block + row) + bucket,
                         q->digit_bits, last - row, 1, start);
}

KERNEL void partition_scan(const struct partition_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p;
    __local uint sums[GROUP_SIZE];
    LOCAL_FITS(sizeof(sums));
    const uint tasks = ((1u << q->digit_bits) - 1) / q->scan_width + 1; /* of a segment */
    const ulong num_tasks = (ulong)PARTITION_NUM_SEGMENTS * tasks;
#pragma unroll 1
    for (ulong task = get_group_id(0); task < num_tasks; task += get_num_groups(0))
        scan_find(q, scratch, (uint)(task / tasks), (uint)(task % tasks), sums);
}
