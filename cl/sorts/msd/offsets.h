/* offsets.h: where each leaf begins in the output, from the sizes of the leaves (msd.h).
 *
 * Idea: a work-group has one digit of level 1 and scans the sizes of its leaves. The digits'
 * numbers of keys, which level 1 has counted, say how many keys come before them.
 *
 * Local memory: a number for each digit of level 2. */
#ifndef CLSORT_MSD_OFFSETS_H
#define CLSORT_MSD_OFFSETS_H

#include "group/scan.h"
#include "sorts/msd/msd.h"
#include "sorts/msd/stretch.h"

#define OFFSETS_DIGITS (1 << RADIX_BITS)

struct offsets_local {
    uint begins[OFFSETS_DIGITS];
    uint before; /* keys of the digits of level 1 before this one */
    struct group_scan_local scan;
};

/* How many keys leaf `number` of a digit has: the room that it has taken, or its count, or the sum
 * of the tasks' counts. */
CLSORT_INLINE uint offsets_size(const struct msd_params *p, __global const struct msd_region *leaf,
                                __global const uint *counts, uint number)
{
    if (MSD_HAS_ROOMS)
        return (leaf->taken & 0xffff) + (leaf->taken >> 16);
    uint size = counts[number];
#pragma unroll 1
    for (uint part = 1; part < (MSD_IN_ORDER ? p->parts : 1); ++part)
        size += counts[(part << p->bits[1]) + number];
    return size;
}

/* Turns the tasks' counts of a leaf into their places in the output. */
CLSORT_INLINE void offsets_places(const struct msd_params *p, uint begin, __global uint *counts,
                                  uint number)
{
#pragma unroll 1
    for (uint part = 0; part < p->parts; ++part) {
        const uint count = counts[(part << p->bits[1]) + number];
        counts[(part << p->bits[1]) + number] = begin;
        begin += count;
    }
}

/* The leaves of a digit of level 1. Begins after, and ends before, a barrier. */
CLSORT_INLINE void offsets_digit(const struct msd_params *params, __global void *scratch,
                                 uint digit, __local struct offsets_local *shared)
{
    const struct msd_params p = *params;
    const struct part_params *q = &p.part;
    const uint num_digits = 1u << p.bits[1], first = digit << p.bits[1];
    /* Whether a leaf that is too large ends the engine's work. Part's levels, which could go on,
     * know nothing of stretched keys. */
    const uint no_levels = MSD_SHORT ? 0 : q->flags & FLAG_NO_LEVELS;
    const uint ends = STRETCH_IS_USED | no_levels;
    __global const uint *totals = MSD_TABLE(uint, totals);
    __global uint *counts = MSD_TABLE(uint, counts) + (MSD_IN_ORDER ? first * p.parts : first);
    __global struct msd_region *leaves = MSD_TABLE(struct msd_region, regions);
    shared->before = 0; /* by all: see group/merge_local.h */
    GROUP_LOOP(i, 0, OFFSETS_DIGITS)
        shared->begins[i] = i < num_digits ? offsets_size(&p, leaves + first + i, counts, i) : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sum is 0, the sizes are there */
    GROUP_LOOP(i, 0, digit)
        atomic_add(&shared->before, totals[i * MSD_PAD + 1]);
    group_scan_exclusive(&shared->scan, shared->begins, OFFSETS_DIGITS); /* ends with a barrier */
    GROUP_LOOP(i, 0, num_digits) {
        __global struct msd_region *leaf = leaves + first + i;
        leaf->begin = shared->before + shared->begins[i];
        leaf->size = offsets_size(&p, leaf, counts, i);
        if (MSD_IN_ORDER)
            offsets_places(&p, leaf->begin, counts, i);
        if (!MSD_HAS_ROOMS)
            leaf->front = leaf->back = 0;
        if (leaf->size > (ends ? p.leaf_slots : UINT_MAX)) /* the input is untouched still */
            PART_CONTROL->leaf_gave_up = 1;
    }
}

/* Rooms for a digit's leaves as large as they are, in place of those of which one was too small.
 * After offsets_digit(); ends before a barrier. */
CLSORT_INLINE void offsets_rooms(const struct msd_params *params, __global void *scratch,
                                 uint digit, __local struct offsets_local *shared)
{
    const struct msd_params p = *params;
    const uint num_leaves = 1u << p.bits[1];
    __global struct msd_region *leaves =
        MSD_TABLE(struct msd_region, regions) + (digit << p.bits[1]);
    const uint room = leaves->room; /* of the first leaf, which stays */
    barrier(CLK_LOCAL_MEM_FENCE);   /* the places in the output have been read */
    GROUP_LOOP(i, 0, OFFSETS_DIGITS)
        shared->begins[i] =
            i < num_leaves ? (leaves[i].size + MSD_ALIGNMENT - 1) / MSD_ALIGNMENT * MSD_ALIGNMENT
                           : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* all sizes are there */
    GROUP_LOOP(i, 0, num_leaves)
        leaves[i].capacity = shared->begins[i];
    group_scan_exclusive(&shared->scan, shared->begins, OFFSETS_DIGITS); /* ends with a barrier */
    GROUP_LOOP(i, 0, num_leaves) {
        leaves[i].room = room + shared->begins[i];
        leaves[i].taken = 0;
    }
}

#endif
