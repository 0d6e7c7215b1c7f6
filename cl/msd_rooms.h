/* msd_rooms.h: msd_scatter.cl's room for two bytes of each key: in scratch, of whole chunks, from
 * the front and from the back. */
#ifndef CLSORT_MSD_ROOMS_H
#define CLSORT_MSD_ROOMS_H

#define COMBINE_CAPACITY MSD_CAPACITY(MSD_LEAST_ROOM)
#define SCATTER_ITEM(item, target) \
    ((combine_item_t)(MSD_KEY(item) & (((key_t)1 << (target)->shift) - 1)))

CLSORT_INLINE uint scatter_take(__global struct msd_region *leaf,
                                const struct scatter_target *target, const uint *count)
{
    (void)target;
    return leaf->room + atomic_add(&leaf->front, *count);
}

CLSORT_INLINE uint scatter_take_rest(__global struct msd_region *leaf, uint count)
{
    const uint room = (leaf->size + MSD_ALIGNMENT - 1) / MSD_ALIGNMENT * MSD_ALIGNMENT;
    return leaf->room + room - count - atomic_add(&leaf->back, count);
}

#endif
