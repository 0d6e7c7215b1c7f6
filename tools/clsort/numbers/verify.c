#include "numbers/verify.h"

#include "cli/progress.h"

#ifdef CLSORT_TOOL_HAS_VERIFY
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

/* Keys that are compared before any result is looked at, so that compilers use vectors. */
enum { BLOCK_KEYS = 512, PROGRESS_KEYS = 1 << 18 };

/* The first key that should stand before its neighbour. */
#define DEFINE_FIND(T)                                                                      \
    static uint64_t find_##T(const struct key_map *order, const void *data, uint64_t count) \
    {                                                                                       \
        const struct key_map map = *order;                                                  \
        const T *keys = data;                                                               \
        uint64_t i = 1;                                                                     \
        for (; i + BLOCK_KEYS <= count; i += BLOCK_KEYS) {                                  \
            T is_found = 0;                                                                 \
            for (uint64_t j = i; j < i + BLOCK_KEYS; j++)                                   \
                is_found |= KEY_PLACE(T, map, keys[j]) < KEY_PLACE(T, map, keys[j - 1]);    \
            if (is_found)                                                                   \
                break;                                                                      \
        }                                                                                   \
        while (i < count && KEY_PLACE(T, map, keys[i]) >= KEY_PLACE(T, map, keys[i - 1]))   \
            i++;                                                                            \
        return i < count ? i : count;                                                       \
    }

KEY_DEFINE(DEFINE_FIND)

/* The same of records. */
static uint64_t find_record(const struct elements *elements, clsort_order order, const void *data,
                            uint64_t count)
{
    uint64_t before = count ? element_rank(elements, data, 0) : 0;
    for (uint64_t i = 1; i < count; i++) {
        const uint64_t rank = element_rank(elements, data, i);
        if (order == CLSORT_DESCENDING ? rank > before : rank < before)
            return i;
        before = rank;
    }
    return count;
}

uint64_t find_disorder(const struct elements *elements, clsort_order order, const void *keys,
                       uint64_t count)
{
    const struct key_type *key_type = &key_types[elements->type];
    if (elements->size > (uint32_t)key_type->bits / 8)
        return find_record(elements, order, keys, count);
    const struct key_map map = key_map_of(elements->type, order);
    return KEY_CALL(find, key_type->bits, &map, keys, count);
}

#ifdef CLSORT_TOOL_HAS_VERIFY
uint64_t multiset_hash(const void *keys, size_t key_size, const void *values, size_t value_size,
                       uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t hash = XXH3_64bits((const char *)keys + key_size * i, key_size);
        if (value_size > 0)
            hash = XXH3_64bits_withSeed((const char *)values + value_size * i, value_size, hash);
        sum += hash;
    }
    return sum;
}
#else
/* Never compared: has_verify() refuses what would. */
uint64_t multiset_hash(const void *keys, size_t key_size, const void *values, size_t value_size,
                       uint64_t count)
{
    (void)keys, (void)key_size, (void)values, (void)value_size, (void)count;
    return 0;
}
#endif

bool verify_indices(const struct elements *elements, clsort_order order, const void *keys,
                    const void *indices, size_t index_size, uint64_t count, uint64_t *position_ret)
{
    uint64_t rank_before = 0;
    uint64_t index_before = 0;
    uint64_t i = 0;
    for (; i < count; i++) {
        const uint64_t index = key_load(index_size, indices, i);
        if (index >= count)
            break;
        const uint64_t rank = element_rank(elements, keys, index);
        if (i > 0 && (order == CLSORT_DESCENDING ? rank > rank_before : rank < rank_before))
            break;
        if (i > 0 && rank == rank_before && index <= index_before)
            break;
        rank_before = rank;
        index_before = index;
        if (i % PROGRESS_KEYS == 0)
            progress_done(i);
    }
    *position_ret = i;
    return i == count;
}
