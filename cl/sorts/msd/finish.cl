/* finish.cl: sorts the leaves by bins of one bit, in the output, or from rooms to it (msd.h).
 *
 * Idea: most keys have a bin of their own, so a key's rank is a count of bits. Few keys are
 * compared, unless many are there several times. A leaf that is too large for a work-group is cut
 * in two, if the plan says so (large.h). A leaf that no work-group holds, or in which too many
 * keys crowd a few bins, stays in the output unsorted, and onesweep/onesweep.h sorts all.
 *
 * Local memory: union finish_local, and a word. Runs after: scatter.cl, or with rooms
 * offsets.cl. Before: restore.cl, onesweep/sort.cl. */
#include "base/config.h"
#include "sorts/msd/finish.h"

union finish_local {
    struct group_bin_sort_local sort;
    struct large_local large;
};

CLSORT_INLINE struct finish_leaf finish_find(const struct msd_params *q, MSD_ARGS, uint number)
{
    __global const struct msd_region *entry = MSD_TABLE(struct msd_region, regions) + number;
    struct finish_leaf leaf;
    leaf.bits = q->shifts[1];
    leaf.low = (key_t)number << leaf.bits;
    leaf.begin = entry->begin;
    leaf.size = entry->size;
    leaf.keys = (__global key_t *)msd_keys(q, MSD_BUFFERS, BUFFER_OUT) + leaf.begin;
    leaf.payload = msd_payload(q, MSD_BUFFERS, BUFFER_OUT) + leaf.begin;
#if MSD_SHORT
    leaf.room.items = MSD_TABLE(ushort, rests) + entry->room;
    leaf.room.front = entry->taken & 0xffff;
    leaf.room.gap = entry->capacity - entry->size;
#endif
    leaf.stores_keys = q->flags & FLAG_STORE_KEYS;
    leaf.stretch = &MSD_CONTROL->stretch;
    leaf.is_stretched = leaf.stretch->is_used;
    if (leaf.is_stretched)
        leaf.place = stretch_find(MSD_TABLE(struct float_map, map), leaf.low);
    return leaf;
}

/* Makes a leaf half `number` of it; middle: where the second half begins in it. */
CLSORT_INLINE void finish_half(struct finish_leaf *leaf, uint number, uint middle)
{
    const uint begin = number ? middle : 0;
    leaf->bits -= 1;
    leaf->low |= (key_t)number << leaf->bits;
    leaf->begin += begin;
    leaf->size = number ? leaf->size - middle : middle;
    leaf->keys += begin;
    leaf->payload += begin;
}

/* Leaves all to onesweep/onesweep.h, with keys as they are stored. Keys with an index need not be
 * stored here: restore.cl puts them back. */
CLSORT_INLINE void finish_overflow(const struct msd_params *q, __global void *scratch,
                                   const struct finish_leaf *leaf)
{
    if (!PAYLOAD_INDEX)
        finish_leave(leaf);
    MSD_CONTROL->is_left = 1;
}

/* Sorts the leaf if it fits, or leaves it as it is. */
CLSORT_INLINE void finish_sort(const struct msd_params *q, __global void *scratch,
                               const struct finish_leaf *leaf,
                               __local struct group_bin_sort_local *shared)
{
    const uint size = leaf->size <= TILE_SLOTS ? leaf->size : 0;
    struct finish_own own;
    finish_load(&own, leaf, size);
    const uint state =
        group_bin_sort(shared, &own, FINISH_FIRST(leaf), size, FINISH_SHIFT(leaf->bits));
    FINISH_WRITE(leaf, state == BIN_SORTED ? size : 0, shared->tile);
    if (BIN_MAX_RANKED > 0 && state == BIN_IN_WORDS)
        finish_write_ranked(leaf, size, shared);
    if (state == BIN_UNSORTED || size < leaf->size)
        finish_overflow(q, scratch, leaf);
}

KERNEL void msd_finish(const struct msd_params p, MSD_ARGS)
{
    const struct msd_params copied = p;
    const struct msd_params *q = &copied; /* read once: see array.h */
    __local union finish_local shared;
    __local uint middle;
    LOCAL_FITS(sizeof(shared) + sizeof(middle));
    const uint num_leaves = MSD_HAS_LEAVES ? 1u << (q->bits[0] + q->bits[1]) : 0;
    for (uint number = get_group_id(0); number < num_leaves; number += get_num_groups(0)) {
        const uint size = MSD_TABLE(struct msd_region, regions)[number].size;
        const uint is_large = LARGE_IS(size, q->shifts[1]);
        if (is_large) { /* for all of the group, as the loop below */
            const struct finish_leaf leaf = finish_find(q, MSD_BUFFERS, number);
            large_cut(leaf.keys, leaf.payload, MSD_TABLE(ITEM, blocks) + leaf.begin, size,
                      leaf.bits - 1, &shared.large, &middle);
        }
        for (uint half_number = 0; half_number <= is_large; ++half_number) {
            struct finish_leaf leaf = finish_find(q, MSD_BUFFERS, number);
            if (is_large)
                finish_half(&leaf, half_number, middle);
            finish_sort(q, scratch, &leaf, &shared.sort);
        }
    }
}
