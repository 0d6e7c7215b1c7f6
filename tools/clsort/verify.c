#include "verify.h"

#include "bytes.h"
#include "key.h"

#ifdef CLSORT_TOOL_HAS_CHECK
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

uint64_t find_disorder(clsort_type type, clsort_order order, const void *keys, uint64_t count)
{
    const struct key_type *key_type = &key_types[type];
    const size_t size = clsort_type_size(type);
    uint64_t before = count ? key_rank(key_type, key_load(size, keys, 0)) : 0;
    for (uint64_t i = 1; i < count; i++) {
        const uint64_t rank = key_rank(key_type, key_load(size, keys, i));
        if (order == CLSORT_DESCENDING ? rank > before : rank < before)
            return i;
        before = rank;
    }
    return count;
}

#ifdef CLSORT_TOOL_HAS_CHECK
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
/* Never compared: has_check() refuses what would. */
uint64_t multiset_hash(const void *keys, size_t key_size, const void *values, size_t value_size,
                       uint64_t count)
{
    (void)keys, (void)key_size, (void)values, (void)value_size, (void)count;
    return 0;
}
#endif

bool verify_indices(clsort_type type, clsort_order order, const void *keys, const void *indices,
                    size_t index_size, uint64_t count, uint64_t *position_ret)
{
    const struct key_type *key_type = &key_types[type];
    const size_t size = clsort_type_size(type);
    struct bytes seen = {0}; /* a bit a key */
    *position_ret = 0;
    if (!bytes_reserve(&seen, count / 8 + 1))
        return false;

    uint8_t *bits = seen.data;
    uint64_t rank_before = 0;
    uint64_t index_before = 0;
    uint64_t i = 0;
    for (; i < count; i++) {
        const uint64_t index = key_load(index_size, indices, i);
        if (index >= count || bits[index / 8] >> index % 8 & 1)
            break;
        bits[index / 8] = (uint8_t)(bits[index / 8] | 1u << index % 8);
        const uint64_t rank = key_rank(key_type, key_load(size, keys, index));
        if (i > 0 && (order == CLSORT_DESCENDING ? rank > rank_before : rank < rank_before))
            break;
        if (i > 0 && rank == rank_before && index < index_before)
            break;
        rank_before = rank;
        index_before = index;
    }
    bytes_free(&seen);
    *position_ret = i;
    return i == count;
}
