/* capacity.h: rooms in scratch for the leaves, which are not counted before (msd.h).
 *
 * Idea: if keys are spread evenly, the leaves of a digit of level 1 have about the same size. Each
 * gets room for a quarter more. Stretched keys begin and end somewhere inside a digit. Some of that
 * digit's leaves are empty then, and the others are as large as those of other digits. So leaves of
 * the first and the last digit have at least the room of an average digit's. If a leaf needs more
 * still, another sort takes all, since the input is untouched.
 *
 * Local memory: a sum, and two digits. */
#ifndef CLSORT_MSD_CAPACITY_H
#define CLSORT_MSD_CAPACITY_H

#include "sorts/msd/msd.h"

/* Rests of each leaf of a digit that has `num_keys`: the plan's num_room_items counts with this. */
CLSORT_INLINE uint msd_capacity(uint num_keys, uint bits)
{
    const uint share = (num_keys + (1u << bits) - 1) >> bits;
    const uint capacity = share + share / 4 + MSD_ROOM_MORE + MSD_ALIGNMENT - 1;
    return min(capacity, MSD_MOST_ROOM + 0u) / MSD_ALIGNMENT * MSD_ALIGNMENT;
}

struct capacity_local {
    uint before;      /* rests of the digits before this one */
    uint first, last; /* digits that have keys */
};

/* Which digits are the first and the last. Begins after a barrier, and ends with one. */
CLSORT_INLINE void capacity_ends(__global const uint *totals, uint num_digits,
                                 __local struct capacity_local *shared)
{
    shared->before = shared->last = 0; /* by all: see group/merge_local.h */
    shared->first = num_digits;
    barrier(CLK_LOCAL_MEM_FENCE); /* nothing is joined yet */
    GROUP_LOOP(i, 0, num_digits)
        if (totals[i * MSD_PAD + 1]) {
            atomic_min(&shared->first, i);
            atomic_max(&shared->last, i);
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* both are known */
}

/* Rests of each leaf of a digit. */
CLSORT_INLINE uint capacity_of(const struct msd_params *q, __global const uint *totals, uint digit,
                               __local const struct capacity_local *shared)
{
    const uint is_end = digit == shared->first || digit == shared->last;
    const uint average = is_end ? q->count >> q->bits[0] : 0;
    return msd_capacity(max(totals[digit * MSD_PAD + 1], average), q->bits[1]);
}

/* The leaves of a digit of level 1. Begins after, and ends before, a barrier. */
CLSORT_INLINE void capacity_digit(const struct msd_params *q, __global void *scratch, uint digit,
                                  __local struct capacity_local *shared)
{
    const uint num_leaves = 1u << q->bits[1];
    __global const uint *totals = MSD_TABLE(uint, totals);
    capacity_ends(totals, 1u << q->bits[0], shared);
    GROUP_LOOP(i, 0, digit)
        atomic_add(&shared->before, capacity_of(q, totals, i, shared) << q->bits[1]);
    barrier(CLK_LOCAL_MEM_FENCE); /* all are added up */
    const uint capacity = capacity_of(q, totals, digit, shared);
    __global struct msd_region *leaves = MSD_TABLE(struct msd_region, regions) + digit * num_leaves;
    GROUP_LOOP(i, 0, num_leaves) {
        leaves[i].room = shared->before + i * capacity;
        leaves[i].capacity = capacity;
        leaves[i].taken = 0;
    }
}

#endif
