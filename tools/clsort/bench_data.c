#include "bench_data.h"

#include "key.h"
#include "host_memory.h"
#include "message.h"
#include "verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define DISTRIBUTION_NAME(name, text, about) text,
const char *const distribution_names[] = {DISTRIBUTION_LIST(DISTRIBUTION_NAME)};

/* splitmix64 (Steele, Lea, Flood 2014): the i-th number of a seed, without a state. */
static uint64_t random_at(uint64_t seed, uint64_t i)
{
    uint64_t x = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t to_finite(const struct key_type *type, uint64_t bits)
{
    if (type->kind != KEY_FLOAT)
        return bits;
    const uint64_t sign = UINT64_C(1) << (type->bits - 1);
    const uint64_t infinity = sign - (UINT64_C(1) << type->mantissa_bits);
    if ((bits & infinity) == infinity)
        bits ^= sign >> 1;
    return bits == sign ? 0 : bits;
}

/* The key at place i of count that lie evenly between the smallest and the largest. */
static uint64_t key_at(const struct key_type *type, uint64_t i, uint64_t count)
{
    const uint64_t sign = UINT64_C(1) << (type->bits - 1);
    uint64_t first = 0;
    uint64_t last = sign | (sign - 1);
    if (type->kind == KEY_FLOAT) {
        const uint64_t largest = sign - (UINT64_C(1) << type->mantissa_bits) - 1;
        first = key_rank(type, sign | largest);
        last = key_rank(type, largest);
    }
    const double part = (double)i / (double)count * (double)(last - first);
    return to_finite(type, key_from_rank(type, first + (uint64_t)part));
}

/* Ranks 1, 2, 3 ... of which the r-th is 1/r as frequent, spread over the type's range. */
static uint64_t zipf(uint64_t random, uint64_t count, uint64_t seed)
{
    const double uniform = (double)(random >> 11) * 0x1p-53;
    const uint64_t rank = (uint64_t)exp(uniform * log((double)count));
    return random_at(seed ^ count, rank);
}

/* Two crowds, a 4096th as wide as the range, in each two more, and so on: choices says which, bit by bit. */
static uint64_t nested(uint32_t key_bits, uint64_t random, uint64_t choices, uint64_t seed)
{
    uint32_t left = key_bits;
    uint64_t bits = 0, path = 1;
    for (; left > 27; left -= 12, choices >>= 1) {
        path = path << 1 | (choices & 1);
        bits = bits << 12 | random_at(seed ^ 2, path) >> 52;
    }
    return bits << left | random >> (64 - left);
}

static uint64_t make_key(const struct key_type *type, enum distribution distribution, uint64_t i,
                         uint64_t count, uint64_t seed)
{
    const uint64_t sign = UINT64_C(1) << (type->bits - 1);
    const uint64_t all = sign | (sign - 1);
    const uint64_t random = random_at(seed, i);
    uint64_t bits = random;
    switch (distribution) {
    case DISTRIBUTION_SORTED:
        return key_at(type, i, count);
    case DISTRIBUTION_REVERSED:
        return key_at(type, count - 1 - i, count);
    case DISTRIBUTION_ORGAN:
        return key_at(type, i < count / 2 ? 2 * i : 2 * (count - 1 - i) + 1, count);
    case DISTRIBUTION_EQUAL:
        bits = random_at(seed, 0);
        break;
    case DISTRIBUTION_FEW16:
        bits = random_at(~seed, random % 16);
        break;
    case DISTRIBUTION_ZIPF:
        bits = zipf(random, count, seed);
        break;
    case DISTRIBUTION_ENTROPY:
        bits = random & random_at(seed ^ 1, i) & random_at(seed ^ 2, i);
        break;
    case DISTRIBUTION_LOW24:
        bits = random & 0xffffff;
        break;
    case DISTRIBUTION_LOG:
        bits = (sign | random >> 1) >> random_at(seed ^ 1, i) % type->bits;
        break;
    case DISTRIBUTION_NESTED:
        bits = nested(type->bits, random, random_at(seed ^ 1, i), seed);
        break;
    default:
        break;
    }
    return to_finite(type, bits & all);
}

bool bench_data_fits(const struct device_facts *facts, clsort_type type, uint64_t count,
                     uint32_t value_size, int num_copies, char *note, size_t note_size)
{
    const uint64_t keys = count * clsort_type_size(type);
    const uint64_t values = count * value_size;
    const uint64_t largest = keys > values ? keys : values;
    const uint64_t on_host = (1 + (uint64_t)num_copies) * (keys + values);
    const uint64_t available = host_memory_available();
    char need[SIZE_TEXT], have[SIZE_TEXT];
    if (largest > facts->max_alloc)
        snprintf(note, note_size, "needs a buffer of %s, the device allows %s",
                 size_text(largest, need), size_text(facts->max_alloc, have));
    else if (2 * (keys + values) > facts->memory)
        snprintf(note, note_size, "needs %s on the device, which has %s",
                 size_text(2 * (keys + values), need), size_text(facts->memory, have));
    else if (on_host > available)
        snprintf(note, note_size, "needs %s of the host's memory, which has %s left",
                 size_text(on_host, need), size_text(available, have));
    else
        return true;
    return false;
}

bool bench_data_make(struct bench_data *data, clsort_type type, enum distribution distribution,
                     uint64_t count, uint32_t value_size, uint64_t seed)
{
    const struct key_type *key_type = &key_types[type];
    const size_t size = clsort_type_size(type);
    *data = (struct bench_data){.type = type, .count = count, .value_size = value_size};
    if (!bytes_reserve(&data->keys, count * size) ||
        !bytes_reserve(&data->values, count * value_size)) {
        bench_data_free(data);
        return false;
    }
    data->keys.size = count * size;
    data->values.size = count * value_size;
    for (uint64_t i = 0; i < count; i++)
        key_store(size, data->keys.data, i, make_key(key_type, distribution, i, count, seed));
    for (uint64_t i = 0; i < data->values.size; i += 8) {
        const uint64_t random = random_at(seed ^ 3, i);
        const size_t left = data->values.size - i;
        memcpy((char *)data->values.data + i, &random, left < 8 ? left : 8);
    }
    data->hash = multiset_hash(data->keys.data, size, data->values.data, value_size, count);
    return true;
}

void bench_data_free(struct bench_data *data)
{
    bytes_free(&data->keys);
    bytes_free(&data->values);
}

const char *bench_data_fault(const struct bench_data *data, const void *keys, const void *values,
                             uint32_t index_size)
{
    uint64_t position;
    if (index_size > 0)
        return verify_indices(data->type, CLSORT_ASCENDING, data->keys.data, keys, index_size,
                              data->count, &position)
                   ? NULL
                   : "the indices are wrong";
    if (find_disorder(data->type, CLSORT_ASCENDING, keys, data->count) != data->count)
        return "the output is not in order";
    const uint64_t hash =
        multiset_hash(keys, clsort_type_size(data->type), values, data->value_size, data->count);
    return hash == data->hash ? NULL : "the output is not a permutation of the input";
}

bool bench_data_check(const struct bench_data *data, const void *keys, const void *values,
                      uint32_t index_size, const char *method)
{
    const char *wrong = bench_data_fault(data, keys, values, index_size);
    if (wrong)
        message("%s on %" PRIu64 " keys of %s: %s", method, data->count,
                clsort_type_name(data->type), wrong);
    return !wrong;
}
