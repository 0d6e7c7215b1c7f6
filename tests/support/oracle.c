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

static int compare_bits(const clsort_desc *desc, const void *a, const void *b)
{
    const uint32_t size = type_infos[desc->type].size;
    const uint64_t x = key_load(a, 0, size), y = key_load(b, 0, size);
    if (oracle_all_bits(desc))
        return oracle_compare(desc->type, x, y);
    const uint64_t v = oracle_window(desc, x), w = oracle_window(desc, y);
    return (v > w) - (v < w);
}

/* The same of a part of two elements that is in an order of its own. */
static int compare_part(clsort_type type, clsort_order order, const void *a, const void *b)
{
    const uint32_t size = type_infos[type].size;
    const int result = oracle_compare(type, key_load(a, 0, size), key_load(b, 0, size));
    return order == CLSORT_DESCENDING ? -result : result;
}

static const unsigned char *element(const void *elements, uint64_t i, uint32_t size)
{
    return (const unsigned char *)elements + i * size;
}

int oracle_compare_elements(const clsort_desc *desc, void *const *a, uint64_t i, void *const *b,
                            uint64_t j)
{
    const clsort_record *record = desc->record;
    int result = 0;
    for (uint32_t k = 0; k < desc->num_columns && !result; ++k) {
        const clsort_column *column = &desc->columns[k];
        const uint32_t size = type_infos[column->type].size;
        result = compare_part(column->type, column->order, element(a[k], i, size),
                              element(b[k], j, size));
    }
    for (uint32_t k = 0; record && k < record->num_fields && !result; ++k) {
        const clsort_field *field = &record->fields[k];
        result =
            compare_part(field->type, field->order, element(a[0], i, record->size) + field->offset,
                         element(b[0], j, record->size) + field->offset);
    }
    if (!record && !desc->num_columns) {
        const uint32_t size = type_infos[desc->type].size;
        result = compare_bits(desc, element(a[0], i, size), element(b[0], j, size));
    }
    return desc->order == CLSORT_DESCENDING ? -result : result;
}

int oracle_compare_keys(const void *keys, uint64_t i, uint64_t j)
{
    const oracle_keys *k = keys;
    return oracle_compare_elements(k->desc, k->arrays, i, k->arrays, j);
}

uint64_t oracle_string_size(const oracle_strings *s, uint64_t i)
{
    const uint64_t begin = s->offsets[i], end = s->offsets[i + 1];
    return begin + s->tail < end ? end - begin - s->tail : 0;
}

int oracle_compare_strings(const void *strings, uint64_t i, uint64_t j)
{
    const oracle_strings *s = strings;
    const uint64_t m = oracle_string_size(s, i), n = oracle_string_size(s, j);
    const int result =
        memcmp(s->bytes + s->offsets[i], s->bytes + s->offsets[j], (size_t)(m < n ? m : n));
    return result ? result : (m > n) - (m < n);
}

/* Sorts order[0] to order[count - 1]; `other` has room for half of them. */
static void sort_part(uint64_t *order, uint64_t *other, uint64_t count, oracle_comparison *compare,
                      const void *context)
{
    const uint64_t half = count / 2;
    if (count < 2)
        return;
    sort_part(order, other, half, compare, context);
    sort_part(order + half, other, count - half, compare, context);
    if (compare(context, order[half - 1], order[half]) <= 0)
        return;
    memcpy(other, order, (size_t)(half * sizeof *other));
    for (uint64_t i = 0, left = 0, right = half; left < half; ++i) {
        const int takes_right = right < count && compare(context, other[left], order[right]) > 0;
        order[i] = takes_right ? order[right++] : other[left++];
    }
}

void oracle_order(uint64_t first, uint64_t count, oracle_comparison *compare, const void *context,
                  uint64_t *order)
{
    uint64_t *other = test_alloc(count / 2 * sizeof *other);
    for (uint64_t i = 0; i < count; ++i)
        order[i] = first + i;
    sort_part(order, other, count, compare, context);
    free(other);
}

void oracle_sort(const clsort_desc *desc, const void *keys, uint64_t *order)
{
    void *const array = (void *)(uintptr_t)keys;
    oracle_order(0, desc->count, oracle_compare_keys, &(oracle_keys){desc, &array}, order);
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
