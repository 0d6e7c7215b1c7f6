/* item.h: an element on its way through the passes, and where it lies between them
 * (onesweep.h).
 *
 * Idea: a narrow key and a narrow payload are fused to one number of 64 bits, in registers and
 * in local memory; if fused have 32 bits, in scratch too. Then a pass has one load, every other
 * pass one store for each element, and a tile writes runs that are twice as long. The output is
 * two arrays, so there they are split. Any other payload follows its key through local memory in
 * a second round. */
#ifndef CLSORT_ONESWEEP_ITEM_H
#define CLSORT_ONESWEEP_ITEM_H

#include "group/tile_load.h"
#include "sorts/onesweep/onesweep.h"

#define ONESWEEP_FUSED (PAYLOAD_SIZE && PAYLOAD_SIZE <= 4 && KEY_BITS <= 32)
#define ONESWEEP_FUSED_IN_SCRATCH (ONESWEEP_FUSED && PAYLOAD_SIZE == 4 && KEY_BITS == 32)
#define ONESWEEP_SPLIT (PAYLOAD_SIZE && !ONESWEEP_FUSED)

typedef stored_key_t __attribute__((may_alias)) alias_key_t;
typedef payload_t __attribute__((may_alias)) alias_payload_t;

#if ONESWEEP_FUSED
typedef ulong onesweep_item_t;
typedef ulong onesweep_tile_t;
#define ONESWEEP_ITEM(key, payload) ((ulong)(key) << 32 | (payload))
#define ONESWEEP_KEY(item) ((stored_key_t)((item) >> 32))
#else
typedef stored_key_t onesweep_item_t;
typedef alias_key_t onesweep_tile_t;
#define ONESWEEP_ITEM(key, payload) ((stored_key_t)(key))
#define ONESWEEP_KEY(item) (item)
#endif

/* What goes through local memory in the second round, if there is one. */
#if ONESWEEP_SPLIT
typedef alias_payload_t onesweep_second_t;
#else
typedef onesweep_tile_t onesweep_second_t;
#endif

/* The arrays that a pass reads or writes. */
struct onesweep_arrays {
    __global stored_key_t *keys;
    __global payload_t *payload;
    int makes_index;       /* the payload is an element's number */
    __global ulong *fused; /* keys and payload fused; NULL: they are split */
};

/* By a pointer: Oclgrind 21.10 stops at what LLVM makes of a struct that an inlined function
 * returns. */
CLSORT_INLINE void onesweep_bind(struct onesweep_arrays *place, const struct onesweep_params *q,
                                 ONESWEEP_ARGS, uint buffer)
{
    place->keys = onesweep_keys(q, ONESWEEP_BUFFERS, buffer);
    place->payload = onesweep_payload(q, ONESWEEP_BUFFERS, buffer);
    place->makes_index = PAYLOAD_INDEX && buffer == BUFFER_IN;
    place->fused = ONESWEEP_FUSED_IN_SCRATCH && buffer == BUFFER_SCRATCH
                       ? ONESWEEP_TABLE(ulong, work_keys)
                       : 0;
}

CLSORT_INLINE stored_key_t onesweep_key_at(const struct onesweep_arrays *from, uint at)
{
    if (ONESWEEP_FUSED_IN_SCRATCH && from->fused)
        return (stored_key_t)(from->fused[at] >> 32);
    return from->keys[at];
}

CLSORT_INLINE payload_t onesweep_payload_at(const struct onesweep_arrays *from, uint at)
{
    return from->makes_index ? (payload_t)at : from->payload[at];
}

CLSORT_INLINE onesweep_item_t onesweep_item_at(const struct onesweep_arrays *from, uint at)
{
    return ONESWEEP_ITEM(from->keys[at], onesweep_payload_at(from, at));
}

/* A work-item's elements of the tile that begins at `first`, of which `size` are left, by
 * sub-groups. Behind them is padding, which has the highest digit and so stays behind all
 * others. */
CLSORT_INLINE void onesweep_load(onesweep_item_t *own, const struct onesweep_arrays *from,
                                 uint first, uint size)
{
    const uint own_slot = TILE_SUBGROUP_FIRST((uint)get_local_id(0));
    const onesweep_item_t padding = ONESWEEP_ITEM(KEY_DECODE(KEY_ALL), 0u);
#define ONESWEEP_FETCH(slot) onesweep_item_at(from, first + (slot))
#define ONESWEEP_FETCH_FUSED(slot) from->fused[first + (slot)]
    if (ONESWEEP_FUSED_IN_SCRATCH && from->fused)
        GROUP_TILE_LOAD(own, own_slot, TILE_SUBGROUP, size, padding, ONESWEEP_FETCH_FUSED);
    else
        GROUP_TILE_LOAD(own, own_slot, TILE_SUBGROUP, size, padding, ONESWEEP_FETCH);
}

/* An element to its target; a payload that is split is not with it. */
CLSORT_INLINE void onesweep_store(const struct onesweep_arrays *to, uint at, onesweep_item_t item)
{
    if (ONESWEEP_FUSED_IN_SCRATCH && to->fused) {
        to->fused[at] = item;
        return;
    }
    to->keys[at] = ONESWEEP_KEY(item);
    if (ONESWEEP_FUSED)
        to->payload[at] = (payload_t)item;
}

#endif
