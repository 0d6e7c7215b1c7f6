/* key.h: a key as a number, and the order of clsort.h as the order of unsigned numbers. Written for
 * the tool alone: what checks the library shares no code with it. */
#ifndef CLSORT_TOOL_KEY_H
#define CLSORT_TOOL_KEY_H

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum key_kind { KEY_UNSIGNED, KEY_SIGNED, KEY_FLOAT };

/* Where a key stands among all of its type is ((bits ^ (sign ? flips : 0) ^ first) - nans) ^ last.
 * Floats go from -inf up to the last NaN so. */
struct key_map {
    uint64_t flips; /* of keys whose highest bit is set */
    uint64_t first;
    uint64_t nans; /* how many there are with a sign, which go to the end */
    uint64_t last; /* all bits, where the order is descending */
};

struct key_type {
    int bits;
    enum key_kind kind;
    int mantissa_bits;  /* of a float, without the hidden one */
    struct key_map map; /* of the ascending order */
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
    const uint64_t flips = bits & sign ? type->map.flips : 0;
    return ((bits ^ flips ^ type->map.first) - type->map.nans) & (sign | (sign - 1));
}

static inline struct key_map key_map_of(clsort_type type, clsort_order order)
{
    struct key_map map = key_types[type].map;
    if (order == CLSORT_DESCENDING)
        map.last = UINT64_MAX >> (64 - key_types[type].bits);
    return map;
}

/* By a map, of bits of the unsigned type T. */
#define KEY_PLACE(T, map, bits)                                                        \
    ((T)((T)((bits) ^ ((T)(0 - (T)((bits) >> (8 * sizeof(T) - 1))) & (T)(map).flips) ^ \
             (T)(map).first) -                                                         \
         (T)(map).nans) ^                                                              \
     (T)(map).last)

/* Defines a function for each width of a key; calls that for `bits`. */
#define KEY_DEFINE(DEFINE) DEFINE(uint8_t) DEFINE(uint16_t) DEFINE(uint32_t) DEFINE(uint64_t)
#define KEY_CALL(function, bits, ...)                  \
    ((bits) == 8    ? function##_uint8_t(__VA_ARGS__)  \
     : (bits) == 16 ? function##_uint16_t(__VA_ARGS__) \
     : (bits) == 32 ? function##_uint32_t(__VA_ARGS__) \
                    : function##_uint64_t(__VA_ARGS__))

/* What lies in an array or a file: numbers, or records of a size that have a number at an
 * offset. */
struct elements {
    clsort_type type;  /* of the number */
    uint32_t size;     /* bytes of an element */
    uint32_t offset;   /* of the number in it, in bytes */
    const char *about; /* what they are if they are no keys, for messages; else NULL */
};

static inline struct elements elements_of_type(clsort_type type)
{
    return (struct elements){.type = type, .size = clsort_type_size(type)};
}

/* The bits of an element's number, and where it stands among all of its type. */
static inline uint64_t element_load(const struct elements *elements, const void *data,
                                    uint64_t position)
{
    const char *at = (const char *)data + elements->size * position + elements->offset;
    return key_load((size_t)key_types[elements->type].bits / 8, at, 0);
}

static inline uint64_t element_rank(const struct elements *elements, const void *data,
                                    uint64_t position)
{
    return key_rank(&key_types[elements->type], element_load(elements, data, position));
}

#endif
