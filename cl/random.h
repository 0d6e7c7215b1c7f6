/* random.h: numbers that look random but are the same every time. */
#ifndef CLSORT_RANDOM_H
#define CLSORT_RANDOM_H

#include "config.h"

/* A number below `bound`. */
CLSORT_INLINE uint random_below(uint seed, uint bound)
{
    uint x = seed * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return mul_hi(x ^ x >> 16, bound);
}

#endif
