/* store.h: how scatter.cl stores whole items in the output: keys and payloads apart, if it can two
 * or four of them at once. */
#ifndef CLSORT_MSD_STORE_H
#define CLSORT_MSD_STORE_H

#define COMBINE_STORED(target, item) (item)

typedef uint4 __attribute__((may_alias)) store_quad_t;
typedef uint2 __attribute__((may_alias)) store_pair_t;

CLSORT_INLINE void scatter_store(const struct scatter_target *target, uint index, ITEM item)
{
    msd_store_apart(target->keys, target->payload, index, item);
}

/* 16 bytes of items. Keys are aligned as chunks are, payloads only if they lie as the keys do. */
#if PAYLOAD_SIZE == 0
CLSORT_INLINE void scatter_store_quad(const struct scatter_target *target, uint index, uint4 quad)
{
    *(__global store_quad_t *)(target->keys + index) = quad;
}
#elif ITEM_SIZE == 16
CLSORT_INLINE void scatter_store_quad(const struct scatter_target *target, uint index, uint4 quad)
{
    scatter_store(target, index, as_ulong2(quad));
}
#elif PAYLOAD_SIZE == 4
CLSORT_INLINE void scatter_store_quad(const struct scatter_target *target, uint index, uint4 quad)
{
    *(__global store_pair_t *)(target->keys + index) = quad.yw;
    if (((size_t)target->keys - (size_t)target->payload) % 8 == 0) {
        *(__global store_pair_t *)(target->payload + index) = quad.xz;
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

#define COMBINE_STORE(target, out, index, item) scatter_store(target, index, item)
#define COMBINE_STORE_QUAD(target, out, index, quad) scatter_store_quad(target, index, quad)

#endif
