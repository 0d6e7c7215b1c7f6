/* rank.h: one work-item sorts a few items by the place that each one's smaller ones leave it.
 *
 * Idea: sixteen items are compared with one item after the other, in vectors of their places,
 * and no branch depends on a key. n items take n * n comparisons, which up to RANK_SORT_MAX is
 * less than digits cost. An equal item in front counts as smaller, so the sort is stable. */
#ifndef CLSORT_CPU_RANK_H
#define CLSORT_CPU_RANK_H

#include "cpu/bins.h"

#define RANKED_AT_ONCE 16 /* not tuning: OpenCL's longest vectors */

/* A core of an AMD EPYC with AVX-512 takes as long by digits at some 128 items of 4 bytes (5 ns an
 * item, and 3 ns at 64) and at some 64 of 8 bytes. */
#if defined(__OPENCL_VERSION__) && (defined(__x86_64__) || defined(__aarch64__))
#define RANK_SORT_MAX (KEY_BITS == 64 ? 64 : 128)
#else
#define RANK_SORT_MAX 16
#endif

/* The ranks of radixes[first] and those behind it among count ones. Compilers make vectors of the
 * inner loop: there is no branch in it, and sums are private. */
CLSORT_INLINE void ranks_of(const key_t *radixes, uint first, uint count, key_t *ranks)
{
    key_t sums[RANKED_AT_ONCE];
    for (uint i = 0; i < RANKED_AT_ONCE; ++i)
        sums[i] = 0;
    for (uint j = 0; j < count; ++j)
        for (uint i = 0; i < RANKED_AT_ONCE; ++i)
            sums[i] += (radixes[j] < radixes[first + i]) |
                       ((radixes[j] == radixes[first + i]) & (j < first + i));
    for (uint i = 0; i < RANKED_AT_ONCE; ++i)
        ranks[i] = sums[i];
}

/* Sorts items to `other`. */
CPU_CALLED void rank_few(__global const ITEM *items, __global ITEM *other, uint count)
{
    key_t radixes[RANK_SORT_MAX];
    for (uint i = 0; i < count; ++i)
        radixes[i] = ITEM_RADIX(items[i]);
    for (uint i = count; i % RANKED_AT_ONCE; ++i)
        radixes[i] = 0;
    for (uint first = 0; first < count; first += RANKED_AT_ONCE) {
        key_t ranks[RANKED_AT_ONCE];
        ranks_of(radixes, first, count, ranks);
        for (uint i = 0; i < min(count - first, (uint)RANKED_AT_ONCE); ++i)
            other[ranks[i]] = items[first + i];
    }
}

#endif
