/* msd_count.cl: counts the digits of level 2 in the blocks of each digit of level 1 (msd.h).
 *
 * Local memory: the histogram. Runs after: msd_list.cl. Before: msd_offsets.cl. */
#include "config.h"
#include "group_histogram.h"
#include "msd.h"

#define DIGITS (1 << RADIX_BITS)

KERNEL void msd_count(const struct msd_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local uint counters[DIGITS * HISTOGRAM_COPIES];
    LOCAL_FITS(sizeof(counters));
    const uint me = get_local_id(0);
    const uint num_tasks = MSD_HAS_BLOCKS ? p.parts << p.bits[0] : 0;
    __local uint *own_counters = group_histogram_own(counters);
    for (uint task = get_group_id(0); task < num_tasks; task += get_num_groups(0)) {
        const uint digit = task / p.parts;
        __global const uint *begins = MSD_TABLE(uint, list_begins) + digit;
        const uint end = begins[1];
        barrier(CLK_LOCAL_MEM_FENCE); /* the last task's counts have been read */
        group_clear(counters, DIGITS * HISTOGRAM_COPIES);
        barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
        for (uint at = begins[0] + task % p.parts * MSD_TILE_BLOCKS; at < end;
             at += p.parts * MSD_TILE_BLOCKS) {
            const struct msd_share share = msd_share_of(MSD_TABLE(uint, list), at, end);
            ITEM own[ITEMS];
            msd_load_share(own, MSD_TABLE(ITEM, blocks), &share);
#pragma unroll
            for (int i = 0; i < ITEMS; ++i)
                if (i * BLOCK_LANES < share.left)
                    group_histogram_add(own_counters,
                                        MSD_DIGIT(MSD_KEY(own[i]), p.shifts[1], p.bits[1]));
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
        __global uint *counts = MSD_TABLE(uint, counts) + (digit << p.bits[1]);
        for (uint i = me; i < 1u << p.bits[1]; i += GROUP_SIZE) {
            const uint count = group_histogram_sum(counters, i);
            if (count)
                atomic_add(&counts[i], count);
        }
    }
}
