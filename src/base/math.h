/* math.h: whole numbers, for planning. */
#ifndef PLAN_MATH_H
#define PLAN_MATH_H

#include <stdint.h>

static inline uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline uint32_t ceil_log2(uint64_t x)
{
    uint32_t bits = 0;
    while (bits < 64 && ((uint64_t)1 << bits) < x)
        ++bits;
    return bits;
}

/* Rounded down. */
static inline uint64_t square_root(uint64_t x)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit; bit /= 2) {
        if ((root + bit) * (root + bit) <= x)
            root += bit;
    }
    return root;
}

#endif
