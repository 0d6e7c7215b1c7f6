/* scan.cl: turns counts into places, for every segment of a level (part.h).
 *
 * Idea: a task is a segment and a slice of neighbouring digits, so that neighbouring work-items
 * read neighbouring counts. The segment's blocks are divided into strips, and a work-item takes a
 * digit of a strip. It sums the strip, adds the sums of the strips before, and replaces each count
 * by the number of the digit's elements in the blocks before. The work-group of the first slice
 * also joins what the blocks have seen.
 *
 * Local memory: a sum for each work-item, and what has been seen. Runs after: count.cl. */
#include "base/config.h"
#include "sorts/partition/digits/part.h"

#define SLICE_DIGITS (GROUP_SIZE < 32 ? GROUP_SIZE : 32)
#define STRIPS (GROUP_SIZE / SLICE_DIGITS)
#define ROUND 8 /* counts that a work-item loads before it uses the first */

struct part_scan_local {
    uint sums[STRIPS][SLICE_DIGITS];
    uint differing[2];
    uint directions;
};

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

/* Joins what a segment's blocks have seen. Ends before a barrier. */
CLSORT_INLINE void part_scan_join(__global const struct part_seen *blocks, uint num_blocks,
                                  __local struct part_scan_local *shared)
{
    ulong differing = 0;
    uint directions = 0;
    GROUP_LOOP(i, 0, num_blocks) {
        differing |= blocks[i].differing;
        directions |= blocks[i].directions;
    }
    if (differing) {
        atomic_or(&shared->differing[0], (uint)differing);
        atomic_or(&shared->differing[1], (uint)(differing >> 32));
    }
    if (directions)
        atomic_or(&shared->directions, directions);
}

KERNEL void part_scan(const struct part_params p, PART_ARGS)
{
    const struct part_params *q = &p;
    __local struct part_scan_local shared;
    LOCAL_FITS(sizeof(shared));
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
        const uint sum = part_strip_sum(&strip);
        shared.sums[my_strip][me % SLICE_DIGITS] = sum;
        if (me == 0)
            shared.differing[0] = shared.differing[1] = shared.directions = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* the strips' sums are there */
        uint before = 0;
#pragma unroll 1
        for (uint i = 0; i < my_strip; ++i)
            before += shared.sums[i][me % SLICE_DIGITS];
        if (my_strip == STRIPS - 1 && digit < radix)
            PART_TABLE(uint, totals)[number * radix + digit] = before + sum;
        part_strip_scan(&strip, before);
        if (slice == 0)
            part_scan_join(PART_TABLE(struct part_seen, blocks) + segment.first_block,
                           segment.num_blocks, &shared);
        barrier(CLK_LOCAL_MEM_FENCE); /* all has been seen, all sums have been read */
        if (slice == 0 && me == 0) {
            __global struct part_seen *seen = PART_TABLE(struct part_seen, seen) + number;
            seen->differing = (ulong)shared.differing[1] << 32 | shared.differing[0];
            seen->first = PART_ORDER(part_keys(q, PART_BUFFERS, segment.place)[segment.begin]);
            /* The same work-item clears it for the next task. */
            seen->directions = shared.directions;
        }
    }
}
