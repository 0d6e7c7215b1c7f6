/* part_count.h: how many elements of each digit a block of a segment has (part.h).
 *
 * Idea: a work-group reads the block once and counts digits in local memory (group_histogram.h). On
 * the way it takes the bits in which a key differs from the segment's first one, and on the first
 * level looks whether neighbours go up or down; for an array in no order every work-item has seen
 * both soon and stops looking. Where equal keys need no order, the group that counts a segment's
 * last block makes places of all counts (part_cursors.h). */
#ifndef CLSORT_PART_COUNT_H
#define CLSORT_PART_COUNT_H

#include "part_cursors.h"
#include "group_histogram.h"

#ifndef PART_COUNT_ITEMS
#define PART_COUNT_ITEMS ITEMS /* keys of a work-item, loaded at once */
#endif
#define COUNT_ROUND (GROUP_SIZE * PART_COUNT_ITEMS)

struct part_count_local {
    union {
        uint counters[PART_RADIX * HISTOGRAM_COPIES];
        struct part_cursors_local cursors;
    } room;
    uint differing[2]; /* low and high half */
    uint directions;
    uint is_last;
};

/* Adds what a block has seen to what its segment's others have. */
CLSORT_INLINE void part_join(__global struct part_seen *seen, ulong differing, uint directions)
{
    __global uint *halves = (__global uint *)&seen->differing;
    if (differing & 0xffffffff)
        atomic_or(&halves[0], (uint)differing);
    if (differing >> 32)
        atomic_or(&halves[1], (uint)(differing >> 32));
    if (directions)
        atomic_or(&seen->directions, directions);
}

/* Counts a round's keys, or those that are `left`; in which bits they differ from the first. */
CLSORT_INLINE key_t part_count_round(const struct part_params *q, __local uint *counters,
                                     __global const stored_key_t *keys, uint left, key_t first,
                                     uint shift, uint mask)
{
    __global const stored_key_t *mine = keys + get_local_id(0);
    key_t own[PART_COUNT_ITEMS], differing = 0;
    if (left >= COUNT_ROUND) { /* all loads first: more bytes in flight */
#pragma unroll
        for (uint i = 0; i < PART_COUNT_ITEMS; ++i)
            own[i] = mine[i * GROUP_SIZE];
#pragma unroll
        for (uint i = 0; i < PART_COUNT_ITEMS; ++i) {
            differing |= PART_ORDER(own[i]) ^ first;
            group_histogram_add(counters, PART_DIGIT(own[i], shift, mask));
        }
    } else {
        for (uint k = get_local_id(0); k < left; k += GROUP_SIZE) {
            differing |= PART_ORDER(keys[k]) ^ first;
            group_histogram_add(counters, PART_DIGIT(keys[k], shift, mask));
        }
    }
    return differing;
}

/* Which ways a round's keys go, and the one behind them: from the cache. */
CLSORT_INLINE uint part_look_round(const struct part_params *q, __global const stored_key_t *keys,
                                   uint at, uint end, uint size, uint directions)
{
    for (uint i = 0; i < PART_COUNT_ITEMS; ++i) {
        const uint k = at + i * GROUP_SIZE + (uint)get_local_id(0);
        if (k >= end || k + 1 >= size || !(~directions & (PART_UP | PART_DOWN)))
            break;
        const key_t order = PART_ORDER(keys[k]), next = PART_ORDER(keys[k + 1]);
        directions |= next > order ? PART_UP : next < order ? PART_DOWN : PART_EQUAL;
    }
    return directions;
}

/* What the block's group has counted and seen, to the level's tables. Begins after a barrier. */
CLSORT_INLINE void part_count_store(const struct part_params *q, __global void *scratch,
                                    __local const struct part_count_local *shared, uint block,
                                    uint number)
{
    const uint me = get_local_id(0), radix = 1u << q->digit_bits;
    const int joins = (q->flags & FLAG_UNORDERED) != 0;
    for (uint digit = me; digit < radix; digit += GROUP_SIZE) {
        const uint count = group_histogram_sum(shared->room.counters, digit);
        if (!joins)
            PART_TABLE(uint, counts)[block * radix + digit] = count;
        else if (count)
            atomic_add(&PART_TABLE(uint, totals)[number * radix + digit], count);
    }
    const ulong differing = (ulong)shared->differing[1] << 32 | shared->differing[0];
    if (me == 0 && joins) {
        part_join(PART_TABLE(struct part_seen, seen) + number, differing, shared->directions);
    } else if (me == 0) {
        PART_TABLE(struct part_seen, blocks)[block].differing = differing;
        PART_TABLE(struct part_seen, blocks)[block].directions = shared->directions;
    }
}

/* Whether this group has counted the segment's last block. Begins and ends with a barrier. */
CLSORT_INLINE uint part_count_last(__global struct part_seen *seen, uint num_blocks,
                                   __local uint *is_last)
{
    /* All has been added, and the counters have been read. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        device_fence();
        *is_last = atomic_inc(&seen->blocks) == num_blocks - 1;
        device_fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the last group is known */
    return *is_last;
}

/* Block number `block` of the level. Ends with a barrier. */
CLSORT_INLINE void part_count_block(const struct part_params *q, PART_ARGS, uint block,
                                    __local struct part_count_local *shared)
{
    struct part_segment segment;
    const uint number = part_owner(q, scratch, block);
    part_find(q, scratch, number, &segment);
    __global const stored_key_t *keys = part_keys(q, PART_BUFFERS, segment.place) + segment.begin;
    const uint shift = PART_SHIFT(segment), mask = (1u << (segment.bits - shift)) - 1;
    const uint begin = (block - segment.first_block) * q->block_size;
    const uint end = begin + min(q->block_size, segment.size - begin);
    const key_t first = PART_ORDER(keys[0]);
    __local uint *counters = group_histogram_own(shared->room.counters);

    group_clear(shared->room.counters, HISTOGRAM_COPIES << q->digit_bits);
    if (get_local_id(0) == 0)
        shared->differing[0] = shared->differing[1] = shared->directions = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
    key_t differing = 0;
    uint directions = q->level == 0 ? 0 : PART_UP | PART_DOWN;
    for (uint at = begin; at < end; at += COUNT_ROUND) {
        differing |= part_count_round(q, counters, keys + at, end - at, first, shift, mask);
        directions = part_look_round(q, keys, at, end, segment.size, directions);
    }
    atomic_or(&shared->differing[0], (uint)differing);
    if (KEY_BITS == 64)
        atomic_or(&shared->differing[1], (uint)((ulong)differing >> 32));
    atomic_or(&shared->directions, directions);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    part_count_store(q, scratch, shared, block, number);
    if (q->flags & FLAG_UNORDERED && part_count_last(PART_TABLE(struct part_seen, seen) + number,
                                                     segment.num_blocks, &shared->is_last))
        part_cursors(q, PART_BUFFERS, number, &segment, &shared->room.cursors);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is written before the next block's counters */
}

#endif
