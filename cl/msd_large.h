/* msd_large.h: a leaf that is too large for a work-group of msd_finish.cl is cut once more.
 *
 * Idea: if there are several of each key, leaves differ more in size than those of random keys. A
 * few then have more keys than a tile has slots. The leaf's own work-group cuts it by its next bits,
 * through the blocks of level 1, which nobody needs any more, and sorts the parts one after the
 * other. So nothing else is launched. A part has a row of counters, to which neighbouring work-items
 * add at different places, so that their additions do not meet.
 *
 * It costs a leaf two more ways through memory, mostly through the cache. 2^24 keys of which there
 * are eight each take an H100 0.52 ms instead of 0.84 (u64), and 0.53 instead of 0.79 (u32+u32),
 * since onesweep.h no longer sorts all. If a part is still too large, the leaf's elements are all in
 * its place in the output, in another order.
 *
 * Local memory: struct large_local, and where parts begin. */
#ifndef CLSORT_MSD_LARGE_H
#define CLSORT_MSD_LARGE_H

#include "group_scan.h"
#include "msd.h"

#define LARGE_PARTS HELD /* 1: no leaf is cut */

struct large_local {
    uint counts[LARGE_PARTS * MSD_LARGE_COLUMNS]; /* then the places */
    struct group_scan_local scan;
};

/* By how many bits a leaf of this size is cut: 0 if it fits, or if it stays as it is. A part has
 * seven eighths of a tile on average. */
CLSORT_INLINE uint large_bits(uint size, uint bits)
{
    if (LARGE_PARTS == 1 || size <= TILE_SLOTS || size > MSD_LARGE_MOST(TILE_SLOTS) ||
        bits < MSD_LARGE_BITS)
        return 0;
    return size > MSD_LARGE_MOST(TILE_SLOTS) / 2 ? 2 : 1;
}

/* The part of the leaf that a key belongs to. */
#define LARGE_PART(key, shift, bits) MSD_DIGIT(key, shift, bits)
#define LARGE_COUNTER(shared, part) \
    (&(shared)->counts[(part)*MSD_LARGE_COLUMNS + (uint)get_local_id(0) % MSD_LARGE_COLUMNS])

/* Puts a leaf's parts behind one another, each in any order, and says where they begin. leaf_bits:
 * in which its keys differ; room: for as many items. Begins and ends with a barrier. */
CLSORT_INLINE void large_cut(__global key_t *keys, __global payload_t *payload, uint size,
                             uint leaf_bits, uint bits, __global ITEM *room,
                             __local struct large_local *shared, __local uint *begins)
{
    const uint shift = leaf_bits - bits, num = MSD_LARGE_COLUMNS << bits;
    barrier(CLK_LOCAL_MEM_FENCE); /* the last leaf's tile has been read */
    GROUP_LOOP(i, 0, num)
        shared->counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counts are 0 */
    GROUP_LOOP(i, 0, size)
        atomic_inc(LARGE_COUNTER(shared, LARGE_PART(keys[i], shift, bits)));
    barrier(CLK_LOCAL_MEM_FENCE); /* all are counted */
    group_scan_exclusive(&shared->scan, shared->counts, num);
    GROUP_LOOP(part, 0, 1u << bits)
        begins[part] = shared->counts[part * MSD_LARGE_COLUMNS];
    barrier(CLK_LOCAL_MEM_FENCE); /* places have been read */
    GROUP_LOOP(i, 0, size) {
        const key_t key = keys[i];
        const uint place = atomic_inc(LARGE_COUNTER(shared, LARGE_PART(key, shift, bits)));
        room[place] = item_make(key, PAYLOAD_SIZE ? payload[i] : 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all are in their parts */
    GROUP_LOOP(i, 0, size) {
        const ITEM item = room[i];
        keys[i] = MSD_KEY(item);
        if (PAYLOAD_SIZE)
            payload[i] = (payload_t)ITEM_STORED_PAYLOAD(item);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the leaf is in parts */
}

#endif
