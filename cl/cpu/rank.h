/* rank.h: one work-item sorts a few items by the place that each one's smaller ones leave it.
 *
 * Idea: sixteen items are compared with one item after the other, in vectors of their places,
 * and no branch depends on a key. n items take n * n comparisons, which up to RANK_SORT_MAX is
 * less than digits cost. An equal item in front counts as smaller, so the sort is stable. */
#ifndef CLSORT_CPU_RANK_H
#define CLSORT_CPU_RANK_H

#include "cpu/bins.h"

#define RANKED_AT_ONCE 16 /* not tuning: OpenCL's longest vectors */
#define RANKED_ALIGNED __attribute__((aligned(RANKED_AT_ONCE * sizeof(key_t))))

/* Oclgrind, which compiles for no processor, makes 255 of a vector's true flags. */
#if defined(__OPENCL_VERSION__) && (defined(__x86_64__) || defined(__aarch64__))

/* A core of an AMD EPYC with AVX-512 takes as long by digits at some 128 items of 4 bytes (5 ns an
 * item, and 3 ns at 64) and at some 64 of 8 bytes. */
#if KEY_BITS == 64
#define RANK_SORT_MAX 64
typedef ulong16 ranked_t;
#define RANKED_TRUE(flags) as_ulong16(flags)
#define RANKED_PLACES ((ulong16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#else
#define RANK_SORT_MAX 128
typedef uint16 ranked_t;
#define RANKED_TRUE(flags) as_uint16(flags)
#define RANKED_PLACES ((uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#endif

/* The ranks of radixes[first] and those behind it among count ones. A true flag is -1. Vectors are
 * read by a pointer, aligned: calls of vload16() and vstore16() make compilers warn where a
 * processor has none of 64 bytes, and PoCL prints how many warnings there were. */
CLSORT_INLINE void ranks_of(const key_t *radixes, uint first, uint count, key_t *ranks)
{
    const uint last = min(first + RANKED_AT_ONCE, count);
    const ranked_t own = *(const ranked_t *)(radixes + first);
    ranked_t sum = 0;
    for (uint j = 0; j < first; ++j)
        sum -= RANKED_TRUE((ranked_t)(radixes[j]) <= own);
    for (uint j = first; j < last; ++j) {
        const ranked_t other = (ranked_t)(radixes[j]);
        const ranked_t is_in_front = RANKED_TRUE((ranked_t)((key_t)(j - first)) < RANKED_PLACES);
        sum -= RANKED_TRUE(other < own) | (RANKED_TRUE(other == own) & is_in_front);
    }
    for (uint j = last; j < count; ++j)
        sum -= RANKED_TRUE((ranked_t)(radixes[j]) < own);
    *(ranked_t *)ranks = sum;
}

#else

#define RANK_SORT_MAX 16

/* The same without OpenCL's vectors, also for the host, whose compiler takes some by itself. */
CLSORT_INLINE void ranks_of(const key_t *radixes, uint first, uint count, key_t *ranks)
{
    for (uint i = 0; i < RANKED_AT_ONCE; ++i)
        ranks[i] = 0;
    for (uint j = 0; j < count; ++j)
        for (uint i = 0; i < RANKED_AT_ONCE; ++i)
            ranks[i] +=
                j < first + i ? radixes[j] <= radixes[first + i] : radixes[j] < radixes[first + i];
}

#endif

/* Sorts items to `other`. */
CPU_CALLED void rank_few(__global const ITEM *items, __global ITEM *other, uint count)
{
    RANKED_ALIGNED key_t radixes[RANK_SORT_MAX];
    for (uint i = 0; i < count; ++i)
        radixes[i] = ITEM_RADIX(items[i]);
    for (uint i = count; i % RANKED_AT_ONCE; ++i)
        radixes[i] = 0;
    for (uint first = 0; first < count; first += RANKED_AT_ONCE) {
        RANKED_ALIGNED key_t ranks[RANKED_AT_ONCE];
        ranks_of(radixes, first, count, ranks);
        for (uint i = 0; i < min(count - first, (uint)RANKED_AT_ONCE); ++i)
            other[ranks[i]] = items[first + i];
    }
}

#endif
