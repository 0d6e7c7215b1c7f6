#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static uint64_t num_arrays_of(const clsort_desc *desc)
{
    return desc->num_arrays ? desc->num_arrays : 1;
}

static void ask_oracle(sample *s)
{
    const clsort_desc *desc = &s->desc;
    for (uint64_t a = 0; a < num_arrays_of(desc); ++a) {
        const uint64_t first = a * desc->count;
        const unsigned char *keys = s->keys + first * s->key_size;
        oracle_sort(desc, keys, s->order + first);
        oracle_gather(s->sorted_keys + first * s->key_size, keys, s->key_size, s->order + first,
                      desc->count);
        if (desc->value_size) {
            oracle_gather(s->sorted_values + first * desc->value_size,
                          s->values + first * desc->value_size, desc->value_size, s->order + first,
                          desc->count);
        }
    }
}

/* All but the keys and what follows from them. */
static void make(sample *s, const clsort_desc *desc, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->desc = *desc;
    s->num_keys = desc->count * num_arrays_of(desc);
    s->key_size = type_infos[desc->type].size;
    s->keys = test_alloc(s->num_keys * s->key_size);
    s->order = test_alloc(s->num_keys * sizeof *s->order);
    s->sorted_keys = test_alloc(s->num_keys * s->key_size);
    if (desc->value_size) {
        s->values = test_alloc(s->num_keys * desc->value_size);
        s->sorted_values = test_alloc(s->num_keys * desc->value_size);
        data_bytes(s->values, s->num_keys * desc->value_size, seed_mix(seed, 1));
    }
}

void sample_init(sample *s, const clsort_desc *desc, data_kind data, uint64_t seed)
{
    make(s, desc, seed);
    for (uint64_t a = 0; a < num_arrays_of(desc); ++a)
        data_fill(s->keys + a * desc->count * s->key_size, desc->type, desc->count, data,
                  seed_mix(seed, 2 + a));
    ask_oracle(s);
}

void sample_init_bytes(sample *s, const clsort_desc *desc, const void *bytes, uint64_t num_bytes,
                       uint64_t seed)
{
    const unsigned char *from = bytes;
    make(s, desc, seed);
    for (uint64_t i = 0; i < s->num_keys * s->key_size; ++i)
        s->keys[i] = from[i % num_bytes];
    ask_oracle(s);
}

void sample_free(sample *s)
{
    free(s->keys);
    free(s->values);
    free(s->order);
    free(s->sorted_keys);
    free(s->sorted_values);
    memset(s, 0, sizeof *s);
}

typedef struct wrong {
    const char *what; /* NULL: nothing */
    uint64_t place;
    uint64_t got;
    uint64_t expected;
} wrong;

static wrong check_indices(const sample *s, const void *indices)
{
    for (uint64_t i = 0; i < s->num_keys; ++i) {
        const uint64_t got = key_load(indices, i, s->desc.index_size);
        if (got != s->order[i]) {
            const wrong result = {"wrong index", i, got, s->order[i]};
            return result;
        }
    }
    const wrong none = {NULL, 0, 0, 0};
    return none;
}

/* Keys must agree in the bits sorted by, and in all bits if whole_keys is set. */
static wrong check_keys(const sample *s, int whole_keys, const void *keys)
{
    for (uint64_t i = 0; i < s->num_keys; ++i) {
        const uint64_t got = key_load(keys, i, s->key_size);
        const uint64_t expected = key_load(s->sorted_keys, i, s->key_size);
        const int agree = whole_keys
                              ? got == expected
                              : oracle_window(&s->desc, got) == oracle_window(&s->desc, expected);
        if (!agree) {
            const wrong result = {"wrong key", i, got, expected};
            return result;
        }
    }
    const wrong none = {NULL, 0, 0, 0};
    return none;
}

static wrong check_all(const sample *s, int stable, const void *keys, const void *values,
                       const void *indices)
{
    const clsort_desc *desc = &s->desc;
    const uint32_t value_size = desc->value_size;
    if (desc->index_size) {
        const wrong index = check_indices(s, indices);
        return index.what || !desc->out_of_place ? index : check_keys(s, 1, keys);
    }
    wrong result = check_keys(s, stable || oracle_all_bits(desc), keys);
    if (result.what)
        return result;
    if (stable) {
        for (uint64_t i = 0; value_size && i < s->num_keys; ++i) {
            const uint64_t at = i * value_size;
            if (memcmp((const unsigned char *)values + at, s->sorted_values + at, value_size)) {
                const uint32_t shown = value_size < 8 ? value_size : 8;
                result.what = "wrong value";
                result.place = i;
                memcpy(&result.got, (const unsigned char *)values + at, shown);
                memcpy(&result.expected, s->sorted_values + at, shown);
                return result;
            }
        }
        return result;
    }
    for (uint64_t first = 0; first < s->num_keys; first += desc->count) {
        const uint64_t at = first * value_size;
        const multiset before =
            multiset_of(s->keys + first * s->key_size, s->key_size,
                        value_size ? s->values + at : NULL, value_size, desc->count);
        const multiset after =
            multiset_of((const unsigned char *)keys + first * s->key_size, s->key_size,
                        value_size ? (const unsigned char *)values + at : NULL, value_size,
                        desc->count);
        if (!multiset_equal(before, after)) {
            result.what = value_size ? "pairs lost or torn in the array" : "keys lost in the array";
            result.place = first;
            return result;
        }
    }
    return result;
}

int sample_right(const sample *s, int stable, const void *keys, const void *values,
                 const void *indices)
{
    return check_all(s, stable, keys, values, indices).what == NULL;
}

const char *sample_check(const sample *s, int stable, const void *keys, const void *values,
                         const void *indices)
{
    static char text[160];
    const wrong result = check_all(s, stable, keys, values, indices);
    if (!result.what)
        return NULL;
    snprintf(text, sizeof text, "%s at %llu: 0x%llx, not 0x%llx", result.what,
             (unsigned long long)result.place, (unsigned long long)result.got,
             (unsigned long long)result.expected);
    return text;
}

const char *desc_text(const clsort_desc *desc)
{
    static char text[320];
    const char *type = clsort_type_name(desc->type);
    const char *algorithm = clsort_algorithm_name(desc->algorithm);
    snprintf(text, sizeof text,
             "%llu %s keys in each of %llu arrays, %s, %s, %sstable, %s, values of %u bytes, "
             "indices of %u bytes, bits %u to %u",
             (unsigned long long)desc->count, type ? type : "?",
             (unsigned long long)(desc->num_arrays ? desc->num_arrays : 1),
             algorithm ? algorithm : "?",
             desc->order == CLSORT_DESCENDING ? "descending" : "ascending",
             desc->stable ? "" : "not ", desc->out_of_place ? "out of place" : "in place",
             (unsigned)desc->value_size, (unsigned)desc->index_size, (unsigned)desc->first_bit,
             (unsigned)desc->end_bit);
    return text;
}
