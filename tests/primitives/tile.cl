/* tile.cl: group_tile_load.h, group_digit_rank.h and group_tile_scatter.h: a
 * tile's elements loaded in each arrangement; elements ranked; a tile written by
 * digit. */
#include "base/config.h"
#include "group/digit_rank.h"
#include "group/tile_load.h"
#include "group/tile_scatter.h"

#define PADDING 0xfffffffeu
#define DIGIT(key) ((key) >> (32 - RADIX_BITS))
#define FETCH(slot) in[slot]

/* out[work-item][i]: its element i. */
KERNEL void load(__global const uint *in, __global uint *out, uint n, uint arrangement)
{
    const uint me = get_local_id(0);
    uint own[ITEMS];
    if (arrangement == 0)
        GROUP_TILE_LOAD(own, me, GROUP_SIZE, n, PADDING, FETCH);
    else if (arrangement == 1)
        GROUP_TILE_LOAD(own, me * ITEMS, 1, n, PADDING, FETCH);
    else
        GROUP_TILE_LOAD(own, TILE_SUBGROUP_FIRST(me), TILE_SUBGROUP, n, PADDING, FETCH);
    for (uint i = 0; i < ITEMS; ++i)
        out[me * ITEMS + i] = own[i];
}

/* out[slot]: the rank; behind them where each digit begins. Slots from n on have the last digit. */
KERNEL void rank(__global const uint *in, __global uint *out, uint n, uint parameter)
{
    __local struct group_digit_rank_local shared;
    const uint me = get_local_id(0);
    const uint first = TILE_SUBGROUP_FIRST(me);
    uint digits[ITEMS], ranks[ITEMS];
    GROUP_TILE_LOAD(digits, first, TILE_SUBGROUP, n, ~0u, FETCH);
    for (uint i = 0; i < ITEMS; ++i)
        digits[i] = DIGIT(digits[i]);
    group_digit_rank(&shared, digits, ranks);
    for (uint i = 0; i < ITEMS; ++i)
        out[first + i * TILE_SUBGROUP] = ranks[i];
    for (uint digit = me; digit < RADIX; digit += GROUP_SIZE)
        out[TILE_SLOTS + digit] = shared.counters[digit * NUM_SUBGROUPS];
}

/* Each element to out[], the largest digit first, equal ones in the order of the input. */
KERNEL void scatter(__global const uint *in, __global uint *out, uint n, uint parameter)
{
    __local struct group_digit_rank_local shared;
    __local uint tile[TILE_SLOTS];
    __local uint next[RADIX]; /* target of slot 0, if all of the tile were of this digit */
    const uint me = get_local_id(0);
    const uint first = TILE_SUBGROUP_FIRST(me);
    uint own[ITEMS], digits[ITEMS], ranks[ITEMS];
    GROUP_TILE_LOAD(own, first, TILE_SUBGROUP, n, ~0u, FETCH);
    for (uint i = 0; i < ITEMS; ++i)
        digits[i] = DIGIT(own[i]);
    group_digit_rank(&shared, digits, ranks);
    for (uint digit = me; digit < RADIX; digit += GROUP_SIZE) {
        const uint begin = min(shared.counters[digit * NUM_SUBGROUPS], n);
        const uint end =
            digit + 1 < RADIX ? min(shared.counters[(digit + 1) * NUM_SUBGROUPS], n) : n;
        next[digit] = n - end - begin;
    }
#define RANK(i) ranks[i]
    GROUP_TILE_ORDER(tile, own, RANK, TILE_SUBGROUP, (int)n - (int)first);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order, and where digits go is known */
#define EMIT(i, slot) out[next[DIGIT(tile[slot])] + (slot)] = tile[slot]
    GROUP_TILE_EMIT(n, TILE_ROUND, EMIT);
}
