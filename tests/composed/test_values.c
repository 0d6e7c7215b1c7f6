/* Several arrays of values in one call: in and out of place, on the device and on the host, with
 * every algorithm, of numbers, records and columns, each array against the order that the oracle
 * gives. */
#include <stdlib.h>
#include <string.h>

#include "order.h"

static const uint32_t value_sizes[] = {4, 1, 16, 3, 8, 40, 2, 4, 12, 1, 5, 8, 7, 64, 6, 9};
enum { max_values = 16 };

struct arrays {
    void *keys, *out;
    unsigned char *values[max_values], *values_out[max_values];
    uint64_t *places; /* of each array */
};

static void arrays_init(struct arrays *a, const order *o, const clsort_desc *desc, uint64_t seed)
{
    const uint32_t size = order_key_size(o);
    const uint64_t n = desc->count * desc->num_arrays;
    a->keys = test_alloc(n * size);
    a->out = test_alloc(n * size);
    a->places = test_alloc(n * 8);
    order_fill(o, a->keys, n, (int)(seed & 1), seed);
    for (uint64_t i = 0; i < desc->num_arrays; ++i)
        order_find(o, (char *)a->keys + i * desc->count * size, desc->count,
                   a->places + i * desc->count);
    for (uint32_t k = 0; k < desc->num_values; ++k) {
        a->values[k] = test_alloc(n * value_sizes[k]);
        a->values_out[k] = test_alloc(n * value_sizes[k]);
        data_bytes(a->values[k], n * value_sizes[k], seed + k);
    }
}

static void arrays_free(struct arrays *a, uint32_t num_values)
{
    free(a->keys);
    free(a->out);
    free(a->places);
    for (uint32_t k = 0; k < num_values; ++k) {
        free(a->values[k]);
        free(a->values_out[k]);
    }
}

/* `from` in the order of the oracle; to be freed. */
static void *in_order(const struct arrays *a, const clsort_desc *desc, const void *from,
                      uint32_t size)
{
    char *to = test_alloc(desc->count * desc->num_arrays * size);
    for (uint64_t i = 0; i < desc->num_arrays; ++i)
        oracle_gather(to + i * desc->count * size, (const char *)from + i * desc->count * size,
                      size, a->places + i * desc->count, desc->count);
    return to;
}

static void on_device(const fixture *fix, const order *o, clsort_desc desc, uint64_t seed)
{
    const uint64_t n = desc.count * desc.num_arrays;
    const uint32_t size = order_key_size(o), num = desc.num_values;
    const int is_out = desc.out_of_place != 0;
    struct arrays a;
    guard keys, keys_out = {0}, values[max_values], values_out[max_values] = {{0}};
    clsort_buffer list[max_values], list_out[max_values];
    arrays_init(&a, o, &desc, seed);
    order_guard(fix, &keys, a.keys, n, size, order_alignment(o), seed);
    if (is_out)
        order_guard(fix, &keys_out, NULL, n, size, order_alignment(o), seed + 1);
    for (uint32_t k = 0; k < num; ++k) {
        order_guard(fix, &values[k], a.values[k], n, value_sizes[k], 8, seed + 2 + k);
        list[k] = guard_buffer(&values[k]);
        if (is_out)
            order_guard(fix, &values_out[k], NULL, n, value_sizes[k], 8, seed + 20 + k);
        list_out[k] = guard_buffer(&values_out[k]);
    }
    desc.value_sizes = value_sizes;
    order_run(fix, &desc,
              &(clsort_buffers){.keys = guard_buffer(&keys),
                                .values_list = list,
                                .keys_out = guard_buffer(&keys_out),
                                .values_list_out = is_out ? list_out : NULL});
    void *expected = in_order(&a, &desc, a.keys, size);
    order_expect(fix, o, is_out ? &keys_out : &keys, expected, n * size, "keys");
    free(expected);
    for (uint32_t k = 0; k < num; ++k) {
        expected = in_order(&a, &desc, a.values[k], value_sizes[k]);
        order_expect(fix, o, is_out ? &values_out[k] : &values[k], expected, n * value_sizes[k],
                     "values");
        if (is_out)
            order_expect_kept(fix, o, &values[k]);
        free(expected);
        guard_free(&values[k]);
        guard_free(&values_out[k]);
    }
    guard_free(&keys);
    guard_free(&keys_out);
    arrays_free(&a, num);
}

static void on_host(const fixture *fix, const order *o, clsort_desc desc, uint64_t seed)
{
    const uint64_t n = desc.count * desc.num_arrays;
    const uint32_t size = order_key_size(o), num = desc.num_values;
    const int is_out = desc.out_of_place != 0;
    struct arrays a;
    arrays_init(&a, o, &desc, seed);
    void *expected[max_values + 1];
    expected[max_values] = in_order(&a, &desc, a.keys, size);
    for (uint32_t k = 0; k < num; ++k)
        expected[k] = in_order(&a, &desc, a.values[k], value_sizes[k]);
    desc.value_sizes = value_sizes;
    expect_status(clsort_sort(fix->sorter, &desc,
                              &(clsort_arrays){.keys = a.keys,
                                               .values_list = (void *const *)a.values,
                                               .keys_out = is_out ? a.out : NULL,
                                               .values_list_out =
                                                   is_out ? (void *const *)a.values_out : NULL}),
                  CLSORT_OK);
    assert_memory_equal(is_out ? a.out : a.keys, expected[max_values], n * size);
    for (uint32_t k = 0; k < num; ++k) {
        assert_memory_equal(is_out ? a.values_out[k] : a.values[k], expected[k],
                            n * value_sizes[k]);
        free(expected[k]);
    }
    free(expected[max_values]);
    arrays_free(&a, num);
}

static const uint32_t nums[] = {1, 2, 3, 16, 5};

static void test_device(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t sizes[] = {1, 2, 33, 300, 3000};
    for (uint32_t i = 0; i < num_orders; ++i)
        for (unsigned k = 0; k < 5; ++k) {
            clsort_desc desc = orders[i].desc;
            desc.count = sizes[k];
            desc.num_arrays = k == 2 ? 3 : 1;
            desc.num_values = nums[(k + i) % 5];
            desc.stable = 1;
            desc.out_of_place = (i + k) % 2;
            on_device(fix, &orders[i], desc, seed_mix(fix->seed, i * 10 + k));
        }
}

/* Every algorithm has its own way with what moves. */
static void test_algorithms(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (uint32_t k = 0; k < 4; ++k) {
            if (!fixture_takes((clsort_algorithm)algorithm))
                continue;
            const clsort_desc desc = {.count = 777,
                                      .num_arrays = 1 + k / 2,
                                      .algorithm = (clsort_algorithm)algorithm,
                                      .stable = 1,
                                      .num_values = nums[k],
                                      .out_of_place = k % 2};
            on_device(fix, &orders[0], desc, fix->seed + k);
        }
}

static void test_host(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t k = 0; k < 5; ++k) {
        const clsort_desc desc = {.count = k == 4 ? 50000 : 1 + 400 * k,
                                  .num_arrays = k == 2 ? 3 : 1,
                                  .stable = 1,
                                  .num_values = nums[k],
                                  .out_of_place = k % 2};
        on_host(fix, &orders[0], desc, fix->seed + k);
    }
}

/* Values beside columns. */
static void test_columns(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_column columns[] = {{CLSORT_U8, CLSORT_ASCENDING},
                                            {CLSORT_U64, CLSORT_DESCENDING}};
    enum { n = 500 };
    unsigned char first[n];
    uint64_t second[n], places[n];
    void *const both[] = {first, second};
    const clsort_desc desc = {.count = n,
                              .num_columns = 2,
                              .columns = columns,
                              .num_values = 3,
                              .value_sizes = value_sizes};
    rng r = {fix->seed};
    for (uint32_t i = 0; i < n; ++i) {
        first[i] = (unsigned char)rng_below(&r, 5);
        second[i] = rng_below(&r, 3);
    }
    oracle_order(0, n, oracle_compare_keys, &(oracle_keys){&desc, both}, places);
    guard members[2], values[3];
    clsort_buffer list[3], member_list[2];
    guard_create(&members[0], fix->context, CL_MEM_READ_WRITE, first, sizeof first, 1, 1, 1);
    guard_create(&members[1], fix->context, CL_MEM_READ_WRITE, second, sizeof second, 8, 8, 2);
    for (uint32_t k = 0; k < 3; ++k) {
        order_guard(fix, &values[k], NULL, n, value_sizes[k], 8, 3 + k);
        list[k] = guard_buffer(&values[k]);
    }
    member_list[0] = guard_buffer(&members[0]);
    member_list[1] = guard_buffer(&members[1]);
    order_run(fix, &desc, &(clsort_buffers){.columns = member_list, .values_list = list});
    for (uint32_t k = 0; k < 3; ++k) {
        unsigned char expected[n * 16];
        oracle_gather(expected, values[k].image + values[k].offset, value_sizes[k], places, n);
        order_expect(fix, &orders[0], &values[k], expected, n * value_sizes[k], "beside columns");
        guard_free(&values[k]);
    }
    guard_free(&members[0]);
    guard_free(&members[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_algorithms),
        cmocka_unit_test(test_host),
        cmocka_unit_test(test_columns),
    };
    return fixture_run("values", tests, sizeof tests / sizeof tests[0]);
}
