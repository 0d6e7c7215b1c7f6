/* msd_list.cl: lists the blocks of level 1 by digit (msd.h).
 *
 * Idea: where each digit's list begins follows from the numbers of blocks. A work-group takes the
 * blocks that a group of msd_split has filled, counts them by digit, takes room in all lists at
 * once and writes the entries. It also zeroes the counters of the next step.
 *
 * Local memory: a counter and the next entry for each digit. Runs after: msd_split.cl. Before:
 * msd_count.cl. */
#include "config.h"
#include "group_scan.h"
#include "msd.h"

#define DIGITS (1 << RADIX_BITS)

struct list_local {
    uint begins[DIGITS]; /* of lists */
    uint counts[DIGITS];
    uint at[DIGITS]; /* the group's next entry */
    struct group_scan_local scan;
};

/* Where lists begin, from the numbers of blocks. Ends with a barrier. */
CLSORT_INLINE void list_begin(__local struct list_local *shared, __global const uint *totals,
                              __global uint *list_begins)
{
    const uint me = get_local_id(0);
    for (uint digit = me; digit < DIGITS; digit += GROUP_SIZE) {
        shared->begins[digit] = totals[digit * MSD_PAD];
        shared->counts[digit] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the numbers of blocks are there */
    group_scan_exclusive(&shared->scan, shared->begins, DIGITS);
    if (get_group_id(0) == 0) {
        for (uint digit = me; digit < DIGITS; digit += GROUP_SIZE)
            list_begins[digit] = shared->begins[digit];
        if (me == GROUP_SIZE - 1)
            list_begins[DIGITS] = shared->begins[DIGITS - 1] + totals[(DIGITS - 1) * MSD_PAD];
    }
}

/* The blocks of one group of msd_split. Begins after a barrier. */
CLSORT_INLINE void list_blocks(__local struct list_local *shared, __global const uint *kinds,
                               uint first_block, uint num_blocks, __global uint *totals,
                               __global uint *list)
{
    const uint me = get_local_id(0);
    for (uint i = me; i < num_blocks; i += GROUP_SIZE)
        if (kinds[i])
            atomic_inc(&shared->counts[kinds[i] >> 16]);
    barrier(CLK_LOCAL_MEM_FENCE); /* the blocks are counted */
    for (uint digit = me; digit < DIGITS; digit += GROUP_SIZE) {
        const uint count = shared->counts[digit];
        shared->at[digit] =
            shared->begins[digit] + (count ? atomic_add(&totals[digit * MSD_PAD + 2], count) : 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* there is room for each */
    for (uint i = me; i < num_blocks; i += GROUP_SIZE)
        if (kinds[i])
            list[atomic_inc(&shared->at[kinds[i] >> 16])] =
                (first_block + i) << MSD_NUM_BITS | (kinds[i] & 0xffff);
}

KERNEL void msd_list(const struct msd_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local struct list_local shared;
    LOCAL_FITS(sizeof(shared));
    if (!MSD_HAS_BLOCKS)
        return;
    const uint group = get_group_id(0);
    __global uint *counts = MSD_TABLE(uint, counts);
    for (uint i = get_global_id(0); i < 1u << (p.bits[0] + p.bits[1]); i += get_global_size(0))
        counts[i] = 0;
    list_begin(&shared, MSD_TABLE(uint, totals), MSD_TABLE(uint, list_begins));
    list_blocks(&shared, MSD_TABLE(uint, kinds) + group * p.blocks_per_group,
                group * p.blocks_per_group, p.blocks_per_group, MSD_TABLE(uint, totals),
                MSD_TABLE(uint, list));
}
