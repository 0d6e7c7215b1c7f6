/* Host arrays larger than the device's memory: CLSORT_LIMIT makes the device so small that arrays
 * of 10^4 keys are sorted in pieces. Numbers are compared with the oracle, everything else with a
 * sorter that has enough memory. Also failures in the middle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/calls.h"
#include "support/fixture.h"
#include "host_case.h"
#include "support/oracle.h"
#include "pieces_case.h"
#include "support/tuning_case.h"

/* A sort by a named algorithm, so that the device does it. */
static clsort_desc random_desc(rng *r, clsort_type type)
{
    static const uint32_t values[] = {0, 0, 1, 3, 4, 8, 12, 16, 40};
    static const clsort_algorithm algorithms[] = {CLSORT_RADIX, CLSORT_RADIX, CLSORT_MERGE,
                                                  CLSORT_BITONIC};
    clsort_desc desc = {.count = 1000 + rng_below(r, 12000), .type = type};
    desc.algorithm = algorithms[rng_below(r, 4)];
    desc.order = (clsort_order)rng_below(r, 2);
    desc.stable = (uint32_t)rng_below(r, 2);
    desc.value_size = values[rng_below(r, 9)];
    desc.out_of_place = (uint32_t)rng_below(r, 2);
    if (rng_below(r, 4) == 0) {
        desc.value_size = desc.out_of_place = 0;
        desc.index_size = rng_below(r, 2) ? 4 : 8;
    }
    if (rng_below(r, 4) == 0) {
        const uint32_t bits = type_infos[type].bits;
        desc.first_bit = (uint32_t)rng_below(r, bits);
        desc.end_bit = desc.first_bit + 1 + (uint32_t)rng_below(r, bits - desc.first_bit);
    }
    return desc;
}

static void test_numbers(void **state)
{
    const fixture *fix = fixture_of(state);
    rng r = {fix->seed};
    for (int i = 0; i < NUM_PIECES_LIMITS; ++i) {
        clsort_sorter *sorter = pieces_sorter(fix, pieces_limits[i], i == 1 ? 3 : 0);
        for (int type = 0; type < CLSORT_NUM_TYPES; ++type) {
            const clsort_desc desc = random_desc(&r, (clsort_type)type);
            host_case_run(sorter, &desc, (data_kind)rng_below(&r, NUM_DATA_KINDS), rng_next(&r));
        }
        clsort_destroy(sorter);
    }
}

/* Equal keys, and few distinct keys whose runs are split in the middle. */
static void test_equal_keys(void **state)
{
    const fixture *fix = fixture_of(state);
    static const data_kind kinds[] = {DATA_EQUAL, DATA_TWO, DATA_FEW, DATA_SORTED, DATA_REVERSED};
    for (int i = 0; i < NUM_PIECES_LIMITS; ++i) {
        clsort_sorter *sorter = pieces_sorter(fix, pieces_limits[i], 0);
        for (int k = 0; k < 5; ++k) {
            clsort_desc desc = {.count = 9973, .value_size = 4, .stable = 1};
            desc.algorithm = CLSORT_RADIX;
            host_case_run(sorter, &desc, kinds[k], fix->seed);
            desc.value_size = 0;
            desc.index_size = 8;
            host_case_run(sorter, &desc, kinds[k], fix->seed);
            desc.stable = 0; /* indices are stable anyway */
            desc.algorithm = CLSORT_BITONIC;
            host_case_run_as(sorter, &desc, 1, kinds[k], fix->seed);
        }
        clsort_destroy(sorter);
    }
}

/* Adjacent arrays: several in one piece, and each in several pieces. */
static void test_batches(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int i = 0; i < NUM_PIECES_LIMITS; ++i) {
        clsort_sorter *sorter = pieces_sorter(fix, pieces_limits[i], 2);
        for (uint32_t k = 0; k < 6; ++k) {
            const clsort_desc desc = {.count = k < 3 ? 211 : 6007,
                                      .num_arrays = k < 3 ? 57 : 3,
                                      .algorithm = CLSORT_RADIX,
                                      .stable = 1,
                                      .value_size = k % 3 == 0 ? 4 : 0,
                                      .index_size = k % 3 == 1 ? 4 : 0,
                                      .limit = k == 5 ? 6007 : 0, /* all of them */
                                      .out_of_place = k % 3 == 2};
            host_case_run(sorter, &desc, DATA_FEW, fix->seed + k);
        }
        clsort_destroy(sorter);
    }
}

/* Arrays that fit on the device alone, but not together, are sorted once, though smaller pieces
 * would share the work out better. In place they would take runs for all arrays. */
static void test_long_batches(void **state)
{
    enum { count = 3001, num_arrays = 6 };
    const fixture *fix = fixture_of(state);
    if (getenv("CLSORT_TUNING"))
        skip_because("there is another tuning file");
    const clsort_desc desc = {
        .count = count, .num_arrays = num_arrays, .algorithm = CLSORT_RADIX, .out_of_place = 1};
    const clsort_desc one = {.count = count, .algorithm = CLSORT_RADIX};
    clsort_plan plan;
    tuning_write_text("host piece_min=1024\n");
    clsort_sorter *sorter = pieces_sorter(fix, "unified=0,host=0,memory=120000", 0);
    tuning_remove();
    expect_status(clsort_get_plan(sorter, &one, &plan, NULL, 0), CLSORT_OK);
    calls_start();
    host_case_run(sorter, &desc, DATA_RANDOM, fix->seed);
    calls_stop();
    assert_int_equal(calls_count(CALL_clEnqueueNDRangeKernel), num_arrays * plan.num_steps);
    clsort_destroy(sorter);
}

/* ---- Compared with a sorter that has enough memory ---- */

static void test_records_and_columns(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_field fields[] = {{4, CLSORT_I16, CLSORT_DESCENDING},
                                          {0, CLSORT_U8, CLSORT_ASCENDING}};
    static const clsort_record by_fields = {.size = 12, .num_fields = 2, .fields = fields};
    static const clsort_record by_text = {.size = 8,
                                          .declarations = "typedef struct { uint x, y; } pair;",
                                          .type = "pair",
                                          .less = "a.y % 256 < b.y % 256"};
    static const clsort_column columns[] = {{CLSORT_U8, CLSORT_DESCENDING},
                                            {CLSORT_U64, CLSORT_ASCENDING},
                                            {CLSORT_I16, CLSORT_DESCENDING}};
    const clsort_desc descs[] = {
        {.count = 5003, .record = &by_fields, .stable = 1},
        {.count = 5003, .record = &by_fields, .stable = 1, .value_size = 4, .out_of_place = 1},
        {.count = 5003, .record = &by_text, .stable = 1, .order = CLSORT_DESCENDING},
        {.count = 5003, .record = &by_text, .index_size = 4},
        {.count = 5003, .num_columns = 3, .columns = columns},
        {.count = 5003, .num_columns = 3, .columns = columns, .index_size = 8, .out_of_place = 1},
        {.count = 5003, .num_columns = 2, .columns = columns, .value_size = 8},
        {.count = 5003, .num_columns = 2, .columns = columns, .index_size = 4},
    };
    clsort_sorter *small = pieces_sorter(fix, "unified=0,host=0,chunk=4096,memory=70000", 2);
    for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
        pieces_run_both(&small, 0, fix->sorter, &descs[i]);
    clsort_destroy(small);
}

/* ---- Several sorters ---- */

/* As if there were two devices of one context and one of another, of different sizes. */
static void test_many(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_column columns[] = {{CLSORT_U8, CLSORT_DESCENDING},
                                            {CLSORT_I32, CLSORT_ASCENDING}};
    const clsort_desc descs[] = {
        {.count = 9001, .algorithm = CLSORT_RADIX},
        {.count = 9001, .algorithm = CLSORT_RADIX, .value_size = 4, .stable = 1, .out_of_place = 1},
        {.count = 9001, .algorithm = CLSORT_RADIX, .index_size = 4},
        {.count = 4001, .num_columns = 2, .columns = columns},
        {.count = 50},
        {.count = 0},
    };
    clsort_sorter *sorters[3] = {pieces_sorter(fix, pieces_limits[0], 2),
                                 pieces_sorter(fix, pieces_limits[1], 0)};
    fixture_limit_to(pieces_limits[2]);
    expect_status(clsort_create(NULL, fix->device, &sorters[2]), CLSORT_OK);
    fixture_end_limit();
    for (uint32_t num = 1; num <= 3; ++num)
        for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
            pieces_run_both(sorters, num, fix->sorter, &descs[i]);
    for (int i = 0; i < 3; ++i)
        clsort_destroy(sorters[i]);
}

/* The second sorter has no queue yet and gets none. It fails, which shows that it takes part, and
 * the pairs are kept. */
static void test_many_failures(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_sorter *sorters[2] = {pieces_sorter(fix, pieces_limits[0], 0),
                                 pieces_sorter(fix, pieces_limits[0], 0)};
    const clsort_desc desc = {.count = 6007, .algorithm = CLSORT_RADIX, .value_size = 4};
    clsort_error_info info;
    pieces_arrays all;
    pieces_open(&all, &desc);
    expect_status(clsort_sort(sorters[0], &desc, &all.arrays), CLSORT_OK);
    const multiset before = multiset_of(all.at[0], 4, all.at[1], 4, desc.count);
    calls_start();
    calls_fail(CALL_clCreateCommandQueue, 1, 1, -9999);
    expect_status(clsort_sort_many(sorters, 2, &desc, &all.arrays), CLSORT_ERROR_OPENCL);
    calls_fail(CALL_clCreateCommandQueue, 0, 0, CL_SUCCESS);
    calls_stop();
    assert_true(multiset_equal(multiset_of(all.at[0], 4, all.at[1], 4, desc.count), before));
    expect_status(clsort_last_error(sorters[1], &info), CLSORT_OK);
    expect_status(info.status, CLSORT_ERROR_OPENCL);
    expect_status(clsort_sort_many(sorters, 2, &desc, &all.arrays), CLSORT_OK);

    clsort_sorter *const twice[] = {sorters[0], sorters[0]}, *const none[] = {sorters[0], NULL};
    expect_status(clsort_sort_many(twice, 2, &desc, &all.arrays), CLSORT_ERROR_BUSY);
    assert_non_null(strstr(clsort_status_text(CLSORT_ERROR_BUSY), "a second time"));
    expect_status(clsort_sort_many(none, 2, &desc, &all.arrays), CLSORT_ERROR_NULL);
    expect_status(clsort_sort_many(NULL, 2, &desc, &all.arrays), CLSORT_ERROR_NULL);
    expect_status(clsort_sort_many(sorters, 0, &desc, &all.arrays), CLSORT_ERROR_NULL);
    expect_status(clsort_sort_many(sorters, 2, NULL, &all.arrays), CLSORT_ERROR_NULL);
    expect_status(clsort_sort_many(sorters, 2, &desc, NULL), CLSORT_ERROR_NULL);
    expect_status(clsort_sort_many(sorters, 2, &desc, &all.arrays), CLSORT_OK);
    pieces_close(&all);
    clsort_destroy(sorters[0]);
    clsort_destroy(sorters[1]);
}

/* ---- Streams ---- */

/* A sort's arrays between streams, and how much its source has given, ranges given twice counted
 * twice. */
typedef struct stream_case {
    pieces_arrays *all;
    _Atomic size_t given;
} stream_case;

static int give(void *context, void *bytes, uint64_t offset, size_t size)
{
    stream_case *streamed = context;
    memcpy(bytes, streamed->all->at[0] + offset, size);
    streamed->given += size;
    return 0;
}

/* The sink gets nothing before the source has given all. */
static int take(void *context, void *bytes, uint64_t offset, size_t size)
{
    stream_case *streamed = context;
    if (streamed->given < streamed->all->sizes[0])
        return 1;
    memcpy(streamed->all->at[1] + offset, bytes, size);
    return 0;
}

static void test_streams(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc shapes[] = {{.count = 9001},
                                         {.count = 9001},
                                         {.count = 9001, .num_arrays = 3},
                                         {.count = 600, .num_arrays = 13}};
    for (int i = 0; i < 4; ++i) {
        clsort_sorter *small = pieces_sorter(fix, pieces_limits[i % NUM_PIECES_LIMITS], 3);
        const clsort_desc desc = {.count = shapes[i].count,
                                  .num_arrays = shapes[i].num_arrays,
                                  .out_of_place = 1,
                                  .algorithm = CLSORT_RADIX};
        const uint64_t num = desc.num_arrays ? desc.num_arrays : 1;
        const clsort_desc once = {.count = desc.count * num, .out_of_place = 1};
        pieces_arrays one, other;
        pieces_open(&one, &once);
        pieces_open(&other, &once);
        stream_case streamed = {.all = &one};
        const clsort_stream source = {give, &streamed}, sink = {take, &streamed};
        expect_status(clsort_sort_through(small, &desc, &source, &sink), CLSORT_OK);
        expect_status(clsort_sort(fix->sorter, &desc, &other.arrays), CLSORT_OK);
        assert_memory_equal(one.at[1], other.at[1], one.sizes[1]);
        pieces_close(&one);
        pieces_close(&other);
        clsort_destroy(small);
    }
}

/* ---- Failures ---- */

/* Sorts pairs in place while the k-th of these calls fails, once or from then on. The result is
 * right, or a status is returned and the arrays hold the same pairs. */
static clsort_status run_failing(clsort_sorter *sorter, call name, unsigned k, int for_ever,
                                 cl_int code, unsigned *count_ret)
{
    sample s;
    const clsort_desc desc = {
        .count = 6007, .algorithm = CLSORT_RADIX, .value_size = 4, .stable = 1};
    sample_init(&s, &desc, DATA_FEW, 7);
    clsort_arrays arrays = {.keys = test_alloc(4 * desc.count),
                            .values = test_alloc(4 * desc.count)};
    memcpy(arrays.keys, s.keys, 4 * desc.count);
    memcpy(arrays.values, s.values, 4 * desc.count);
    calls_mark();
    calls_fail(name, k, for_ever, code);
    const clsort_status status = clsort_sort(sorter, &desc, &arrays);
    calls_fail(name, 0, 0, CL_SUCCESS);
    *count_ret = calls_count(name);
    assert_true(multiset_equal(multiset_of(arrays.keys, 4, arrays.values, 4, desc.count),
                               multiset_of(s.keys, 4, s.values, 4, desc.count)));
    if (!status)
        assert_true(sample_right(&s, 1, arrays.keys, arrays.values, NULL));
    free(arrays.keys);
    free(arrays.values);
    sample_free(&s);
    return status;
}

static void test_failures(void **state)
{
    const fixture *fix = fixture_of(state);
    static const call names[] = {CALL_clEnqueueReadBuffer,    CALL_clEnqueueWriteBuffer,
                                 CALL_clEnqueueNDRangeKernel, CALL_clWaitForEvents,
                                 CALL_clCreateBuffer,         CALL_clFinish};
    clsort_sorter *sorter = pieces_sorter(fix, "unified=0,host=0,chunk=4096,memory=60000", 0);
    unsigned count = 0, ignored = 0;
    calls_start();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        expect_status(clsort_release_scratch(sorter), CLSORT_OK);
        expect_status(run_failing(sorter, names[i], 0, 0, CL_SUCCESS, &count), CLSORT_OK);
        assert_true(count > 3);
        for (unsigned k = 1; k <= count; k += 1 + count / 20) {
            expect_status(clsort_release_scratch(sorter), CLSORT_OK);
            const clsort_status once =
                run_failing(sorter, names[i], k, 0, CL_INVALID_OPERATION, &ignored);
            const clsort_status ever = run_failing(sorter, names[i], k, 1, -9999, &ignored);
            /* An ordinary chunk may replace a pinned one. */
            if (names[i] != CALL_clCreateBuffer) {
                expect_status(once, CLSORT_ERROR_OPENCL);
                expect_status(ever, CLSORT_ERROR_OPENCL);
            }
        }
    }
    calls_stop();
    clsort_destroy(sorter);
}

/* If memory is short once, the pieces are smaller and clsort_last_error() shows nothing. If it
 * stays short, a status is returned. */
static void test_halving(void **state)
{
    const fixture *fix = fixture_of(state);
    unsigned at_once = 0;
    for (int i = 0; i < 2; ++i) {
        clsort_sorter *sorter =
            pieces_sorter(fix, i ? "unified=0,host=0,memory=60000" : "unified=0,host=0", 0);
        clsort_error_info info;
        unsigned count = 0, ignored = 0;
        calls_start();
        expect_status(run_failing(sorter, CALL_clEnqueueNDRangeKernel, 0, 0, CL_SUCCESS, &count),
                      CLSORT_OK);
        const unsigned before = count;
        assert_true(i == 0 || before > 2 * at_once); /* sorted in pieces */
        at_once = before;
        for (unsigned k = 1; k <= before; k += 1 + before / 9) {
            const cl_int code = k % 2 ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_OUT_OF_RESOURCES;
            expect_status(run_failing(sorter, CALL_clEnqueueNDRangeKernel, k, 0, code, &count),
                          CLSORT_OK);
            assert_true(count > before);
            expect_status(clsort_last_error(sorter, &info), CLSORT_OK);
            expect_status(info.status, CLSORT_OK);
        }
        expect_status(run_failing(sorter, CALL_clEnqueueNDRangeKernel, 1, 1,
                                  CL_MEM_OBJECT_ALLOCATION_FAILURE, &ignored),
                      CLSORT_ERROR_DEVICE_MEMORY);
        expect_status(clsort_last_error(sorter, &info), CLSORT_OK);
        expect_status(info.status, CLSORT_ERROR_DEVICE_MEMORY);
        calls_stop();
        clsort_destroy(sorter);
    }
}

/* Buffers kept from one sort are released if the next, with other buffers, has no room beside
 * them. */
static void test_kept_buffers(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_sorter *sorter = pieces_sorter(fix, "unified=0,host=0,memory=150000", 0);
    const clsort_desc pairs = {.count = 4000, .algorithm = CLSORT_RADIX, .value_size = 4};
    const clsort_desc keys = {.count = 10000, .algorithm = CLSORT_RADIX};
    unsigned launches[2] = {0, 0}, releases[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
        calls_start();
        host_case_run(sorter, &keys, DATA_RANDOM, 5);
        calls_stop();
        launches[i] = calls_count(CALL_clEnqueueNDRangeKernel);
        releases[i] = calls_count(CALL_clReleaseMemObject);
        host_case_run(sorter, &pairs, DATA_RANDOM, 6);
    }
    assert_int_equal(launches[0], launches[1]); /* sorted at once, both times */
    if (!getenv("CLSORT_TUNING"))               /* which may have arrays pinned for each call */
        assert_int_equal(releases[0], 0);
    assert_true(releases[1] > releases[0]);
    clsort_destroy(sorter);
}

/* Too little memory for any piece. */
static void test_no_room(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_sorter *sorter = pieces_sorter(fix, "unified=0,host=0,memory=30", 0);
    uint32_t keys[] = {4, 3, 2, 1, 5, 6, 7, 8, 9, 10};
    const clsort_desc desc = {.count = 10, .algorithm = CLSORT_RADIX};
    const clsort_arrays arrays = {.keys = keys};
    expect_status(clsort_sort(sorter, &desc, &arrays), CLSORT_ERROR_DEVICE_MEMORY);
    assert_int_equal(keys[0], 4);
    clsort_destroy(sorter);
}

/* Pieces have no part of the order: what asks for one is refused by name, and nothing changes. */
static void test_places(void **state)
{
    enum { count = 30000 };
    const fixture *fix = fixture_of(state);
    clsort_sorter *sorter = pieces_sorter(fix, pieces_limits[0], 0);
    uint32_t *keys = test_alloc(count * 4), *kept = test_alloc(count * 4);
    uint32_t *keys_out = test_alloc(count * 4), *indices = test_alloc(count * 4);
    data_bytes(keys, count * 4, fix->seed);
    memcpy(kept, keys, count * 4);
    const struct {
        clsort_desc desc;
        const char *argument;
    } wrong[] = {
        {{.count = count, .limit = 10}, "desc.limit"},
        {{.count = count, .skip = 10, .limit = 10}, "desc.skip"},
        {{.count = count, .skip = 10, .index_size = 4}, "desc.skip"},
        {{.count = count, .index_size = 4, .out_of_place = 1}, "desc.index_size"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        const clsort_desc *desc = &wrong[i].desc;
        const clsort_arrays arrays = {.keys = keys,
                                      .keys_out = desc->out_of_place ? keys_out : NULL,
                                      .indices = desc->index_size ? indices : NULL};
        expect_argument(sorter, clsort_sort(sorter, desc, &arrays), CLSORT_ERROR_UNSUPPORTED,
                        wrong[i].argument);
        assert_memory_equal(keys, kept, count * 4);
    }
    free(keys);
    free(kept);
    free(keys_out);
    free(indices);
    clsort_destroy(sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_equal_keys),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_long_batches),
        cmocka_unit_test(test_records_and_columns),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_many_failures),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_halving),
        cmocka_unit_test(test_kept_buffers),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_places),
    };
    return fixture_run("pieces", tests, sizeof tests / sizeof tests[0]);
}
