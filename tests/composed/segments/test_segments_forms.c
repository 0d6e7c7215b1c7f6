/* What segments share with other features: records by fields and by a comparison, columns,
 * arrays of the host; offsets that lie or have no segment; a count that only the device knows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/calls.h"
#include "support/fixture.h"
#include "support/guard.h"
#include "support/oracle.h"

enum { count = 5000, num_segments = 60 };

typedef struct person {
    uint32_t id;
    float score;
    uint16_t year;
    uint16_t unused;
} person;

static const clsort_field fields[] = {
    {offsetof(person, score), CLSORT_F32, CLSORT_DESCENDING},
    {offsetof(person, year), CLSORT_U16, CLSORT_ASCENDING},
};
static const clsort_record by_fields = {.size = sizeof(person), .num_fields = 2, .fields = fields};
static const clsort_record by_text = {
    .size = sizeof(person),
    .declarations = "typedef struct { uint id; float score; ushort year, unused; } person;",
    .type = "person",
    .less = "a.score > b.score | ((a.score == b.score) & (a.year < b.year))"};

/* Random offsets in order, some of them equal. */
static void fill_offsets(uint32_t *offsets, uint64_t seed)
{
    rng random = {seed};
    uint32_t at = (uint32_t)rng_below(&random, 20);
    for (int i = 0; i <= num_segments; ++i) {
        offsets[i] = at;
        const uint64_t length = rng_below(&random, 3) ? rng_below(&random, 160) : 0;
        at = at + length < count ? at + (uint32_t)length : count;
    }
}

static void fill_people(person *people, uint64_t seed)
{
    rng random = {seed};
    for (uint32_t i = 0; i < count; ++i)
        people[i] = (person){i, (float)rng_below(&random, 5), (uint16_t)rng_below(&random, 9), 0};
}

/* The order of people within their segments. */
static void expect_order(person *people, const uint32_t *offsets, uint64_t *order)
{
    const clsort_desc desc = {.record = &by_fields};
    void *const array = people;
    for (uint32_t i = 0; i < count; ++i)
        order[i] = i;
    for (int i = 0; i < num_segments; ++i)
        oracle_order(offsets[i], offsets[i + 1] - offsets[i], oracle_compare_keys,
                     &(oracle_keys){&desc, &array}, order + offsets[i]);
}

static void run_records(const fixture *fix, const clsort_record *record, uint32_t index_size,
                        uint32_t out_of_place)
{
    static person people[count], sorted[count];
    static uint64_t order[count];
    static uint32_t indices[count];
    uint32_t offsets[num_segments + 1];
    fill_people(people, fix->seed);
    fill_offsets(offsets, fix->seed + index_size + out_of_place);
    expect_order(people, offsets, order);
    memcpy(sorted, people, sizeof sorted);
    memset(indices, 0x5a, sizeof indices);
    const clsort_desc desc = {.count = count,
                              .num_segments = num_segments,
                              .offset_size = 4,
                              .record = record,
                              .index_size = index_size,
                              .out_of_place = out_of_place};
    const clsort_arrays arrays = {.keys = out_of_place ? people : sorted,
                                  .offsets = offsets,
                                  .keys_out = out_of_place ? sorted : NULL,
                                  .indices = index_size ? indices : NULL};
    expect_status(clsort_sort(fix->sorter, &desc, &arrays), CLSORT_OK);
    for (uint32_t s = 0; s < num_segments; ++s)
        for (uint32_t i = offsets[s]; i < offsets[s + 1] && index_size; ++i)
            assert_int_equal(indices[i], order[i] - offsets[s]);
    for (uint32_t i = 0; i < count; ++i)
        assert_memory_equal(&sorted[i], &people[index_size ? i : order[i]], sizeof(person));
}

static void test_records(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_record *const records[] = {&by_fields, &by_text};
    for (int i = 0; i < 2; ++i) {
        run_records(fix, records[i], 0, 0);
        run_records(fix, records[i], 4, 0);
        run_records(fix, records[i], 0, 1);
    }
}

static void run_columns(const fixture *fix, uint32_t index_size, uint32_t out_of_place,
                        uint32_t value_size)
{
    static person people[count];
    static float scores[count], scores_out[count];
    static uint16_t years[count], years_out[count];
    static uint64_t order[count];
    static uint32_t indices[count], ids[count], ids_out[count];
    uint32_t offsets[num_segments + 1];
    const clsort_column columns[] = {{CLSORT_F32, CLSORT_DESCENDING},
                                     {CLSORT_U16, CLSORT_ASCENDING}};
    fill_people(people, fix->seed);
    fill_offsets(offsets, fix->seed + index_size + out_of_place);
    expect_order(people, offsets, order);
    for (uint32_t i = 0; i < count; ++i) {
        scores[i] = people[i].score;
        years[i] = people[i].year;
        ids[i] = i;
    }
    void *const in[] = {scores, years}, *const out[] = {scores_out, years_out};
    const clsort_desc desc = {.count = count,
                              .num_segments = num_segments,
                              .offset_size = 4,
                              .num_columns = 2,
                              .columns = columns,
                              .value_size = value_size,
                              .index_size = index_size,
                              .out_of_place = out_of_place};
    const clsort_arrays arrays = {.columns = in,
                                  .offsets = offsets,
                                  .values = value_size ? ids : NULL,
                                  .columns_out = out_of_place ? out : NULL,
                                  .values_out = value_size && out_of_place ? ids_out : NULL,
                                  .indices = index_size ? indices : NULL};
    expect_status(clsort_sort(fix->sorter, &desc, &arrays), CLSORT_OK);
    for (uint32_t s = 0; s < num_segments; ++s)
        for (uint32_t i = offsets[s]; i < offsets[s + 1] && index_size; ++i)
            assert_int_equal(indices[i], order[i] - offsets[s]);
    const int moves = out_of_place || !index_size;
    for (uint32_t i = 0; i < count && moves; ++i) {
        assert_true((out_of_place ? scores_out : scores)[i] == people[order[i]].score);
        assert_int_equal((out_of_place ? years_out : years)[i], people[order[i]].year);
        if (value_size)
            assert_int_equal((out_of_place ? ids_out : ids)[i], order[i]);
    }
}

static void test_columns(void **state)
{
    const fixture *fix = fixture_of(state);
    run_columns(fix, 0, 0, 0);
    run_columns(fix, 0, 0, 4);
    run_columns(fix, 4, 0, 0);
    run_columns(fix, 4, 1, 0);
    run_columns(fix, 0, 1, 4);
}

/* On the host wrong offsets are refused, and nothing changes. */
static void test_wrong_offsets_on_the_host(void **state)
{
    const fixture *fix = fixture_of(state);
    uint32_t keys[] = {5, 4, 3, 2, 1};
    const clsort_desc desc = {.count = 5, .num_segments = 2, .offset_size = 4};
    const uint32_t wrong[][3] = {{0, 3, 2}, {1, 0, 5}, {0, 3, 6}, {6, 6, 6}, {0, UINT32_MAX, 5}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        uint32_t offsets[] = {wrong[i][0], wrong[i][1], wrong[i][2]};
        const clsort_arrays arrays = {.keys = keys, .offsets = offsets};
        calls_start();
        expect_argument(fix->sorter, clsort_sort(fix->sorter, &desc, &arrays),
                        CLSORT_ERROR_SEGMENTS, "offsets");
        calls_stop();
        assert_int_equal(calls_enqueued(), 0);
    }
    for (uint32_t i = 0; i < 5; ++i)
        assert_int_equal(keys[i], 5 - i);
    uint64_t right[] = {1, 3, 5};
    const clsort_desc wide = {.count = 5, .num_segments = 2, .offset_size = 8};
    const clsort_arrays arrays = {.keys = keys, .offsets = right};
    expect_status(clsort_sort(fix->sorter, &wide, &arrays), CLSORT_OK);
    static const uint32_t sorted[] = {5, 3, 4, 1, 2};
    assert_memory_equal(keys, sorted, sizeof sorted);
}

/* Offsets on the device that lie: every element is still there, and nothing else is written. */
static void test_offsets_that_lie(void **state)
{
    const fixture *fix = fixture_of(state);
    rng random = {fix->seed};
    for (int round = 0; round < 24; ++round) {
        enum { n = 3001, num = 200 };
        uint64_t offsets[num + 1];
        uint32_t keys[n], values[n];
        for (int i = 0; i <= num; ++i)
            offsets[i] = round % 3 == 0   ? rng_next(&random)
                         : round % 3 == 1 ? rng_below(&random, n + 100)
                                          : rng_below(&random, n) * (rng_below(&random, 4) != 0);
        data_bytes(keys, sizeof keys, rng_next(&random));
        data_bytes(values, sizeof values, rng_next(&random));
        const int has_index = round / 3 % 2, has_values = !has_index && round / 6 % 2;
        const clsort_desc desc = {.count = n,
                                  .num_segments = num,
                                  .offset_size = 8,
                                  .value_size = has_values ? 4 : 0,
                                  .index_size = has_index ? 4 : 0};
        guard k = {0}, v = {0}, o = {0}, x = {0};
        guard_create(&k, fix->context, CL_MEM_READ_WRITE, keys, sizeof keys, 4, 4, 1);
        guard_create(&o, fix->context, CL_MEM_READ_ONLY, offsets, sizeof offsets, 8, 8, 2);
        if (has_values)
            guard_create(&v, fix->context, CL_MEM_READ_WRITE, values, sizeof values, 4, 4, 3);
        if (has_index)
            guard_create(&x, fix->context, CL_MEM_READ_WRITE, NULL, sizeof keys, 4, 4, 4);
        const clsort_buffers buffers = {.keys = guard_buffer(&k),
                                        .offsets = guard_buffer(&o),
                                        .values = guard_buffer(&v),
                                        .indices = guard_buffer(&x)};
        expect_status(fixture_enqueue(fix, &desc, &buffers), CLSORT_OK);
        const void *sorted = guard_read(&k, fix->queue);
        const void *moved = has_values ? guard_read(&v, fix->queue) : NULL;
        assert_true(guard_intact(&k));
        assert_true(!has_values || guard_intact(&v));
        assert_true(multiset_equal(multiset_of(sorted, 4, moved, desc.value_size, n),
                                   multiset_of(keys, 4, values, desc.value_size, n)));
        if (has_index) {
            guard_read(&x, fix->queue);
            assert_true(guard_intact(&x));
        }
        guard_free(&k);
        guard_free(&v);
        guard_free(&o);
        guard_free(&x);
    }
}

/* Without segments nothing is sorted; out of place all is copied. */
static void test_no_segments(void **state)
{
    const fixture *fix = fixture_of(state);
    uint32_t keys[] = {5, 4, 3}, values[] = {7, 8, 9}, out[3] = {0}, values_out[3] = {0};
    clsort_desc desc = {.count = 3, .offset_size = 4, .value_size = 4};
    const clsort_arrays in_place = {.keys = keys, .values = values};
    expect_status(clsort_sort(fix->sorter, &desc, &in_place), CLSORT_OK);
    assert_int_equal(keys[0], 5);
    const clsort_arrays arrays = {
        .keys = keys, .values = values, .keys_out = out, .values_out = values_out};
    desc.out_of_place = 1;
    expect_status(clsort_sort(fix->sorter, &desc, &arrays), CLSORT_OK);
    assert_memory_equal(out, keys, sizeof keys);
    assert_memory_equal(values_out, values, sizeof values);
}

/* A count that a kernel writes: one segment, which ends there. The host waits for nothing and reads
 * nothing back. */
static void test_count_on_the_device(void **state)
{
    const fixture *fix = fixture_of(state);
    enum { n = 1000, known = 700 };
    uint32_t keys[n];
    for (uint32_t i = 0; i < n; ++i)
        keys[i] = n - i;
    const clsort_desc desc = {.count = n, .num_segments = 1, .offset_size = 4};
    const uint32_t zero = 0, end = known;
    cl_mem mem = buffer_create(fix->context, CL_MEM_READ_WRITE, sizeof keys, keys);
    cl_mem offsets = buffer_create(fix->context, CL_MEM_READ_WRITE, 8, NULL);
    const clsort_buffers buffers = {.keys = {mem, 0}, .offsets = {offsets, 0}};
    clsort_plan plan;
    expect_status(clsort_prepare(fix->sorter, &desc), CLSORT_OK);
    expect_status(clsort_get_plan(fix->sorter, &desc, &plan, NULL, 0), CLSORT_OK);
    expect_cl(clEnqueueFillBuffer(fix->queue, offsets, &zero, 4, 0, 4, 0, NULL, NULL));
    expect_cl(clEnqueueFillBuffer(fix->queue, offsets, &end, 4, 4, 4, 0, NULL, NULL));
    calls_start();
    expect_status(fixture_enqueue(fix, &desc, &buffers), CLSORT_OK);
    calls_stop();
    assert_int_equal(calls_enqueued(), plan.num_steps);
    assert_int_equal(calls_count(CALL_clEnqueueNDRangeKernel), plan.num_steps);
    assert_int_equal(calls_count(CALL_clFinish) + calls_count(CALL_clWaitForEvents) +
                         calls_count(CALL_clEnqueueReadBuffer) +
                         calls_count(CALL_clEnqueueMapBuffer),
                     0);
    buffer_read(fix->queue, mem, keys, sizeof keys);
    for (uint32_t i = 0; i < n; ++i)
        assert_int_equal(keys[i], i < known ? n - known + 1 + i : n - i);
    clReleaseMemObject(mem);
    clReleaseMemObject(offsets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_wrong_offsets_on_the_host),
        cmocka_unit_test(test_offsets_that_lie),
        cmocka_unit_test(test_no_segments),
        cmocka_unit_test(test_count_on_the_device),
    };
    return fixture_run("segments_forms", tests, sizeof tests / sizeof tests[0]);
}
