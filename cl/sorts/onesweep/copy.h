/* copy.h: tiles that are copied and not sorted (onesweep.h): of an array that is in order
 * already, or in reversed order and is turned around; or so that passes end in the output. */
#ifndef CLSORT_ONESWEEP_COPY_H
#define CLSORT_ONESWEEP_COPY_H

#include "device/phases.h"
#include "sorts/onesweep/pass.h"

#define ASIDE_ITEMS 4 /* of a work-item, that are copied at once */

/* Copies an element; or, of an array in reversed order, two that change places. */
CLSORT_INLINE void onesweep_copy_one(const struct onesweep_params *q, ONESWEEP_ARGS, uint at,
                                     uint other)
{
    __global const stored_key_t *keys = onesweep_keys(q, ONESWEEP_BUFFERS, BUFFER_IN);
    __global const payload_t *payload = onesweep_payload(q, ONESWEEP_BUFFERS, BUFFER_IN);
    if (q->flags & FLAG_STORE_KEYS) {
        const stored_key_t key = keys[at], its = keys[other];
        onesweep_keys(q, ONESWEEP_BUFFERS, BUFFER_OUT)[at] = its;
        if (other != at)
            onesweep_keys(q, ONESWEEP_BUFFERS, BUFFER_OUT)[other] = key;
    }
    if (PAYLOAD_SIZE) {
        const payload_t mine = PAYLOAD_INDEX ? (payload_t)at : payload[at];
        const payload_t its = PAYLOAD_INDEX ? (payload_t)other : payload[other];
        onesweep_payload(q, ONESWEEP_BUFFERS, BUFFER_OUT)[at] = its;
        if (other != at)
            onesweep_payload(q, ONESWEEP_BUFFERS, BUFFER_OUT)[other] = mine;
    }
}

/* Tiles that are only copied, from the input to the output, or turned; how many this group gets. */
CLSORT_INLINE uint onesweep_copy(const struct onesweep_params *q, ONESWEEP_ARGS,
                                 __global uint *tickets, __local uint *tile_number)
{
    const uint reverses = ONESWEEP_CONTROL->reverses;
    const uint count = reverses ? (q->count + 1) / 2 : q->count;
    uint num_done = 0;
    for (uint tile = *tile_number; tile < q->num_tiles; ++num_done) {
        const uint first = tile * TILE_SLOTS;
        const uint end = min(first + TILE_SLOTS, count);
        for (uint at = first + (uint)get_local_id(0); at < end; at += GROUP_SIZE)
            onesweep_copy_one(q, ONESWEEP_BUFFERS, at, reverses ? q->count - 1 - at : at);
        tile = device_phases_take(tickets, tile_number);
    }
    return num_done;
}

/* Copies the elements from `first` to `end`. */
CLSORT_INLINE void onesweep_copy_tile(const struct onesweep_arrays *from,
                                      const struct onesweep_arrays *to, uint first, uint end)
{
#pragma unroll 1
    for (uint at = first + (uint)get_local_id(0); at < end; at += ASIDE_ITEMS * GROUP_SIZE) {
        onesweep_item_t own[ASIDE_ITEMS];
        payload_t payload[ASIDE_ITEMS];
#pragma unroll
        for (uint i = 0; i < ASIDE_ITEMS; ++i) {
            const uint place = min(at + i * GROUP_SIZE, end - 1);
            own[i] = onesweep_item_at(from, place);
            if (ONESWEEP_SPLIT)
                payload[i] = onesweep_payload_at(from, place);
        }
#pragma unroll
        for (uint i = 0; i < ASIDE_ITEMS; ++i)
            if (at + i * GROUP_SIZE < end) {
                onesweep_store(to, at + i * GROUP_SIZE, own[i]);
                if (ONESWEEP_SPLIT)
                    to->payload[at + i * GROUP_SIZE] = payload[i];
            }
    }
}

/* Tiles that the first pass only copies, so that an odd number of passes ends in the output; how
 * many this group gets. */
CLSORT_INLINE uint onesweep_put_aside(const struct onesweep_pass *pass,
                                      const struct onesweep_params *q, __global uint *tickets,
                                      __local uint *tile_number)
{
    uint num_done = 0;
    for (uint tile = *tile_number; tile < q->num_tiles; ++num_done) {
        const uint first = tile * TILE_SLOTS;
        onesweep_copy_tile(&pass->from, &pass->to, first,
                           first + min(q->count - first, (uint)TILE_SLOTS));
        GROUP_LOOP(digit, 0, RADIX)
            pass->next_tile_states[tile * RADIX + digit] = 0;
        tile = device_phases_take(tickets, tile_number);
    }
    return num_done;
}

#endif
