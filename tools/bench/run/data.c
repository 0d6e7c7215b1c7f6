/* data.c: what an input is, whether it fits, and what is right. */
#include "bench/run/data.h"

#include "cli/message.h"
#include "memory/device.h"
#include "memory/host_memory.h"
#include "numbers/key.h"

#include <stdio.h>
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

const char *bench_key_text(struct bench_type type)
{
    static const char *const records[] = {
        [BENCH_BY_TEXT] = "struct16", [BENCH_BY_FIELDS] = "struct16f"};
    return type.form == BENCH_NUMBERS ? clsort_type_name(type.key) : records[type.form];
}

const char *bench_type_text(struct bench_type type, char text[BENCH_TYPE_TEXT])
{
    const char *key = bench_key_text(type);
    const uint32_t size = type.value_size;
    if (size == 0)
        snprintf(text, BENCH_TYPE_TEXT, "%s", key);
    else if (size == 4 || size == 8)
        snprintf(text, BENCH_TYPE_TEXT, "%s+u%u", key, 8 * (unsigned)size);
    else
        snprintf(text, BENCH_TYPE_TEXT, "%s+%u", key, (unsigned)size);
    return text;
}

/* A product that 64 bits cannot hold is the largest number: it fits nowhere. */
static uint64_t product(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Elements of the input, or of the output if that has more. */
static uint64_t most_elements(const struct bench_input *input)
{
    const uint64_t num_outputs = bench_num_outputs(input);
    return num_outputs > input->count ? num_outputs : input->count;
}

bool bench_fits_device(const struct device_facts *facts, const struct bench_input *input,
                       uint64_t scratch_size, char note[BENCH_NOTE])
{
    const uint64_t num = most_elements(input);
    const uint64_t sizes[] = {product(num, input->key_size), product(num, input->value_size),
                              product(num, input->index_size), scratch_size};
    uint64_t largest = 0, all = sizes[0] + sizes[1];
    char need[SIZE_TEXT], have[SIZE_TEXT];
    for (int i = 0; i < 4; i++) {
        largest = sizes[i] > largest ? sizes[i] : largest;
        all += sizes[i];
    }
    if (largest > facts->max_alloc)
        snprintf(note, BENCH_NOTE, "needs a buffer of %s%s, the device allows %s",
                 size_text(largest, need), largest == UINT64_MAX ? " or more" : "",
                 size_text(facts->max_alloc, have));
    else if (all > facts->memory)
        snprintf(note, BENCH_NOTE, "needs %s on the device, which has %s", size_text(all, need),
                 size_text(facts->memory, have));
    else
        return true;
    return false;
}

bool bench_fits_host(const struct bench_input *input, int num_copies, char note[BENCH_NOTE])
{
    const uint64_t size = product(product((uint64_t)num_copies, most_elements(input)),
                                  input->key_size + input->value_size);
    const uint64_t available = host_memory_available();
    char need[SIZE_TEXT], have[SIZE_TEXT];
    if (size <= available)
        return true;
    snprintf(note, BENCH_NOTE, "needs %s%s of the host's memory, which has %s left",
             size_text(size, need), size == UINT64_MAX ? " or more" : "",
             size_text(available, have));
    return false;
}

/* What is wrong, out of order or otherwise, where it is not what a sort does wrong. */
static const char *const faults[BENCH_NUM_WORKS][2] = {
    [BENCH_TOP] = {"the values are not the keys'", "the keys are not those of the places"},
    [BENCH_CHECK] = {"the place is wrong", "the place is wrong"},
    [BENCH_RUNS] = {NULL, "the keys or their number are wrong"},
    [BENCH_SEARCH] = {"a place is wrong", "a place is wrong"}};
static const char *const faults_of_sorts[2] = {"the output is not in order",
                                               "the output is not a permutation of the input"};

int bench_check(const struct bench_input *input, const struct bench_sums *expected,
                const struct bench_sums *found, char *why)
{
    const bool has_places =
        input->work == BENCH_TOP || input->work == BENCH_CHECK || input->work == BENCH_RUNS;
    if (found->disorders == 0 && found->hash == expected->hash &&
        (!has_places || found->placed == expected->placed))
        return 1;
    const int is_in_order = found->disorders == 0;
    const char *fault = faults[input->work][is_in_order];
    if (input->index_size > 0)
        fault = "the indices are wrong";
    bench_refuse(why, fault ? fault : faults_of_sorts[is_in_order]);
    return BENCH_WRONG;
}
