/* filter.c: a block of numbers is first only counted, by vectors where the compiler finds them:
 * in nearly all blocks of a long input none passes. */
#include "top/filter.h"

struct top_filter top_filter_of(clsort_type type, clsort_order order)
{
    return (struct top_filter){.type = type, .map = key_map_of(type, order), .passes_all = true};
}

void top_filter_set(struct top_filter *filter, const void *keys, uint64_t position)
{
    const struct key_type *type = &key_types[filter->type];
    const uint64_t bits = key_load((size_t)type->bits / 8, keys, position);
    filter->end = key_rank(type, bits) ^ filter->map.last;
    filter->passes_all = false;
}

#define DEFINE_FIND(T)                                                                          \
    static uint32_t find_##T(const struct top_filter *filter, const void *data, uint32_t count, \
                             uint16_t *positions)                                               \
    {                                                                                           \
        enum { BLOCK = 64 };                                                                    \
        const T *keys = data;                                                                   \
        const struct key_map map = filter->map;                                                 \
        const T end = (T)filter->end;                                                           \
        uint32_t num = 0;                                                                       \
        for (uint32_t i = 0; i < count; i += BLOCK) {                                           \
            const uint32_t size = count - i < BLOCK ? count - i : BLOCK;                        \
            T has_any = 0;                                                                      \
            for (uint32_t k = 0; k < size; k++)                                                 \
                has_any |= (T)(KEY_PLACE(T, map, keys[i + k]) < end);                           \
            for (uint32_t k = 0; has_any && k < size; k++) {                                    \
                positions[num] = (uint16_t)(i + k);                                             \
                num += KEY_PLACE(T, map, keys[i + k]) < end;                                    \
            }                                                                                   \
        }                                                                                       \
        return num;                                                                             \
    }

KEY_DEFINE(DEFINE_FIND)

uint32_t top_filter_find(const struct top_filter *filter, const void *keys, uint32_t count,
                         uint16_t *positions)
{
    for (uint32_t i = 0; filter->passes_all && i < count; i++)
        positions[i] = (uint16_t)i;
    if (filter->passes_all)
        return count;
    return KEY_CALL(find, key_types[filter->type].bits, filter, keys, count, positions);
}
