/* rests.h: a leaf's elements in local memory, and from there to the output. */
#ifndef CLSORT_RESTS_H
#define CLSORT_RESTS_H

#include "sorts/partition/digits.h"
#include "group/scan.h"

/* What is sorted: a key minus the leaf's lowest; below it its payload, or its slot. A slot leaves
 * room for 51 bits. If the leaf's keys differ in more, the lowest are cut off: keys whose rests are
 * the same are then compared where they lie. */
#if DIGITS_JOINED
typedef ulong digits_rest_t;
#define DIGITS_CUT(bits) 0u
#define DIGITS_REST(order, low, cut, payload) ((ulong)((order) - (key_t)(low)) << 32 | (payload))
#define DIGITS_REST_KEY(rest) ((key_t)((rest) >> 32))
#define DIGITS_REST_SLOT(rest) 0u /* it has none */
#elif PAYLOAD_SIZE
typedef ulong digits_rest_t;
#define DIGITS_CUT(bits) (KEY_BITS == 64 ? sub_sat((uint)(bits), 64u - REST_SLOT_BITS) : 0u)
#define DIGITS_REST(order, low, cut, slot) \
    ((ulong)((order) - (key_t)(low)) >> (cut) << REST_SLOT_BITS | (slot))
#define DIGITS_REST_KEY(rest) ((key_t)((rest) >> REST_SLOT_BITS))
#define DIGITS_REST_SLOT(rest) ((uint)(rest) & ((1u << REST_SLOT_BITS) - 1))
#else
typedef key_t digits_rest_t;
#define DIGITS_CUT(bits) 0u
#define DIGITS_REST(order, low, cut, slot) ((order) - (key_t)(low))
#define DIGITS_REST_KEY(rest) (rest)
#define DIGITS_REST_SLOT(rest) 0u
#endif

typedef digits_rest_t __attribute__((may_alias)) alias_rest_t;

#define BINS (1 << RADIX_BITS)

struct digits_leaf_local {
    union {
        uint bins[BINS / 2 + 1]; /* two counts each; the last one: their sums */
#if PAYLOAD_SIZE && !DIGITS_JOINED
        ushort places[TILE_SLOTS]; /* of the element that came from this slot */
#endif
    } table;
    struct group_scan_local scan;
    uint crowded;
    union {
        alias_rest_t rests[TILE_SLOTS];
#if PAYLOAD_SIZE && !DIGITS_JOINED
        alias_key_t keys[TILE_SLOTS];
        alias_payload_t payloads[TILE_SLOTS];
#endif
    } tile;
};

/* Turns a leaf's part of an array around. In place, it changes places with what it is turned to. */
CLSORT_INLINE void digits_reverse(const struct partition_params *q, PARTITION_ARGS,
                                  const leaf_t *leaf)
{
    const uint place = leaf->place, flags = PLACE_LOAD_FLAGS(place);
    const int swaps = place == PLACE_OUT || (place == PLACE_IN && (q->flags & FLAG_IN_PLACE));
    const uint base = leaf->begin / q->count * q->count, end = leaf->begin + leaf->size;
    __global stored_key_t *keys = place_keys(q, PARTITION_BUFFERS, place);
    __global payload_t *payload = place_payload(q, PARTITION_BUFFERS, place);
    __global stored_key_t *to = place_keys(q, PARTITION_BUFFERS, PLACE_OUT);
    __global payload_t *to_payload = place_payload(q, PARTITION_BUFFERS, PLACE_OUT);
    for (uint at = leaf->begin + get_local_id(0); at < end; at += GROUP_SIZE) {
        const uint other = base + (q->count - 1 - (at - base));
        ITEM item, opposite;
        PLACE_LOAD(item, keys, payload, at, base, flags);
        if (swaps) {
            PLACE_LOAD(opposite, keys, payload, other, base, flags);
            ITEM_STORE(to, to_payload, at, opposite, q->flags | FLAG_STORE_PAYLOAD);
        }
        ITEM_STORE(to, to_payload, other, item, q->flags | FLAG_STORE_PAYLOAD);
    }
}

#if DIGITS_JOINED || PAYLOAD_SIZE == 0
/* An element of the leaf, as it is sorted, to its place in the output. */
CLSORT_INLINE void leaf_put(const struct partition_params *q, PARTITION_ARGS, const leaf_t *leaf,
                            uint place, digits_rest_t rest)
{
    place_keys(q, PARTITION_BUFFERS, PLACE_OUT)[leaf->begin + place] =
        (stored_key_t)KEY_DECODE((key_t)leaf->low + DIGITS_REST_KEY(rest));
    if (PAYLOAD_SIZE)
        place_payload(q, PARTITION_BUFFERS, PLACE_OUT)[leaf->begin + place] = (payload_t)rest;
}
#else
/* Moves keys and payloads through local memory to the places of their slots. Ends with a
 * barrier. */
CLSORT_INLINE void leaf_store(const struct partition_params *q, PARTITION_ARGS, const leaf_t *leaf,
                              uint size, __local struct digits_leaf_local *shared)
{
    const uint me = get_local_id(0);
    const uint place = leaf->place;
    __global const stored_key_t *from = place_keys(q, PARTITION_BUFFERS, place) + leaf->begin;
    __global stored_key_t *to = place_keys(q, PARTITION_BUFFERS, PLACE_OUT) + leaf->begin;
    __global const payload_t *from_payload =
        place_payload(q, PARTITION_BUFFERS, place) + leaf->begin;
    __global payload_t *to_payload = place_payload(q, PARTITION_BUFFERS, PLACE_OUT) + leaf->begin;
    const int makes_index = PAYLOAD_INDEX && place == PLACE_IN;
    const uint first_index = makes_index ? leaf->begin % q->count : 0;
    const int left = (int)size - (int)me;
    const int keys_left = q->flags & FLAG_STORE_KEYS ? left : 0;
    __local const ushort *my_places = shared->table.places + me;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < keys_left)
            shared->tile.keys[my_places[i * GROUP_SIZE]] = (from + me)[i * GROUP_SIZE];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* keys are in order, all have been read */
    payload_t payload[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            payload[i] = makes_index ? (payload_t)(first_index + me + i * GROUP_SIZE)
                                     : (from_payload + me)[i * GROUP_SIZE];
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < keys_left)
            (to + me)[i * GROUP_SIZE] = (shared->tile.keys + me)[i * GROUP_SIZE];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* so have the payloads */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            shared->tile.payloads[my_places[i * GROUP_SIZE]] = payload[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* the payloads are in order */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            (to_payload + me)[i * GROUP_SIZE] = (shared->tile.payloads + me)[i * GROUP_SIZE];
    barrier(CLK_LOCAL_MEM_FENCE); /* all has been written before the next leaf's come */
}
#endif

#endif
