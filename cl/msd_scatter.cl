/* msd_scatter.cl: level 2: what is left of each key below both digits, to its leaf's room (msd.h).
 *
 * Idea: as in level 1, but the room of each leaf is known: whole chunks go to its front, what is
 * left at the end of a task to its back. Work-groups share the leaves' cursors.
 *
 * Local memory: the buckets. Runs after: msd_offsets.cl. Before: msd_finish.cl. */
#include "config.h"
#include "msd.h"

#define COMBINE_SIZE MOVE_UNIT
#define COMBINE_RADIX (1 << RADIX_BITS)
#define COMBINE_CAPACITY MSD_CAPACITY

/* Where rests go, and the tile that they come from. */
struct scatter_target {
    __global struct msd_region *regions;
    uint first_leaf; /* of the digit of level 1 */
    __global const key_t *blocks;
    uint first;       /* this work-item's first key */
    uint shift, bits; /* of the digit */
};

CLSORT_INLINE uint scatter_take(__global struct msd_region *leaf, uint count)
{
    return leaf->room + atomic_add(&leaf->front, count);
}

CLSORT_INLINE uint scatter_take_rest(__global struct msd_region *leaf, uint count)
{
    const uint room = (leaf->size + MSD_ALIGNMENT - 1) / MSD_ALIGNMENT * MSD_ALIGNMENT;
    return leaf->room + room - count - atomic_add(&leaf->back, count);
}

#define REST(order, target) ((order) & (((key_t)1 << (target)->shift) - 1))
#define COMBINE_CONTEXT const struct scatter_target *
#define COMBINE_FETCH(target, i, item, digit)                                     \
    do {                                                                          \
        const key_t order_ = (target)->blocks[(target)->first + (i)*BLOCK_LANES]; \
        (item) = (combine_item_t)REST(order_, target);                            \
        (digit) = MSD_DIGIT(order_, (target)->shift, (target)->bits);             \
    } while (0)
#define COMBINE_TAKE(target, digit, count) \
    scatter_take((target)->regions + (target)->first_leaf + (digit), count)
#define COMBINE_TAKE_REST(target, digit, count) \
    scatter_take_rest((target)->regions + (target)->first_leaf + (digit), count)
#include "group_combine.h"

/* A work-item's keys of a tile into their buckets; returns a bit for each that found none. */
CLSORT_INLINE uint scatter_add(__local struct group_combine_local *shared, const key_t *own,
                               int left, const struct scatter_target *target)
{
    uint overflow = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * BLOCK_LANES < left)
            overflow |= group_combine_add(shared, MSD_DIGIT(own[i], target->shift, target->bits),
                                          (combine_item_t)REST(own[i], target))
                        << i;
    return overflow;
}

KERNEL void msd_scatter(const struct msd_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local struct group_combine_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_tasks = MSD_IS_ON(q, scratch) ? p.parts << p.bits[0] : 0;
    __global const key_t *blocks = MSD_TABLE(key_t, blocks);
    __global combine_item_t *out = MSD_TABLE(combine_item_t, rests);
    struct scatter_target target = {.regions = MSD_TABLE(struct msd_region, regions),
                                    .blocks = blocks,
                                    .shift = p.shifts[1],
                                    .bits = p.bits[1]};
    for (uint task = get_group_id(0); task < num_tasks; task += get_num_groups(0)) {
        const uint digit = task / p.parts;
        __global const uint *begins = MSD_TABLE(uint, list_begins) + digit;
        const uint end = begins[1];
        target.first_leaf = digit << p.bits[1];
        group_combine_begin(&shared);
        key_t own[ITEMS];
        uint at = begins[0] + task % p.parts * MSD_TILE_BLOCKS;
        struct msd_share share = msd_share_of(MSD_TABLE(uint, list), at, end);
        msd_load_share(own, blocks, &share);
        for (; at < end; at += p.parts * MSD_TILE_BLOCKS) {
            barrier(CLK_LOCAL_MEM_FENCE); /* the buckets are ready */
            const uint overflow = scatter_add(&shared, own, share.left, &target);
            target.first = share.first;
            share = msd_share_of(MSD_TABLE(uint, list), at + p.parts * MSD_TILE_BLOCKS, end);
            msd_load_share(own, blocks, &share);
            group_combine_flush(&shared, out, overflow, &target);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the last tile's rests are at the front */
        group_combine_finish(&shared, out, &target);
    }
}
