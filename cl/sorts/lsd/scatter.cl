/* scatter.cl: moves every element to its target by one digit; the stable step of a radix
 * sort from the least significant digit up.
 *
 * Idea: a work-group goes over the tiles of its block in order. It ranks a tile by digit
 * (group/digit_rank.h), puts the elements in that order in local memory, and writes them as runs
 * (group/tile_scatter.h). Where a digit's next element goes is kept in local memory and moves on
 * from tile to tile.
 *
 * Local memory: what ranking needs, a tile of items, and for each digit its next target. Runs
 * after: move/table.cl, which scans the counts. Not in place. */
#include "base/config.h"
#include "group/scan_wide.h"
#include "group/tile_scatter.h"
#include "group/radix.h"

struct radix_scatter_local {
    union {
        struct group_scan_wide_local totals;
        struct group_digit_rank_local digits;
    } rank;
    ITEM tile[TILE_SLOTS];
    ulong next[RADIX];     /* element of the array where the digit's next one goes */
    uint digit_end[RADIX]; /* of this tile */
};

/* next[digit]: elements of lower digits, and of this one in the blocks before; from the counts
 * of this block, num_blocks apart, and the totals of the array. */
CLSORT_INLINE void radix_find_targets(__local struct radix_scatter_local *shared,
                                      __global const ulong *counts, uint num_blocks,
                                      __global const ulong *totals)
{
    ulong carry = 0;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint digit = first + (uint)get_local_id(0);
        ulong all;
        const ulong before =
            group_scan_wide(&shared->rank.totals, digit < RADIX ? totals[digit] : 0, &all);
        if (digit < RADIX)
            shared->next[digit] = carry + before + counts[digit * num_blocks];
        carry += all;
        barrier(CLK_LOCAL_MEM_FENCE); /* the sums have been read */
    }
}

/* Puts a tile's items, of which a work-item has those by sub-groups, in the order of their
 * digits. Padding has the highest digit and is last in the input, so it is last. Ends before a
 * barrier. */
CLSORT_INLINE void radix_order(__local struct radix_scatter_local *shared, const ITEM *own,
                               const struct radix_params *p)
{
    uint digits[ITEMS], ranks[ITEMS];
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        digits[i] = DIGIT(ITEM_ORDERED(own[i]), *p);
    group_digit_rank(&shared->rank.digits, digits, ranks);
#define RANK(i) ranks[i]
    GROUP_TILE_ORDER(shared->tile, own, RANK, 1, ITEMS);
    for (uint digit = get_local_id(0); digit < RADIX; digit += GROUP_SIZE) {
        __local const uint *begins = shared->rank.digits.counters;
        shared->next[digit] -= begins[digit * NUM_SUBGROUPS]; /* so that a slot's number is added */
        shared->digit_end[digit] =
            digit + 1 < RADIX ? begins[(digit + 1) * NUM_SUBGROUPS] : TILE_SLOTS;
    }
}

KERNEL void radix_scatter(const struct radix_params p, ITEM_ARGS, __global const void *counts_in)
{
    __local struct radix_scatter_local shared;
    LOCAL_FITS(sizeof(shared));
    const ulong array = get_group_id(0) / p.num_blocks;
    const ulong block = get_group_id(0) % p.num_blocks;
    const ulong base = array * p.count;
    __global const ulong *rows = AT(const ulong, counts_in, 4); /* the totals lie behind them */
    __global const ulong *counts = rows + array * RADIX * p.num_blocks + block;
    __global const ulong *totals = rows + RADIX * get_num_groups(0) + array * RADIX;
    __global const stored_key_t *from_keys = AT(const stored_key_t, keys_in, 0) + base;
    __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1) + base;
    __global const payload_t *from_payload = AT(const payload_t, payload_in, 2) + base;
    __global payload_t *to_payload = AT(payload_t, payload_out, 3) + base;
    const uint own_slot = TILE_SUBGROUP_FIRST((uint)get_local_id(0));

    radix_find_targets(&shared, counts, p.num_blocks, totals);
    const ulong begin = min(block * p.block_size, p.count);
    const ulong end = min(begin + p.block_size, p.count);
    for (ulong first = begin; first < end; first += TILE_SLOTS) {
        const uint size = (uint)min((ulong)TILE_SLOTS, end - first);
        ITEM own[ITEMS];
#define FETCH(slot) \
    item_load(from_keys + first, from_payload + first, slot, first + (slot), p.flags)
        GROUP_TILE_LOAD(own, own_slot, TILE_SUBGROUP, size, ITEM_LAST, FETCH);
        radix_order(&shared, own, &p);
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order, the digits' targets are known */
#define EMIT(i, slot)                                                              \
    do {                                                                           \
        const ITEM item_ = shared.tile[slot];                                      \
        const ulong target_ = shared.next[DIGIT(ITEM_ORDERED(item_), p)] + (slot); \
        item_store(to_keys, to_payload, target_, item_, p.flags);                  \
    } while (0)
        GROUP_TILE_EMIT(size, TILE_ROUND, EMIT);
        barrier(CLK_LOCAL_MEM_FENCE); /* all have been written before targets move on */
        for (uint digit = get_local_id(0); digit < RADIX; digit += GROUP_SIZE)
            shared.next[digit] += shared.digit_end[digit];
    }
}
