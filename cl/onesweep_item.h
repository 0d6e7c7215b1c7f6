/* onesweep_item.h: an element on its way through the passes, and where it lies between them (onesweep.h).
 *
 * Idea: a narrow key and a narrow payload are one number of 64 bits, in registers and in local memory; if both have
 * 32 bits, in scratch, too. Then a pass has one load and every other pass one store an element, and the runs
 * that a tile writes are twice as long. The output is two arrays, so there they lie apart. A wide payload follows
 * its key through local memory in a second round. */
#ifndef CLSORT_ONESWEEP_ITEM_H
#define CLSORT_ONESWEEP_ITEM_H

#include "onesweep.h"

#define ONESWEEP_JOINED (PAYLOAD_SIZE && PAYLOAD_SIZE <= 4 && KEY_BITS <= 32)
#define ONESWEEP_PACKED (ONESWEEP_JOINED && PAYLOAD_SIZE == 4 && KEY_BITS == 32)
#define ONESWEEP_APART (PAYLOAD_SIZE && !ONESWEEP_JOINED)

typedef stored_key_t __attribute__((may_alias)) alias_key_t;
typedef payload_t __attribute__((may_alias)) alias_payload_t;

#if ONESWEEP_JOINED
typedef ulong onesweep_item_t;
typedef ulong onesweep_tile_t;
#define ONESWEEP_JOIN(key, payload) ((ulong)(key) << 32 | (payload))
#define ONESWEEP_KEY(item) ((stored_key_t)((item) >> 32))
#else
typedef stored_key_t onesweep_item_t;
typedef alias_key_t onesweep_tile_t;
#define ONESWEEP_KEY(item) (item)
#endif

/* Where a pass reads, or writes. */
struct onesweep_place {
    __global stored_key_t *keys;
    __global payload_t *payload;
    int makes_index;      /* the payload is an element's number */
    __global ulong *both; /* keys and payload; NULL: they lie apart */
};

/* By a pointer: Oclgrind 21.10 stops at what LLVM makes of a struct that an inlined function returns. */
CLSORT_INLINE void onesweep_find(struct onesweep_place *place, const struct onesweep_params *q,
                                 ONESWEEP_ARGS, uint number)
{
    place->keys = onesweep_keys(q, ONESWEEP_BUFFERS, number);
    place->payload = onesweep_payload(q, ONESWEEP_BUFFERS, number);
    place->makes_index = PAYLOAD_INDEX && number == ONESWEEP_IN;
    place->both = ONESWEEP_PACKED && number == ONESWEEP_WORK ? ONESWEEP_TABLE(ulong, work_keys) : 0;
}

CLSORT_INLINE stored_key_t onesweep_key_at(const struct onesweep_place *from, uint at)
{
    if (ONESWEEP_PACKED && from->both)
        return (stored_key_t)(from->both[at] >> 32);
    return from->keys[at];
}

#if PAYLOAD_SIZE
CLSORT_INLINE payload_t onesweep_payload_at(const struct onesweep_place *from, uint at)
{
    return from->makes_index ? (payload_t)at : from->payload[at];
}
#endif

CLSORT_INLINE onesweep_item_t onesweep_item_at(const struct onesweep_place *from, uint at)
{
#if ONESWEEP_JOINED
    return ONESWEEP_JOIN(from->keys[at], onesweep_payload_at(from, at));
#else
    return from->keys[at];
#endif
}

/* A work-item's elements of the tile that begins at `first`, of which `size` are left; behind those padding, which
 * has the highest digit and so stays behind all others. */
CLSORT_INLINE void onesweep_load(onesweep_item_t *own, const struct onesweep_place *from,
                                 uint first, uint size)
{
    const uint slot = radix_slot(get_local_id(0), 0);
    const int left = (int)min(size, (uint)TILE_SLOTS) - (int)slot;
#if ONESWEEP_JOINED
    const onesweep_item_t padding = ONESWEEP_JOIN(KEY_DECODE(KEY_ALL), 0u);
#else
    const onesweep_item_t padding = (stored_key_t)KEY_DECODE(KEY_ALL);
#endif
#if ONESWEEP_PACKED
    if (from->both) {
        __global const ulong *mine = from->both + first + slot;
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            own[i] = i * RADIX_SUBGROUP < left ? mine[i * RADIX_SUBGROUP] : padding;
        return;
    }
#endif
    if (size >= TILE_SLOTS) {
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            own[i] = onesweep_item_at(from, first + slot + i * RADIX_SUBGROUP);
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            own[i] = i * RADIX_SUBGROUP < left
                         ? onesweep_item_at(from, first + slot + i * RADIX_SUBGROUP)
                         : padding;
    }
}

/* An element to its place; a payload that lies apart is not with it. */
CLSORT_INLINE void onesweep_store(const struct onesweep_place *to, uint at, onesweep_item_t item)
{
#if ONESWEEP_PACKED
    if (to->both) {
        to->both[at] = item;
        return;
    }
#endif
    to->keys[at] = ONESWEEP_KEY(item);
#if ONESWEEP_JOINED
    to->payload[at] = (payload_t)item;
#endif
}

#endif
