/* scatter_digits.h: moves the elements of a block to their digits' places (digits.h).
 *
 * Idea: a work-group goes over the tiles of its block. It ranks a tile by digit (rank.h),
 * gathers the keys in local memory in that order and writes them out, so that writes are runs. What
 * moves along goes with them if both are narrow and need no order, else after them, to the places
 * that the work-items remember. What is read next is on its way while the last is written.
 *
 * Each tile takes room from the segment's cursors, or where equal keys keep their order from the
 * block's own places, which scan.cl has found.
 *
 * Local memory: the ranking's counters, a tile of keys or payloads, where each digit's next element
 * goes. Runs after: count.cl or scan.cl. Before: the next level's count.cl, or leaf.cl. */
#ifndef CLSORT_SCATTER_DIGITS_H
#define CLSORT_SCATTER_DIGITS_H

#include "sorts/partition/rank.h"
#include "sorts/partition/list_digits.h"

#if !SPLITTERS

#if DIGITS_JOINED
typedef ulong tile_t; /* key above payload */
#elif PAYLOAD_SIZE * 8 > KEY_BITS
typedef alias_payload_t tile_t;
#else
typedef alias_key_t tile_t;
#endif

struct partition_scatter_local {
    struct digits_rank_local ranking;
    uint next[PARTITION_BUCKETS]; /* slot 0's element, if all of the tile were of this digit */
    tile_t tile[TILE_SLOTS];
};

/* A block's segment: its elements, where they go, and its digit. */
struct digits_move {
    __global const stored_key_t *from_keys;
    __global stored_key_t *to_keys;
    __global const payload_t *from_payload;
    __global payload_t *to_payload;
    __global uint *cursors; /* where each digit's next element goes */
    int makes_index;
    uint first_index;
    uint radix, shift, mask;
};

/* A work-item's keys of the tile that begins at `keys`, of which `size` are left. */
CLSORT_INLINE void digits_load(stored_key_t *own, __global const stored_key_t *keys, uint size)
{
    const uint first = TILE_SUBGROUP_FIRST((uint)get_local_id(0));
    __global const stored_key_t *mine = keys + first;
    const int left = (int)min(size, (uint)TILE_SLOTS) - (int)first;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * TILE_SUBGROUP < left)
            own[i] = mine[i * TILE_SUBGROUP];
}

/* And what moves with them, of the tile that begins at element `first`. */
CLSORT_INLINE void digits_load_payload(payload_t *own, const struct digits_move *move, uint first,
                                       int left)
{
    const uint slot = first + TILE_SUBGROUP_FIRST((uint)get_local_id(0));
    __global const payload_t *mine = move->from_payload + slot;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * TILE_SUBGROUP < left)
            own[i] = PAYLOAD_INDEX && move->makes_index
                         ? (payload_t)(move->first_index + slot + i * TILE_SUBGROUP)
                         : mine[i * TILE_SUBGROUP];
}

#define OWN_DIGITS ((PARTITION_BUCKETS + GROUP_SIZE - 1) / GROUP_SIZE)

/* Takes room for the digits of a work-item, once the tile is ranked. */
CLSORT_INLINE void digits_take(__local const uint *counters, const struct digits_move *move,
                               uint size, uint *taken)
{
#pragma unroll
    for (int i = 0; i < OWN_DIGITS; ++i) {
        const uint digit = get_local_id(0) + (uint)i * GROUP_SIZE;
        if (digit < move->radix) {
            const uint start = counters[DIGITS_COUNTER(digit)];
            const uint stop = digit + 1 < move->radix ? counters[DIGITS_COUNTER(digit + 1)] : size;
            taken[i] = (stop > start ? atomic_add(&move->cursors[digit], stop - start) : 0) - start;
        }
    }
}

/* Where the element of this key goes, which lies i * GROUP_SIZE slots behind the work-item's. */
#define MOVE_TARGET(key, i)                                                             \
    (shared->next[DIGITS_DIGIT(key, move->shift, move->mask)] + (uint)get_local_id(0) + \
     (i)*GROUP_SIZE)

/* The tile, which is in order, to the output; `next`: keys of the next tile, and how many are
 * left. They are loaded as early as there are registers for them. */
#if PAYLOAD_SIZE && !DIGITS_JOINED
CLSORT_INLINE void digits_write(const struct partition_params *q, const struct digits_move *move,
                                __local struct partition_scatter_local *shared, const uint *places,
                                uint first, uint size, uint next_size, stored_key_t *next)
{
    const int left = (int)size - (int)get_local_id(0);
    const int own_left = (int)size - (int)TILE_SUBGROUP_FIRST((uint)get_local_id(0));
    __local const alias_key_t *keys = (__local alias_key_t *)shared->tile + get_local_id(0);
    __local alias_payload_t *tile = (__local alias_payload_t *)shared->tile;
    payload_t payload[ITEMS];
    uint targets[ITEMS];
    digits_load_payload(payload, move, first, own_left);
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (i * GROUP_SIZE < left) {
            const stored_key_t key = keys[i * GROUP_SIZE];
            targets[i] = MOVE_TARGET(key, i);
            move->to_keys[targets[i]] = key;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys have been written */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * TILE_SUBGROUP < own_left)
            tile[DIGITS_PLACE(places, i)] = payload[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* the payloads are in order */
    digits_load(next, move->from_keys + first + size, next_size);
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            move->to_payload[targets[i]] = (tile + get_local_id(0))[i * GROUP_SIZE];
}
#else
CLSORT_INLINE void digits_write(const struct partition_params *q, const struct digits_move *move,
                                __local struct partition_scatter_local *shared, const uint *places,
                                uint first, uint size, uint next_size, stored_key_t *next)
{
    const int left = (int)size - (int)get_local_id(0);
    __local const tile_t *tile = shared->tile + get_local_id(0);
    (void)places;
    digits_load(next, move->from_keys + first + size, next_size);
#pragma unroll 4
    for (int i = 0; i < ITEMS; ++i) {
        if (i * GROUP_SIZE < left) {
            const tile_t item = tile[i * GROUP_SIZE];
            const stored_key_t key = (stored_key_t)(DIGITS_JOINED ? item >> 16 >> 16 : item);
            const uint target = MOVE_TARGET(key, i);
            move->to_keys[target] = key;
            if (DIGITS_JOINED)
                move->to_payload[target] = (payload_t)item;
        }
    }
}
#endif

/* The tile that begins at element `first` of the segment. Its keys are in `own`, then the next
 * one's. */
CLSORT_INLINE void digits_scatter_tile(const struct partition_params *q,
                                       const struct digits_move *move,
                                       __local struct partition_scatter_local *shared, uint first,
                                       uint end, stored_key_t *own)
{
    const uint me = get_local_id(0), size = min((uint)TILE_SLOTS, end - first);
    /* Slots as distances from a work-item's first, so that they are constants. */
    const int left = (int)size - (int)TILE_SUBGROUP_FIRST(me);
    __local alias_key_t *keys = (__local alias_key_t *)shared->tile;
    __local ulong *joined = (__local ulong *)shared->tile;
    uint places[DIGITS_PLACES], taken[OWN_DIGITS];
    payload_t payload[ITEMS];
    if (DIGITS_JOINED)
        digits_load_payload(payload, move, first, left);
    digits_rank(&shared->ranking, own, move->shift, move->mask, size, q, places);
    digits_take(shared->ranking.counters, move, size, taken); /* on its way meanwhile */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (DIGITS_JOINED && i * TILE_SUBGROUP < left)
            joined[DIGITS_PLACE(places, i)] = (ulong)own[i] << 32 | payload[i];
        else if (i * TILE_SUBGROUP < left)
            keys[DIGITS_PLACE(places, i)] = own[i];
    }
#pragma unroll
    for (int i = 0; i < OWN_DIGITS; ++i)
        if (me + (uint)i * GROUP_SIZE < move->radix)
            shared->next[me + (uint)i * GROUP_SIZE] = taken[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order, the digits' places are known */
    digits_write(q, move, shared, places, first, size, end - first - size, own);
}

/* Block number `block` of the level. Ends with a barrier. */
CLSORT_INLINE void partition_scatter_block(const struct partition_params *q, PARTITION_ARGS,
                                           uint block,
                                           __local struct partition_scatter_local *shared)
{
    const uint number = PARTITION_OWNER(block);
    const segment_t segment = *PARTITION_SEGMENT(number);
    const uint begin = (block - segment.first_block) * q->block_size;
    const uint end = begin + min(q->block_size, segment.size - begin);
    struct digits_move move;
    move.cursors = KEEPS_ORDER ? partition_row(q, scratch, block)
                               : PARTITION_TABLE(uint, cursors) + (number << q->digit_bits);
    move.from_keys = place_keys(q, PARTITION_BUFFERS, segment.place) + segment.begin;
    move.to_keys = place_keys(q, PARTITION_BUFFERS, segment.target) + segment.begin;
    move.from_payload = place_payload(q, PARTITION_BUFFERS, segment.place) + segment.begin;
    move.to_payload = place_payload(q, PARTITION_BUFFERS, segment.target) + segment.begin;
    move.makes_index = PAYLOAD_INDEX && segment.place == PLACE_IN;
    move.first_index = move.makes_index ? segment.begin % q->count : 0;
    move.radix = 1u << q->digit_bits;
    move.shift = DIGITS_SHIFT(segment);
    move.mask = (1u << (segment.bits - move.shift)) - 1;
    const uint tiles_end = segment.moves ? end : begin;
    stored_key_t own[ITEMS];
    digits_load(own, move.from_keys + begin, tiles_end - begin);
    for (uint first = begin; first < tiles_end; first += TILE_SLOTS)
        digits_scatter_tile(q, &move, shared, first, tiles_end, own);
    barrier(CLK_LOCAL_MEM_FENCE); /* the next block's digits */
}

#endif

#endif
