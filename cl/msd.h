/* msd.h: radix sort from the most significant digit down, of keys alone that are spread evenly: two
 * levels, of which the first counts nothing, then leaves.
 *
 *   msd_split    level 1. Work-groups fill private blocks, each with keys of one digit, through
 *                write-combining buckets (group_combine.h). Nothing is counted before.
 *   msd_list     lists the blocks by digit.
 *   msd_count    counts the digits of level 2 in the blocks of each digit of level 1.
 *   msd_offsets  scans the counts: where each leaf begins in the output, and its room in scratch.
 *   msd_scatter  level 2. Moves each key's "rest", its bits below both digits, to its leaf's room:
 *                whole chunks to the front, others to the back.
 *   msd_finish   sorts each leaf by bins of one bit (group_bin_sort.h) and writes it to the output.
 *
 * In a plan these steps stand before part.h's, which take over whatever does not fit. part_sample
 * decides whether the keys are spread evenly and in no order; if not, these kernels do nothing. If
 * a work-group runs out of blocks, the input is still untouched and part.h sorts all of it. A leaf
 * that is too large, or whose keys crowd few bins, goes to the output unsorted and into part.h's
 * lists.
 *
 * Keys in blocks are ordered numbers (PART_ORDER). (Count-free partition into blocks: as in ips4o,
 * Axtmann and others, 2017; the rest is our own, 2026.) */
#ifndef CLSORT_MSD_H
#define CLSORT_MSD_H

#include "part.h"

#define BLOCK_LANES HELD

#define MSD_TABLE(type, table) \
    ((__global type *)((__global uchar *)scratch + p.part.offsets[4] + p.table))
#define MSD_BLOCK (BLOCK_LANES * ITEMS) /* keys */
/* Bits of an entry of the list, for the number of keys in a block. */
#define MSD_NUM_BITS (MSD_BLOCK < 512 ? 9 : 10)

/* Whether the engine is to do anything. */
#define MSD_IS_ON(q, scratch) (PART_CONTROL->is_even != 0)

/* A digit of an ordered key. */
#define MSD_DIGIT(order, shift, bits) ((uint)((order) >> (shift)) & ((1u << (bits)) - 1))

#define MSD_TILE_BLOCKS (GROUP_SIZE / BLOCK_LANES)

/* A work-item's share of a tile, which is MSD_TILE_BLOCKS entries of the list from `at` on, but
 * none from `end` on. BLOCK_LANES work-items have a block. */
struct msd_share {
    uint first; /* the key's index of this work-item's first key */
    int left;   /* keys from there to the block's end */
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

/* The keys of a share. */
CLSORT_INLINE void msd_load_share(key_t *own, __global const key_t *keys,
                                  const struct msd_share *share)
{
    __global const key_t *mine = keys + share->first;
    const int left = share->left;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * BLOCK_LANES < left)
            own[i] = mine[i * BLOCK_LANES];
}

/* A bucket's room: two and a half times what a tile has for it, or more if a chunk is as much, in
 * an odd number of 16 bytes. */
#define MSD_SHARE (TILE_SLOTS / COMBINE_RADIX)
#define MSD_QUADS ((COMBINE_SIZE == 2 ? MSD_SHARE * 4 + 8 : MSD_SHARE * 5 / 2) * COMBINE_SIZE / 16)
#define MSD_CAPACITY (((MSD_QUADS < 5 ? 5 : MSD_QUADS) | 1) * (16 / COMBINE_SIZE))

#endif
