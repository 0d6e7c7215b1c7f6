/* msd_offsets.cl: from the counts of level 2 to where each leaf begins in the output, and its room
 * in scratch, if rests are short (msd.h).
 *
 * Idea: a work-group has a digit of level 1. Leaves of the digits before it are known by those
 * digits' numbers of keys. A leaf's room is a multiple of MSD_ALIGNMENT rests, so that chunks are
 * aligned.
 *
 * Local memory: two numbers for each digit of level 2. Runs after: msd_count.cl. Before:
 * msd_scatter.cl. */
#include "config.h"
#include "group_scan.h"
#include "msd.h"

#define DIGITS (1 << RADIX_BITS)

struct offsets_local {
    uint begins[DIGITS];
    uint rooms[DIGITS];
    uint before; /* keys of the digits of level 1 before this one */
    struct group_scan_local scan;
};

KERNEL void msd_offsets(const struct msd_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local struct offsets_local shared;
    LOCAL_FITS(sizeof(shared));
    if (!PART_IS_EVEN)
        return;
    const uint me = get_local_id(0), digit = get_group_id(0);
    const uint num_digits = 1u << p.bits[1], first = digit << p.bits[1];
    __global const uint *totals = MSD_TABLE(uint, totals), *counts = MSD_TABLE(uint, counts);
    shared.before = 0; /* by all: see merge_local.h */
    for (uint i = me; i < DIGITS; i += GROUP_SIZE) {
        shared.begins[i] = i < num_digits ? counts[first + i] : 0;
        shared.rooms[i] = (shared.begins[i] + MSD_ALIGNMENT - 1) / MSD_ALIGNMENT * MSD_ALIGNMENT;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sum is 0, the counts are there */
    for (uint i = me; i < digit; i += GROUP_SIZE)
        atomic_add(&shared.before, totals[i * MSD_PAD + 1]);
    group_scan_exclusive(&shared.scan, shared.begins, DIGITS);
    barrier(CLK_LOCAL_MEM_FENCE); /* the scan's sums have been read */
    group_scan_exclusive(&shared.scan, shared.rooms, DIGITS);
    const uint first_room = (shared.before / MSD_ALIGNMENT + 1 + first) *
                            MSD_ALIGNMENT; /* behind all that comes before */
    for (uint i = me; i < num_digits; i += GROUP_SIZE) {
        __global struct msd_region *leaf = MSD_TABLE(struct msd_region, regions) + first + i;
        leaf->begin = shared.before + shared.begins[i];
        leaf->room = first_room + shared.rooms[i];
        leaf->size = counts[first + i];
        leaf->front = 0;
        leaf->back = 0;
    }
}
