/* msd.h: radix sort from the most significant digit down, of keys that are spread evenly: two
 * levels, of which the first counts nothing, then leaves. Keys and payloads move as items (item.h).
 *
 *   msd_split    level 1. Work-groups fill private blocks, each with items of one digit, through
 *                write-combining buckets (group_combine.h). Nothing is counted before.
 *                Then (msd_phases.h) it lists the blocks by digit, counts the digits of level 2 in
 *                them, and scans the counts: where each leaf begins in the output. Few leaves are
 *                counted on the way already: 2^22 u32 take an H200 78 microseconds instead of 92,
 *                2^24 206 instead of 248.
 *   msd_scatter  level 2. Moves each item to its leaf's part of the output: whole chunks to the
 *                front, others to the back.
 *   msd_finish   sorts each leaf by bins of one bit (group_bin_sort.h), in the output. A key may be
 *                there several times.
 *
 * With MSD_SHORT, two bytes of each key, its bits below both digits, go through scratch and are not
 * counted before: msd_split makes room for them, and msd_offsets stands behind msd_scatter.
 *
 * Keys that lie evenly in a part of their range, as those from 0 to 2^31 or 10^12 do, are stretched
 * over all of it on the way (msd_stretch.h). Floats of 64 bits seldom lie evenly as bits, but their
 * values are mostly spread smoothly: they are mapped by what the sample tells (msd_map.h). Leaves
 * then have half as many keys, since some get twice the average. 2^24 f64 with a peak take an H100
 * 0.57 ms instead of 1.07.
 *
 * In a plan part.h's steps come after these and sort whatever does not fit. part_sample decides
 * whether the keys are spread evenly and in no order; if not, these kernels do nothing. If a
 * work-group runs out of blocks, or a leaf out of room in scratch, the input is still untouched and
 * part.h sorts all of it. A leaf that is too large, or whose keys are too crowded to be compared
 * with their neighbours, stays in the output unsorted and goes into part.h's lists.
 *
 * Or onesweep.h's steps come after these, and sort all if anything does not fit. If a leaf is too
 * large, msd_split knows it, and msd_scatter does nothing. Other leaves that do not fit stay in the
 * output as unsorted keys, so a sort in place has its input again. Few different keys are counted
 * and written by msd_split (msd_few.h); with payloads onesweep.h has few passes for them.
 *
 * If the payload is the element's index, it and a narrow key are sorted as one number, so equal
 * keys keep their order. Then onesweep.h comes after, and in place msd_restore first puts the keys
 * back.
 *
 * Until msd_finish, keys are ordered numbers (PART_ORDER). (Count-free partition into blocks: as
 * in ips4o, Axtmann and others, 2017; the rest is our own, 2026.) */
#ifndef CLSORT_MSD_H
#define CLSORT_MSD_H

#include "part.h"

#define BLOCK_LANES HELD

#define MSD_TABLE(type, table) \
    ((__global type *)((__global uchar *)scratch + p.part.offsets[4] + p.table))
#define MSD_BLOCK (BLOCK_LANES * ITEMS) /* items */
/* Bits of an entry of the list, for the number of items in a block. */
#define MSD_NUM_BITS (MSD_BLOCK < 512 ? 9 : 10)

#define MSD_SHORT (MOVE_UNIT == 2)

/* Few leaves are counted by msd_split on the way, where the plan says so: RADIX_BITS are level 1's,
 * and level 2's are as many or one less. */
#define MSD_COUNTS_LEAVES (RADIX_BITS <= MSD_FEW_BITS && !MSD_SHORT)

/* An item's ordered key. */
#if PAYLOAD_SIZE && ITEM_SIZE == 16
#define MSD_KEY(item) ((key_t)(item).x)
#elif PAYLOAD_SIZE
#define MSD_KEY(item) ((key_t)((item) >> 32))
#else
#define MSD_KEY(item) (item)
#endif

/* Whether level 2 begins, and whether it moves items. Steps before msd_scatter use the first, since
 * they may set what the second reads. */
#define MSD_HAS_BLOCKS (PART_CONTROL->is_even && !PART_CONTROL->lacks_blocks)
#define MSD_HAS_PLACES (MSD_HAS_BLOCKS && (MSD_SHORT || !PART_CONTROL->lacks_room))

/* A digit of an ordered key. */
#define MSD_DIGIT(order, shift, bits) ((uint)((order) >> (shift)) & ((1u << (bits)) - 1))

#define MSD_TILE_BLOCKS (GROUP_SIZE / BLOCK_LANES)

/* A work-item's share of a tile, which is MSD_TILE_BLOCKS entries of the list from `at` on, but
 * none from `end` on. BLOCK_LANES work-items have a block. */
struct msd_share {
    uint first; /* index of this work-item's first item */
    int left;   /* items from there to the block's end */
};

CLSORT_INLINE struct msd_share msd_share_of(__global const uint *list, uint at, uint end)
{
    const uint me = get_local_id(0), lane = me % BLOCK_LANES;
    const uint number = at + me / BLOCK_LANES;
    const uint entry = number < end ? list[number] : 0;
    struct msd_share share;
    share.first = (entry >> MSD_NUM_BITS) * MSD_BLOCK + lane;
    share.left = (int)(entry & ((1u << MSD_NUM_BITS) - 1)) - (int)lane;
    return share;
}

/* The items of a share. */
CLSORT_INLINE void msd_load_share(ITEM *own, __global const ITEM *items,
                                  const struct msd_share *share)
{
    __global const ITEM *mine = items + share->first;
    const int left = share->left;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * BLOCK_LANES < left)
            own[i] = mine[i * BLOCK_LANES];
}

/* A bucket's room: two and a half times what a tile has for it, or more if a chunk is as much, in
 * an odd number of 16 bytes. A quarter less for few digits, whose shares vary less. */
#define MSD_SHARE (TILE_SLOTS / COMBINE_RADIX)
#define MSD_QUADS                                                                          \
    ((COMBINE_SIZE == 2 ? MSD_SHARE * 4 + 8                                                \
                        : MSD_SHARE * (COMBINE_RADIX <= 1 << MSD_FEW_BITS ? 9 : 10) / 4) * \
     COMBINE_SIZE / 16)
#define MSD_CAPACITY(least) \
    (((MSD_QUADS < (least) ? (least) : MSD_QUADS) | 1) * (16 / COMBINE_SIZE))

#endif
