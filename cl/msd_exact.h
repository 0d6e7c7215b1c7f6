/* msd_exact.h: where msd_scatter.cl puts whole items: exactly into the leaf's part of the output. A
 * leaf's elements are numbered from its first aligned one to its end; those before it come last.
 * Chunks go from number 0 up, rests from the last number down. */
#ifndef CLSORT_MSD_EXACT_H
#define CLSORT_MSD_EXACT_H

#define COMBINE_CAPACITY MSD_CAPACITY(MSD_EXACT_ROOM)
#define COMBINE_MAX_REST (2 * 64 / ITEM_SIZE)
#define SCATTER_ITEM(item, target) (item)

typedef uint4 __attribute__((may_alias)) exact_quad_t;
typedef uint2 __attribute__((may_alias)) exact_pair_t;

/* Elements of the leaf before the first that is aligned as a chunk is. */
CLSORT_INLINE uint scatter_head(uint begin, uint size, const struct scatter_target *target)
{
    const uint lead = (uint)((size_t)target->keys / sizeof(key_t));
    return min((0 - (begin + lead)) & (64u / ITEM_SIZE - 1), size);
}

/* Takes room for `count` elements, or lowers count to those that have room. */
CLSORT_INLINE uint scatter_take(__global struct msd_region *leaf,
                                const struct scatter_target *target, uint *count)
{
    const uint begin = leaf->begin, size = leaf->size, head = scatter_head(begin, size, target);
    const uint room = (size - head) & ~(64u / ITEM_SIZE - 1);
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

CLSORT_INLINE void scatter_store(const struct scatter_target *target, uint index, ITEM item)
{
    target->keys[index] = MSD_KEY(item);
    if (PAYLOAD_SIZE)
        target->payload[index] = (payload_t)ITEM_STORED_PAYLOAD(item);
}

/* 16 bytes of items. Keys are aligned as chunks are, payloads only if they lie as the keys do. */
#if PAYLOAD_SIZE == 0
CLSORT_INLINE void scatter_store_quad(const struct scatter_target *target, uint index, uint4 quad)
{
    *(__global exact_quad_t *)(target->keys + index) = quad;
}
#elif ITEM_SIZE == 16
CLSORT_INLINE void scatter_store_quad(const struct scatter_target *target, uint index, uint4 quad)
{
    scatter_store(target, index, as_ulong2(quad));
}
#elif PAYLOAD_SIZE == 4
CLSORT_INLINE void scatter_store_quad(const struct scatter_target *target, uint index, uint4 quad)
{
    *(__global exact_pair_t *)(target->keys + index) = quad.yw;
    if (((size_t)target->keys - (size_t)target->payload) % 8 == 0) {
        *(__global exact_pair_t *)(target->payload + index) = quad.xz;
    } else {
        target->payload[index] = quad.x;
        target->payload[index + 1] = quad.z;
    }
}
#else
CLSORT_INLINE void scatter_store_quad(const struct scatter_target *target, uint index, uint4 quad)
{
    scatter_store(target, index, as_ulong2(quad).x);
    scatter_store(target, index + 1, as_ulong2(quad).y);
}
#endif

CLSORT_INLINE void scatter_store_rest(const struct scatter_target *target, uint digit, uint number,
                                      ITEM item)
{
    __global const struct msd_region *leaf = target->regions + digit;
    const uint begin = leaf->begin, size = leaf->size;
    const uint at = scatter_head(begin, size, target) + number;
    scatter_store(target, begin + (at < size ? at : at - size), item);
}

#define COMBINE_STORE(target, out, index, item) scatter_store(target, index, item)
#define COMBINE_STORE_QUAD(target, out, index, quad) scatter_store_quad(target, index, quad)
#define COMBINE_STORE_REST(target, out, digit, first, number, item) \
    scatter_store_rest(target, digit, (first) + (number), item)

#endif
