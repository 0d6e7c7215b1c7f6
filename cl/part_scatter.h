/* part_scatter.h: moves the elements of a block to their digits' places, and says what
 * becomes of every digit's elements (part.h).
 *
 * Idea: a work-group goes over the tiles of its block. It ranks a tile by digit (part_rank.h), gathers
 * the keys in local memory in that order and writes them out, so that writes are runs; what moves along
 * goes with them if both are narrow and need no order, else after them, to the places that the
 * work-items remember. What is read next is on its way
 * while the last is written. With a payload, where a digit's next element goes is kept in local memory,
 * and the group of a segment's first block writes the lists for later steps as well (part_emit.h); keys
 * alone take room for each tile from the segment's cursors. Keys alone whose bits end with this digit
 * are not moved: their values are known, and written straight to the output.
 *
 * Local memory: the ranking's counters, a tile of keys or payloads, for each digit where it begins
 * in the segment and where its next element goes. Runs after: part_scan.cl. Before: the next level's
 * part_count.cl, or part_leaf.cl. */
#ifndef CLSORT_PART_SCATTER_H
#define CLSORT_PART_SCATTER_H

#include "part_rank.h"
#include "part_emit.h"

#if PART_JOINED
typedef ulong tile_t; /* key above payload */
#elif PAYLOAD_SIZE * 8 > KEY_BITS
typedef alias_payload_t tile_t;
#else
typedef alias_key_t tile_t;
#endif

struct part_scatter_local {
    struct part_rank_local ranking;
#if PART_STABLE
    struct part_digits digits;
#endif
    uint next[PART_RADIX]; /* slot 0's element, if all of the tile were of this digit */
#if PART_STABLE
    uint end[PART_RADIX]; /* of the digit in the tile */
#endif
    tile_t tile[TILE_SLOTS];
};

#if PART_STABLE
/* Where digits begin in the segment: from the totals; ends with a barrier. */
CLSORT_INLINE void part_begin_digits(__local struct part_scatter_local *shared,
                                     __global const uint *totals, uint radix, uint size)
{
    const uint me = get_local_id(0);
    for (uint digit = me; digit < PART_RADIX; digit += GROUP_SIZE)
        shared->ranking.counters[digit] = digit < radix ? totals[digit] : 0;
    if (me == 0)
        shared->digits.is_one = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there */
    for (uint digit = me; digit < radix; digit += GROUP_SIZE)
        if (shared->ranking.counters[digit] == size)
            shared->digits.is_one = 1;
    group_scan_exclusive(&shared->ranking.scan, shared->ranking.counters, PART_RADIX);
    for (uint digit = me; digit < PART_RADIX; digit += GROUP_SIZE)
        shared->digits.begin[digit] = shared->ranking.counters[digit];
    if (me == 0)
        shared->digits.begin[PART_RADIX] = size;
    barrier(CLK_LOCAL_MEM_FENCE); /* the beginnings are there */
}

#endif

#define OWN_DIGITS ((PART_RADIX + GROUP_SIZE - 1) / GROUP_SIZE)

/* Block number `block` of the level. Ends with a barrier. */
CLSORT_INLINE void part_scatter_block(const struct part_params *q, PART_ARGS, uint block,
                                      __local struct part_scatter_local *shared)
{
    const uint me = get_local_id(0);
    const uint radix = 1u << q->digit_bits;
    const uint number = part_owner(q, scratch, block);
    struct part_segment segment;
    part_find(q, scratch, number, &segment);
    const struct part_seen seen = PART_TABLE(struct part_seen, seen)[number];
    const uint shift = PART_SHIFT(segment);
    const uint width = segment.bits - shift;
    const uint mask = (1u << width) - 1;
    const uint begin = (block - segment.first_block) * q->block_size;
    const uint end = begin + min(q->block_size, segment.size - begin);
#if PART_STABLE
    part_begin_digits(shared, PART_TABLE(uint, totals) + number * radix, radix, segment.size);
    struct part_fate fate;
    part_decide(q, &segment, &seen, shift, shared->digits.is_one, &fate);
    if (block == segment.first_block)
        part_emit(q, scratch, &segment, &seen, shift, &fate, &shared->digits);
    const uint hot = PART_RADIX; /* votes do without */
#else
    __global uint *cursors = PART_TABLE(uint, cursors) + number * radix;
    const struct part_fate fate = {.moves = (seen.fate & PART_FATE_MOVES) != 0,
                                   .fills = (seen.fate & PART_FATE_FILLS) != 0,
                                   .place = seen.fate >> PART_FATE_PLACE & 0xff};
    const uint hot = seen.fate >> PART_FATE_HOT;
    if (fate.fills)
        part_fill(part_keys(q, PART_BUFFERS, PART_OUT) + segment.begin, begin, end, cursors,
                  part_low(&segment, &seen, shift, 0, 0), shift, q);
#endif
    const uint tiles_end = fate.moves ? end : begin;

    __global const stored_key_t *from_keys =
        part_keys(q, PART_BUFFERS, segment.place) + segment.begin;
    __global stored_key_t *to_keys = part_keys(q, PART_BUFFERS, fate.place) + segment.begin;
#if PAYLOAD_SIZE
    __global const payload_t *from_payload =
        part_payload(q, PART_BUFFERS, segment.place) + segment.begin;
    __global payload_t *to_payload = part_payload(q, PART_BUFFERS, fate.place) + segment.begin;
    const int makes_index = PAYLOAD_INDEX && segment.place == PART_IN;
    const uint first_index = makes_index ? segment.begin % q->count : 0;
    (void)first_index; /* narrow pairs, which are no indices, have no use for it */
#endif
#if PART_STABLE
    for (uint digit = me; digit < radix; digit += GROUP_SIZE)
        shared->next[digit] =
            shared->digits.begin[digit] + PART_TABLE(uint, counts)[block * radix + digit];
#endif
    stored_key_t own[ITEMS];
    part_load(own, from_keys + begin, tiles_end - begin);
    for (uint first = begin; first < tiles_end; first += TILE_SLOTS) {
        const uint size = min((uint)TILE_SLOTS, tiles_end - first);
        /* Slots as distances from a work-item's first, so that they are constants. */
        const uint own_slot = radix_slot(me, 0);
        const int own_left = (int)size - (int)own_slot;
        const int left = (int)size - (int)me;
        uint places[PART_PLACES];
#if PART_JOINED
        payload_t payload[ITEMS];
        __global const payload_t *own_payload = from_payload + first + own_slot;
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (i * RADIX_SUBGROUP < own_left)
                payload[i] = own_payload[i * RADIX_SUBGROUP];
#endif
        part_rank(&shared->ranking, own, shift, width, hot, size, q, places);
#if !PART_STABLE
        /* The additions are on their way while the tile is put in order. */
        uint taken[OWN_DIGITS];
#pragma unroll
        for (int i = 0; i < OWN_DIGITS; ++i) {
            const uint digit = me + (uint)i * GROUP_SIZE;
            if (digit < radix) {
                const uint start = shared->ranking.counters[digit];
                const uint stop = digit + 1 < radix ? shared->ranking.counters[digit + 1] : size;
                taken[i] = (stop > start ? atomic_add(&cursors[digit], stop - start) : 0) - start;
            }
        }
#endif
#if PART_JOINED
        __local tile_t *tile = shared->tile;
#else
        __local alias_key_t *tile = (__local alias_key_t *)shared->tile;
#endif
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (i * RADIX_SUBGROUP < own_left)
#if PART_JOINED
                tile[PART_PLACE(places, i)] = (ulong)own[i] << 32 | payload[i];
#else
                tile[PART_PLACE(places, i)] = own[i];
#endif
#if PART_STABLE
        for (uint digit = me; digit < radix; digit += GROUP_SIZE) {
            shared->next[digit] -= shared->ranking.counters[PART_COUNTER(digit)];
            shared->end[digit] =
                digit + 1 < radix ? shared->ranking.counters[PART_COUNTER(digit + 1)] : size;
        }
#else
#pragma unroll
        for (int i = 0; i < OWN_DIGITS; ++i)
            if (me + (uint)i * GROUP_SIZE < radix)
                shared->next[me + (uint)i * GROUP_SIZE] = taken[i];
#endif
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order, the digits' places are known */
#if PART_JOINED
        part_load(own, from_keys + first + size, tiles_end - first - size);
#pragma unroll 4
        for (int i = 0; i < ITEMS; ++i) {
            if (i * GROUP_SIZE < left) {
                const tile_t item = (tile + me)[i * GROUP_SIZE];
                const stored_key_t key = (stored_key_t)(item >> 32);
                const uint target =
                    shared->next[(uint)(PART_ORDER(key) >> shift) & mask] + me + i * GROUP_SIZE;
                to_keys[target] = key;
                to_payload[target] = (payload_t)item;
            }
        }
#else
#if PAYLOAD_SIZE
        payload_t payload[ITEMS];
        uint targets[ITEMS];
        __global const payload_t *own_payload = from_payload + first + own_slot;
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (i * RADIX_SUBGROUP < own_left)
                payload[i] = makes_index
                                 ? (payload_t)(first_index + first + own_slot + i * RADIX_SUBGROUP)
                                 : own_payload[i * RADIX_SUBGROUP];
#else
        part_load(own, from_keys + first + size, tiles_end - first - size);
#endif
        __local const alias_key_t *my_tile = tile + me;
#if PAYLOAD_SIZE
#pragma unroll
#else
#pragma unroll 4
#endif
        for (int i = 0; i < ITEMS; ++i) {
            if (i * GROUP_SIZE < left) {
                const stored_key_t key = my_tile[i * GROUP_SIZE];
                const uint target =
                    shared->next[(uint)(PART_ORDER(key) >> shift) & mask] + me + i * GROUP_SIZE;
                to_keys[target] = key;
#if PAYLOAD_SIZE
                targets[i] = target;
#endif
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the keys have been written */
#if PAYLOAD_SIZE
        __local alias_payload_t *payload_tile = (__local alias_payload_t *)shared->tile;
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (i * RADIX_SUBGROUP < own_left)
                payload_tile[PART_PLACE(places, i)] = payload[i];
        barrier(CLK_LOCAL_MEM_FENCE); /* the payloads are in order */
        part_load(own, from_keys + first + size, tiles_end - first - size);
        __local const alias_payload_t *my_payload = payload_tile + me;
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (i * GROUP_SIZE < left)
                to_payload[targets[i]] = my_payload[i * GROUP_SIZE];
#endif
#endif
#if PART_STABLE
        for (uint digit = me; digit < radix; digit += GROUP_SIZE)
            shared->next[digit] += shared->end[digit];
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the next block's digits */
}

#endif
