/* msd_list.h: lists the blocks of level 1 by digit (msd.h).
 *
 * Idea: where each digit's list begins follows from the numbers of blocks. A work-group takes the
 * blocks that a group of msd_split has filled, counts them by digit, takes room in all lists at
 * once and writes the entries.
 *
 * Local memory: a counter and the next entry for each digit. */
#ifndef CLSORT_MSD_LIST_H
#define CLSORT_MSD_LIST_H

#include "group_scan.h"
#include "msd.h"

#define LIST_DIGITS (1 << RADIX_BITS)

struct list_local {
    uint begins[LIST_DIGITS]; /* of lists */
    uint counts[LIST_DIGITS];
    uint at[LIST_DIGITS]; /* the group's next entry */
    struct group_scan_local scan;
};

/* Where lists begin, from the numbers of blocks of `num_digits` digits. Ends with a barrier. */
CLSORT_INLINE void list_begin(__local struct list_local *shared, __global const uint *totals,
                              uint num_digits)
{
    GROUP_LOOP(digit, 0, LIST_DIGITS)
        shared->begins[digit] = digit < num_digits ? totals[digit * MSD_PAD] : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the numbers of blocks are there */
    group_scan_exclusive(&shared->scan, shared->begins, LIST_DIGITS); /* ends with a barrier */
}

/* Stores the lists' beginnings for later steps; by one group. */
CLSORT_INLINE void list_tell(__local const struct list_local *shared, __global const uint *totals,
                             uint num_digits, __global uint *list_begins)
{
    const uint me = get_local_id(0), last = num_digits - 1;
    GROUP_LOOP(digit, 0, num_digits)
        list_begins[digit] = shared->begins[digit];
    if (me == GROUP_SIZE - 1)
        list_begins[num_digits] = shared->begins[last] + totals[last * MSD_PAD];
}

/* The blocks of one group of msd_split. Begins after, and ends before, a barrier. */
CLSORT_INLINE void list_blocks(__local struct list_local *shared, __global const uint *kinds,
                               uint first_block, uint num_blocks, __global uint *totals,
                               __global uint *list)
{
    GROUP_LOOP(digit, 0, LIST_DIGITS)
        shared->counts[digit] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
    GROUP_LOOP(i, 0, num_blocks)
        if (kinds[i])
            atomic_inc(&shared->counts[kinds[i] >> 16]);
    barrier(CLK_LOCAL_MEM_FENCE); /* the blocks are counted */
    GROUP_LOOP(digit, 0, LIST_DIGITS) {
        const uint count = shared->counts[digit];
        shared->at[digit] =
            shared->begins[digit] + (count ? atomic_add(&totals[digit * MSD_PAD + 2], count) : 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* there is room for each */
    GROUP_LOOP(i, 0, num_blocks)
        if (kinds[i])
            list[atomic_inc(&shared->at[kinds[i] >> 16])] =
                (first_block + i) << MSD_NUM_BITS | (kinds[i] & 0xffff);
}

#endif
