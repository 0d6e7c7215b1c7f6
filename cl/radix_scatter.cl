/* radix_scatter.cl: moves every element to its place by one digit; the stable step of a radix sort
 * from the least significant digit up.
 *
 * Idea: a work-group goes over the tiles of its block in order. It ranks a tile by digit (radix.h),
 * gathers the elements in local memory in that order, and writes them out: neighbours in local memory
 * with the same digit are neighbours in the output, so writes are runs. Where a digit's next element
 * goes is kept in local memory and moves on from tile to tile.
 *
 * Local memory: the counters of the ranking, a tile of items, and for each digit its next place.
 * Runs after: radix_scan.cl. Not in place. */
#include "config.h"
#include "radix.h"

KERNEL void radix_scatter(const struct radix_params p, ITEM_ARGS, __global const void *counts_in)
{
    __local struct radix_local ranking;
    __local ITEM tile[TILE_SLOTS];
    __local ulong next[RADIX];      /* element of the array where the digit's next one goes */
    __local ulong totals[2][RADIX]; /* elements of the digits in the array, being summed */
    __local uint digit_end[RADIX];  /* of this tile */
    LOCAL_FITS(sizeof(ranking) + sizeof(tile) + sizeof(next) + sizeof(totals) +
               sizeof(digit_end));
    const ulong array = get_group_id(0) / p.num_blocks;
    const ulong block = get_group_id(0) % p.num_blocks;
    const ulong base = array * p.count;
    const uint me = get_local_id(0);
    __global const ulong *counts =
        AT(const ulong, counts_in, 4) + array * RADIX * (p.num_blocks + 1);
    __global const stored_key_t *from_keys = AT(const stored_key_t, keys_in, 0) + base;
    __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1) + base;
    __global const payload_t *from_payload = AT(const payload_t, payload_in, 2) + base;
    __global payload_t *to_payload = AT(payload_t, payload_out, 3) + base;

    for (uint digit = me; digit < RADIX; digit += GROUP_SIZE) {
        next[digit] = counts[digit * p.num_blocks + block];
        totals[0][digit] = counts[RADIX * p.num_blocks + digit];
    }
#if CLSORT_SUBGROUP > 1
    uint from = 0;
    for (uint step = 1; step < RADIX; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* totals[from] are sums over `step` digits */
        for (uint digit = me; digit < RADIX; digit += GROUP_SIZE)
            totals[1 - from][digit] =
                totals[from][digit] + (digit >= step ? totals[from][digit - step] : 0);
        from = 1 - from;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* totals[from] are inclusive sums */
    for (uint digit = me; digit < RADIX; digit += GROUP_SIZE)
        next[digit] += digit > 0 ? totals[from][digit - 1] : 0;
#else
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there; there are few */
    for (uint digit = me; digit < RADIX; digit += GROUP_SIZE)
        for (uint below = 0; below < digit; ++below)
            next[digit] += totals[0][below];
#endif

    const ulong begin = min(block * p.block_size, p.count);
    const ulong end = min(begin + p.block_size, p.count);
    for (ulong first = begin; first < end; first += TILE_SLOTS) {
        const uint size = (uint)min((ulong)TILE_SLOTS, end - first);
        ITEM own[ITEMS];
        uint places[ITEMS];
        if (size == TILE_SLOTS) {
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i) {
                const uint slot = radix_slot(me, i);
                own[i] =
                    item_load(from_keys + first, from_payload + first, slot, first + slot, p.flags);
            }
        } else {
            for (uint i = 0; i < ITEMS; ++i) {
                const uint slot = radix_slot(me, i);
                own[i] = ITEM_LAST;
                if (slot < size)
                    own[i] = item_load(from_keys + first, from_payload + first, slot, first + slot,
                                       p.flags);
            }
        }
        /* Padding has the highest digit and stands behind all others in the input: it ends up last. */
        radix_rank(&ranking, own, &p, places);
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            tile[places[i]] = own[i];
        for (uint digit = me; digit < RADIX; digit += GROUP_SIZE) {
            const uint start = ranking.counters[digit * NUM_SUBGROUPS];
            next[digit] -= start; /* so that a slot's number can be added */
            digit_end[digit] =
                digit + 1 < RADIX ? ranking.counters[(digit + 1) * NUM_SUBGROUPS] : TILE_SLOTS;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order, the digits' places are known */
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const uint slot = i * GROUP_SIZE + me;
            if (slot < size) {
                const ITEM item = tile[slot];
                const uint digit = DIGIT(ITEM_ORDERED(item), p);
                item_store(to_keys, to_payload, next[digit] + slot, item, p.flags);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all have been written before places move on */
        for (uint digit = me; digit < RADIX; digit += GROUP_SIZE)
            next[digit] += digit_end[digit];
    }
}
