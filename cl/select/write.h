/* write.h: writes a wanted element: its key, its index, or its value if that has only a few
 * pieces. Longer values are gathered by the indices in another launch. */
#ifndef CLSORT_SELECT_WRITE_H
#define CLSORT_SELECT_WRITE_H

#include "base/piece.h"
#include "select/select.h"

#define SELECT_BUFFERS                                                                     \
    __global const void *keys_in, __global void *keys_out, __global const void *values_in, \
        __global void *payload_out

/* Writes element `index` of an array, whose key is given, as number `place` of the wanted ones. */
CLSORT_INLINE void select_write(const struct select_params *p, SELECT_BUFFERS, ulong array,
                                uint index, stored_key_t key, uint place)
{
    const ulong from = array * p->count + index, at = array * p->limit + place;
    (void)keys_in;
    if (p->flags & FLAG_STORE_KEYS)
        BUFFER_AT(stored_key_t, p->offsets, keys_out, 1)[at] = key;
    if (p->flags & SELECT_FLAG_WIDE_INDEX)
        BUFFER_AT(ulong, p->offsets, payload_out, 3)[at] = index;
    else if (p->flags & FLAG_STORE_PAYLOAD)
        BUFFER_AT(uint, p->offsets, payload_out, 3)[at] = index;
    for (uint i = 0; i < p->num_units; ++i)
        BUFFER_AT(piece_t, p->offsets, payload_out, 3)
    [at * p->num_units + i] =
        BUFFER_AT(const piece_t, p->offsets, values_in, 2)[from * p->num_units + i];
}

#endif
