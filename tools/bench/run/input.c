#include "bench/run/input.h"

#include "numbers/key.h"

#include <string.h>

#define DISTRIBUTION_NAME(name, text, about) text,
const char *const bench_distribution_names[] = {BENCH_DISTRIBUTION_LIST(DISTRIBUTION_NAME)};

bool bench_key_from_name(const char *name, struct bench_type *type_ret)
{
    type_ret->form = strcmp(name, "struct16") == 0    ? BENCH_BY_TEXT
                     : strcmp(name, "struct16f") == 0 ? BENCH_BY_FIELDS
                                                      : BENCH_NUMBERS;
    type_ret->key = CLSORT_U64;
    return type_ret->form != BENCH_NUMBERS ||
           clsort_type_from_name(name, &type_ret->key) == CLSORT_OK;
}

bool bench_distribution_from_name(const char *name, enum bench_distribution *distribution_ret)
{
    /* The share of a bit that it stands for is in the name of its neighbour alone. */
    const char *known = strcmp(name, "entropy54") == 0 ? "entropy" : name;
    for (int i = 0; i < BENCH_NUM_DISTRIBUTIONS; i++) {
        if (strcmp(known, bench_distribution_names[i]) == 0) {
            *distribution_ret = (enum bench_distribution)i;
            return true;
        }
    }
    return false;
}

/* Sorted data goes evenly from the smallest to the largest key, of floats to the finite ones. */
static void spread_evenly(struct bench_input *input)
{
    const u64 sign = (u64)1 << (input->bits - 1);
    u64 last = sign | (sign - 1);
    if (input->kind == BENCH_FLOAT) {
        const u64 largest = sign - ((u64)1 << input->mantissa_bits) - 1;
        input->first = bench_ordered(input->kind, input->bits, sign | largest);
        last = bench_ordered(input->kind, input->bits, largest);
    }
    const u64 range = last - input->first;
    input->multiply = range > input->count ? range / input->count : 1;
    input->divide = input->count <= range ? 1 : input->count / (range + 1) + 1;
}

struct bench_input bench_input_make(struct bench_type type, uint64_t count,
                                    enum bench_distribution distribution, uint64_t seed)
{
    const struct key_type *key = &key_types[type.key];
    struct bench_input input = {.count = count,
                                .kind = (u64)key->kind,
                                .bits = (u64)key->bits,
                                .mantissa_bits = (u64)key->mantissa_bits,
                                .key_size = (u64)key->bits / 8,
                                .value_size = type.value_size,
                                .distribution = distribution,
                                .seed = seed,
                                .num_octaves = 1};
    if (type.form != BENCH_NUMBERS)
        input.key_size = BENCH_RECORD_SIZE;
    spread_evenly(&input);
    while (count >> (input.num_octaves + 1))
        input.num_octaves++;
    return input;
}

clsort_desc bench_input_desc(struct bench_type type, uint64_t count)
{
    static const clsort_field fields[] = {{0, CLSORT_U32, CLSORT_ASCENDING},
                                          {4, CLSORT_I32, CLSORT_ASCENDING}};
    static const clsort_record records[] = {
        [BENCH_BY_TEXT] = {.size = BENCH_RECORD_SIZE,
                           .declarations =
                               "typedef struct { uint first; int second; uint rest[2]; } item;",
                           .type = "item",
                           .less = "a.first < b.first || (a.first == b.first && a.second < "
                                   "b.second)"},
        [BENCH_BY_FIELDS] = {.size = BENCH_RECORD_SIZE, .num_fields = 2, .fields = fields}};
    const bool is_record = type.form != BENCH_NUMBERS;
    return (clsort_desc){.count = count,
                         .type = is_record ? (clsort_type)0 : type.key,
                         .record = is_record ? &records[type.form] : NULL,
                         .value_size = type.value_size};
}
