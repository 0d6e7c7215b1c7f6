/* random.h: numbers that look random but are the same every time, and places of samples. */
#ifndef CLSORT_RANDOM_H
#define CLSORT_RANDOM_H

#include "base/config.h"

/* A number below `bound`. */
CLSORT_INLINE uint random_below(uint seed, uint bound)
{
    uint x = seed * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return (uint)((ulong)(x ^ x >> 16) * bound >> 32); /* mul_hi(), which the host lacks */
}

/* The element that stands for part i of an array in a sample: one of the part's `size` elements, 1
 * or more. Its place looks random, since the keys may have a period. */
CLSORT_INLINE ulong sampled_place(uint i, ulong size)
{
    return i * size + random_below(i, (uint)min(size, (ulong)~0u));
}

#endif
