/* rooms.h: where scatter.cl puts items, or two bytes of each key: into a room of scratch
 * for each leaf, which split.cl has made (capacity.h). Whole chunks go to a room's front,
 * others to its back. A word counts both, so that they never meet. If a room is full, what comes
 * goes behind all rooms, and is counted still: offsets.cl makes larger rooms, and the digit is
 * moved again. Short rests are left to another sort. */
#ifndef CLSORT_MSD_ROOMS_H
#define CLSORT_MSD_ROOMS_H

#define COMBINE_CAPACITY MSD_CAPACITY(MSD_LEAST_ROOM(COMBINE_BYTES))
#if MSD_SHORT
#define SCATTER_ITEM(item, target) \
    ((combine_item_t)(MSD_KEY(item) & (((key_t)1 << (target)->shift) - 1)))
#elif MSD_IS_APART
#define COMBINE_STORE_REST(target, out, digit, first, number, item) \
    scatter_store(target, (first) + (number), item)
#else
#define SCATTER_ITEM(item, target) (item)
#endif

/* Room for `count` at the front, or, if is_back, at the back. */
CLSORT_INLINE uint scatter_room(__global struct msd_region *leaf,
                                const struct scatter_target *target, uint count, int is_back)
{
    const uint taken = atomic_add(&leaf->taken, is_back ? count << 16 : count);
    const uint front = taken & 0xffff, back = taken >> 16, capacity = leaf->capacity;
    const uint all = front + back + count;
    if (all > capacity) {
        if (MSD_MOVES_AGAIN && all <= MSD_MOST_ROOM)
            target->total[MSD_AGAIN] = 1;
        else
            target->control->leaf_gave_up = 1;
        return target->num_room_items;
    }
    return leaf->room + (is_back ? capacity - back - count : front);
}

#define scatter_take(leaf, target, count) scatter_room(leaf, target, *(count), 0)
#define scatter_take_rest(leaf, target, count) scatter_room(leaf, target, count, 1)

#endif
