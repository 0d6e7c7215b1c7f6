/* filter.c: a block of numbers is first only counted, by vectors where the compiler finds them:
 * in nearly all blocks of a long input none passes. */
#include "top/filter.h"

#include "numbers/key.h"

struct top_filter top_filter_of(clsort_type type, clsort_order order)
{
    const struct key_type *key = &key_types[type];
    const uint64_t sign = UINT64_C(1) << (key->bits - 1), all = sign | (sign - 1);
    const int is_float = key->kind == KEY_FLOAT;
    return (struct top_filter){
        .type = type,
        .flip = key->kind == KEY_UNSIGNED ? 0 : sign,
        .flip_negative = is_float ? sign - 1 : 0,
        .num_nans = is_float ? (UINT64_C(1) << key->mantissa_bits) - 1 : 0,
        .reverse = order == CLSORT_DESCENDING ? all : 0,
        .passes_all = 1,
    };
}

void top_filter_set(struct top_filter *filter, const void *keys, uint64_t position)
{
    const struct key_type *type = &key_types[filter->type];
    const uint64_t bits = key_load((size_t)type->bits / 8, keys, position);
    filter->end = key_rank(type, bits) ^ filter->reverse;
    filter->passes_all = 0;
}

/* The place of a key: key_rank() without a branch. */
#define PLACE(T, bits)                                                                        \
    ((T)((T)((bits) ^ flip ^ ((T)(0 - (T)((bits) >> (8 * sizeof(T) - 1))) & flip_negative)) - \
         num_nans) ^                                                                          \
     reverse)

#define DEFINE_FIND(T)                                                                          \
    static uint32_t find_##T(const struct top_filter *filter, const void *data, uint32_t count, \
                             uint16_t *positions)                                               \
    {                                                                                           \
        enum { BLOCK = 64 };                                                                    \
        const T *keys = data;                                                                   \
        const T flip = (T)filter->flip, flip_negative = (T)filter->flip_negative;               \
        const T num_nans = (T)filter->num_nans, reverse = (T)filter->reverse;                   \
        const T end = (T)filter->end;                                                           \
        uint32_t num = 0;                                                                       \
        for (uint32_t i = 0; i < count; i += BLOCK) {                                           \
            const uint32_t size = count - i < BLOCK ? count - i : BLOCK;                        \
            T has_any = 0;                                                                      \
            for (uint32_t k = 0; k < size; k++)                                                 \
                has_any |= (T)(PLACE(T, keys[i + k]) < end);                                    \
            for (uint32_t k = 0; has_any && k < size; k++) {                                    \
                positions[num] = (uint16_t)(i + k);                                             \
                num += PLACE(T, keys[i + k]) < end;                                             \
            }                                                                                   \
        }                                                                                       \
        return num;                                                                             \
    }

DEFINE_FIND(uint8_t)
DEFINE_FIND(uint16_t)
DEFINE_FIND(uint32_t)
DEFINE_FIND(uint64_t)

uint32_t top_filter_find(const struct top_filter *filter, const void *keys, uint32_t count,
                         uint16_t *positions)
{
    for (uint32_t i = 0; filter->passes_all && i < count; i++)
        positions[i] = (uint16_t)i;
    if (filter->passes_all)
        return count;
    switch (key_types[filter->type].bits) {
    case 8:
        return find_uint8_t(filter, keys, count, positions);
    case 16:
        return find_uint16_t(filter, keys, count, positions);
    case 32:
        return find_uint32_t(filter, keys, count, positions);
    default:
        return find_uint64_t(filter, keys, count, positions);
    }
}
