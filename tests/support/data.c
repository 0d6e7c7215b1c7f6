#include "data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

#define TYPE_INFO(name, text, bits, kind, mantissa) {text, bits, bits / 8, KIND_##kind, mantissa},
const type_info type_infos[CLSORT_NUM_TYPES] = {CLSORT_TYPE_LIST(TYPE_INFO)};
#undef TYPE_INFO

#define DATA_NAME(name, text) text,
const char *const data_names[NUM_DATA_KINDS] = {DATA_LIST(DATA_NAME)};
#undef DATA_NAME

uint64_t rng_next(rng *r)
{
    r->state += 0x9e3779b97f4a7c15u;
    uint64_t z = r->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t rng_below(rng *r, uint64_t limit)
{
    const uint64_t number = rng_next(r);
    return limit ? number % limit : 0;
}

uint64_t seed_mix(uint64_t seed, uint64_t number)
{
    rng r = {seed ^ number * 0xd6e8feb86659fd93u};
    rng_next(&r);
    return rng_next(&r);
}

uint32_t data_alignment(uint32_t size, uint32_t most)
{
    while (size % most)
        most /= 2;
    return most;
}

uint64_t key_load(const void *keys, uint64_t index, uint32_t size)
{
    uint64_t bits = 0;
    memcpy(&bits, (const unsigned char *)keys + index * size, size);
    return bits;
}

void key_store(void *keys, uint64_t index, uint32_t size, uint64_t bits)
{
    memcpy((unsigned char *)keys + index * size, &bits, size);
}

void *test_alloc(uint64_t size)
{
#ifdef _WIN32
    void *memory = malloc(size ? (size_t)size : 1);
#else /* records may want 16 bytes' alignment, and mimalloc's malloc() gives some sizes only 8 */
    void *memory = NULL;
    if (posix_memalign(&memory, 16, size ? (size_t)size : 1))
        memory = NULL;
#endif
    if (!memory) {
        fputs("out of host memory\n", stderr);
        abort();
    }
    return memory;
}

static uint64_t low_mask(uint32_t bits)
{
    return bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
}

uint64_t data_extreme(clsort_type type, rng *r)
{
    const type_info *info = &type_infos[type];
    const uint64_t sign = (uint64_t)1 << (info->bits - 1);
    const uint64_t all = low_mask(info->bits);
    if (info->kind != KIND_FLOAT) {
        const uint64_t borders[] = {0,        1,        2,   sign,    sign - 1, sign + 1,
                                    sign - 2, sign + 2, all, all - 1, all >> 2, sign >> 1};
        return borders[rng_below(r, sizeof borders / sizeof borders[0])];
    }
    const uint64_t fraction = low_mask(info->mantissa);
    const uint64_t infinity = (sign - 1) & ~fraction;
    const uint64_t quiet = infinity | (fraction + 1) >> 1;
    const uint64_t payload = rng_next(r) & (fraction >> 1);
    const uint64_t magnitudes[] = {
        0,
        1,                                  /* the smallest denormal */
        fraction,                           /* the largest denormal */
        fraction + 1,                       /* the smallest normal */
        infinity >> 1 & ~fraction,          /* about 1 */
        infinity - 1,                       /* the largest finite */
        infinity,                           /* infinity */
        infinity | 1,                       /* signalling NaN, smallest payload */
        infinity | (payload ? payload : 1), /* signalling NaN */
        quiet,                              /* quiet NaN without payload */
        quiet | payload,                    /* quiet NaN */
        sign - 1,                           /* quiet NaN, every bit set */
    };
    const uint64_t magnitude = magnitudes[rng_below(r, sizeof magnitudes / sizeof magnitudes[0])];
    return magnitude | (rng_next(r) & 1 ? sign : 0);
}

/* Sorts keys in ascending order by the oracle. */
static void sort_ascending(void *keys, clsort_type type, uint64_t count)
{
    const uint32_t size = type_infos[type].size;
    const clsort_desc desc = {.count = count, .type = type};
    uint64_t *order = test_alloc(count * sizeof *order);
    void *sorted = test_alloc(count * size);
    oracle_sort(&desc, keys, order);
    oracle_gather(sorted, keys, size, order, count);
    memcpy(keys, sorted, (size_t)(count * size));
    free(sorted);
    free(order);
}

/* Half of the keys lie in a 256th of the range, half of these in a 256th of that, and so on. */
static uint64_t nested_key(uint32_t bits, rng *r)
{
    uint32_t left = bits;
    uint64_t crowd = 0;
    for (; left > 8 && rng_below(r, 2); left -= 8)
        crowd |= (uint64_t)0x5a << (left - 8);
    return crowd | (rng_next(r) & low_mask(left));
}

/* One key of the kinds whose keys do not depend on their neighbours. `few` holds 16 random keys. */
static uint64_t one_key(clsort_type type, data_kind kind, uint64_t index, uint64_t stray,
                        const uint64_t *few, rng *r)
{
    static const uint32_t widths[] = {1, 2, 8};
    const uint32_t bits = type_infos[type].bits;
    const uint32_t width = widths[few[0] % 3];
    switch (kind) {
    case DATA_EQUAL:
        return few[0];
    case DATA_FEW:
        return few[rng_below(r, 16)];
    case DATA_TWO:
        return few[rng_below(r, 2)];
    case DATA_ALL_ONES:
        return UINT64_MAX;
    case DATA_LAST:
        return oracle_from_rank(type, low_mask(bits));
    case DATA_FIRST:
        return oracle_from_rank(type, 0);
    case DATA_BORDERS: {
        const uint64_t choice = rng_below(r, 3);
        return choice == 0   ? oracle_from_rank(type, low_mask(bits))
               : choice == 1 ? oracle_from_rank(type, 0)
                             : rng_next(r);
    }
    case DATA_EXTREMES:
        return data_extreme(type, r);
    case DATA_SPRINKLED:
        return rng_below(r, 8) ? rng_next(r) : data_extreme(type, r);
    case DATA_LOW_BITS:
        return rng_next(r) & low_mask(width);
    case DATA_HIGH_BITS:
        return (rng_next(r) & low_mask(width)) << (bits - width);
    case DATA_SPARSE:
        return rng_next(r) & rng_next(r) & rng_next(r) & rng_next(r);
    case DATA_CROWDS:
        return rng_below(r, 16) ? rng_next(r) : few[rng_below(r, 4)] ^ rng_below(r, 64);
    case DATA_LOGARITHMS:
        return ((uint64_t)1 << 63 | rng_next(r) >> 1) >> (63 - rng_below(r, bits));
    case DATA_NESTED:
        return nested_key(bits, r);
    case DATA_STRAY:
        return index == stray ? few[1] : few[0];
    default:
        return rng_next(r);
    }
}

/* Reorders sorted keys: every second key ascending, then the others descending. */
static void to_organ_pipe(void *keys, uint32_t size, uint64_t count)
{
    unsigned char *copy = test_alloc(count * size);
    memcpy(copy, keys, (size_t)(count * size));
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t place = i % 2 ? count - 1 - i / 2 : i / 2;
        key_store(keys, place, size, key_load(copy, i, size));
    }
    free(copy);
}

static void reverse(void *keys, uint32_t size, uint64_t count)
{
    for (uint64_t i = 0; i < count / 2; ++i) {
        const uint64_t low = key_load(keys, i, size);
        key_store(keys, i, size, key_load(keys, count - 1 - i, size));
        key_store(keys, count - 1 - i, size, low);
    }
}

void data_fill(void *keys, clsort_type type, uint64_t count, data_kind kind, uint64_t seed)
{
    const uint32_t size = type_infos[type].size;
    rng r = {seed};
    uint64_t few[16];
    for (int i = 0; i < 16; ++i)
        few[i] = rng_next(&r);
    const uint64_t stray = rng_below(&r, count);
    for (uint64_t i = 0; i < count; ++i)
        key_store(keys, i, size, one_key(type, kind, i, stray, few, &r));

    if (kind == DATA_SAWTOOTH) {
        const uint64_t length = 3 + few[0] % 61;
        for (uint64_t first = 0; first < count; first += length) {
            const uint64_t left = count - first;
            sort_ascending((unsigned char *)keys + first * size, type,
                           left < length ? left : length);
        }
    }
    if (kind == DATA_SORTED || kind == DATA_REVERSED || kind == DATA_NEARLY ||
        kind == DATA_ORGAN_PIPE)
        sort_ascending(keys, type, count);
    if (kind == DATA_REVERSED)
        reverse(keys, size, count);
    if (kind == DATA_ORGAN_PIPE)
        to_organ_pipe(keys, size, count);
    if (kind == DATA_NEARLY) {
        for (uint64_t i = 0; i < (count + 19) / 20; ++i)
            key_store(keys, rng_below(&r, count), size, rng_next(&r));
    }
}

void data_bytes(void *bytes, uint64_t size, uint64_t seed)
{
    rng r = {seed};
    unsigned char *at = bytes;
    for (uint64_t i = 0; i < size; i += 8) {
        const uint64_t word = rng_next(&r);
        memcpy(at + i, &word, (size_t)(size - i < 8 ? size - i : 8));
    }
}
