/* Wrong segments, lists of values, ranks and operations: each has its own status and names the
 * member, and so has what is not supported yet. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "fixture.h"

struct wrong {
    clsort_desc desc;
    clsort_status status;
    const char *argument;
};

static void expect_refused(const fixture *fix, const struct wrong *wrong)
{
    clsort_plan plan;
    clsort_error_info info;
    cl_event event = NULL;
    const clsort_buffers no_buffers = CLSORT_ZERO;
    const clsort_arrays no_arrays = CLSORT_ZERO;
    expect_status(clsort_get_plan(fix->sorter, &wrong->desc, &plan, NULL, 0), wrong->status);
    expect_status(clsort_last_error(fix->sorter, &info), CLSORT_OK);
    expect_status(info.status, wrong->status);
    assert_string_equal(info.argument, wrong->argument);
    calls_start();
    expect_status(clsort_enqueue(fix->sorter, fix->queue, &wrong->desc, &no_buffers, 0, NULL,
                                 &event),
                  wrong->status);
    expect_status(clsort_sort(fix->sorter, &wrong->desc, &no_arrays), wrong->status);
    expect_status(clsort_sort(NULL, &wrong->desc, &no_arrays), wrong->status);
    calls_stop();
    assert_null(event);
    assert_int_equal(calls_enqueued(), 0);
    assert_int_equal(clsort_sorts_on_host(fix->sorter, &wrong->desc), 0);
}

/* clang-format off */
#define REFUSE(what, member, ...) {{.count = 5, __VA_ARGS__}, CLSORT_ERROR_##what, "desc." member}
/* clang-format on */

static const uint32_t sizes[17] = {4, 0};
static const clsort_column columns[1] = {{CLSORT_U8, CLSORT_ASCENDING}};

static void test_contradictions(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t many = (uint64_t)1 << 48;
    const struct wrong wrong[] = {
        REFUSE(SEGMENTS, "num_segments", .num_segments = 1),
        REFUSE(SEGMENTS, "offset_size", .num_segments = 1, .offset_size = 3),
        REFUSE(SEGMENTS, "offset_size", .offset_size = UINT32_MAX),
        REFUSE(SEGMENTS, "num_arrays", .num_arrays = 2, .num_segments = 1, .offset_size = 4),
        REFUSE(COUNT, "num_segments", .num_segments = many, .offset_size = 8),
        REFUSE(VALUES, "num_values", .num_values = 17, .value_sizes = sizes),
        REFUSE(VALUES, "value_sizes", .num_values = 1),
        REFUSE(VALUES, "value_sizes", .value_sizes = sizes),
        REFUSE(VALUES, "value_size", .value_size = 4, .num_values = 1, .value_sizes = sizes),
        REFUSE(VALUES, "value_sizes[1]", .num_values = 2, .value_sizes = sizes),
        REFUSE(INDEX_AND_VALUES, "num_values", .num_values = 1, .value_sizes = sizes,
               .index_size = 4),
        REFUSE(RANKS, "skip", .skip = 6),
        REFUSE(RANKS, "skip", .skip = UINT64_MAX, .limit = 7),
        REFUSE(RANKS, "limit", .limit = 6),
        REFUSE(RANKS, "limit", .skip = 1, .limit = UINT64_MAX),
        REFUSE(OPERATION, "operation", .operation = CLSORT_NUM_OPERATIONS),
        REFUSE(OPERATION, "operation", .operation = (clsort_operation)-1),
        REFUSE(OPERATION, "first_count", .first_count = 1),
        REFUSE(OPERATION, "first_count", .operation = CLSORT_OPERATION_MERGE, .first_count = 6),
        REFUSE(OPERATION, "num_queries", .num_queries = 1),
        REFUSE(COUNT, "num_queries", .operation = CLSORT_OPERATION_SEARCH, .num_queries = many),
        REFUSE(COUNT, "num_queries", .operation = CLSORT_OPERATION_SEARCH, .num_queries = many / 2,
               .num_arrays = 2),
        REFUSE(OPERATION, "value_size", .operation = CLSORT_OPERATION_CHECK, .value_size = 4),
        REFUSE(OPERATION, "num_values", .operation = CLSORT_OPERATION_RUNS, .num_values = 1,
               .value_sizes = sizes),
        REFUSE(OPERATION, "index_size", .operation = CLSORT_OPERATION_RUNS, .index_size = 4),
        REFUSE(OPERATION, "offset_size", .operation = CLSORT_OPERATION_MERGE, .offset_size = 4),
        REFUSE(OPERATION, "num_segments", .operation = CLSORT_OPERATION_RUNS, .offset_size = 4,
               .num_segments = 1),
        REFUSE(OPERATION, "skip", .operation = CLSORT_OPERATION_MERGE, .skip = 1),
        REFUSE(OPERATION, "limit", .operation = CLSORT_OPERATION_GATHER, .limit = 1,
               .index_size = 4),
        REFUSE(OPERATION, "algorithm", .operation = CLSORT_OPERATION_MERGE,
               .algorithm = CLSORT_MERGE),
        REFUSE(INDEX_SIZE, "offset_size", .operation = CLSORT_OPERATION_RUNS, .offset_size = 3),
        REFUSE(INDEX_SIZE, "index_size", .operation = CLSORT_OPERATION_SEARCH),
        REFUSE(INDEX_SIZE, "index_size", .operation = CLSORT_OPERATION_GATHER),
        REFUSE(INDEX_SIZE, "index_size", .operation = CLSORT_OPERATION_MERGE, .index_size = 3),
        REFUSE(INDEX_AND_VALUES, "value_size", .operation = CLSORT_OPERATION_MERGE, .index_size = 4,
               .value_size = 4),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        expect_refused(fix, &wrong[i]);
}

static const clsort_strings strings = {.num_bytes = 20, .width = 4};

static void test_unsupported(void **state)
{
    const fixture *fix = fixture_of(state);
    const struct wrong wrong[] = {
        REFUSE(UNSUPPORTED, "skip", .strings = &strings, .index_size = 4, .skip = 5),
        REFUSE(UNSUPPORTED, "limit", .strings = &strings, .index_size = 4, .limit = 5),
        REFUSE(UNSUPPORTED, "num_columns", .operation = CLSORT_OPERATION_CHECK, .num_columns = 1,
               .columns = columns),
        REFUSE(UNSUPPORTED, "num_columns", .operation = CLSORT_OPERATION_MERGE, .num_columns = 1,
               .columns = columns),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        expect_refused(fix, &wrong[i]);
}

/* Buffers and arrays that a sort of one array has no use for. */
static void test_unexpected(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 5, .algorithm = CLSORT_RADIX};
    cl_int code = CL_SUCCESS;
    uint32_t keys[5] = {0}, other[6] = {0};
    void *list[16] = {other};
    cl_mem mem = clCreateBuffer(fix->context, CL_MEM_READ_WRITE, sizeof keys, NULL, &code);
    expect_cl(code);
    cl_mem more = clCreateBuffer(fix->context, CL_MEM_READ_WRITE, sizeof other, NULL, &code);
    expect_cl(code);
    const clsort_buffer at = {mem, 0}, places[16] = {{more, 0}};
    const struct {
        clsort_buffers buffers;
        const char *argument;
    } buffers[] = {
        {{.keys = at, .offsets = places[0]}, "offsets"},
        {{.keys = at, .values_list = places}, "values_list"},
        {{.keys = at, .queries = places[0]}, "queries"},
        {{.keys = at, .values_list_out = places}, "values_list_out"},
        {{.keys = at, .lower = places[0]}, "lower"},
        {{.keys = at, .upper = places[0]}, "upper"},
        {{.keys = at, .result = places[0]}, "result"},
    };
    clsort_error_info info;
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        expect_status(clsort_enqueue(fix->sorter, fix->queue, &desc, &buffers[i].buffers, 0, NULL,
                                     NULL),
                      CLSORT_ERROR_BUFFER_UNEXPECTED);
        expect_status(clsort_last_error(fix->sorter, &info), CLSORT_OK);
        assert_string_equal(info.argument, buffers[i].argument);
    }
    const clsort_arrays arrays[] = {{.keys = keys, .offsets = other},
                                    {.keys = keys, .values_list = list},
                                    {.keys = keys, .values_list_out = list}};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
        expect_status(clsort_sort(fix->sorter, &desc, &arrays[i]), CLSORT_ERROR_BUFFER_UNEXPECTED);
    clReleaseMemObject(mem);
    clReleaseMemObject(more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_unexpected),
    };
    return fixture_run("args_wanted", tests, sizeof tests / sizeof tests[0]);
}
