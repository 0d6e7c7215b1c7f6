/* scan.cl: where each block of a level's segments puts its elements of each digit, if equal keys
 * are to stay in order (part.h).
 *
 * Idea: a task is a segment and a slice of neighbouring digits, so that neighbouring work-items
 * read neighbouring counts. The segment's blocks are divided into strips, and a work-item takes a
 * digit of a strip. It sums the strip. Where the strip begins is known from the digit's cursor and
 * the sums of the strips before. Then each count becomes the place of the block's first element.
 *
 * Local memory: a sum for each work-item. Runs after: count.cl. Before: scatter.cl. */
#include "base/config.h"
#include "sorts/partition/digits/part.h"

#define SLICE_DIGITS (GROUP_SIZE < 32 ? GROUP_SIZE : 32)
#define STRIPS (GROUP_SIZE / SLICE_DIGITS)
#define ROUND 8 /* counts that a work-item loads before it uses the first */

/* A work-item's share of a task: the counts of one digit for blocks `from` ... `to` - 1. */
struct part_strip {
    __global uint *counts; /* the digit's, in each `stride` */
    uint stride;
    uint from, to;
};

CLSORT_INLINE uint part_strip_sum(const struct part_strip *strip)
{
    uint sum = 0;
#pragma unroll 8
    for (uint i = strip->from; i < strip->to; ++i)
        sum += strip->counts[i * strip->stride];
    return sum;
}

/* Replaces each count by the sum of those before, which begins with `before`. */
CLSORT_INLINE void part_strip_scan(const struct part_strip *strip, uint before)
{
    uint at = strip->from;
#pragma unroll 1
    for (; at + ROUND <= strip->to; at += ROUND) {
        uint round[ROUND];
#pragma unroll
        for (uint i = 0; i < ROUND; ++i)
            round[i] = strip->counts[(at + i) * strip->stride];
#pragma unroll
        for (uint i = 0; i < ROUND; ++i) {
            strip->counts[(at + i) * strip->stride] = before;
            before += round[i];
        }
    }
#pragma unroll 1
    for (; at < strip->to; ++at) {
        const uint count = strip->counts[at * strip->stride];
        strip->counts[at * strip->stride] = before;
        before += count;
    }
}

KERNEL void part_scan(const struct part_params p, PART_ARGS)
{
    const struct part_params *q = &p;
    __local uint sums[STRIPS][SLICE_DIGITS];
    LOCAL_FITS(sizeof(sums));
    const uint me = get_local_id(0);
    const uint my_strip = me / SLICE_DIGITS;
    const uint radix = 1u << q->digit_bits;
    const uint slices = max(radix / SLICE_DIGITS, 1u); /* a power of two */
    const uint num_tasks = part_num_segments(q, scratch) * slices;
#pragma unroll 1
    for (uint task = get_group_id(0); task < num_tasks; task += get_num_groups(0)) {
        const uint slice = task & (slices - 1);
        const uint number = (task - slice) >> popcount(slices - 1);
        const uint digit = slice * SLICE_DIGITS + me % SLICE_DIGITS;
        struct part_segment segment;
        part_find(q, scratch, number, &segment);
        const uint strip_size = (segment.num_blocks + STRIPS - 1) / STRIPS;
        struct part_strip strip;
        strip.counts = PART_TABLE(uint, counts) + segment.first_block * radix + digit;
        strip.stride = radix;
        strip.from = min(my_strip * strip_size, segment.num_blocks);
        strip.to = digit < radix ? min(strip.from + strip_size, segment.num_blocks) : strip.from;
        barrier(CLK_LOCAL_MEM_FENCE); /* the last task's sums have been read */
        sums[my_strip][me % SLICE_DIGITS] = part_strip_sum(&strip);
        barrier(CLK_LOCAL_MEM_FENCE); /* the strips' sums are there */
        uint before = digit < radix ? PART_TABLE(uint, cursors)[number * radix + digit] : 0;
#pragma unroll 1
        for (uint i = 0; i < my_strip; ++i)
            before += sums[i][me % SLICE_DIGITS];
        part_strip_scan(&strip, before);
    }
}
