/* source.h: where a leaf's items lie behind level 2 of msd.h: in the output, in the leaf's own
 * part of it, or in the leaf's room in scratch. Some of a room's items are at its front and the
 * others at its end, so those from `front` on have a gap before them.
 *
 *   to the output             keys and payloads, apart
 *   rooms                     items
 *   rooms, items of 16 bytes  keys and payloads, apart: leaves read them one after the other. But
 *                             items, where chunks have 32 bytes: half of one is too little
 *   MSD_SHORT                 two bytes of each key
 *
 * Keys are ordered numbers. */
#ifndef CLSORT_MSD_SOURCE_H
#define CLSORT_MSD_SOURCE_H

#include "sorts/msd/msd.h"

#if MSD_SHORT
typedef ushort source_t;
#elif MSD_IS_APART || PAYLOAD_SIZE == 0
typedef key_t source_t;
#else
typedef ITEM source_t;
#endif

struct msd_source {
    __global source_t *items;
    __global payload_t *payload; /* where it lies apart */
    uint front, gap;
};

/* A leaf's source; keys, payload: its part of the output. */
CLSORT_INLINE struct msd_source msd_source_of(const struct msd_params *params,
                                              __global void *scratch,
                                              __global const struct msd_region *leaf,
                                              __global key_t *keys, __global payload_t *payload)
{
    const struct msd_params p = *params;
    struct msd_source source;
    source.items =
        MSD_HAS_ROOMS ? MSD_TABLE(source_t, rests) + leaf->room : (__global source_t *)keys;
    source.payload = MSD_HAS_ROOMS ? MSD_TABLE(payload_t, rest_payloads) + leaf->room : payload;
    source.front = leaf->taken & 0xffff;
    source.gap = leaf->capacity - leaf->size;
    return source;
}

/* The items from `at` on, which have no gap before them, or none any more. */
CLSORT_INLINE void msd_source_skip(struct msd_source *source, uint at)
{
    source->items += at;
    source->payload += at;
    source->front = UINT_MAX;
}

#define SOURCE_PLACE(source, at) \
    ((at) + (MSD_HAS_ROOMS && (at) >= (source)->front ? (source)->gap : 0))

#if !MSD_SHORT
CLSORT_INLINE ITEM msd_source_item(const struct msd_source *source, uint at)
{
    const uint place = SOURCE_PLACE(source, at);
#if MSD_IS_APART || PAYLOAD_SIZE == 0
    return item_make(source->items[place], PAYLOAD_SIZE ? source->payload[place] : 0);
#else
    return source->items[place];
#endif
}

CLSORT_INLINE payload_t msd_source_payload(const struct msd_source *source, uint at)
{
#if MSD_IS_APART
    return PAYLOAD_SIZE ? source->payload[SOURCE_PLACE(source, at)] : 0;
#else
    return (payload_t)ITEM_STORED_PAYLOAD(msd_source_item(source, at));
#endif
}

/* Stores item `at` of a source without a gap. */
CLSORT_INLINE void msd_source_store(const struct msd_source *source, uint at, ITEM item)
{
#if MSD_IS_APART || PAYLOAD_SIZE == 0
    msd_store_apart(source->items, source->payload, at, item);
#else
    source->items[at] = item;
#endif
}
#endif

#endif
