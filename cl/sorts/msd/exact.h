/* exact.h: where scatter.cl puts whole items: exactly into the leaf's part of the output. A
 * leaf's elements are numbered from its first aligned one to its end; those before it come last.
 * Chunks go from number 0 up, rests from the last number down. */
#ifndef CLSORT_MSD_EXACT_H
#define CLSORT_MSD_EXACT_H

#define COMBINE_CAPACITY MSD_CAPACITY(MSD_EXACT_ROOM(COMBINE_BYTES))
#define COMBINE_MAX_REST (2 * COMBINE_BYTES / ITEM_SIZE)

/* Elements of the leaf before the first that is aligned as a chunk is. */
CLSORT_INLINE uint scatter_head(uint begin, uint size, const struct scatter_target *target)
{
    const uint lead = (uint)((size_t)target->keys / sizeof(key_t));
    return min((0 - (begin + lead)) & (COMBINE_BYTES / ITEM_SIZE - 1u), size);
}

/* Takes room for `count` elements, or lowers count to those that have room. */
CLSORT_INLINE uint scatter_take(__global struct msd_region *leaf,
                                const struct scatter_target *target, uint *count)
{
    const uint begin = leaf->begin, size = leaf->size, head = scatter_head(begin, size, target);
    const uint room = (size - head) & ~(COMBINE_BYTES / ITEM_SIZE - 1u);
    const uint at = atomic_add(&leaf->front, *count);
    *count = min(*count, sub_sat(room, at));
    return begin + head + at;
}

/* The first one's number. */
CLSORT_INLINE uint scatter_take_rest(__global struct msd_region *leaf,
                                     const struct scatter_target *target, uint count)
{
    (void)target;
    return leaf->size - count - atomic_add(&leaf->back, count);
}

CLSORT_INLINE void scatter_store_rest(const struct scatter_target *target, uint digit, uint number,
                                      ITEM item)
{
    __global const struct msd_region *leaf = target->regions + digit;
    const uint begin = leaf->begin, size = leaf->size;
    const uint at = scatter_head(begin, size, target) + number;
    scatter_store(target, begin + (at < size ? at : at - size), item);
}

#define COMBINE_STORE_REST(target, out, digit, first, number, item) \
    scatter_store_rest(target, digit, (first) + (number), item)

#endif
