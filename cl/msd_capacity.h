/* msd_capacity.h: rooms in scratch for the leaves' short rests, which are not counted before
 * (msd.h).
 *
 * Idea: if keys are spread evenly, the leaves of a digit of level 1 have about the same size. Each
 * gets room for an eighth more. If a leaf needs more still, nothing is lost: the input is
 * untouched, and part.h sorts it.
 *
 * Local memory: a sum. */
#ifndef CLSORT_MSD_CAPACITY_H
#define CLSORT_MSD_CAPACITY_H

#include "msd.h"

/* Rests of each leaf of a digit that has `num_keys`: the plan's num_rests counts with this. */
CLSORT_INLINE uint msd_capacity(uint num_keys, uint bits)
{
    const uint share = (num_keys + (1u << bits) - 1) >> bits;
    const uint capacity = share + share / 8 + MSD_ROOM_MORE + MSD_ALIGNMENT - 1;
    return min(capacity, 0xffffu) / MSD_ALIGNMENT * MSD_ALIGNMENT; /* half a word says how many */
}

/* The leaves of a digit of level 1. Begins after, and ends before, a barrier. */
CLSORT_INLINE void capacity_digit(const struct msd_params *params, __global void *scratch,
                                  uint digit, __local uint *before)
{
    const struct msd_params p = *params;
    const uint num_leaves = 1u << p.bits[1];
    __global const uint *totals = MSD_TABLE(uint, totals);
    *before = 0;                  /* by all: see merge_local.h */
    barrier(CLK_LOCAL_MEM_FENCE); /* the sum is 0 */
    GROUP_LOOP(i, 0, digit)
        atomic_add(before, msd_capacity(totals[i * MSD_PAD + 1], p.bits[1]) << p.bits[1]);
    barrier(CLK_LOCAL_MEM_FENCE); /* all are added up */
    const uint capacity = msd_capacity(totals[digit * MSD_PAD + 1], p.bits[1]);
    __global struct msd_region *leaves = MSD_TABLE(struct msd_region, regions) + digit * num_leaves;
    GROUP_LOOP(i, 0, num_leaves) {
        leaves[i].room = *before + i * capacity;
        leaves[i].capacity = capacity;
        leaves[i].taken = 0;
    }
}

#endif
