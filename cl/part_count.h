/* part_count.h: how many elements of each digit a block of a segment has (part.h).
 *
 * Idea: a work-group reads the block once and counts digits in local memory, in several copies of the
 * counters so that a frequent digit is not one address for all. On the way it takes the bits in which
 * a key differs from the segment's first one, and on the first level looks whether neighbours go up
 * or down; for an array in no order every work-item has seen both soon and stops looking. Of keys alone, the
 * group that counts a segment's last block makes places of all counts (part_cursors.h). */
#ifndef CLSORT_PART_COUNT_H
#define CLSORT_PART_COUNT_H

#include "part_cursors.h"

#ifndef PART_COUNT_ITEMS
#define PART_COUNT_ITEMS ITEMS /* keys of a work-item, loaded at once */
#endif
#define COPIES (GROUP_SIZE >= 128 ? 4 : 1)

struct part_count_local {
    union {
        uint counters[COPIES][PART_RADIX];
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

/* Block number `block` of the level. Ends with a barrier. */
CLSORT_INLINE void part_count_block(const struct part_params *q, PART_ARGS, uint block,
                                    __local struct part_count_local *shared)
{
    const uint me = get_local_id(0);
    const uint radix = 1u << q->digit_bits;
    struct part_segment segment;
    const uint number = part_owner(q, scratch, block);
    part_find(q, scratch, number, &segment);
    __global const stored_key_t *keys = part_keys(q, PART_BUFFERS, segment.place) + segment.begin;
    const uint shift = PART_SHIFT(segment);
    const uint mask = (1u << (segment.bits - shift)) - 1;
    const uint begin = (block - segment.first_block) * q->block_size;
    const uint end = begin + min(q->block_size, segment.size - begin);
    const key_t first_order = PART_ORDER(keys[0]);

    for (uint i = me; i < COPIES * radix; i += GROUP_SIZE)
        shared->room.counters[i / radix][i % radix] = 0;
    if (me == 0)
        shared->differing[0] = shared->differing[1] = shared->directions = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
    key_t differing = 0;
    uint directions = q->level == 0 ? 0 : PART_UP | PART_DOWN;
    for (uint at = begin; at < end; at += GROUP_SIZE * PART_COUNT_ITEMS) {
        if (end - at >= GROUP_SIZE * PART_COUNT_ITEMS) { /* all loads first: more bytes in flight */
            key_t own[PART_COUNT_ITEMS];
            __global const stored_key_t *mine = keys + at + me;
#pragma unroll
            for (uint i = 0; i < PART_COUNT_ITEMS; ++i)
                own[i] = mine[i * GROUP_SIZE];
#pragma unroll
            for (uint i = 0; i < PART_COUNT_ITEMS; ++i) {
                const key_t order = PART_ORDER(own[i]);
                differing |= order ^ first_order;
                atomic_inc(&shared->room.counters[me % COPIES][(uint)(order >> shift) & mask]);
            }
        } else {
            for (uint k = at + me; k < end; k += GROUP_SIZE) {
                const key_t order = PART_ORDER(keys[k]);
                differing |= order ^ first_order;
                atomic_inc(&shared->room.counters[me % COPIES][(uint)(order >> shift) & mask]);
            }
        }
        /* The keys that have just been read, and the one behind them: from the cache. */
        for (uint i = 0; i < PART_COUNT_ITEMS; ++i) {
            const uint k = at + i * GROUP_SIZE + me;
            if (k >= end || k + 1 >= segment.size || !(~directions & (PART_UP | PART_DOWN)))
                break;
            const key_t order = PART_ORDER(keys[k]);
            const key_t next = PART_ORDER(keys[k + 1]);
            directions |= next > order ? PART_UP : next < order ? PART_DOWN : PART_EQUAL;
        }
    }
    atomic_or(&shared->differing[0], (uint)differing);
    if (KEY_BITS == 64)
        atomic_or(&shared->differing[1], (uint)((ulong)differing >> 32));
    atomic_or(&shared->directions, directions);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    for (uint digit = me; digit < radix; digit += GROUP_SIZE) {
        uint count = 0;
        for (uint i = 0; i < COPIES; ++i)
            count += shared->room.counters[i][digit];
        if (!(q->flags & FLAG_UNORDERED))
            PART_TABLE(uint, counts)[block * radix + digit] = count;
        else if (count)
            atomic_add(&PART_TABLE(uint, totals)[number * radix + digit], count);
    }
    if (me == 0) {
        const ulong bits = (ulong)shared->differing[1] << 32 | shared->differing[0];
        if (q->flags & FLAG_UNORDERED) {
            part_join(PART_TABLE(struct part_seen, seen) + number, bits, shared->directions);
        } else {
            __global struct part_seen *seen = PART_TABLE(struct part_seen, blocks) + block;
            seen->differing = bits;
            seen->directions = shared->directions;
        }
    }
    if (q->flags & FLAG_UNORDERED) {
        /* All has been added, and the counters have been read. */
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (me == 0) {
            device_fence();
            shared->is_last = atomic_inc(&PART_TABLE(struct part_seen, seen)[number].blocks) ==
                              segment.num_blocks - 1;
            device_fence();
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the last group is known */
        if (shared->is_last)
            part_cursors(q, PART_BUFFERS, number, &segment, &shared->room.cursors);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is written before the next block's counters */
}

#endif
