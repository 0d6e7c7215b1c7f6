/* ordered.h: where scatter.cl puts whole items if they keep their order: each task has its
 * own place in each leaf, which it fills from the front. What comes before the place in its first
 * chunk belongs to others; it counts as elements that are not written (COMBINE_HEAD).
 *
 * Work-item d has the place of digit d. */
#ifndef CLSORT_MSD_ORDERED_H
#define CLSORT_MSD_ORDERED_H

#define COMBINE_IN_ORDER 1
#define COMBINE_CAPACITY MSD_CAPACITY(MSD_LEAST_ROOM(COMBINE_BYTES))
#define COMBINE_HEAD(target) (target)->head

/* Where the digit's elements begin. Returns how many of its bucket are taken before. */
CLSORT_INLINE uint scatter_open(struct scatter_target *target, uint place)
{
    const uint lead = (uint)((size_t)target->keys / sizeof(key_t));
    target->head = (place + lead) & (COMBINE_BYTES / ITEM_SIZE - 1u);
    target->next = place - target->head;
    return target->head;
}

/* The next `count` elements' place. */
CLSORT_INLINE uint scatter_place(struct scatter_target *target, uint count)
{
    const uint at = target->next;
    target->next += count;
    target->head = 0; /* if there was one, it is in these elements */
    return at;
}

#define scatter_take(leaf, target, count) scatter_place(target, *(count))
#define scatter_take_rest(leaf, target, count) scatter_place(target, count)
#define COMBINE_STORE_REST(target, out, digit, first, number, item) \
    scatter_store(target, (first) + (number), item)

#endif
