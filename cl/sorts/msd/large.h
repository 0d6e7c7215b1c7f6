/* large.h: a leaf that is too large for a work-group of finish.cl is cut in two.
 *
 * Idea: if there are several of each key, leaves differ more in size than those of random keys. A
 * few then have more keys than a tile has slots. The leaf's own work-group cuts it by its next bit.
 * The halves go through the blocks of level 1, which are free by then, and back. Then the group
 * sorts one after the other. So nothing else is launched. A half has a row of counters.
 * Neighbouring work-items add to different counters of a row.
 *
 * It costs a leaf two more ways through memory, mostly through the cache. If a half is still too
 * large, the leaf's elements are all where they were, in another order.
 *
 * Local memory: struct large_local, and where the second half begins. */
#ifndef CLSORT_MSD_LARGE_H
#define CLSORT_MSD_LARGE_H

#include "group/scan.h"
#include "sorts/msd/msd.h"

/* Whether leaves are cut at all, and whether this one is. */
#define LARGE_IS_CUT CUTS_LEAVES
#define LARGE_IS(size, bits) \
    (LARGE_IS_CUT && (size) > TILE_SLOTS && (size) <= MSD_LARGE_MOST(TILE_SLOTS) && (bits) > 0)

struct large_local {
    uint counts[2 * MSD_LARGE_COLUMNS]; /* then the places */
    struct group_scan_local scan;
};

#define LARGE_COUNTER(shared, number) \
    (&(shared)->counts[(number)*MSD_LARGE_COLUMNS + (uint)get_local_id(0) % MSD_LARGE_COLUMNS])

/* Puts a leaf's halves behind one another, each in any order, and says where the second begins. The
 * source has no gap then. bit: the highest in which its keys differ. Begins and ends with a
 * barrier. */
CLSORT_INLINE void large_cut(__global key_t *keys, __global payload_t *payload,
                             __global ITEM *spare, uint size, uint bit,
                             __local struct large_local *shared, __local uint *middle)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* the last leaf's tile has been read */
    group_clear(shared->counts, 2 * MSD_LARGE_COLUMNS);
    barrier(CLK_LOCAL_MEM_FENCE); /* counts are 0 */
    GROUP_LOOP(i, 0, size)
        atomic_inc(LARGE_COUNTER(shared, MSD_DIGIT(keys[i], bit, 1)));
    barrier(CLK_LOCAL_MEM_FENCE); /* all are counted */
    group_scan_exclusive(&shared->scan, shared->counts, 2 * MSD_LARGE_COLUMNS);
    *middle = shared->counts[MSD_LARGE_COLUMNS]; /* by all: see group/merge_local.h */
    barrier(CLK_LOCAL_MEM_FENCE);                /* it has been read */
    GROUP_LOOP(i, 0, size) {
        const ITEM item = msd_load_apart(keys, payload, i);
        const uint place = atomic_inc(LARGE_COUNTER(shared, MSD_DIGIT(MSD_KEY(item), bit, 1)));
        spare[place] = item;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all are in their halves */
    GROUP_LOOP(i, 0, size)
        msd_store_apart(keys, payload, i, spare[i]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the leaf is in halves */
}

#endif
