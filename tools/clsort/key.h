/* key.h: a key as a number, and the order of clsort.h as the order of unsigned numbers. Written for
 * the tool alone: what checks the library shares no code with it. */
#ifndef CLSORT_TOOL_KEY_H
#define CLSORT_TOOL_KEY_H

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum key_kind { KEY_UNSIGNED, KEY_SIGNED, KEY_FLOAT };

struct key_type {
    int bits;
    enum key_kind kind;
    int mantissa_bits; /* of a float, without the hidden one */
};

extern const struct key_type key_types[CLSORT_NUM_TYPES];

/* The bits of the key at a place, in the low bits. */
static inline uint64_t key_load(size_t size, const void *keys, uint64_t position)
{
    const char *at = (const char *)keys + size * position;
    uint8_t bits8;
    uint16_t bits16;
    uint32_t bits32;
    uint64_t bits64;
    switch (size) {
    case 1:
        memcpy(&bits8, at, 1);
        return bits8;
    case 2:
        memcpy(&bits16, at, 2);
        return bits16;
    case 4:
        memcpy(&bits32, at, 4);
        return bits32;
    default:
        memcpy(&bits64, at, 8);
        return bits64;
    }
}

static inline void key_store(size_t size, void *keys, uint64_t position, uint64_t bits)
{
    const uint8_t bits8 = (uint8_t)bits;
    const uint16_t bits16 = (uint16_t)bits;
    const uint32_t bits32 = (uint32_t)bits;
    const void *from = size == 1   ? (const void *)&bits8
                       : size == 2 ? (const void *)&bits16
                       : size == 4 ? (const void *)&bits32
                                   : (const void *)&bits;
    memcpy((char *)keys + size * position, from, size);
}

/* Where a key stands among all keys of its type, counted from 0, ascending. */
static inline uint64_t key_rank(const struct key_type *type, uint64_t bits)
{
    const uint64_t sign = UINT64_C(1) << (type->bits - 1);
    const uint64_t all = sign | (sign - 1);
    if (type->kind == KEY_UNSIGNED)
        return bits;
    if (type->kind == KEY_SIGNED)
        return bits ^ sign;

    /* From -inf up to the last NaN; the NaNs with a sign, which come first so, go to the end. */
    const uint64_t num_nans = (UINT64_C(1) << type->mantissa_bits) - 1;
    const uint64_t by_sign = bits & sign ? bits ^ all : bits ^ sign;
    return (by_sign - num_nans) & all;
}

/* The key that stands at a place. */
static inline uint64_t key_from_rank(const struct key_type *type, uint64_t rank)
{
    const uint64_t sign = UINT64_C(1) << (type->bits - 1);
    const uint64_t all = sign | (sign - 1);
    if (type->kind == KEY_UNSIGNED)
        return rank;
    if (type->kind == KEY_SIGNED)
        return rank ^ sign;

    const uint64_t num_nans = (UINT64_C(1) << type->mantissa_bits) - 1;
    const uint64_t by_sign = (rank + num_nans) & all;
    return by_sign & sign ? by_sign ^ sign : by_sign ^ all;
}

static inline bool key_is_nan(const struct key_type *type, uint64_t bits)
{
    const uint64_t sign = UINT64_C(1) << (type->bits - 1);
    const uint64_t infinity = sign - (UINT64_C(1) << type->mantissa_bits);
    return type->kind == KEY_FLOAT && (bits & (sign - 1)) > infinity;
}

#endif
