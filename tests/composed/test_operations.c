/* Check, merge, runs, search and gather: on every type in both orders, by some bits, and on
 * records, against the words of clsort.h, at sizes around a work-group's tile, with several arrays,
 * every size of indices and canaries around every buffer. */
#include <stdlib.h>
#include <string.h>

#include "support/case.h"
#include "operations.h"

/* ---- check ---- */
static void swap_keys(const order *o, unsigned char *keys, uint64_t i, uint64_t j)
{
    const uint32_t size = order_key_size(o);
    for (uint32_t byte = 0; byte < size; ++byte) {
        const unsigned char kept = keys[i * size + byte];
        keys[i * size + byte] = keys[j * size + byte];
        keys[j * size + byte] = kept;
    }
}

static uint64_t first_descent(const order *o, const void *keys, uint64_t count)
{
    for (uint64_t i = 1; i < count; ++i)
        if (order_compare(o, order_key(o, keys, i), order_key(o, keys, i - 1)) < 0)
            return i;
    return count;
}

static void check_one(const fixture *fix, const order *o, uint64_t count, uint64_t num_arrays,
                      uint64_t num_swaps, uint64_t seed)
{
    rng r = {seed};
    const uint32_t size = order_key_size(o);
    unsigned char *keys = sorted_arrays(o, count, num_arrays, (int)(seed & 1), seed);
    uint64_t *expected = test_alloc(num_arrays * 8);
    for (uint64_t i = 0; i < num_arrays; ++i) {
        unsigned char *array = keys + i * count * size;
        for (uint64_t swap = 0; swap < num_swaps && count > 1; ++swap)
            swap_keys(o, array, rng_below(&r, count), rng_below(&r, count));
        expected[i] = first_descent(o, array, count);
    }
    guard source, result;
    order_guard(fix, &source, keys, count * num_arrays, size, order_alignment(o), seed);
    order_guard(fix, &result, NULL, num_arrays, 8, 8, seed + 1);
    clsort_desc desc = o->desc;
    desc.count = count;
    desc.num_arrays = num_arrays;
    desc.operation = CLSORT_OPERATION_CHECK;
    order_run(fix, &desc,
              &(clsort_buffers){.keys = guard_buffer(&source), .result = guard_buffer(&result)});
    order_expect(fix, o, &result, expected, num_arrays * 8, "check");
    order_expect_kept(fix, o, &source);
    guard_free(&source);
    guard_free(&result);
    free(keys);
    free(expected);
}

static void test_check(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t i = 0; i < num_orders; ++i)
        for (unsigned k = 0; k < NUM_OPERATION_SIZES; ++k)
            for (uint64_t swaps = 0; swaps < 3; ++swaps)
                if (!leaves_out(fix, i, operation_sizes[k]))
                    check_one(fix, &orders[i], operation_sizes[k], swaps == 2 ? 2 + k % 2 : 1,
                              swaps, seed_mix(fix->seed, i * 100 + k * 3 + swaps));
    if (!platform_is(fix, "Oclgrind")) {
        check_one(fix, &orders[0], 300000, 1, 1, fix->seed);
        check_one(fix, &orders[0], 3, 5000, 1, fix->seed);
    }
}

/* One key out of order, at every place: also at the borders of tiles and blocks. */
static void test_check_everywhere(void **state)
{
    const fixture *fix = fixture_of(state);
    const order *o = &orders[0];
    const uint32_t count = platform_is(fix, "Oclgrind") ? 40 : 2100;
    uint32_t *keys = test_alloc(count * sizeof *keys);
    for (uint32_t at = 1; at < count; ++at) {
        for (uint32_t i = 0; i < count; ++i)
            keys[i] = i + 1;
        keys[at] = 0;
        const uint64_t expected = at;
        guard source, result;
        order_guard(fix, &source, keys, count, 4, 4, at);
        order_guard(fix, &result, NULL, 1, 8, 8, at + 1);
        const clsort_desc desc = {.count = count, .operation = CLSORT_OPERATION_CHECK};
        order_run(fix, &desc,
                  &(clsort_buffers){.keys = guard_buffer(&source),
                                    .result = guard_buffer(&result)});
        order_expect(fix, o, &result, &expected, 8, "check");
        guard_free(&source);
        guard_free(&result);
    }
    free(keys);
}

/* ---- runs ---- */
static void runs_one(const fixture *fix, const order *o, uint64_t count, uint64_t num_arrays,
                     uint32_t offset_size, int few, uint64_t seed)
{
    const uint32_t size = order_key_size(o);
    unsigned char *keys = sorted_arrays(o, count, num_arrays, few, seed);
    guard source, keys_out, offsets_out = {0}, result;
    order_guard(fix, &source, keys, count * num_arrays, size, order_alignment(o), seed);
    order_guard(fix, &keys_out, NULL, count * num_arrays, size, order_alignment(o), seed + 1);
    if (offset_size)
        order_guard(fix, &offsets_out, NULL, (count + 1) * num_arrays, offset_size, offset_size,
                    seed + 2);
    order_guard(fix, &result, NULL, num_arrays, 8, 8, seed + 3);
    /* What is expected begins as what is there: behind the runs nothing changes. */
    unsigned char *expected_keys = test_alloc(count * num_arrays * size);
    unsigned char *expected_offsets = test_alloc((count + 1) * num_arrays * 8);
    uint64_t *expected = test_alloc(num_arrays * 8);
    memcpy(expected_keys, keys_out.image + keys_out.offset, count * num_arrays * size);
    if (offset_size)
        memcpy(expected_offsets, offsets_out.image + offsets_out.offset,
               (count + 1) * num_arrays * offset_size);
    for (uint64_t i = 0; i < num_arrays; ++i) {
        const unsigned char *array = keys + i * count * size;
        uint64_t num_runs = 0;
        for (uint64_t at = 0; at < count; ++at) {
            if (at && order_compare(o, order_key(o, array, at - 1), order_key(o, array, at)) == 0)
                continue;
            memcpy(expected_keys + (i * count + num_runs) * size, array + at * size, size);
            if (offset_size)
                number_store(expected_offsets, i * (count + 1) + num_runs, offset_size, at);
            ++num_runs;
        }
        if (offset_size)
            number_store(expected_offsets, i * (count + 1) + num_runs, offset_size, count);
        expected[i] = num_runs;
    }
    clsort_desc desc = o->desc;
    desc.count = count;
    desc.num_arrays = num_arrays;
    desc.offset_size = offset_size;
    desc.operation = CLSORT_OPERATION_RUNS;
    order_run(fix, &desc,
              &(clsort_buffers){.keys = guard_buffer(&source),
                                .keys_out = guard_buffer(&keys_out),
                                .offsets_out = guard_buffer(&offsets_out),
                                .result = guard_buffer(&result)});
    order_expect(fix, o, &result, expected, num_arrays * 8, "number of runs");
    order_expect(fix, o, &keys_out, expected_keys, count * num_arrays * size, "keys of runs");
    if (offset_size)
        order_expect(fix, o, &offsets_out, expected_offsets, (count + 1) * num_arrays * offset_size,
                     "offsets of runs");
    order_expect_kept(fix, o, &source);
    guard_free(&source);
    guard_free(&keys_out);
    guard_free(&offsets_out);
    guard_free(&result);
    free(keys);
    free(expected_keys);
    free(expected_offsets);
    free(expected);
}

static void test_runs(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t offset_sizes[] = {4, 0, 8};
    for (uint32_t i = 0; i < num_orders; ++i)
        for (unsigned k = 0; k < NUM_OPERATION_SIZES; ++k)
            for (int few = 0; few < 2 && !leaves_out(fix, i, operation_sizes[k]); ++few)
                runs_one(fix, &orders[i], operation_sizes[k], (k + i) % 4 == 3 ? 2 + i % 2 : 1,
                         offset_sizes[i % 3], few, seed_mix(fix->seed, i * 100 + k * 2 + few));
    if (platform_is(fix, "Oclgrind"))
        return;
    runs_one(fix, &orders[0], 300000, 1, 4, 0, fix->seed);
    runs_one(fix, &orders[0], 300000, 1, 4, 1, fix->seed);
    runs_one(fix, &orders[0], 20000, 2, 4, 1, fix->seed);
}

/* ---- merge ---- */
static const uint32_t listed_sizes[] = {1, 12};

/* What moves with the keys of a merge. */
struct payload {
    guard indices, values[2], values_out[2];
    clsort_buffer list[2], list_out[2];
    uint32_t num_values, sizes[2];
};

static void payload_create(struct payload *p, const fixture *fix, const clsort_desc *desc,
                           clsort_buffers *buffers, uint64_t seed)
{
    const uint64_t n = desc->count * desc->num_arrays;
    memset(p, 0, sizeof *p);
    p->num_values = desc->num_values ? desc->num_values : desc->value_size != 0;
    if (desc->index_size)
        order_guard(fix, &p->indices, NULL, n, desc->index_size, desc->index_size, seed + 2);
    for (uint32_t i = 0; i < p->num_values; ++i) {
        p->sizes[i] = desc->num_values ? listed_sizes[i] : desc->value_size;
        order_guard(fix, &p->values[i], NULL, n, p->sizes[i], 8, seed + 3 + i);
        order_guard(fix, &p->values_out[i], NULL, n, p->sizes[i], 8, seed + 5 + i);
        p->list[i] = guard_buffer(&p->values[i]);
        p->list_out[i] = guard_buffer(&p->values_out[i]);
    }
    buffers->indices = guard_buffer(&p->indices);
    if (desc->num_values) {
        buffers->values_list = p->list;
        buffers->values_list_out = p->list_out;
    } else if (desc->value_size) {
        buffers->values = p->list[0];
        buffers->values_out = p->list_out[0];
    }
}

/* Checks that indices and values followed their keys, and frees them. */
static void payload_check(struct payload *p, const fixture *fix, const order *o,
                          const clsort_desc *desc, const uint64_t *places)
{
    const uint64_t count = desc->count, n = count * desc->num_arrays;
    unsigned char *expected = test_alloc(n * 64);
    for (uint64_t i = 0; i < n && desc->index_size; ++i)
        number_store(expected, i, desc->index_size, places[i]);
    if (desc->index_size)
        order_expect(fix, o, &p->indices, expected, n * desc->index_size, "indices of a merge");
    for (uint32_t i = 0; i < p->num_values; ++i) {
        const uint32_t bytes = p->sizes[i];
        for (uint64_t k = 0; k < desc->num_arrays; ++k)
            oracle_gather(expected + k * count * bytes,
                          p->values[i].image + p->values[i].offset + k * count * bytes, bytes,
                          places + k * count, count);
        order_expect(fix, o, &p->values_out[i], expected, n * bytes, "values of a merge");
        order_expect_kept(fix, o, &p->values[i]);
        guard_free(&p->values[i]);
        guard_free(&p->values_out[i]);
    }
    guard_free(&p->indices);
    free(expected);
}

static void merge_one(const fixture *fix, const order *o, clsort_desc desc, uint64_t seed)
{
    const uint32_t size = order_key_size(o);
    const uint64_t count = desc.count, n = count * desc.num_arrays;
    unsigned char *keys = test_alloc(n * size);
    unsigned char *merged = test_alloc(n * size);
    uint64_t *places = test_alloc(n * 8);
    order_fill(o, keys, n, (int)(seed & 1), seed);
    for (uint64_t i = 0; i < desc.num_arrays; ++i) {
        unsigned char *array = keys + i * count * size;
        order_keys(o, array, desc.first_count);
        order_keys(o, array + desc.first_count * size, count - desc.first_count);
        order_find(o, array, count, places + i * count);
        oracle_gather(merged + i * count * size, array, size, places + i * count, count);
    }
    guard source, keys_out;
    struct payload payload;
    order_guard(fix, &source, keys, n, size, order_alignment(o), seed);
    order_guard(fix, &keys_out, NULL, n, size, order_alignment(o), seed + 1);
    clsort_buffers buffers = {.keys = guard_buffer(&source), .keys_out = guard_buffer(&keys_out)};
    payload_create(&payload, fix, &desc, &buffers, seed);
    desc.operation = CLSORT_OPERATION_MERGE;
    desc.value_sizes = desc.num_values ? listed_sizes : NULL;
    order_run(fix, &desc, &buffers);
    order_expect(fix, o, &keys_out, merged, n * size, "merged keys");
    order_expect_kept(fix, o, &source);
    payload_check(&payload, fix, o, &desc, places);
    guard_free(&source);
    guard_free(&keys_out);
    free(keys);
    free(merged);
    free(places);
}

/* A payload: none, values of 4, 8 and 12 bytes, indices, two lists. */
static clsort_desc with_payload(clsort_desc desc, uint32_t payload)
{
    static const uint32_t value_sizes[] = {0, 4, 8, 12};
    if (payload < 4)
        desc.value_size = value_sizes[payload];
    else if (payload < 6)
        desc.index_size = payload == 4 ? 4 : 8;
    else
        desc.num_values = 2;
    return desc;
}

static void test_merge(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t i = 0; i < num_orders; ++i)
        for (unsigned k = 0; k < NUM_OPERATION_SIZES; ++k) {
            clsort_desc desc = with_payload(orders[i].desc, (i + (i ? k % 2 * 3 : k)) % 7);
            if (leaves_out(fix, i, operation_sizes[k]))
                continue;
            desc.count = operation_sizes[k];
            desc.num_arrays = k % 5 == 4 ? 3 : 1;
            const uint64_t firsts[] = {operation_sizes[k] / 2, 0, operation_sizes[k],
                                       operation_sizes[k] / 7,
                                       operation_sizes[k] - operation_sizes[k] / 5};
            for (unsigned f = 0; f < 2; ++f) {
                desc.first_count = firsts[(k + i + f * 2) % 5];
                merge_one(fix, &orders[i], desc, seed_mix(fix->seed, i * 100 + k * 2 + f));
            }
        }
    if (!platform_is(fix, "Oclgrind"))
        merge_one(fix, &orders[0],
                  (clsort_desc){.count = 100001, .num_arrays = 1, .first_count = 40000}, fix->seed);
}

/* Merges what is not in order: nothing beside the output is written. A merge behind it, in the same
 * scratch, is right. */
static void merge_unordered(const fixture *fix, const order *o, clsort_desc desc, uint64_t seed)
{
    const uint32_t size = order_key_size(o);
    const uint64_t n = desc.count * desc.num_arrays;
    unsigned char *keys = test_alloc(n * size);
    guard source, keys_out;
    order_fill(o, keys, n, 0, seed);
    order_guard(fix, &source, keys, n, size, order_alignment(o), seed);
    order_guard(fix, &keys_out, NULL, n, size, order_alignment(o), seed + 1);
    desc.operation = CLSORT_OPERATION_MERGE;
    order_run(fix, &desc,
              &(clsort_buffers){.keys = guard_buffer(&source),
                                .keys_out = guard_buffer(&keys_out)});
    guard_read(&keys_out, fix->queue);
    assert_true(guard_intact(&keys_out));
    order_expect_kept(fix, o, &source);
    guard_free(&source);
    guard_free(&keys_out);
    free(keys);
    desc.operation = CLSORT_OPERATION_SORT;
    merge_one(fix, o, desc, seed);
}

/* By the GPUs' kernels, whose tiles bisect apart. */
static void test_merge_unordered(void **state)
{
    const fixture *fix = fixture_of(state);
    fixture own = operations_as_gpu(fix);
    for (uint32_t i = 0; i < num_orders; ++i) {
        clsort_desc desc = orders[i].desc;
        if (leaves_out(fix, i, 0))
            continue;
        desc.count = platform_is(fix, "Oclgrind") ? 300 : 5000;
        desc.num_arrays = 1 + i % 2;
        desc.first_count = desc.count / 3;
        merge_unordered(&own, &orders[i], desc, fix->seed + i);
        desc.count = 9; /* several arrays to a work-group */
        desc.num_arrays = 50 + i;
        desc.first_count = 4;
        merge_unordered(&own, &orders[i], desc, fix->seed + i);
    }
    operations_end(&own);
}

/* ---- short arrays ---- */
/* Whether an operation has a kernel for several of them, and takes it. */
static void expect_short(const fixture *own, clsort_desc desc, clsort_operation operation,
                         const char *kernel)
{
    desc.operation = operation;
    desc.first_count = operation == CLSORT_OPERATION_MERGE ? 3 : 0;
    assert_true(case_launches(own->sorter, &desc, kernel));
}

/* Several to a work-group, by GPUs' kernels. Each order has every count, and every other one of the
 * operations' variants, in turn. */
static void test_short_arrays(void **state)
{
    static const uint32_t offset_sizes[] = {4, 0, 8};
    const fixture *fix = fixture_of(state);
    fixture own = operations_as_gpu(fix);
    for (uint32_t i = 0; i < num_orders; ++i)
        for (uint32_t k = 0; k < NUM_SHORT_ARRAYS; ++k) {
            const short_arrays *arrays = &operation_arrays[k];
            const uint64_t seed = seed_mix(fix->seed, i * 100 + k);
            clsort_desc desc = with_payload(orders[i].desc, (i + k) % 7);
            if (leaves_out(fix, i, arrays->count))
                continue;
            desc.count = arrays->count;
            desc.num_arrays = arrays->num_arrays;
            desc.first_count = (i + k) % 4 * desc.count / 3;
            check_one(&own, &orders[i], desc.count, desc.num_arrays, k % 2, seed);
            runs_one(&own, &orders[i], desc.count, desc.num_arrays, offset_sizes[(i + k) % 3],
                     (int)(k % 2), seed);
            merge_one(&own, &orders[i], desc, seed);
        }
    const clsort_desc rows = {.count = 7, .num_arrays = 1000};
    expect_short(&own, rows, CLSORT_OPERATION_CHECK, "check_short");
    expect_short(&own, rows, CLSORT_OPERATION_RUNS, "runs_short");
    expect_short(&own, rows, CLSORT_OPERATION_MERGE, "merge_short");
    operations_end(&own);
}

/* ---- gather ---- */
static void gather_one(const fixture *fix, const order *o, clsort_desc desc, uint64_t seed)
{
    static const uint32_t value_sizes[] = {2, 24, 5};
    rng r = {seed};
    const uint32_t size = order_key_size(o);
    const uint64_t n = desc.count * desc.num_arrays;
    unsigned char *indices = test_alloc(n * desc.index_size);
    for (uint64_t i = 0; i < n; ++i) /* some are out of range */
        number_store(indices, i, desc.index_size, rng_below(&r, desc.count + desc.count / 8 + 1));
    guard source[4], out[4], asked;
    clsort_buffer list[3], list_out[3];
    order_guard(fix, &asked, indices, n, desc.index_size, desc.index_size, seed);
    for (uint32_t k = 0; k <= desc.num_values; ++k) {
        const uint32_t bytes = k ? value_sizes[k - 1] : size;
        order_guard(fix, &source[k], NULL, n, bytes, k ? 8 : order_alignment(o), seed + 1 + k);
        order_guard(fix, &out[k], NULL, n, bytes, k ? 8 : order_alignment(o), seed + 5 + k);
        if (k) {
            list[k - 1] = guard_buffer(&source[k]);
            list_out[k - 1] = guard_buffer(&out[k]);
        }
    }
    desc.operation = CLSORT_OPERATION_GATHER;
    desc.value_sizes = desc.num_values ? value_sizes : NULL;
    order_run(fix, &desc,
              &(clsort_buffers){.keys = guard_buffer(&source[0]),
                                .keys_out = guard_buffer(&out[0]),
                                .values_list = desc.num_values ? list : NULL,
                                .values_list_out = desc.num_values ? list_out : NULL,
                                .indices = guard_buffer(&asked)});
    for (uint32_t k = 0; k <= desc.num_values; ++k) {
        const uint32_t bytes = k ? value_sizes[k - 1] : size;
        unsigned char *expected = test_alloc(n * bytes);
        memcpy(expected, out[k].image + out[k].offset, n * bytes);
        for (uint64_t i = 0; i < n; ++i) {
            const uint64_t index = key_load(indices, i, desc.index_size);
            if (index < desc.count)
                memcpy(expected + i * bytes,
                       source[k].image + source[k].offset +
                           (i / desc.count * desc.count + index) * bytes,
                       bytes);
        }
        order_expect(fix, o, &out[k], expected, n * bytes, "gathered elements");
        order_expect_kept(fix, o, &source[k]);
        free(expected);
        guard_free(&source[k]);
        guard_free(&out[k]);
    }
    order_expect_kept(fix, o, &asked);
    guard_free(&asked);
    free(indices);
}

static void test_gather(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t i = 0; i < num_orders; ++i)
        for (unsigned k = 0; k < NUM_OPERATION_SIZES; ++k) {
            clsort_desc desc = orders[i].desc;
            if (leaves_out(fix, i, operation_sizes[k]))
                continue;
            desc.count = operation_sizes[k];
            desc.num_arrays = k % 3 == 1 ? 2 : 1;
            desc.num_values = (i + k) % 4;
            desc.index_size = k % 2 ? 4 : 8;
            gather_one(fix, &orders[i], desc, seed_mix(fix->seed, i * 100 + k));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_check_everywhere),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_search_sample),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_merge_unordered),
        cmocka_unit_test(test_search_nothing),
        cmocka_unit_test(test_short_arrays),
        cmocka_unit_test(test_search_short),
        cmocka_unit_test(test_gather),
    };
    return fixture_run("operations", tests, sizeof tests / sizeof tests[0]);
}
