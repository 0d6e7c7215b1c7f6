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
CLSORT_INLINE uint offsets_size(const struct msd_params *q, __global const struct msd_region *leaf,
                                __global const uint *counts, uint number)
{
    if (MSD_SHORT)
        return (leaf->taken & 0xffff) + (leaf->taken >> 16);
    uint size = counts[number];
#pragma unroll 1
    for (uint part = 1; part < (MSD_IN_ORDER ? q->parts : 1); ++part)
        size += counts[(part << q->bits[1]) + number];
    return size;
}

/* Turns the tasks' counts of a leaf into their places in the output. */
CLSORT_INLINE void offsets_places(const struct msd_params *q, uint begin, __global uint *counts,
                                  uint number)
{
#pragma unroll 1
    for (uint part = 0; part < q->parts; ++part) {
        const uint count = counts[(part << q->bits[1]) + number];
        counts[(part << q->bits[1]) + number] = begin;
        begin += count;
    }
}

/* The leaves of a digit of level 1. Begins after, and ends before, a barrier. */
CLSORT_INLINE void offsets_digit(const struct msd_params *q, __global void *scratch, uint digit,
                                 __local struct offsets_local *shared)
{
    const uint num_digits = 1u << q->bits[1], first = digit << q->bits[1];
    __global const uint *totals = MSD_TABLE(uint, totals);
    __global uint *counts = MSD_TABLE(uint, counts) + (MSD_IN_ORDER ? first * q->parts : first);
    __global struct msd_region *leaves = MSD_TABLE(struct msd_region, regions);
    shared->before = 0; /* by all: see group/merge_local.h */
    GROUP_LOOP(i, 0, OFFSETS_DIGITS)
        shared->begins[i] = i < num_digits ? offsets_size(q, leaves + first + i, counts, i) : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sum is 0, the sizes are there */
    GROUP_LOOP(i, 0, digit)
        atomic_add(&shared->before, totals[i * MSD_PAD + 1]);
    group_scan_exclusive(&shared->scan, shared->begins, OFFSETS_DIGITS); /* ends with a barrier */
    GROUP_LOOP(i, 0, num_digits) {
        __global struct msd_region *leaf = leaves + first + i;
        leaf->begin = shared->before + shared->begins[i];
        leaf->size = offsets_size(q, leaf, counts, i);
        if (MSD_IN_ORDER)
            offsets_places(q, leaf->begin, counts, i);
        if (!MSD_SHORT)
            leaf->front = leaf->back = 0;
        if (!MSD_SHORT && leaf->size > q->leaf_slots) /* the input is untouched still */
            MSD_CONTROL->leaf_gave_up = 1;
    }
}

#endif
