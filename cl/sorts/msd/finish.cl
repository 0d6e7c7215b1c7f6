/* finish.cl: sorts the leaves by bins of one bit, in the output, or from rooms to it (msd.h).
 *
 * Idea: most keys have a bin of their own, so a key's rank is a count of bits. Few keys are
 * compared, unless many are there several times. A leaf that is too large for a work-group is cut
 * in two, if the plan says so (large.h). A leaf that no work-group holds, or in which too many
 * keys crowd a few bins, stays in the output unsorted. It becomes a segment of digits/part.h's next
 * level, or one of its leaves if it is small; or onesweep/onesweep.h sorts all.
 *
 * Local memory: union finish_local, and a word. Runs after: scatter.cl, or with rooms
 * offsets.cl. Before: digits/part.h's levels; or restore.cl, onesweep/sort.cl. */
#include "base/config.h"
#include "sorts/msd/finish.h"
#include "sorts/partition/digits/emit.h"

union finish_local {
    struct group_bin_sort_local sort;
    struct large_local large;
};

CLSORT_INLINE struct finish_leaf finish_find(const struct msd_params *params, PART_ARGS,
                                             uint number)
{
    const struct msd_params p = *params;
    const struct part_params *q = &p.part;
    __global const struct msd_region *entry = MSD_TABLE(struct msd_region, regions) + number;
    struct finish_leaf leaf;
    leaf.bits = p.shifts[1];
    leaf.low = (key_t)number << leaf.bits;
    leaf.begin = entry->begin;
    leaf.size = entry->size;
    leaf.keys = (__global key_t *)part_keys(q, PART_BUFFERS, PART_OUT) + leaf.begin;
    leaf.payload = part_payload(q, PART_BUFFERS, PART_OUT) + leaf.begin;
    leaf.source = msd_source_of(&p, scratch, entry, leaf.keys, leaf.payload);
    leaf.stores_keys = q->flags & FLAG_STORE_KEYS;
    leaf.stretch = &PART_CONTROL->stretch;
    leaf.is_stretched = leaf.stretch->is_used;
    if (leaf.is_stretched)
        leaf.place = stretch_find(PART_TABLE(struct part_map, map), leaf.low);
    return leaf;
}

/* Cuts a leaf that is too large in two. */
CLSORT_INLINE void finish_cut(const struct msd_params *params, __global void *scratch,
                              const struct finish_leaf *leaf, __local struct large_local *shared,
                              __local uint *middle)
{
    const struct msd_params p = *params;
#if MSD_MOVES_AGAIN
    const struct large_spare spare = {leaf->keys, leaf->payload};
#elif !MSD_SHORT
    const struct large_spare spare = {MSD_TABLE(ITEM, blocks) + leaf->begin};
#endif
#if !MSD_SHORT
    large_cut(&leaf->source, &spare, leaf->size, leaf->bits - 1, shared, middle);
#endif
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
    msd_source_skip(&leaf->source, begin);
}

/* Bits of the difference of a stretched leaf's keys from `low`, the first one that it can have.
 * They are no more than the leaf's. But the scale of floats has no numbers around 0, so a leaf
 * there can have all bits. */
CLSORT_INLINE uint finish_bits(const struct part_params *q, const struct finish_leaf *leaf,
                               const struct part_stretch *stretch, key_t low)
{
    if (!STRETCH_MAPS)
        return leaf->bits;
    const key_t last = leaf->low + (((key_t)1 << leaf->bits) - 1);
    const key_t most = msd_shrink_any(stretch, leaf->place, last) - low;
    return KEY_WORK_BITS - (uint)clz(most | 1);
}

/* Leaves the leaf to digits/part.h, or all to onesweep/onesweep.h, with keys as they are stored.
 * Keys with an index need not be stored here: restore.cl puts them back. */
CLSORT_INLINE void finish_overflow(const struct part_params *q, __global void *scratch,
                                   const struct finish_leaf *leaf)
{
    if (!PAYLOAD_INDEX)
        finish_leave(leaf);
    if (q->flags & FLAG_NO_LEVELS) {
        PART_CONTROL->taken_by = PART_BY_ONESWEEP;
        return;
    }
    if (get_local_id(0) > 0)
        return;
    if (leaf->is_stretched) { /* it is small (offsets.h) */
        const struct part_stretch stretch = *leaf->stretch;
        const key_t low = msd_shrink_any(&stretch, leaf->place, leaf->low);
        part_add_leaf(q, scratch, atomic_inc(&PART_CONTROL->num_leaves), low, leaf->begin,
                      leaf->size, finish_bits(q, leaf, &stretch, low), PART_OUT);
        return;
    }
    if (leaf->size <= q->leaf_size) {
        part_add_leaf(q, scratch, atomic_inc(&PART_CONTROL->num_leaves), leaf->low, leaf->begin,
                      leaf->size, leaf->bits, PART_OUT);
        return;
    }
    const uint number =
        part_add_segment(q, scratch, leaf->low, leaf->begin, leaf->size, leaf->bits, PART_OUT);
    const struct part_segment segment = PART_TABLE(struct part_segment, next_segments)[number];
    for (uint i = 0; i < segment.num_blocks; ++i)
        PART_TABLE(uint, next_owners)[segment.first_block + i] = number;
}

/* Sorts the leaf if it fits, or leaves it as it is. */
CLSORT_INLINE void finish_sort(const struct part_params *q, __global void *scratch,
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

KERNEL void msd_finish(const struct msd_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local union finish_local shared;
    __local uint middle;
    LOCAL_FITS(sizeof(shared) + sizeof(middle));
    const uint num_leaves = PART_IS_EVEN ? 1u << (p.bits[0] + p.bits[1]) : 0;
    for (uint number = get_group_id(0); number < num_leaves; number += get_num_groups(0)) {
        const uint size = MSD_TABLE(struct msd_region, regions)[number].size;
        const uint is_large = LARGE_IS(size, p.shifts[1]);
        if (is_large) { /* for all of the group, as the loop below */
            const struct finish_leaf leaf = finish_find(&p, PART_BUFFERS, number);
            finish_cut(&p, scratch, &leaf, &shared.large, &middle);
        }
        for (uint half_number = 0; half_number <= is_large; ++half_number) {
            struct finish_leaf leaf = finish_find(&p, PART_BUFFERS, number);
            if (is_large)
                finish_half(&leaf, half_number, middle);
            finish_sort(q, scratch, &leaf, &shared.sort);
        }
    }
}
