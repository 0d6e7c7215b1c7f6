/* msd_finish.cl: sorts the leaves by bins of one bit, from their rooms to the output (msd.h).
 *
 * Idea: as msd_leaf.cl. A leaf that no work-group holds, or whose keys crowd few bins, goes to the
 * output unsorted; the first becomes a segment of part.h's next level, the second one of its
 * leaves.
 *
 * Local memory: struct group_bin_sort_local. Runs after: msd_scatter.cl. Before: part.h's levels.
 */
#include "config.h"
#include "msd.h"
#include "part_emit.h"

#if MOVE_UNIT == 2
typedef ushort rest_t;
#else
typedef key_t rest_t;
#endif
#define BIN_WORDS (1 << (RADIX_BITS - 4))
#define BIN_ITEM rest_t
/* About 246 of 4096 keys are late in 2^15 bins, give or take 15; of 8192 944, give or take 30. */
#define LIKELY_LATE (TILE_SLOTS * TILE_SLOTS >> (RADIX_BITS + 1))
#define BIN_MAX_LATE (TILE_SLOTS / 14 > LIKELY_LATE ? TILE_SLOTS / 14 : LIKELY_LATE)
#include "group_bin_sort.h"

/* Where a leaf's rests lie: those from `front` on have a gap before them. */
struct finish_leaf {
    key_t low; /* what its keys agree in */
    uint begin, size;
    uint front, gap;
};

CLSORT_INLINE struct finish_leaf finish_find(__global const struct msd_region *leaf, uint number,
                                             uint rest_bits)
{
    struct finish_leaf found;
    found.low = (key_t)number << rest_bits;
    found.begin = leaf->begin;
    found.size = leaf->size;
    found.front = leaf->front;
    found.gap = (leaf->size + MSD_ALIGNMENT - 1) / MSD_ALIGNMENT * MSD_ALIGNMENT - leaf->size;
    return found;
}

CLSORT_INLINE void finish_load(rest_t *own, __global const rest_t *rests,
                               const struct finish_leaf *leaf, uint size)
{
    const uint me = get_local_id(0);
    const int left = (int)size - (int)me, front_left = (int)leaf->front - (int)me;
    __global const rest_t *mine = rests + me;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            own[i] = mine[i * GROUP_SIZE + (i * GROUP_SIZE < front_left ? 0 : leaf->gap)];
}

/* The sorted tile to the output. */
CLSORT_INLINE void finish_write(__global stored_key_t *to, const struct finish_leaf *leaf,
                                uint size, __local const struct group_bin_sort_local *shared)
{
    const int left = (int)size - (int)get_local_id(0);
    __local const rest_t *from = shared->tile + get_local_id(0);
    __global stored_key_t *mine = to + get_local_id(0);
#pragma unroll 4
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            mine[i * GROUP_SIZE] = (stored_key_t)KEY_DECODE(leaf->low | from[i * GROUP_SIZE]);
}

/* The leaf to the output as it is, and to part.h. */
CLSORT_INLINE void finish_overflow(const struct part_params *q, __global void *scratch,
                                   __global stored_key_t *to, __global const rest_t *rests,
                                   const struct finish_leaf *leaf, uint rest_bits)
{
    for (uint i = get_local_id(0); i < leaf->size; i += GROUP_SIZE)
        to[i] = (stored_key_t)KEY_DECODE(leaf->low | rests[i < leaf->front ? i : i + leaf->gap]);
    if (get_local_id(0) > 0)
        return;
    if (leaf->size <= q->leaf_size) {
        part_add_leaf(q, scratch, atomic_inc(&PART_CONTROL->num_leaves), leaf->low, leaf->begin,
                      leaf->size, rest_bits, PART_OUT);
        return;
    }
    const uint number =
        part_add_segment(q, scratch, leaf->low, leaf->begin, leaf->size, rest_bits, PART_OUT);
    const struct part_segment segment = PART_TABLE(struct part_segment, next_segments)[number];
    for (uint i = 0; i < segment.num_blocks; ++i)
        PART_TABLE(uint, next_owners)[segment.first_block + i] = number;
}

KERNEL void msd_finish(const struct msd_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local struct group_bin_sort_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint rest_bits = p.shifts[1];
    const uint num_leaves = MSD_IS_ON(q, scratch) ? 1u << (p.bits[0] + p.bits[1]) : 0;
    for (uint number = get_group_id(0); number < num_leaves; number += get_num_groups(0)) {
        __global const struct msd_region *entry = MSD_TABLE(struct msd_region, regions) + number;
        const struct finish_leaf leaf = finish_find(entry, number, rest_bits);
        __global const rest_t *rests = MSD_TABLE(rest_t, rests) + entry->room;
        __global stored_key_t *to = part_keys(q, PART_BUFFERS, PART_OUT) + leaf.begin;
        const uint size = leaf.size <= TILE_SLOTS ? leaf.size : 0;
        rest_t own[ITEMS];
        finish_load(own, rests, &leaf, size);
        const uint is_sorted =
            group_bin_sort(&shared, own, size, sub_sat(rest_bits, (uint)RADIX_BITS));
        if (is_sorted)
            finish_write(to, &leaf, size, &shared);
        if (!is_sorted || size < leaf.size)
            finish_overflow(q, scratch, to, rests, &leaf, rest_bits);
    }
}
