/* search.h: where keys belong in an array in order, by bisection in global memory.
 *
 * Idea: a work-item looks for several keys at once, and all halve their ranges in the same rounds,
 * without a branch: the reads of a round are on their way together.
 *
 * Whatever the array holds, a result lies in the range that was given. Local memory: none. */
#ifndef CLSORT_SEARCH_H
#define CLSORT_SEARCH_H

#include "item.h"

/* If results have 32 bits, so have places: an array then has fewer keys, too. */
#if PAYLOAD_SIZE == 8
typedef ulong search_index_t;
#else
typedef uint search_index_t;
#endif

/* Records are compared where they lie, and one comparison is enough of them in a loop. */
#if RECORD_SIZE
#define SEARCH_UNROLL 1
#else
#define SEARCH_UNROLL ITEMS
#endif

/* The queries of a work-item in a tile: `first` and those behind it, `step` apart; those at `last`
 * and behind are all the one at last. */
struct search_tile {
    __global const stored_key_t *queries;
    ulong first, last;
    uint step;
};

CLSORT_INLINE ulong search_place(const struct search_tile *tile, uint i)
{
    return min(tile->first + i * tile->step, tile->last);
}

/* For each of a work-item's queries how many keys come before it: lower[i], and `size` more at
 * most, of `end` keys. */
CLSORT_INLINE void search_lower(__global const stored_key_t *keys, search_index_t size,
                                search_index_t end, const struct search_tile *tile,
                                search_index_t *lower)
{
    while (size > 0) {
        const search_index_t middle = size - size / 2;
#pragma unroll SEARCH_UNROLL
        for (uint i = 0; i < ITEMS; ++i)
            if (middle <= end - lower[i] &&
                STORED_LESS(keys[lower[i] + (middle - 1)], tile->queries[search_place(tile, i)]))
                lower[i] += middle;
        size -= middle;
    }
}

/* The same for one query, in steps that grow from `begin` on: fast if the result is near it. Keys
 * that are equal count with or_equal. */
CLSORT_INLINE ulong search_near(__global const stored_key_t *keys, ulong begin, ulong end,
                                __global const stored_key_t *query, int or_equal)
{
#define SEARCH_COUNTS(at) \
    (or_equal ? !STORED_LESS(*query, keys[at]) : STORED_LESS(keys[at], *query))
    ulong low = begin, step = 1;
    while (step <= end - low && SEARCH_COUNTS(low + step - 1)) {
        low += step;
        step *= 2;
    }
    ulong high = low + min(step, end - low + 1) - 1;
    while (low < high) {
        const ulong middle = low + (high - low) / 2;
        if (SEARCH_COUNTS(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
#undef SEARCH_COUNTS
}

#endif
