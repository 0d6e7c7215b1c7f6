/* rooms.h: where scatter.cl puts two bytes of each key: into a room of scratch for each leaf, which
 * split.cl has made (capacity.h). Whole chunks go to a room's front, others to its back. A word
 * counts both, so that they never meet. If a room is full, what comes goes behind all rooms, and
 * another sort takes all. */
#ifndef CLSORT_MSD_ROOMS_H
#define CLSORT_MSD_ROOMS_H

#define COMBINE_CAPACITY MSD_CAPACITY(MSD_LEAST_ROOM(COMBINE_BYTES))
#define COMBINE_STORED(target, item) \
    ((combine_item_t)(MSD_KEY(item) & (((key_t)1 << (target)->shift) - 1)))

/* Room for `count` at the front, or, if is_back, at the back. */
CLSORT_INLINE uint scatter_room(__global struct msd_region *leaf,
                                const struct scatter_target *target, uint count, int is_back)
{
    const uint taken = atomic_add(&leaf->taken, is_back ? count << 16 : count);
    const uint front = taken & 0xffff, back = taken >> 16, capacity = leaf->capacity;
    if (front + back + count > capacity) {
        target->control->leaf_gave_up = 1;
        return target->num_room_items;
    }
    return leaf->room + (is_back ? capacity - back - count : front);
}

#define scatter_take(leaf, target, count) scatter_room(leaf, target, *(count), 0)
#define scatter_take_rest(leaf, target, count) scatter_room(leaf, target, count, 1)

#endif
