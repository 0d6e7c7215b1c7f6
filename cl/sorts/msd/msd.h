/* msd.h: radix sort from the most significant digit down, of keys that are spread evenly: two
 * levels, of which the first counts nothing, then leaves. Keys and payloads move as items
 * (base/item.h).
 *
 *   msd_split    level 1. Work-groups fill private blocks, each with items of one digit, through
 *                write-combining buckets (group/combine.h). Nothing is counted before.
 *                Then (phases.h) it lists the blocks by digit, counts the digits of level 2 in
 *                them, and scans the counts: where each leaf begins in the output. Few leaves are
 *                counted on the way already.
 *   msd_scatter  level 2. Moves each item to its leaf's part of the output: whole chunks to the
 *                front, others to the back.
 *   msd_finish   sorts each leaf by bins of one bit (group/bin_sort.h), in the output. A key may be
 *                there several times.
 *
 * A 32-bit key has some 16 bits below both digits. With MSD_SHORT level 2 moves these two bytes
 * alone, into rooms in scratch (rooms.h), which msd_split makes as large as they probably have to
 * be. So leaves need not be counted before, and msd_offsets stands behind msd_scatter.
 *
 * Digits have at most eight bits; or nine in wide groups, which move chunks of half the size, and
 * in level 2 of short rests.
 *
 * Keys may be in any order, or partly in order: then tiles are dealt (deal.h).
 *
 * Keys that lie evenly in a part of their range, as those from 0 to 2^31 or 10^12 do, are stretched
 * over all of it on the way (stretch.h). Floats of 64 bits seldom lie evenly as bits, but their
 * values are mostly spread smoothly: they are mapped by what the sample tells (map.h). Leaves then
 * have half as many keys, since some get twice the average.
 *
 * msd_sample stands before and decides whether the keys are spread evenly and not in order; if not,
 * these kernels do nothing. onesweep/onesweep.h stands behind and sorts all if anything does not
 * fit. If a work-group runs out of blocks, or a leaf is too large, or lacks room, the input is
 * still untouched. A leaf that is a little too large is cut in two by its work-group (large.h); not
 * short rests, keys with an index, or equal keys in order. A leaf whose keys are too crowded to be
 * compared with their neighbours stays in the output as unsorted keys, so a sort in place has its
 * input again.
 *
 * If the payload is the element's index, it and a narrow whole number are sorted as one number, so
 * equal keys keep their order. In place with an index, msd_restore puts the keys back before
 * onesweep/onesweep.h.
 *
 * If equal keys are to keep their order (MSD_IN_ORDER), nothing changes places on its way to its
 * leaf, and items have slots there. A work-group of level 1 has a part of the input, and its
 * buckets fill in order (group/combine_order.h). Blocks are listed in the order of the groups, and
 * then of their elements. A task of level 2 has a part of a digit's list. Its digits are counted by
 * themselves, so that it has its own place in each leaf (ordered.h).
 *
 * Until msd_finish, keys are ordered numbers (MSD_ORDER). (Count-free partition into blocks: as
 * in ips4o, Axtmann and others, 2017; the rest is our own, 2026.) */
#ifndef CLSORT_MSD_H
#define CLSORT_MSD_H

#include "group/tile_load.h"
#include "sorts/msd/array.h"

#define MSD_IN_ORDER KEEPS_ORDER

#define MSD_BLOCK (BLOCK_LANES * ITEMS) /* items */
/* Bits of an entry of the list, for the number of items in a block. */
#define MSD_NUM_BITS (MSD_BLOCK < 512 ? 9 : 10)

/* What level 1 notes of a block: how many items it has, their digit, and, in order, its number
 * among its group's blocks of the digit. 0: it is not used. */
#define MSD_KIND(size, digit, number) \
    ((size) | (digit) << 10 | (MSD_IN_ORDER ? (number) << MSD_KIND_BITS : 0))
#define MSD_KIND_SIZE(kind) ((kind)&0x3ff)
#define MSD_KIND_DIGIT(kind) \
    ((kind) >> 10 & (MSD_IN_ORDER ? (1u << (MSD_KIND_BITS - 10)) - 1 : ~0u))
#define MSD_KIND_NUMBER(kind) ((kind) >> MSD_KIND_BITS)

/* Level 2 moves two bytes of each key, into rooms in scratch; else items, to the output. */
#define MSD_SHORT SHORT_RESTS

/* Few leaves are counted by msd_split on the way, where the plan says so: RADIX_BITS are level 1's,
 * and level 2's are as many or one less. */
#define MSD_COUNTS_LEAVES (!MSD_SHORT && RADIX_BITS <= (MSD_COUNTED_BITS + 1) / 2)

/* An item's ordered key. */
#if PAYLOAD_SIZE && ITEM_SIZE == 16
#define MSD_KEY(item) ((key_t)(item).x)
#elif PAYLOAD_SIZE
#define MSD_KEY(item) ((key_t)((item) >> 32))
#else
#define MSD_KEY(item) (item)
#endif

/* Whether level 2 begins, and whether leaves can be sorted. Steps before msd_scatter use the first,
 * since they may set what the second reads; with MSD_SHORT msd_scatter does, too. */
#define MSD_HAS_BLOCKS (MSD_CONTROL->is_even && !MSD_CONTROL->split_gave_up)
#define MSD_HAS_LEAVES (MSD_HAS_BLOCKS && !MSD_CONTROL->leaf_gave_up)

/* A digit of an ordered key. */
#define MSD_DIGIT(order, shift, bits) ((uint)((order) >> (shift)) & ((1u << (bits)) - 1))

#define MSD_TILE_BLOCKS (GROUP_SIZE / BLOCK_LANES)

/* A task of level 2: a digit of level 1, and a part of its list's entries: every parts-th tile of
 * them, or, in order, those of neighbouring groups of level 1. */
struct msd_task {
    uint digit;
    uint at, end, step; /* of the list */
};

#define MSD_PART_GROUPS(p) (((p)->num_groups + (p)->parts - 1) / (p)->parts)

CLSORT_INLINE struct msd_task msd_task_of(const struct msd_params *q, __global void *scratch,
                                          uint number)
{
    const uint part = number % q->parts;
    struct msd_task task;
    task.digit = number / q->parts;
    __global const uint *begins = MSD_TABLE(uint, list_begins) + task.digit;
    task.at = begins[0];
    task.end = begins[1];
    task.step = q->parts * MSD_TILE_BLOCKS;
    if (MSD_IN_ORDER) {
        __global const uint *parts = MSD_TABLE(uint, part_begins) + number;
        const uint first_group = part * MSD_PART_GROUPS(q);
        task.at = first_group < q->num_groups ? parts[0] : task.end;
        if (part + 1 < q->parts && first_group + MSD_PART_GROUPS(q) < q->num_groups)
            task.end = parts[1];
        task.step = MSD_TILE_BLOCKS;
    } else {
        task.at += part * MSD_TILE_BLOCKS;
    }
    return task;
}

/* The items of a block. */
CLSORT_INLINE __global ITEM *msd_block(const struct msd_params *q, __global void *scratch,
                                       uint block)
{
    return MSD_TABLE(ITEM, blocks) + block * MSD_BLOCK;
}

/* Which of a block's items a work-item has: its first one, and how far apart they are. In order, a
 * sub-group has neighbours. */
#define MSD_FIRST(lane) (MSD_IN_ORDER ? TILE_SUBGROUP_FIRST(lane) : (lane))
#define MSD_STEP (MSD_IN_ORDER ? TILE_SUBGROUP : BLOCK_LANES)

/* A work-item's share of a tile, which is MSD_TILE_BLOCKS entries of the list from `at` on, but
 * none from `end` on. BLOCK_LANES work-items have a block. */
struct msd_share {
    __global const ITEM *items; /* this work-item's first one */
    int left;                   /* items from there to the block's end */
};

CLSORT_INLINE struct msd_share msd_share_of(const struct msd_params *q, __global void *scratch,
                                            uint at, uint end)
{
    const uint me = get_local_id(0), first = MSD_FIRST(me % BLOCK_LANES);
    const uint number = at + me / BLOCK_LANES;
    const uint entry = number < end ? MSD_TABLE(uint, list)[number] : 0;
    struct msd_share share;
    share.items = msd_block(q, scratch, entry >> MSD_NUM_BITS) + first;
    share.left = (int)(entry & ((1u << MSD_NUM_BITS) - 1)) - (int)first;
    return share;
}

/* The items of a share. */
CLSORT_INLINE void msd_load_share(ITEM *own, const struct msd_share *share)
{
    __global const ITEM *mine = share->items;
    const int left = share->left;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * MSD_STEP < left)
            own[i] = mine[i * MSD_STEP];
}

/* An item whose key and payload lie apart. */
CLSORT_INLINE ITEM msd_load_apart(__global const key_t *keys, __global const payload_t *payload,
                                  uint at)
{
    return item_make(keys[at], PAYLOAD_SIZE ? payload[at] : 0);
}

/* Stores an item's key and payload where they lie apart. */
CLSORT_INLINE void msd_store_apart(__global key_t *keys, __global payload_t *payload, uint at,
                                   ITEM item)
{
    keys[at] = MSD_KEY(item);
    if (PAYLOAD_SIZE)
        payload[at] = (payload_t)ITEM_STORED_PAYLOAD(item);
}

/* A chunk, of which buckets hold one: with 512 of them, half as much. */
#define COMBINE_BYTES MSD_CHUNK_BYTES(RADIX_BITS, COMBINE_SIZE)

/* A bucket's room: two and a half times what a tile has for it, or more if a chunk is as much, in
 * an odd number of 16 bytes. A quarter less for few digits, whose shares vary less; less, too,
 * where counters of leaves or of sub-groups take room. */
#define MSD_SHARE (TILE_SLOTS / COMBINE_RADIX)
#define MSD_QUARTERS MSD_ROOM_QUARTERS(RADIX_BITS, MSD_IN_ORDER)
#define MSD_QUADS \
    ((COMBINE_SIZE == 2 ? MSD_SHARE * 4 + 8 : MSD_SHARE * MSD_QUARTERS / 4) * COMBINE_SIZE / 16)
#define MSD_CAPACITY(least) \
    (((MSD_QUADS < (least) ? (least) : MSD_QUADS) | 1) * (16 / COMBINE_SIZE))

#endif
