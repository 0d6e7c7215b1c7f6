/* Wrong segments, lists of values, ranks and operations: each has its own status and names the
 * member, and so has what is not supported yet. */
#include <stdlib.h>
#include <string.h>

#include "refusal.h"
#include "support/calls.h"

/* clang-format off */
#define REFUSE(what, member, ...) REFUSED(what, member, .count = 5, __VA_ARGS__)
/* clang-format on */

static const uint32_t sizes[17] = {4, 0};
static const uint32_t large[1] = {1 << 16};
static const uint32_t halves[2] = {30000, 30000}; /* too large together */

static void test_contradictions(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t many = (uint64_t)1 << 48;
    const refusal wrong[] = {
        REFUSE(SEGMENTS, "num_segments", .num_segments = 1),
        REFUSE(SEGMENTS, "offset_size", .num_segments = 1, .offset_size = 3),
        REFUSE(SEGMENTS, "offset_size", .offset_size = UINT32_MAX),
        REFUSE(SEGMENTS, "num_arrays", .num_arrays = 2, .num_segments = 1, .offset_size = 4),
        REFUSE(COUNT, "num_segments", .num_segments = many, .offset_size = 8),
        REFUSE(COUNT, "limit", .num_segments = 1 << 20, .offset_size = 4, .limit = many >> 20),
        REFUSE(COUNT, "count", .num_segments = 1 << 10, .offset_size = 4, .limit = many >> 11,
               .value_size = 1 << 16),
        REFUSE(COUNT, "value_sizes[0]", .num_segments = 1 << 10, .offset_size = 4,
               .limit = many >> 11, .num_values = 1, .value_sizes = large),
        REFUSE(COUNT, "value_sizes[1]", .num_arrays = many >> 4, .num_values = 2,
               .value_sizes = halves),
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
    refusals_run(fix, wrong, sizeof wrong / sizeof wrong[0]);
}

static const clsort_column columns[2] = {{CLSORT_U8, CLSORT_ASCENDING},
                                         {CLSORT_F32, CLSORT_DESCENDING}};
static const clsort_strings strings = {.num_bytes = 20, .width = 4};

static void test_unsupported(void **state)
{
    const fixture *fix = fixture_of(state);
    const refusal wrong[] = {
        REFUSE(UNSUPPORTED, "skip", .strings = &strings, .index_size = 4, .skip = 5),
        REFUSE(UNSUPPORTED, "limit", .strings = &strings, .index_size = 4, .limit = 5),
        REFUSE(UNSUPPORTED, "strings", .strings = &strings, .index_size = 4, .num_segments = 1,
               .offset_size = 4),
        REFUSE(UNSUPPORTED, "strings", .strings = &strings, .index_size = 4,
               .operation = CLSORT_OPERATION_MERGE),
        REFUSE(UNSUPPORTED, "strings", .strings = &strings, .operation = CLSORT_OPERATION_CHECK),
        REFUSE(UNSUPPORTED, "strings", .strings = &strings, .index_size = 4,
               .operation = CLSORT_OPERATION_RUNS),
    };
    refusals_run(fix, wrong, sizeof wrong / sizeof wrong[0]);
}

/* Every operation refuses every member that it has no use for. */
static void test_members_of_operations(void **state)
{
    const fixture *fix = fixture_of(state);
    enum { CHECK = 1, MERGE = 2, RUNS = 4, SEARCH = 8, GATHER = 16, ALL = 31 };
    const struct {
        uint32_t operations; /* that refuse it */
        clsort_desc desc;
        const char *argument;
    } members[] = {
        {CHECK | RUNS | SEARCH, {.value_size = 4}, "desc.value_size"},
        {CHECK | RUNS | SEARCH, {.num_values = 1, .value_sizes = sizes}, "desc.num_values"},
        {CHECK | RUNS, {.index_size = 4}, "desc.index_size"},
        {ALL - RUNS, {.offset_size = 4}, "desc.offset_size"},
        {ALL, {.num_segments = 1}, "desc.num_segments"},
        {ALL, {.skip = 1}, "desc.skip"},
        {ALL, {.limit = 1}, "desc.limit"},
        {ALL, {.algorithm = CLSORT_MERGE}, "desc.algorithm"},
        {ALL - MERGE, {.first_count = 1}, "desc.first_count"},
        {ALL - SEARCH, {.num_queries = 1}, "desc.num_queries"},
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i)
        for (int operation = 1; operation < CLSORT_NUM_OPERATIONS; ++operation) {
            refusal wrong = {members[i].desc, CLSORT_ERROR_OPERATION, members[i].argument};
            wrong.desc.count = 5;
            wrong.desc.operation = (clsort_operation)operation;
            if (members[i].operations >> (operation - 1) & 1)
                refusals_run(fix, &wrong, 1);
        }
}

static int never_copies(void *context, void *bytes, uint64_t offset, size_t size)
{
    (void)bytes, (void)offset, (void)size;
    *(int *)context = 1;
    return 0;
}

/* What streams cannot do is refused before a byte is asked for. */
static void test_streams(void **state)
{
    const fixture *fix = fixture_of(state);
    const refusal wrong[] = {
        REFUSE(UNSUPPORTED, "skip", .skip = 1),
        REFUSE(UNSUPPORTED, "limit", .limit = 1),
        REFUSE(UNSUPPORTED, "operation", .operation = CLSORT_OPERATION_MERGE),
        {{.count = 5, .num_segments = 1, .offset_size = 4}, CLSORT_ERROR_BUFFER_MISSING, "offsets"},
        {{.count = 5, .num_values = 1, .value_sizes = sizes},
         CLSORT_ERROR_BUFFER_MISSING,
         "values_list[0]"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        int is_called = 0;
        const clsort_stream stream = {never_copies, &is_called};
        expect_argument(fix->sorter,
                        clsort_sort_through(fix->sorter, &wrong[i].desc, &stream, &stream),
                        wrong[i].status, wrong[i].argument);
        assert_int_equal(is_called, 0);
    }
}

/* Buffers and arrays that a sort of one array has no use for. */
static void test_unexpected(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 5, .algorithm = CLSORT_RADIX};
    uint32_t keys[5] = {0}, other[6] = {0};
    void *list[16] = {other};
    cl_mem mem = buffer_create(fix->context, CL_MEM_READ_WRITE, sizeof keys, NULL);
    cl_mem more = buffer_create(fix->context, CL_MEM_READ_WRITE, sizeof other, NULL);
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
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        expect_argument(fix->sorter, fixture_enqueue(fix, &desc, &buffers[i].buffers),
                        CLSORT_ERROR_BUFFER_UNEXPECTED, buffers[i].argument);
    const clsort_arrays arrays[] = {{.keys = keys, .offsets = other},
                                    {.keys = keys, .values_list = list},
                                    {.keys = keys, .values_list_out = list}};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
        expect_status(clsort_sort(fix->sorter, &desc, &arrays[i]), CLSORT_ERROR_BUFFER_UNEXPECTED);
    clReleaseMemObject(mem);
    clReleaseMemObject(more);
}

/* ---- Buffers of operations and lists of values ---- */
enum { NUM_BUFFERS = 6, buffer_size = 256 };

static const uint32_t value_sizes[2] = {4, 8};
static const clsort_desc values = {.count = 5, .num_values = 2, .value_sizes = value_sizes};
#define OPERATION(name, ...)                                          \
    {                                                                 \
        .count = 5, .operation = CLSORT_OPERATION_##name, __VA_ARGS__ \
    }
static const clsort_desc check = OPERATION(CHECK, .index_size = 0);
static const clsort_desc merge = OPERATION(MERGE, .first_count = 2);
static const clsort_desc runs = OPERATION(RUNS, .offset_size = 8);
static const clsort_desc search = OPERATION(SEARCH, .num_queries = 3, .index_size = 4);
static const clsort_desc gather = OPERATION(GATHER, .index_size = 4);
static const clsort_desc rows =
    OPERATION(SEARCH, .num_queries = 3, .index_size = 4, .num_columns = 2, .columns = columns);

struct wrong_call {
    const clsort_desc *desc;
    clsort_buffers buffers;
    clsort_status status;
    const char *argument;
};

static void refuse_calls(const fixture *fix, const struct wrong_call *wrong, size_t num_calls)
{
    for (size_t i = 0; i < num_calls; ++i)
        expect_argument(fix->sorter, fixture_enqueue(fix, wrong[i].desc, &wrong[i].buffers),
                        wrong[i].status, wrong[i].argument);
}

/* Each `at` is a buffer of its own. */
static void refuse_lists_of_values(const fixture *fix, const clsort_buffer *at)
{
    const clsort_buffer list[2] = {at[1], at[2]}, same[2] = {at[1], {at[1].mem, 8}};
    const clsort_buffer none[2] = {at[1], {NULL, 0}}, torn[2] = {at[1], {at[2].mem, 4}};
    const clsort_buffer late[2] = {at[1], {at[2].mem, buffer_size - 32}};
    const struct wrong_call wrong[] = {
        WRONG(BUFFER_MISSING, "values_list[0]", &values, .keys = at[0]),
        WRONG(BUFFER_MISSING, "values_list[1]", &values, .keys = at[0], .values_list = none),
        WRONG(BUFFER_OVERLAP, "values_list[1]", &values, .keys = at[0], .values_list = same),
        WRONG(BUFFER_MISALIGNED, "values_list[1]", &values, .keys = at[0], .values_list = torn),
        WRONG(BUFFER_TOO_SMALL, "values_list[1]", &values, .keys = at[0], .values_list = late),
        WRONG(BUFFER_UNEXPECTED, "values_list_out", &values, .keys = at[0], .values_list = list,
              .values_list_out = list),
    };
    refuse_calls(fix, wrong, sizeof wrong / sizeof wrong[0]);
}

static void refuse_check_merge_runs(const fixture *fix, const clsort_buffer *at)
{
    const struct wrong_call wrong[] = {
        WRONG(BUFFER_MISSING, "result", &check, .keys = at[0]),
        WRONG(BUFFER_MISSING, "keys", &check, .result = at[0]),
        WRONG(BUFFER_UNEXPECTED, "keys_out", &check, .keys = at[0], .keys_out = at[1],
              .result = at[2]),
        WRONG(BUFFER_MISALIGNED, "result", &check, .keys = at[0], .result = {at[1].mem, 4}),
        WRONG(BUFFER_MISSING, "keys_out", &merge, .keys = at[0]),
        WRONG(BUFFER_OVERLAP, "keys_out", &merge, .keys = at[0], .keys_out = {at[0].mem, 12}),
        WRONG(BUFFER_UNEXPECTED, "result", &merge, .keys = at[0], .keys_out = at[1],
              .result = at[2]),
        WRONG(BUFFER_MISSING, "offsets_out", &runs, .keys = at[0], .keys_out = at[1],
              .result = at[2]),
        WRONG(BUFFER_TOO_SMALL, "offsets_out", &runs, .keys = at[0], .keys_out = at[1],
              .offsets_out = {at[2].mem, buffer_size - 40}, .result = at[3]),
    };
    refuse_calls(fix, wrong, sizeof wrong / sizeof wrong[0]);
}

static void refuse_search_gather(const fixture *fix, const clsort_buffer *at)
{
    const struct wrong_call wrong[] = {
        WRONG(BUFFER_MISSING, "queries", &search, .keys = at[0], .lower = at[1]),
        WRONG(BUFFER_MISSING, "lower", &search, .keys = at[0], .queries = at[1]),
        WRONG(BUFFER_OVERLAP, "upper", &search, .keys = at[0], .queries = at[1], .lower = at[2],
              .upper = {at[2].mem, 8}),
        WRONG(BUFFER_UNEXPECTED, "indices", &search, .keys = at[0], .queries = at[1],
              .indices = at[2], .lower = at[3]),
        WRONG(BUFFER_MISSING, "indices", &gather, .keys = at[0], .keys_out = at[1]),
    };
    refuse_calls(fix, wrong, sizeof wrong / sizeof wrong[0]);
}

static void refuse_search_of_rows(const fixture *fix, const clsort_buffer *at)
{
    const clsort_buffer list[2] = {at[1], at[2]}, apart[2] = {at[3], {NULL, 0}};
    const struct wrong_call wrong[] = {
        WRONG(BUFFER_MISSING, "query_columns[0]", &rows, .columns = list, .lower = at[0]),
        WRONG(BUFFER_MISSING, "query_columns[1]", &rows, .columns = list, .query_columns = apart,
              .lower = at[0]),
        WRONG(BUFFER_OVERLAP, "query_columns[0]", &rows, .columns = list, .query_columns = list,
              .lower = at[0]),
        WRONG(BUFFER_UNEXPECTED, "queries", &rows, .columns = list, .queries = at[3],
              .lower = at[0]),
        WRONG(BUFFER_UNEXPECTED, "columns_out", &rows, .columns = list, .columns_out = list,
              .lower = at[0]),
        WRONG(BUFFER_UNEXPECTED, "query_columns", &search, .keys = at[0], .queries = at[1],
              .query_columns = list, .lower = at[3]),
    };
    refuse_calls(fix, wrong, sizeof wrong / sizeof wrong[0]);
}

static void refuse_strings(const fixture *fix, const clsort_buffer *at)
{
    static const clsort_strings text = {.num_bytes = 100, .offset_size = 4};
    static const clsort_desc indices = {.count = 10, .strings = &text, .index_size = 4};
    static const clsort_desc moved = {.count = 10, .strings = &text, .out_of_place = 1};
    const clsort_buffer odd = {at[0].mem, 1};
    const struct wrong_call wrong[] = {
        WRONG(BUFFER_MISSING, "indices", &indices, .keys = odd, .offsets = at[1]),
        WRONG(BUFFER_MISSING, "offsets", &indices, .keys = odd, .indices = at[1]),
        WRONG(BUFFER_MISSING, "keys", &indices, .offsets = at[1], .indices = at[2]),
        WRONG(BUFFER_UNEXPECTED, "keys_out", &indices, .keys = odd, .offsets = at[1],
              .keys_out = at[2], .indices = at[3]),
        WRONG(BUFFER_MISALIGNED, "offsets", &indices, .keys = odd, .offsets = {at[1].mem, 2},
              .indices = at[2]),
        WRONG(BUFFER_TOO_SMALL, "offsets", &indices, .keys = odd,
              .offsets = {at[1].mem, buffer_size - 40}, .indices = at[2]),
        WRONG(BUFFER_TOO_SMALL, "keys", &indices, .keys = {at[0].mem, buffer_size - 99},
              .offsets = at[1], .indices = at[2]),
        WRONG(BUFFER_OVERLAP, "offsets", &indices, .keys = odd, .offsets = {at[0].mem, 100},
              .indices = at[2]),
        WRONG(BUFFER_MISSING, "offsets_out", &moved, .keys = odd, .offsets = at[1],
              .keys_out = at[2]),
        WRONG(BUFFER_OVERLAP, "keys_out", &moved, .keys = odd, .offsets = at[1], .keys_out = odd,
              .offsets_out = at[2]),
    };
    refuse_calls(fix, wrong, sizeof wrong / sizeof wrong[0]);
}

/* Arrays of the host are only sorted. */
static void refuse_arrays(const fixture *fix)
{
    uint32_t keys[5] = {5, 4, 3, 2, 1};
    expect_argument(fix->sorter, clsort_sort(fix->sorter, &merge, &(clsort_arrays){.keys = keys}),
                    CLSORT_ERROR_UNSUPPORTED, "desc.operation");
    expect_status(clsort_sort(NULL, &merge, &(clsort_arrays){.keys = keys}),
                  CLSORT_ERROR_UNSUPPORTED);
    assert_int_equal(clsort_sorts_on_host(fix->sorter, &merge), 0);
}

/* Buffers that an operation or a list of values lacks, has no use for, or that overlap. */
static void test_buffers_of_operations(void **state)
{
    const fixture *fix = fixture_of(state);
    unsigned char kept[buffer_size], bytes[buffer_size];
    clsort_buffer at[NUM_BUFFERS];
    memset(bytes, 7, sizeof bytes);
    for (int i = 0; i < NUM_BUFFERS; ++i) {
        cl_mem mem = buffer_create(fix->context, CL_MEM_READ_WRITE, buffer_size, bytes);
        at[i] = (clsort_buffer){mem, 0};
    }
    calls_start();
    refuse_lists_of_values(fix, at);
    refuse_check_merge_runs(fix, at);
    refuse_search_gather(fix, at);
    refuse_search_of_rows(fix, at);
    refuse_strings(fix, at);
    calls_stop();
    assert_int_equal(calls_enqueued(), 0);
    for (int i = 0; i < NUM_BUFFERS; ++i) {
        buffer_read(fix->queue, at[i].mem, kept, buffer_size);
        assert_memory_equal(kept, bytes, buffer_size);
        clReleaseMemObject(at[i].mem);
    }
    refuse_arrays(fix);
}

/* RUNS of no keys needs no keys_out: what it writes is that there are no runs. */
static void test_runs_of_none(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.offset_size = 4, .operation = CLSORT_OPERATION_RUNS};
    uint64_t bytes[2] = {UINT64_MAX, UINT64_MAX};
    const cl_mem mem = buffer_create(fix->context, CL_MEM_READ_WRITE, sizeof bytes, bytes);
    const clsort_buffers buffers = {.result = {mem, 0}, .offsets_out = {mem, 8}};
    expect_status(fixture_enqueue(fix, &desc, &buffers), CLSORT_OK);
    buffer_read(fix->queue, mem, bytes, sizeof bytes);
    assert_true(bytes[0] == 0 && (uint32_t)bytes[1] == 0);
    clReleaseMemObject(mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_members_of_operations),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_unexpected),
        cmocka_unit_test(test_buffers_of_operations),
        cmocka_unit_test(test_runs_of_none),
    };
    fixture_with_host();
    return fixture_run("args_wanted", tests, sizeof tests / sizeof tests[0]);
}
