/* begin.cl: lists the arrays as the segments of the first level (partition.h).
 *
 * Runs before: pivots.cl, or count.cl. */
#include "base/config.h"
#include "sorts/partition/digits.h"

KERNEL void partition_begin(const struct partition_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p;
    const uint me = (uint)get_global_id(0), step = (uint)get_global_size(0);
    const uint num_blocks = q->num_arrays * q->blocks_per_array;
    /* Counters are 0, except the first level's. */
#pragma unroll 1
    for (uint i = me; i < sizeof(struct partition_control) / 4; i += step)
        PARTITION_TABLE(uint, control)
    [i] = i == 0 ? q->num_arrays : i == PARTITION_LEVELS + 1 ? num_blocks : 0;
#pragma unroll 1
    for (uint number = me; number < q->num_arrays; number += step) {
        __global segment_t *segment = PARTITION_SEGMENT(number);
        partition_set_segment(segment, number * q->count, q->count, PLACE_IN,
                              number * q->blocks_per_array, q->blocks_per_array);
#if !SPLITTERS
        segment->bits = q->num_bits;
#endif
        segment->first_bucket = number * q->buckets_per_array;
    }
#pragma unroll 1
    for (uint block = me; block < num_blocks; block += step)
        PARTITION_TABLE(uint, owners)[block] = block / q->blocks_per_array;
    digits_clear(PARTITION_TABLE(uint, totals), q->num_arrays * q->buckets_per_array, me, step);
}
