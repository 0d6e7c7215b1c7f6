/* msd_finish.h: what a leaf of msd_finish.cl is sorted as, how it is loaded, and how it is written.
 *
 *   MSD_SHORT        two bytes of each key, in scratch
 *   keys alone       the bits in which the leaf's keys differ
 *   narrow payloads  these bits, and the payload below them, in 64 bits
 *   others           these bits, and the element's slot below them, by which payloads follow */
#ifndef CLSORT_MSD_FINISH_H
#define CLSORT_MSD_FINISH_H

#include "msd.h"

#define FINISH_HAS_SLOTS (PAYLOAD_SIZE && ITEM_SIZE == 16)
#if MSD_SHORT
typedef ushort rest_t;
#elif PAYLOAD_SIZE
typedef ulong rest_t;
#else
typedef key_t rest_t;
#endif
#define FINISH_BELOW (FINISH_HAS_SLOTS ? PART_SLOT_BITS : PAYLOAD_SIZE ? 32 : 0)

#define BIN_WORDS (1 << (RADIX_BITS - 4))
#define BIN_ITEM rest_t
#define BIN_OF(item, shift) ((uint)((item) >> FINISH_BELOW >> (shift)))
/* About 246 of 4096 keys are late in 2^15 bins, give or take 15; of 8192 944, give or take 30. */
#define LIKELY_LATE (TILE_SLOTS * TILE_SLOTS >> (RADIX_BITS + 1))
#define BIN_MAX_LATE (TILE_SLOTS / 14 > LIKELY_LATE ? TILE_SLOTS / 14 : LIKELY_LATE)
#include "group_bin_sort.h"

struct finish_leaf {
    key_t low; /* what its keys agree in, above `bits` */
    uint bits;
    uint begin, size;
    __global key_t *keys; /* its part of the output */
    __global payload_t *payload;
    __global const rest_t *rests; /* short ones: those from `front` on have a gap before them */
    uint front, gap;
    uint stores_keys; /* an argsort does not */
};

/* Element `at` of a leaf, as it is sorted. */
#if MSD_SHORT
CLSORT_INLINE rest_t finish_rest(const struct finish_leaf *leaf, uint at)
{
    return leaf->rests[at + (at < leaf->front ? 0 : leaf->gap)];
}
#else
CLSORT_INLINE rest_t finish_rest(const struct finish_leaf *leaf, uint at)
{
    const rest_t bits = leaf->keys[at] & (((key_t)1 << leaf->bits) - 1);
    if (FINISH_HAS_SLOTS)
        return bits << FINISH_BELOW | at;
    return PAYLOAD_SIZE ? bits << FINISH_BELOW | leaf->payload[at] : bits;
}
#endif

/* A key as it is stored. */
#define FINISH_KEY(leaf, rest) \
    ((key_t)(stored_key_t)KEY_DECODE((leaf)->low | (key_t)((rest) >> FINISH_BELOW)))

/* The keys of a leaf that stays unsorted: put together from scratch, or decoded in the output. */
CLSORT_INLINE void finish_leave(const struct finish_leaf *leaf)
{
    for (uint i = get_local_id(0); i < leaf->size; i += GROUP_SIZE)
        leaf->keys[i] = MSD_SHORT ? FINISH_KEY(leaf, finish_rest(leaf, i))
                                  : (key_t)(stored_key_t)KEY_DECODE(leaf->keys[i]);
}

CLSORT_INLINE void finish_load(rest_t *own, const struct finish_leaf *leaf, uint size)
{
    const uint me = get_local_id(0);
    const int left = (int)size - (int)me;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            own[i] = finish_rest(leaf, me + i * GROUP_SIZE);
}

/* The sorted tile to the output. Each work-item writes where it has read. */
#if FINISH_HAS_SLOTS
/* Payloads go by the slots that they come from, through local memory. */
CLSORT_INLINE void finish_write(const struct finish_leaf *leaf, uint size,
                                __local struct group_bin_sort_local *shared)
{
    const int left = (int)size - (int)get_local_id(0);
    __local rest_t *tile = shared->tile + get_local_id(0);
    __global key_t *keys = leaf->keys + get_local_id(0);
    __global payload_t *payload = leaf->payload + get_local_id(0);
    rest_t own[ITEMS];
    payload_t moved[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left) {
            moved[i] = payload[i * GROUP_SIZE];
            own[i] = tile[i * GROUP_SIZE];
            keys[i * GROUP_SIZE] = FINISH_KEY(leaf, own[i]);
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile has been read */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            tile[i * GROUP_SIZE] = moved[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* all payloads are there */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            payload[i * GROUP_SIZE] = (payload_t)shared->tile[own[i] & ((1 << PART_SLOT_BITS) - 1)];
}
#else
CLSORT_INLINE void finish_write(const struct finish_leaf *leaf, uint size,
                                __local struct group_bin_sort_local *shared)
{
    const int left = (int)size - (int)get_local_id(0);
    __local const rest_t *from = shared->tile + get_local_id(0);
    __global key_t *keys = leaf->keys + get_local_id(0);
    __global payload_t *payload = leaf->payload + get_local_id(0);
#pragma unroll 4
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left) {
            if (!PAYLOAD_INDEX || leaf->stores_keys)
                keys[i * GROUP_SIZE] = FINISH_KEY(leaf, from[i * GROUP_SIZE]);
            if (PAYLOAD_SIZE)
                payload[i * GROUP_SIZE] = (payload_t)from[i * GROUP_SIZE];
        }
}
#endif

#endif
