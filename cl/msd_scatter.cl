/* msd_scatter.cl: level 2: moves items to their leaf's part of the output, or two bytes of each key
 * to the leaf's room in scratch (msd.h).
 *
 * Idea: as in level 1, but each leaf has a place. Whole chunks go to its front, and what is left at
 * the end of a task goes to its back. Work-groups share the leaves' cursors. Rooms in scratch are
 * whole chunks (msd_rooms.h). Places in the output are exact: chunks begin at the first aligned
 * element, and a chunk that finds no more room stays in its bucket as a rest (msd_exact.h).
 *
 * Local memory: the buckets. Runs after: msd_split.cl. Before: msd_finish.cl or
 * msd_offsets.cl. */
#include "config.h"
#include "msd.h"

#define COMBINE_SIZE (MSD_SHORT ? 2 : ITEM_SIZE)
#define COMBINE_RADIX (1 << RADIX_BITS)

/* Where items go, and the tile that they come from. */
struct scatter_target {
    __global struct msd_region *regions; /* of the digit of level 1 */
    __global const ITEM *blocks;
    __global key_t *keys; /* the output */
    __global payload_t *payload;
    __global struct part_control *control;
    uint num_rests;   /* for which there is room */
    uint first;       /* this work-item's first item */
    uint shift, bits; /* of the digit */
};

#if MSD_SHORT
#include "msd_rooms.h"
#else
#include "msd_exact.h"
#endif

#define COMBINE_CONTEXT const struct scatter_target *
#define COMBINE_FETCH(target, i, item, digit)                                   \
    do {                                                                        \
        const ITEM item_ = (target)->blocks[(target)->first + (i)*BLOCK_LANES]; \
        (item) = SCATTER_ITEM(item_, target);                                   \
        (digit) = MSD_DIGIT(MSD_KEY(item_), (target)->shift, (target)->bits);   \
    } while (0)
#define COMBINE_TAKE(target, digit, count) \
    scatter_take((target)->regions + (digit), target, &(count))
#define COMBINE_TAKE_REST(target, digit, count) \
    scatter_take_rest((target)->regions + (digit), target, count)
#include "group_combine.h"

/* A work-item's items of a tile into their buckets; returns a bit for each that found none. */
CLSORT_INLINE uint scatter_add(__local struct group_combine_local *shared, const ITEM *own,
                               int left, const struct scatter_target *target)
{
    uint overflow = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i += COMBINE_BATCH) {
        uint digits[COMBINE_BATCH];
        combine_item_t items[COMBINE_BATCH];
        int is_there[COMBINE_BATCH];
#pragma unroll
        for (int j = 0; j < COMBINE_BATCH; ++j) {
            const ITEM item = own[i + j < ITEMS ? i + j : 0];
            digits[j] = MSD_DIGIT(MSD_KEY(item), target->shift, target->bits);
            items[j] = SCATTER_ITEM(item, target);
            is_there[j] = i + j < ITEMS && (i + j) * BLOCK_LANES < left;
        }
        overflow |= group_combine_add(shared, digits, items, is_there) << i;
    }
    return overflow;
}

KERNEL void msd_scatter(const struct msd_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local struct group_combine_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_tasks = MSD_HAS_PLACES ? p.parts << p.bits[0] : 0;
    __global const ITEM *blocks = MSD_TABLE(ITEM, blocks);
    __global combine_item_t *out = MSD_TABLE(combine_item_t, rests);
    struct scatter_target target = {
        .keys = (__global key_t *)part_keys(q, PART_BUFFERS, PART_OUT),
        .payload = part_payload(q, PART_BUFFERS, PART_OUT),
        .blocks = blocks,
        .control = PART_CONTROL,
        .num_rests = p.num_rests,
        .shift = p.shifts[1],
        .bits = p.bits[1],
    };
    for (uint task = get_group_id(0); task < num_tasks; task += get_num_groups(0)) {
        const uint digit = task / p.parts;
        __global const uint *begins = MSD_TABLE(uint, list_begins) + digit;
        const uint end = begins[1];
        target.regions = MSD_TABLE(struct msd_region, regions) + (digit << p.bits[1]);
        group_combine_begin(&shared);
        ITEM own[ITEMS] = {0};
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
