/* search.h: where keys belong in an array in order, by bisection in global memory.
 *
 * Idea: a work-item looks for several keys at once, and all halve their ranges in the same rounds,
 * without a branch: the reads of a round are on their way together.
 *
 * Whatever the array holds, a result lies in the range that was given. Local memory: none. */
#ifndef CLSORT_SEARCH_H
#define CLSORT_SEARCH_H

#include "base/index.h"
#include "base/item.h"

/* A query: a number is read once. Records are compared where they lie, and one comparison is enough
 * of them in a loop. */
#if RECORD_SIZE
#define SEARCH_UNROLL 1
typedef __global const stored_key_t *search_query_t;
#define SEARCH_QUERY(queries, at) ((queries) + (at))
#define SEARCH_BEFORE(key, query) STORED_LESS(key, *(query))
#else
#define SEARCH_UNROLL ITEMS
typedef stored_key_t search_query_t;
#define SEARCH_QUERY(queries, at) (queries)[at]
#define SEARCH_BEFORE(key, query) STORED_LESS(key, query)
#endif

/* The queries of a work-item in a tile: `first` and those behind it, `step` apart; those at `last`
 * and behind are all the one at last. */
struct search_queries {
    __global const stored_key_t *queries;
    ulong first, last;
    uint step;
};

/* For each of a work-item's first `num` queries how many keys come before it: lower[i], and `size`
 * more at most. There are as many keys. */
CLSORT_INLINE void search_lower(__global const stored_key_t *keys, index_t size,
                                const struct search_queries *tile, uint num, index_t *lower)
{
    search_query_t own[ITEMS];
    if (size == 0)
        return;
#pragma unroll SEARCH_UNROLL
    for (uint i = 0; i < num; ++i)
        own[i] = SEARCH_QUERY(tile->queries, min(tile->first + i * tile->step, tile->last));
    while (size > 1) {
        const index_t middle = size / 2;
#pragma unroll SEARCH_UNROLL
        for (uint i = 0; i < num; ++i)
            lower[i] += SEARCH_BEFORE(keys[lower[i] + middle - 1], own[i]) ? middle : 0;
        size -= middle;
    }
#pragma unroll SEARCH_UNROLL
    for (uint i = 0; i < num; ++i)
        lower[i] += SEARCH_BEFORE(keys[lower[i]], own[i]) ? 1 : 0;
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
