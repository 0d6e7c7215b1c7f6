/* list.h: lists the blocks of level 1 by digit (msd.h).
 *
 * Idea: where each digit's list begins follows from the numbers of blocks. A work-group takes the
 * blocks that a group of msd_split has filled, counts them by digit, takes room in all lists at
 * once and writes the entries. In order, it adds up how many blocks the groups before have, and
 * each block knows its number among its group's of the digit.
 *
 * Local memory: a counter and the next entry for each digit. */
#ifndef CLSORT_MSD_LIST_H
#define CLSORT_MSD_LIST_H

#include "group/scan.h"
#include "sorts/msd/msd.h"

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

#if MSD_IN_ORDER
/* The blocks of group `group` of msd_split. Begins after, and ends before, a barrier. */
CLSORT_INLINE void list_blocks(__local struct list_local *shared, const struct msd_params *q,
                               __global void *scratch, uint group)
{
    const uint num_digits = 1u << q->bits[0], first_block = group * q->blocks_per_group;
    __global const uint *kinds = MSD_TABLE(uint, kinds) + first_block;
    __global uint *list = MSD_TABLE(uint, list);
    const uint me = get_local_id(0), digit = me % num_digits, strips = GROUP_SIZE / num_digits;
    __global const uint *own = MSD_TABLE(uint, group_blocks) + digit;
    uint before = 0;
#pragma unroll 4
    for (uint i = me / num_digits; i < group; i += strips)
        before += own[i * num_digits];
    GROUP_LOOP(i, 0, num_digits)
        shared->at[i] = shared->begins[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* nothing is added yet */
    atomic_add(&shared->at[digit], before);
    barrier(CLK_LOCAL_MEM_FENCE); /* it is known where each digit's blocks go */
    if (group % MSD_PART_GROUPS(q) == 0)
        GROUP_LOOP(i, 0, num_digits)
            MSD_TABLE(uint, part_begins)[i * q->parts + group / MSD_PART_GROUPS(q)] = shared->at[i];
    GROUP_LOOP(i, 0, q->blocks_per_group) {
        const uint kind = kinds[i];
        if (kind)
            list[shared->at[MSD_KIND_DIGIT(kind)] + MSD_KIND_NUMBER(kind)] =
                (first_block + i) << MSD_NUM_BITS | MSD_KIND_SIZE(kind);
    }
}
#else
CLSORT_INLINE void list_blocks(__local struct list_local *shared, const struct msd_params *q,
                               __global void *scratch, uint group)
{
    const uint first_block = group * q->blocks_per_group, num_blocks = q->blocks_per_group;
    __global const uint *kinds = MSD_TABLE(uint, kinds) + first_block;
    __global uint *totals = MSD_TABLE(uint, totals), *list = MSD_TABLE(uint, list);
    group_clear(shared->counts, LIST_DIGITS);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
    GROUP_LOOP(i, 0, num_blocks)
        if (kinds[i])
            atomic_inc(&shared->counts[MSD_KIND_DIGIT(kinds[i])]);
    barrier(CLK_LOCAL_MEM_FENCE); /* the blocks are counted */
    GROUP_LOOP(digit, 0, LIST_DIGITS) {
        const uint count = shared->counts[digit];
        shared->at[digit] =
            shared->begins[digit] + (count ? atomic_add(&totals[digit * MSD_PAD + 2], count) : 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* there is room for each */
    GROUP_LOOP(i, 0, num_blocks)
        if (kinds[i])
            list[atomic_inc(&shared->at[MSD_KIND_DIGIT(kinds[i])])] =
                (first_block + i) << MSD_NUM_BITS | MSD_KIND_SIZE(kinds[i]);
}
#endif

#endif
