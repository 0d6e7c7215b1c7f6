/* part_scan.cl: from counts to places, for every segment of a level (part.h).
 *
 * Idea: a work-group takes a segment and a few digits, so that neighbouring work-items read
 * neighbouring counts; the segment's blocks are dealt to them in strips. A strip is summed, the sums
 * of the strips before it are added up, and each count becomes the number of the digit's elements in
 * the segment's blocks before. The group of the first digits also joins what the blocks have seen.
 *
 * Local memory: a sum for each work-item, and what has been seen. Runs after: part_count.cl. */
#include "config.h"
#include "part.h"

#define AT_ONCE (GROUP_SIZE < 32 ? GROUP_SIZE : 32)
#define STRIPS (GROUP_SIZE / AT_ONCE)
#define ROUND 8 /* counts that a work-item has on the way */

KERNEL void part_scan(const struct part_params p, PART_ARGS)
{
    const struct part_params *q = &p;
    __local uint sums[STRIPS][AT_ONCE];
    __local uint differing[2];
    __local uint directions;
    LOCAL_FITS(sizeof(sums) + sizeof(differing) + sizeof(directions));
    const uint me = get_local_id(0);
    const uint radix = 1u << q->digit_bits;
    const uint slices = max(radix / AT_ONCE, 1u); /* a power of two */
    const uint num_tasks = part_num_segments(q, scratch) * slices;
    __global uint *counts = PART_TABLE(uint, counts);
    for (uint task = get_group_id(0); task < num_tasks; task += get_num_groups(0)) {
        const uint slice = task & (slices - 1);
        const uint number = (task - slice) >> popcount(slices - 1);
        const uint digit = slice * AT_ONCE + me % AT_ONCE;
        struct part_segment segment;
        part_find(q, scratch, number, &segment);
        const uint strip_size = (segment.num_blocks + STRIPS - 1) / STRIPS;
        const uint from = min(me / AT_ONCE * strip_size, segment.num_blocks);
        const uint to = digit < radix ? min(from + strip_size, segment.num_blocks) : from;
        __global uint *own = counts + segment.first_block * radix + digit;
        uint sum = 0;
#pragma unroll 8
        for (uint i = from; i < to; ++i)
            sum += own[i * radix];
        sums[me / AT_ONCE][me % AT_ONCE] = sum;
        if (me == 0)
            differing[0] = differing[1] = directions = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* the strips' sums are there */
        uint before = 0;
        for (uint strip = 0; strip < me / AT_ONCE; ++strip)
            before += sums[strip][me % AT_ONCE];
        if (me / AT_ONCE == STRIPS - 1 && digit < radix)
            PART_TABLE(uint, totals)[number * radix + digit] = before + sum;
        uint at = from;
        for (; at + ROUND <= to; at += ROUND) {
            uint round[ROUND];
#pragma unroll
            for (uint i = 0; i < ROUND; ++i)
                round[i] = own[(at + i) * radix];
#pragma unroll
            for (uint i = 0; i < ROUND; ++i) {
                own[(at + i) * radix] = before;
                before += round[i];
            }
        }
        for (; at < to; ++at) {
            const uint count = own[at * radix];
            own[at * radix] = before;
            before += count;
        }
        if (slice == 0) {
            __global const struct part_seen *seen =
                PART_TABLE(struct part_seen, blocks) + segment.first_block;
            ulong bits = 0;
            uint ways = 0;
            for (uint i = me; i < segment.num_blocks; i += GROUP_SIZE) {
                bits |= seen[i].differing;
                ways |= seen[i].directions;
            }
            if (bits) {
                atomic_or(&differing[0], (uint)bits);
                atomic_or(&differing[1], (uint)(bits >> 32));
            }
            if (ways)
                atomic_or(&directions, ways);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all has been seen, all sums have been read */
        if (slice == 0 && me == 0) {
            __global struct part_seen *seen = PART_TABLE(struct part_seen, seen) + number;
            seen->differing = (ulong)differing[1] << 32 | differing[0];
            seen->first = PART_ORDER(part_keys(q, PART_BUFFERS, segment.place)[segment.begin]);
            seen->directions =
                directions; /* and the same work-item empties them for the next task */
        }
    }
}
