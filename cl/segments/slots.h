/* slots.h: puts the segments of a tile of records in order, in local memory
 * (records.cl).
 *
 * Idea: records stay in the slots that they were loaded to, and the numbers of the slots are put in
 * order (group/merge_slots.h). A work-item sorts its ITEMS neighbours by insertion, which ends
 * where a segment begins. If all segments of the tile are short, it sorts those that begin among
 * its neighbours, and that is all.
 *
 * For longer segments runs are merged, and become twice as long in each round. A round only has to
 * merge the one segment that lies across the middle of two runs. Once runs are as long as the
 * longest segment, a segment lies across the ends of two runs at most: one round merges those
 * across every other end, the last one those across the ends between.
 *
 * A tile of numbers is sorted in registers instead, by networks (sort.h). Here the kernel
 * holds three comparisons, whatever ITEMS is; equal records keep their order, and so no index has
 * to settle ties; and a comparison that is no order does not tear records apart.
 *
 * Local memory: struct segments_slots. */
#ifndef CLSORT_SEGMENTS_SLOTS_H
#define CLSORT_SEGMENTS_SLOTS_H

#define MERGE_KEEPS_SLOTS 1
#include "sorts/partition/splitters.h"
#include "group/merge_local.h"
#include "segments/heads.h"

/* Elements of a short segment. The work of insertion grows with the square of them, and a work-item
 * without a segment waits for its neighbours. */
#define SHORT 8

struct segments_slots {
    ITEM items[TILE_SLOTS];
    struct local_sort sort;
    struct segments_heads heads;
    uint leaf; /* what records_list() reserves */
};

CLSORT_INLINE int slots_is_head(__local const struct segments_slots *shared, struct tile tile,
                                uint slot)
{
    const uint at = tile.base + slot;
    return (int)(shared->heads.heads[at / 32] >> (at & 31) & 1);
}

/* The first slot from `slot` on in which a segment begins, or the end of what is sorted. */
CLSORT_INLINE uint slots_head(__local const struct segments_slots *shared, struct tile tile,
                              uint slot)
{
    const uint end = tile.end - tile.base;
    if (slot >= end || slots_is_head(shared, tile, slot))
        return slot;
    return min(head_after(&shared->heads, tile.base + slot), tile.end) - tile.base;
}

/* Slots. */
struct slots_range {
    uint begin, end;
};

/* Sorts a range of slots into list 0, each segment by itself. */
CLSORT_INLINE void slots_sort_own(__local struct segments_slots *shared, struct tile tile,
                                  struct slots_range own)
{
    uint begin = own.begin;
#pragma unroll 1
    for (uint slot = own.begin; slot < own.end; ++slot) {
        begin = slots_is_head(shared, tile, slot) ? slot : begin;
        slots_insert(shared->items, shared->sort.order[0], begin, slot);
    }
}

/* Merges the segments across the ends of runs: if `shift` is 0, those between an even run and the
 * next one; if it is a run's length, the others. Goes from list `turn` to the list that is
 * returned. */
CLSORT_INLINE uint slots_mend(__local struct segments_slots *shared, struct tile tile,
                              struct slots_range own, uint run, uint shift, uint turn)
{
    const uint mine = get_local_id(0) * ITEMS;
    const uint middle = (mine + shift) / (2 * run) * (2 * run) + run - shift;
    const struct parts parts = parts_across(&shared->heads, tile, middle, run);
    __local const ushort *order = shared->sort.order[turn];
    __local ushort *to = shared->sort.order[1 - turn];
#pragma unroll 1
    for (uint slot = own.begin; slot < own.end; ++slot)
        if (slot < parts.begin || slot >= parts.end)
            to[slot] = order[slot];
    const uint first = min(max(mine, parts.begin), mine + ITEMS);
    return slots_round(&shared->sort, shared->items, 0, turn, mine + ITEMS - first, parts.begin,
                       parts.middle, parts.end, first);
}

/* Puts each segment of the tile in order: LOCAL_ITEM(). Begins after, and ends with, a barrier. */
CLSORT_INLINE void slots_sort(__local struct segments_slots *shared, struct tile tile)
{
    const uint longest = shared->heads.longest;
    const uint mine = get_local_id(0) * ITEMS;
    const uint first = tile.first - tile.base, end = tile.end - tile.base;
    struct slots_range own = {clamp(mine, first, end), clamp(mine + ITEMS, first, end)};
    uint doublings = 0, num_rounds = 0;
    if (longest <= SHORT) {
        own.begin = slots_head(shared, tile, own.begin);
        own.end = slots_head(shared, tile, own.end);
    } else {
        while ((uint)ITEMS << doublings < longest)
            ++doublings;
        num_rounds = doublings + 2;
    }
    slots_sort_own(shared, tile, own);
    uint turn = 0;
#pragma unroll 1
    for (uint round = 0; round < num_rounds; ++round) {
        const uint run = (uint)ITEMS << min(round, doublings);
        turn = slots_mend(shared, tile, own, run, round > doublings ? run : 0, turn);
    }
    slots_finish(&shared->sort, 0, turn);
}

#endif
