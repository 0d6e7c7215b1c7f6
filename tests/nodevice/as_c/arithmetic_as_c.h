/* arithmetic_as_c.h: OpenCL's functions for keys of KEY_BITS bits that cl/sorts/msd/stretch.h and
 * cl/sorts/msd/map.h use, as C. */
#ifndef TESTS_ARITHMETIC_AS_C_H
#define TESTS_ARITHMETIC_AS_C_H

#include "host/alone/key_as_c.h"

#if KEY_BITS == 64
/* The upper half of a product, from products of halves. */
static inline uint64_t mul_hi(uint64_t a, uint64_t b)
{
    const uint64_t low = (a & 0xffffffff) * (b & 0xffffffff);
    const uint64_t middle = (a >> 32) * (b & 0xffffffff) + (low >> 32);
    const uint64_t other = (a & 0xffffffff) * (b >> 32) + (middle & 0xffffffff);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}
#else
static inline uint32_t mul_hi(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}
#endif
#define add_sat(a, b) ((key_t)((a) + (b)) < (a) ? ~(key_t)0 : (key_t)((a) + (b)))

#endif
