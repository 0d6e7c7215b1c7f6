/* scatter.cl: level 2: moves items to their leaf's part of the output, or two bytes of each key to
 * the leaf's room in scratch (msd.h).
 *
 * Idea: as in level 1, but each leaf has a place. Whole chunks go to its front, and what is left at
 * the end of a task goes to its back. Work-groups share the leaves' cursors. Rooms in scratch are
 * whole chunks (rooms.h). Places in the output are exact: chunks begin at the first aligned
 * element, and a chunk that finds no more room stays in its bucket as a rest (exact.h). In
 * order, a task has its own place in each leaf (ordered.h).
 *
 * Local memory: the buckets. Runs after: split.cl. Before: finish.cl or offsets.cl. */
#include "base/config.h"
#include "sorts/msd/msd.h"

#define COMBINE_SIZE (MSD_SHORT ? 2 : ITEM_SIZE)
#define COMBINE_RADIX (1 << RADIX_BITS)

/* Where items go, and the tile that they come from. */
struct scatter_target {
    __global struct msd_region *regions; /* of the digit of level 1 */
    __global const ITEM *items;          /* this work-item's, of a tile */
    __global key_t *keys;                /* the output */
    __global payload_t *payload;
    __global struct msd_control *control;
    uint num_room_items; /* for which there is room */
    uint next, head;     /* in order: ordered.h */
    uint shift, bits;    /* of the digit */
};

#if !MSD_SHORT
#include "sorts/msd/store.h"
#endif
#if MSD_SHORT
#include "sorts/msd/rooms.h"
#elif MSD_IN_ORDER
#include "sorts/msd/ordered.h"
#else
#include "sorts/msd/exact.h"
#endif

#define COMBINE_CONTEXT struct scatter_target *
#define COMBINE_OWN ITEM
#define COMBINE_FETCH(target, i, item, digit)             \
    do {                                                  \
        const ITEM item_ = (target)->items[(i)*MSD_STEP]; \
        (item) = COMBINE_STORED(target, item_);           \
        (digit) = COMBINE_DIGIT(target, item_);           \
    } while (0)
#define COMBINE_DIGIT(target, item) MSD_DIGIT(MSD_KEY(item), (target)->shift, (target)->bits)
#define COMBINE_TAKE(target, digit, count) \
    scatter_take((target)->regions + (digit), target, &(count))
#define COMBINE_TAKE_REST(target, digit, count) \
    scatter_take_rest((target)->regions + (digit), target, count)
#include "group/combine.h"

/* In order, the task's places in the leaves. After group_combine_begin(). */
CLSORT_INLINE void scatter_begin(__local struct group_combine_local *shared,
                                 struct scatter_target *target, __global const uint *places)
{
#if MSD_IN_ORDER
    const uint digit = get_local_id(0);
    if (digit < COMBINE_RADIX) /* which this work-item has emptied */
        shared->counts[digit] = scatter_open(target, places[digit]);
#endif
}

/* A task's tiles to their leaves. Ends with a barrier. */
CLSORT_INLINE void scatter_task(const struct msd_params *q, __global void *scratch,
                                __local struct group_combine_local *shared, uint number,
                                const struct msd_task *task, struct scatter_target *target)
{
    __global combine_item_t *out = MSD_TABLE(combine_item_t, rests); /* with MSD_SHORT */
    target->regions = MSD_TABLE(struct msd_region, regions) + (task->digit << q->bits[1]);
    group_combine_begin(shared);
    scatter_begin(shared, target, MSD_TABLE(uint, counts) + (number << q->bits[1]));
    ITEM own[ITEMS] = {0};
    struct msd_share share = msd_share_of(q, scratch, task->at, task->end);
    msd_load_share(own, &share);
    for (uint at = task->at; at < task->end; at += task->step) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the buckets are ready */
        combine_overflow_t beyond;
        group_combine_add_tile(shared, own, share.left, MSD_STEP, &beyond, target);
        target->items = share.items;
        share = msd_share_of(q, scratch, at + task->step, task->end);
        msd_load_share(own, &share);
        group_combine_flush(shared, out, &beyond, target);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the last tile's rests are at the front */
    group_combine_finish(shared, out, target);
}

KERNEL void msd_scatter(const struct msd_params p, MSD_ARGS)
{
    const struct msd_params copied = p;
    const struct msd_params *q = &copied; /* read once: see array.h */
    __local struct group_combine_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_tasks =
        (MSD_SHORT ? MSD_HAS_BLOCKS : MSD_HAS_LEAVES) ? q->parts << q->bits[0] : 0;
    struct scatter_target target = {
        .keys = (__global key_t *)msd_keys(q, MSD_BUFFERS, BUFFER_OUT),
        .payload = msd_payload(q, MSD_BUFFERS, BUFFER_OUT),
        .control = MSD_CONTROL,
        .num_room_items = q->num_room_items,
        .shift = q->shifts[1],
        .bits = q->bits[1],
    };
    for (uint number = get_group_id(0); number < num_tasks; number += get_num_groups(0)) {
        const struct msd_task task = msd_task_of(q, scratch, number);
        scatter_task(q, scratch, &shared, number, &task, &target);
    }
}
