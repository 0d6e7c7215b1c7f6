/* msd_leaf.cl: sorts leaves of keys alone by bins of one bit, and moves what is in order already
 * (part.h).
 *
 * Idea: a work-group reads a leaf once and sorts it in local memory (group_bin_sort.h). Most keys
 * have a bin of their own, so a key's rank is a count of bits and no keys are compared. If the keys
 * crowd few bins, the leaf is left untouched for part_crowded.cl, which merges.
 *
 * Local memory: struct group_bin_sort_local. Runs after: the last level's part_scatter.cl. Before:
 * part_crowded.cl. From any place to the output, also onto itself. */
#include "config.h"
#include "part.h"

#define BIN_WORDS (1 << (RADIX_BITS - 4))
#define BIN_ITEM key_t
/* About 246 of 4096 keys are late in 2^15 bins, give or take 15. */
#define BIN_MAX_LATE (TILE_SLOTS / 14)
#include "group_bin_sort.h"
#include "part_leaf.h"

/* A work-item's keys of striped slots, without the bits in which all of the leaf agree. */
CLSORT_INLINE void leaf_load(key_t *own, __global const stored_key_t *from,
                             const struct part_leaf *leaf, uint size, const struct part_params *q)
{
    const int left = (int)size - (int)get_local_id(0);
    __global const stored_key_t *mine = from + get_local_id(0);
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            own[i] = PART_ORDER(mine[i * GROUP_SIZE]) - (key_t)leaf->low;
}

/* The sorted tile to the output. */
CLSORT_INLINE void leaf_write(__global stored_key_t *to, const struct part_leaf *leaf, uint size,
                              __local const struct group_bin_sort_local *shared)
{
    const int left = (int)size - (int)get_local_id(0);
    __local const key_t *from = shared->tile + get_local_id(0);
    __global stored_key_t *mine = to + get_local_id(0);
#pragma unroll 4
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            mine[i * GROUP_SIZE] =
                (stored_key_t)KEY_DECODE((key_t)leaf->low + from[i * GROUP_SIZE]);
}

KERNEL void msd_leaf(const struct part_params p, PART_ARGS)
{
    const struct part_params *q = &p;
    __local struct group_bin_sort_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_leaves = PART_CONTROL->num_leaves;
    for (uint number = get_group_id(0); number < num_leaves; number += get_num_groups(0)) {
        const struct part_leaf leaf = PART_TABLE(struct part_leaf, leaves)[number];
        const int moves = (leaf.place & (PART_COPY | PART_TURN)) != 0;
        if (moves)
            part_move(q, PART_BUFFERS, &leaf);
        const uint size = moves ? 0 : leaf.size;
        key_t own[ITEMS];
        leaf_load(own, part_keys(q, PART_BUFFERS, leaf.place & 3u) + leaf.begin, &leaf, size, q);
        const uint is_sorted =
            group_bin_sort(&shared, own, size, sub_sat(leaf.bits, (uint)RADIX_BITS));
        barrier(CLK_GLOBAL_MEM_FENCE); /* all have been read from where the output may be */
        if (is_sorted)
            leaf_write(part_keys(q, PART_BUFFERS, PART_OUT) + leaf.begin, &leaf, size, &shared);
        else if (get_local_id(0) == 0)
            PART_TABLE(uint, crowded)[atomic_inc(&PART_CONTROL->num_crowded)] = number;
    }
}
