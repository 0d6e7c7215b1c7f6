/* Properties that need no oracle. Sorting sorted data changes nothing. Keys alone, the keys of
 * pairs and the order of indices agree, and so do all algorithms, in place and out of place, under
 * any limits of the device. The initial contents of scratch do not matter. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/fixture.h"

enum { count = 20011 };

static const struct {
    const char *text;
    int changes_quick; /* changes quicksort's plans, which have many kernels */
} limits[] = {
    {"cpu=0", 1},
    {"cache=2048", 0},
    {"cpu=0,subgroup=0,local=4096,group=32", 1},
    {"cpu=0,group=1,local=2048", 1},
    {"vector=0,cpu=0", 0},
    {"unified=0", 0},
};
enum { num_limits = sizeof limits / sizeof limits[0] };

static const data_kind kinds[] = {DATA_RANDOM, DATA_FEW, DATA_SPRINKLED, DATA_NEARLY};
static const clsort_type types[] = {CLSORT_U32, CLSORT_F32, CLSORT_I64, CLSORT_BF16, CLSORT_U8};

/* Sorts a copy of the keys and returns the sorted bytes. With values, each key's number moves
 * along. */
static void *sorted_copy(clsort_sorter *sorter, const clsort_desc *desc, const void *keys,
                         uint32_t *numbers)
{
    const size_t size = desc->count * clsort_type_size(desc->type);
    unsigned char *copy = malloc(size);
    unsigned char *out = malloc(size);
    uint32_t *numbers_out = malloc(desc->count * 4);
    memcpy(copy, keys, size);
    for (uint64_t i = 0; numbers && i < desc->count; ++i)
        numbers[i] = (uint32_t)i;
    const clsort_arrays arrays = {
        .keys = copy,
        .values = desc->value_size ? numbers : NULL,
        .keys_out = desc->out_of_place ? out : NULL,
        .values_out = desc->value_size && desc->out_of_place ? numbers_out : NULL,
        .indices = desc->index_size ? numbers : NULL,
    };
    expect_status(clsort_sort(sorter, desc, &arrays), CLSORT_OK);
    if (numbers && desc->value_size && desc->out_of_place)
        memcpy(numbers, numbers_out, desc->count * 4);
    free(numbers_out);
    free(desc->out_of_place ? copy : out);
    return desc->out_of_place ? out : copy;
}

static void expect_same(const clsort_desc *desc, const char *what, const void *a, const void *b,
                        size_t size)
{
    if (memcmp(a, b, size))
        fail_msg("%s, %s, count %llu: %s differ", clsort_type_name(desc->type),
                 clsort_algorithm_name(desc->algorithm), (unsigned long long)desc->count, what);
}

/* Compares one algorithm's sort of keys alone with its pairs, indices, out-of-place sort and sort
 * of sorted input. */
static void check_forms(clsort_sorter *sorter, clsort_desc desc, const void *keys,
                        const unsigned char *expected, const uint32_t *order)
{
    const uint32_t key_size = clsort_type_size(desc.type);
    const size_t size = desc.count * key_size;
    uint32_t *numbers = malloc(desc.count * 4);
    void *got = sorted_copy(sorter, &desc, keys, NULL);
    expect_same(&desc, "keys alone", got, expected, size);
    void *again = sorted_copy(sorter, &desc, got, NULL);
    expect_same(&desc, "sorted keys sorted once more", again, expected, size);
    free(again);
    free(got);

    desc.out_of_place = 1;
    got = sorted_copy(sorter, &desc, keys, NULL);
    expect_same(&desc, "keys out of place", got, expected, size);
    free(got);
    desc.value_size = 4;
    desc.stable = 1;
    got = sorted_copy(sorter, &desc, keys, numbers);
    expect_same(&desc, "keys of pairs", got, expected, size);
    expect_same(&desc, "values of stable pairs", numbers, order, desc.count * 4);
    free(got);
    desc.out_of_place = 0;
    desc.value_size = 0;
    desc.index_size = 4;
    got = sorted_copy(sorter, &desc, keys, numbers);
    expect_same(&desc, "keys of an argsort", got, keys, size);
    expect_same(&desc, "indices", numbers, order, desc.count * 4);
    free(got);
    free(numbers);
}

static void check_sorter(const fixture *fix, clsort_sorter *sorter, unsigned choice)
{
    for (unsigned t = 0; t < sizeof types / sizeof types[0]; ++t) {
        /* Each limit has its own type, and the run without limits has f32: each compiles all
         * algorithms' kernels in four forms. */
        if (t != (choice ? choice % (sizeof types / sizeof types[0]) : 1))
            continue;
        clsort_desc desc = {.count = count, .type = types[t], .order = (clsort_order)(t % 2)};
        void *keys = malloc(count * clsort_type_size(desc.type));
        uint32_t *order = malloc(count * 4);
        const data_kind kind = kinds[(t + choice) % (sizeof kinds / sizeof kinds[0])];
        data_fill(keys, desc.type, count, kind, seed_mix(fix->seed, t));
        /* The reference for all others: the fixture's sorter with AUTO. */
        desc.stable = 1;
        void *expected = sorted_copy(fix->sorter, &desc, keys, NULL);
        desc.stable = 0;
        desc.index_size = 4;
        free(sorted_copy(fix->sorter, &desc, keys, order));
        desc.index_size = 0;
        for (int a = CLSORT_AUTO; a < CLSORT_NUM_ALGORITHMS; ++a) {
            desc.algorithm = (clsort_algorithm)a;
            /* Rank sort has a test of its own. */
            if (a != CLSORT_RANK &&
                (a != CLSORT_QUICK || !choice || limits[choice - 1].changes_quick))
                check_forms(sorter, desc, keys, expected, order);
        }
        free(expected);
        free(order);
        free(keys);
    }
}

static void test_algorithms_agree(void **state)
{
    const fixture *fix = fixture_of(state);
    check_sorter(fix, fix->sorter, 0);
}

static void test_limits_agree(void **state)
{
    const fixture *fix = fixture_of(state);
    for (unsigned i = 0; i < num_limits; ++i) {
        clsort_sorter *sorter = sorter_limited(fix, limits[i].text);
        check_sorter(fix, sorter, i + 1);
        clsort_destroy(sorter);
    }
}

/* The same sort with scratch full of zeros, of ones, and of another sort's remains. */
static void test_scratch_does_not_matter(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int a = CLSORT_AUTO; a < CLSORT_NUM_ALGORITHMS; ++a) {
        const clsort_desc desc = {.count = a == CLSORT_RANK ? 3000 : count,
                                  .algorithm = (clsort_algorithm)a,
                                  .stable = 1,
                                  .value_size = 12};
        const size_t key_bytes = desc.count * 4, value_bytes = desc.count * 12;
        unsigned char *keys = malloc(key_bytes), *values = malloc(value_bytes);
        unsigned char *first = malloc(key_bytes + value_bytes),
                      *next = malloc(key_bytes + value_bytes);
        data_fill(keys, CLSORT_U32, desc.count, DATA_FEW, fix->seed);
        data_fill(values, CLSORT_U8, value_bytes, DATA_RANDOM, fix->seed + 1);
        uint64_t size = 0;
        expect_status(clsort_scratch_size(fix->sorter, &desc, &size), CLSORT_OK);
        cl_int code = CL_SUCCESS;
        const cl_mem buffers[] = {
            clCreateBuffer(fix->context, CL_MEM_READ_WRITE, key_bytes, NULL, &code),
            clCreateBuffer(fix->context, CL_MEM_READ_WRITE, value_bytes, NULL, &code),
            clCreateBuffer(fix->context, CL_MEM_READ_WRITE, size + 8, NULL, &code)};
        expect_cl(code);
        const clsort_buffers of_sort = {.keys = {buffers[0], 0},
                                        .values = {buffers[1], 0},
                                        .scratch = {buffers[2], 8}};
        for (int round = 0; round < 3; ++round) {
            const cl_uchar pattern = round ? 0xff : 0;
            buffer_write(fix->queue, buffers[0], keys, key_bytes);
            buffer_write(fix->queue, buffers[1], values, value_bytes);
            if (round < 2)
                expect_cl(clEnqueueFillBuffer(fix->queue, buffers[2], &pattern, 1, 0, size + 8, 0,
                                              NULL, NULL));
            expect_status(fixture_enqueue(fix, &desc, &of_sort), CLSORT_OK);
            unsigned char *to = round ? next : first;
            buffer_read(fix->queue, buffers[0], to, key_bytes);
            buffer_read(fix->queue, buffers[1], to + key_bytes, value_bytes);
            if (round)
                expect_same(&desc, "results of two contents of scratch", first, next,
                            key_bytes + value_bytes);
        }
        for (int i = 0; i < 3; ++i)
            clReleaseMemObject(buffers[i]);
        free(keys);
        free(values);
        free(first);
        free(next);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_algorithms_agree),
        cmocka_unit_test(test_limits_agree),
        cmocka_unit_test(test_scratch_does_not_matter),
    };
    return fixture_run("properties", tests, sizeof tests / sizeof tests[0]);
}
