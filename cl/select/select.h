/* select.h: some places of an array's order, without sorting the array.
 *
 * Idea: elements are ordered by key and index, so no two are equal. Whatever the keys are, a sorted
 * random sample gives two bounds that almost surely have the wanted places between them (Floyd and
 * Rivest, 1975). One pass over the array collects the elements between the bounds and counts those
 * before them. The collected elements are sorted, and the wanted ones are among them.
 *
 * The counts show if the sample has misled, or if too many elements lie between the bounds. Then
 * the bounds are found by counting digits, from the highest down, and the array is collected again.
 * The launches for that otherwise do nothing, since the host does not see the counts.
 *
 * Collected elements lie in any order. They are numbers of 64 bits, key above index; keys of 64
 * bits have their indices beside them. Unused entries of the table come last in their order. */
#ifndef CLSORT_SELECT_H
#define CLSORT_SELECT_H

#include "base/buffers.h"
#include "base/key.h"
#include "base/piece.h"

/* payload_out: indices, or values of values_in. */
#define SELECT_BUFFERS                                                                     \
    __global const void *keys_in, __global void *keys_out, __global const void *values_in, \
        __global void *payload_out
#define SELECT_ARGS SELECT_BUFFERS, __global void *scratch
#define SELECT_TABLE(type, p, table) BUFFER_TABLE(type, (p)->offsets, scratch, (p)->table)
#define SELECT_KEY(stored) KEY_DIGITS(KEY_ENCODE((key_t)(stored)))
#define SELECT_BINS (1u << RADIX_BITS)

/* The first and the last element that is collected. */
struct select_bounds {
    key_t low, high;
    uint low_index, high_index;
};

/* Whether the wanted elements are not all among those collected by the sample's bounds. */
CLSORT_INLINE uint select_misled(const struct select_params *p,
                                 __global const struct select_state *state)
{
    return state->below > p->skip || state->found > p->capacity ||
           (ulong)state->below + state->found < (ulong)p->skip + p->limit;
}

CLSORT_INLINE uint select_is_before(key_t key, uint index, key_t bound, uint bound_index)
{
    return (key < bound) | ((key == bound) & (index < bound_index));
}

CLSORT_INLINE uint select_is_between(const struct select_bounds *bounds, key_t key, uint index)
{
    return (select_is_before(key, index, bounds->low, bounds->low_index) |
            select_is_before(bounds->high, bounds->high_index, key, index)) == 0;
}

#if KEY_BITS == 64
#define SELECT_STORE(table, indices, at, key, index) ((table)[at] = (key), (indices)[at] = (index))
#define SELECT_STORED_KEY(table, at) ((table)[at])
#define SELECT_STORED_INDEX(table, indices, at) ((void)(table), (indices)[at])
#else
#define SELECT_STORE(table, indices, at, key, index) \
    ((void)(indices), (table)[at] = (ulong)(key) << 32 | (index))
#define SELECT_STORED_KEY(table, at) ((key_t)((table)[at] >> 32))
#define SELECT_STORED_INDEX(table, indices, at) ((void)(indices), (uint)(table)[at])
#endif

/* The bounds that follow from the sorted sample. */
CLSORT_INLINE void select_sample_bounds(const struct select_params *p, __global uchar *scratch,
                                        uint array, struct select_bounds *bounds)
{
    const ulong first = (ulong)array * p->sample_size;
    __global const ulong *sample = SELECT_TABLE(const ulong, p, sample) + first;
    __global const uint *indices = SELECT_TABLE(const uint, p, sample_indices) + first;
    bounds->low = 0;
    bounds->low_index = 0;
    bounds->high = ~(key_t)0;
    bounds->high_index = ~0u;
    if (p->low > 0) {
        bounds->low = SELECT_STORED_KEY(sample, p->low - 1);
        bounds->low_index = SELECT_STORED_INDEX(sample, indices, p->low - 1);
    }
    if (p->high < p->sample_size) {
        bounds->high = SELECT_STORED_KEY(sample, p->high);
        bounds->high_index = SELECT_STORED_INDEX(sample, indices, p->high);
    }
}

/* Writes element `index` of an array, whose key is given, as number `place` of the wanted ones: its
 * key, its index, or its value if that has only a few pieces. Longer values are gathered by the
 * indices in another launch. */
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

/* The same of an element whose key is read again. */
CLSORT_INLINE void select_write_stored(const struct select_params *p, SELECT_BUFFERS, ulong array,
                                       uint index, uint place)
{
    const uint at = min(index, p->count - 1);
    const stored_key_t key =
        BUFFER_AT(const stored_key_t, p->offsets, keys_in, 0)[array * p->count + at];
    select_write(p, keys_in, keys_out, values_in, payload_out, array, at, key, place);
}

#endif
