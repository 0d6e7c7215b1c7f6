#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The number that a float's bits stand for. */
static double decode_float(const type_info *info, uint64_t bits)
{
    if (info->bits == 64) {
        double number;
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    if (info->bits == 32) {
        const uint32_t word = (uint32_t)bits;
        float number;
        memcpy(&number, &word, sizeof number);
        return (double)number;
    }
    const int exponent_bits = (int)(info->bits - 1 - info->mantissa);
    const int exponent_mask = (1 << exponent_bits) - 1;
    const int bias = exponent_mask >> 1;
    const int exponent = (int)(bits >> info->mantissa) & exponent_mask;
    const int one = 1 << info->mantissa;
    const int fraction = (int)bits & (one - 1);
    double number;
    if (exponent == exponent_mask)
        number = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        number = ldexp(fraction, 1 - bias - (int)info->mantissa);
    else
        number = ldexp(one + fraction, exponent - bias - (int)info->mantissa);
    return bits >> (info->bits - 1) & 1 ? -number : number;
}

static int64_t decode_signed(const type_info *info, uint64_t bits)
{
    const uint64_t sign = (uint64_t)1 << (info->bits - 1);
    if (!(bits & sign))
        return (int64_t)bits;
    /* The distance from the smallest value, added to that value without overflow. */
    return (int64_t)(bits - sign) - (int64_t)(sign - 1) - 1;
}

static int compare_floats(const type_info *info, uint64_t a, uint64_t b)
{
    const double x = decode_float(info, a);
    const double y = decode_float(info, b);
    const int a_negative = (int)(a >> (info->bits - 1));
    const int b_negative = (int)(b >> (info->bits - 1));
    if (isnan(x) && isnan(y)) {
        if (a_negative != b_negative)
            return a_negative ? 1 : -1;
        return a == b ? 0 : (a < b) != a_negative ? -1 : 1;
    }
    if (isnan(x))
        return 1;
    if (isnan(y))
        return -1;
    if (x < y || x > y)
        return x < y ? -1 : 1;
    return b_negative - a_negative; /* -0.0 comes before +0.0 */
}

int oracle_compare(clsort_type type, uint64_t a, uint64_t b)
{
    const type_info *info = &type_infos[type];
    if (info->kind == KIND_FLOAT)
        return compare_floats(info, a, b);
    if (info->kind == KIND_SIGNED) {
        const int64_t x = decode_signed(info, a);
        const int64_t y = decode_signed(info, b);
        return x < y ? -1 : x > y;
    }
    return a < b ? -1 : a > b;
}

/* Order of floats: numbers with the sign bit set, by decreasing magnitude; numbers with the sign
 * clear; NaNs with the sign clear; NaNs with the sign set. */
uint64_t oracle_rank(clsort_type type, uint64_t bits)
{
    const type_info *info = &type_infos[type];
    const uint64_t half = (uint64_t)1 << (info->bits - 1); /* keys of one sign */
    if (info->kind == KIND_UNSIGNED)
        return bits;
    if (info->kind == KIND_SIGNED)
        return bits >= half ? bits - half : bits + half;
    const uint64_t magnitude = bits & (half - 1);
    const uint64_t infinity = half - ((uint64_t)1 << info->mantissa);
    const uint64_t numbers = infinity + 1; /* of one sign */
    if (!(bits & half))
        return numbers + magnitude;
    return infinity - magnitude + (magnitude > infinity ? 2 * half : 0);
}

uint64_t oracle_from_rank(clsort_type type, uint64_t rank)
{
    const type_info *info = &type_infos[type];
    const uint64_t half = (uint64_t)1 << (info->bits - 1);
    if (info->kind == KIND_UNSIGNED)
        return rank;
    if (info->kind == KIND_SIGNED)
        return rank >= half ? rank - half : rank + half;
    const uint64_t infinity = half - ((uint64_t)1 << info->mantissa);
    const uint64_t numbers = infinity + 1;
    if (rank < numbers)
        return half | (infinity - rank);
    return rank < numbers + half ? rank - numbers : half | (infinity + 2 * half - rank);
}

int oracle_all_bits(const clsort_desc *desc)
{
    return desc->first_bit == 0 &&
           (desc->end_bit == 0 || desc->end_bit == type_infos[desc->type].bits);
}

uint64_t oracle_window(const clsort_desc *desc, uint64_t bits)
{
    const uint64_t rank = oracle_rank(desc->type, bits);
    if (oracle_all_bits(desc))
        return rank;
    uint64_t window = 0;
    for (uint32_t bit = desc->first_bit; bit < desc->end_bit; ++bit)
        window |= (rank >> bit & 1) << (bit - desc->first_bit);
    return window;
}

/* True if key a belongs after key b, although a came first. */
static int goes_behind(const clsort_desc *desc, int all_bits, uint64_t a, uint64_t b)
{
    int compared;
    if (all_bits) {
        compared = oracle_compare(desc->type, a, b);
    } else {
        const uint64_t x = oracle_window(desc, a);
        const uint64_t y = oracle_window(desc, b);
        compared = x < y ? -1 : x > y;
    }
    return desc->order == CLSORT_DESCENDING ? compared < 0 : compared > 0;
}

void oracle_sort(const clsort_desc *desc, const void *keys, uint64_t *order)
{
    const uint64_t count = desc->count;
    const uint32_t size = type_infos[desc->type].size;
    const int all_bits = oracle_all_bits(desc);
    uint64_t *from = test_alloc(count * sizeof *from);
    uint64_t *to = test_alloc(count * sizeof *to);
    for (uint64_t i = 0; i < count; ++i)
        from[i] = i;
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t first = 0; first < count; first += 2 * width) {
            uint64_t left = first;
            const uint64_t left_end = first + width < count ? first + width : count;
            uint64_t right = left_end;
            const uint64_t right_end = first + 2 * width < count ? first + 2 * width : count;
            for (uint64_t i = first; i < right_end; ++i) {
                const int take_right =
                    left == left_end ||
                    (right < right_end &&
                     goes_behind(desc, all_bits, key_load(keys, from[left], size),
                                 key_load(keys, from[right], size)));
                to[i] = take_right ? from[right++] : from[left++];
            }
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (count)
        memcpy(order, from, (size_t)(count * sizeof *order));
    free(from);
    free(to);
}

void oracle_gather(void *out, const void *in, uint32_t size, const uint64_t *order, uint64_t count)
{
    for (uint64_t i = 0; i < count; ++i)
        memcpy((unsigned char *)out + i * size, (const unsigned char *)in + order[i] * size, size);
}

multiset multiset_of(const void *keys, uint32_t key_size, const void *values, uint32_t value_size,
                     uint64_t count)
{
    multiset set = {0, 0};
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t hash = XXH3_64bits((const unsigned char *)keys + i * key_size, key_size);
        if (value_size) {
            hash = XXH3_64bits_withSeed((const unsigned char *)values + i * value_size, value_size,
                                        hash);
        }
        set.sum += hash;
        set.xored ^= hash * 0x9fb21c651e98df25u;
    }
    return set;
}

int multiset_equal(multiset a, multiset b)
{
    return a.sum == b.sum && a.xored == b.xored;
}
