/* count_digits.h: how many elements of each digit a block of a segment has (digits.h).
 *
 * Idea: a work-group reads the block once and counts digits in local memory. On the way it collects
 * the bits in which a key differs from the segment's first one. On the first level it also looks
 * whether neighbours ascend or descend. In an unordered array every work-item soon sees both and
 * stops looking. The work-group that counts a segment's last block turns all counts into places
 * (list_digits.h). */
#ifndef CLSORT_COUNT_DIGITS_H
#define CLSORT_COUNT_DIGITS_H

#include "device/phases.h"
#include "sorts/partition/list_digits.h"

#if !SPLITTERS

#ifndef DIGITS_COUNT_ITEMS
#define DIGITS_COUNT_ITEMS ITEMS /* keys of a work-item, loaded at once */
#endif

struct partition_count_local {
    union {
        uint counters[PARTITION_BUCKETS];
        struct digits_list_local list;
    } room;
    uint differing[2]; /* low and high half */
    uint directions;
    uint is_last;
};

/* A block and its segment. */
struct digits_block {
    segment_t segment;
    __global const stored_key_t *keys; /* the segment's */
    uint begin, end;                   /* of the block, in the segment */
    uint shift, mask;                  /* of the digit */
    key_t first_order;                 /* the segment's first key */
};

CLSORT_INLINE void digits_count_find(const struct partition_params *q, PARTITION_ARGS, uint number,
                                     uint block, struct digits_block *found)
{
    found->segment = *PARTITION_SEGMENT(number);
    found->keys = place_keys(q, PARTITION_BUFFERS, found->segment.place) + found->segment.begin;
    found->shift = DIGITS_SHIFT(found->segment);
    found->mask = (1u << (found->segment.bits - found->shift)) - 1;
    found->begin = (block - found->segment.first_block) * q->block_size;
    found->end = found->begin + min(q->block_size, found->segment.size - found->begin);
    found->first_order = DIGITS_ORDER(found->keys[0]);
}

/* Counts the digits of keys from `at` on. Returns the bits in which these and earlier keys differ
 * from the first. */
CLSORT_INLINE key_t digits_count_keys(const struct partition_params *q,
                                      const struct digits_block *block, __local uint *counters,
                                      uint at, key_t differing)
{
    const uint me = get_local_id(0);
    if (block->end - at >= GROUP_SIZE * DIGITS_COUNT_ITEMS) { /* all loads first: more in flight */
        key_t own[DIGITS_COUNT_ITEMS];
        __global const stored_key_t *mine = block->keys + at + me;
#pragma unroll
        for (uint i = 0; i < DIGITS_COUNT_ITEMS; ++i)
            own[i] = mine[i * GROUP_SIZE];
#pragma unroll
        for (uint i = 0; i < DIGITS_COUNT_ITEMS; ++i) {
            const key_t order = DIGITS_ORDER(own[i]);
            differing |= order ^ block->first_order;
            atomic_inc(&counters[(uint)(order >> block->shift) & block->mask]);
        }
    } else {
        for (uint k = at + me; k < block->end; k += GROUP_SIZE) {
            const key_t order = DIGITS_ORDER(block->keys[k]);
            differing |= order ^ block->first_order;
            atomic_inc(&counters[(uint)(order >> block->shift) & block->mask]);
        }
    }
    return differing;
}

/* The directions known so far, and those between the keys just read and their neighbours, which
 * come from the cache. */
CLSORT_INLINE uint digits_count_directions(const struct partition_params *q,
                                           const struct digits_block *block, uint at,
                                           uint directions)
{
    for (uint i = 0; i < DIGITS_COUNT_ITEMS; ++i) {
        const uint k = at + i * GROUP_SIZE + get_local_id(0);
        if (k >= block->end || k + 1 >= block->segment.size ||
            !(~directions & (DIGITS_UP | DIGITS_DOWN)))
            break;
        const key_t order = DIGITS_ORDER(block->keys[k]);
        const key_t next = DIGITS_ORDER(block->keys[k + 1]);
        directions |= next > order ? DIGITS_UP : next < order ? DIGITS_DOWN : DIGITS_EQUAL;
    }
    return directions;
}

/* Adds a block's counts and what it has seen to the segment's. Where equal keys keep their order,
 * the block's counts stay, too. */
CLSORT_INLINE void digits_count_store(const struct partition_params *q, __global void *scratch,
                                      uint number, uint block,
                                      __local const struct partition_count_local *shared)
{
    const uint radix = 1u << q->digit_bits;
    __global segment_t *listed = PARTITION_SEGMENT(number);
    __global uint *halves = (__global uint *)&listed->differing;
    GROUP_LOOP(digit, 0, radix) {
        const uint count = shared->room.counters[digit];
        if (!(q->flags & FLAG_UNORDERED))
            partition_row(q, scratch, block)[digit] = count;
        if (count)
            atomic_add(&PARTITION_TABLE(uint, totals)[number * radix + digit], count);
    }
    GROUP_LOOP(i, 0, 2)
        if (shared->differing[i])
            atomic_or(&halves[i], shared->differing[i]);
    if (get_local_id(0) == 0 && shared->directions)
        atomic_or(&listed->directions, shared->directions);
}

/* Block number `block` of the level. Ends with a barrier. */
CLSORT_INLINE void partition_count_block(const struct partition_params *q, PARTITION_ARGS,
                                         uint block, __local struct partition_count_local *shared)
{
    const uint number = PARTITION_OWNER(block), radix = 1u << q->digit_bits;
    struct digits_block own;
    digits_count_find(q, PARTITION_BUFFERS, number, block, &own);
    group_clear(shared->room.counters, radix);
    if (get_local_id(0) == 0)
        shared->differing[0] = shared->differing[1] = shared->directions = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
    key_t differing = 0;
    uint directions = q->level == 0 ? 0 : DIGITS_UP | DIGITS_DOWN;
    for (uint at = own.begin; at < own.end; at += GROUP_SIZE * DIGITS_COUNT_ITEMS) {
        differing = digits_count_keys(q, &own, shared->room.counters, at, differing);
        directions = digits_count_directions(q, &own, at, directions);
    }
    atomic_or(&shared->differing[0], (uint)differing);
    if (KEY_BITS == 64)
        atomic_or(&shared->differing[1], (uint)((ulong)differing >> 32));
    atomic_or(&shared->directions, directions);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    digits_count_store(q, scratch, number, block, shared);
    if (device_phases_done(&PARTITION_SEGMENT(number)->counted, 1, own.segment.num_blocks,
                           &shared->is_last))
        digits_list(q, PARTITION_BUFFERS, number, &own.segment, &shared->room.list);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is written before the next block's counters */
}

#endif

#endif
