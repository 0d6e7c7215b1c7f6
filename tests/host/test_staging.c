/* Host arrays that pass through pinned chunks or lie in clsort_host_alloc()'s memory, and
 * clsort_sort_through(): with one copying thread and several; what is kept and released; pinning
 * refused. CMake runs this as the device is, and again as if it had memory of its own. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "support/calls.h"
#include "support/fixture.h"
#include "host_case.h"
#include "support/oracle.h"
#include "support/tuning_case.h"

enum { COUNT = 10007 };

static const uint32_t threads[] = {0, 1, 3, 8, 1000};
enum { num_threads = sizeof threads / sizeof threads[0] };

/* Whether arrays are staged here: because of CLSORT_LIMIT, or because the device has its own
 * memory. */
static int is_staged(const fixture *fix)
{
    const char *limit = getenv("CLSORT_LIMIT");
    cl_bool is_shared = CL_FALSE;
    clGetDeviceInfo(fix->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof is_shared, &is_shared, NULL);
    return !is_shared || (limit && strstr(limit, "unified=0"));
}

/* The number of chunks in which COUNT 32-bit numbers are staged. */
static unsigned num_chunks(const fixture *fix)
{
    const char *limit = getenv("CLSORT_LIMIT");
    const char *chunk = limit ? strstr(limit, "chunk=") : NULL;
    const unsigned size = COUNT * sizeof(uint32_t);
    if (!is_staged(fix))
        return 0;
    return chunk ? size / (unsigned)strtoul(chunk + 6, NULL, 10) + 1 : 1;
}

/* Whether ordinary memory is pinned for each call: because of pinned.tuning. */
static int pins_arrays(const fixture *fix)
{
    const char *tuning = getenv("CLSORT_TUNING");
    return is_staged(fix) && tuning && strstr(tuning, "pinned");
}

static void test_threads(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.count = COUNT},
        {.count = COUNT, .type = CLSORT_F64, .value_size = 12, .stable = 1},
        {.count = COUNT, .type = CLSORT_I16, .index_size = 8},
        {.count = 1009, .num_arrays = 11, .type = CLSORT_U8, .value_size = 1, .out_of_place = 1},
        {.count = 3},
    };
    for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
        for (uint32_t k = 0; k < num_threads; ++k) {
            expect_status(clsort_set_host_threads(fix->sorter, threads[k]), CLSORT_OK);
            host_case_run(fix->sorter, &descs[i], DATA_SPRINKLED, seed_mix(fix->seed, i));
        }
    expect_status(clsort_set_host_threads(fix->sorter, 0), CLSORT_OK);
    expect_status(clsort_set_host_threads(NULL, 1), CLSORT_ERROR_NULL);
}

/* ---- Streams ---- */

/* One end of a stream: an array, which of its bytes have been copied, and the call that must
 * fail. */
typedef struct end {
    unsigned char *bytes;
    unsigned char *copied; /* how many times each byte was copied */
    uint64_t size;
    atomic_uint num_calls;
    unsigned fails; /* the number of the failing call, from 1; 0: none */
    const struct end *source;
    atomic_int wrong;
} end;

/* The largest range is the one that clsort.h tells. */
static int copy(end *e, uint64_t offset, size_t size)
{
    const unsigned number = atomic_fetch_add(&e->num_calls, 1) + 1;
    if (offset > e->size || size > e->size - offset || size == 0 || size > 4 << 20) {
        e->wrong = 1;
        return 1;
    }
    for (size_t i = 0; i < size; ++i)
        e->copied[offset + i] += 1;
    return number == e->fails ? -7 : 0;
}

static int give(void *context, void *bytes, uint64_t offset, size_t size)
{
    end *e = context;
    if (copy(e, offset, size))
        return 1;
    memcpy(bytes, e->bytes + offset, size);
    return 0;
}

static int take(void *context, void *bytes, uint64_t offset, size_t size)
{
    end *e = context;
    for (uint64_t i = 0; i < e->size; ++i) {
        if (!e->source->copied[i])
            e->wrong = 1; /* too early */
    }
    if (copy(e, offset, size))
        return 1;
    memcpy(e->bytes + offset, bytes, size);
    return 0;
}

static int all_once(const end *e)
{
    for (uint64_t i = 0; i < e->size; ++i) {
        if (e->copied[i] != 1)
            return 0;
    }
    return 1;
}

static end end_open(uint64_t size)
{
    end e = {.bytes = test_alloc(size), .copied = test_alloc(size), .size = size};
    memset(e.copied, 0, (size_t)size);
    return e;
}

static void end_close(end *e)
{
    free(e->bytes);
    free(e->copied);
}

/* One sort between streams, in which this call of the source, or of the sink, fails. */
static void run_through(clsort_sorter *sorter, const clsort_desc *desc, unsigned source_fails,
                        unsigned sink_fails, uint64_t seed)
{
    sample s;
    sample_init(&s, desc, DATA_SPRINKLED, seed);
    end source = end_open(s.num_keys * s.key_size), sink = end_open(s.num_keys * s.key_size);
    if (source.size)
        memcpy(source.bytes, s.keys, (size_t)source.size);
    source.fails = source_fails;
    sink.fails = sink_fails;
    sink.source = &source;
    const clsort_stream from = {give, &source}, to = {take, &sink};
    const clsort_status status = clsort_sort_through(sorter, desc, &from, &to);
    assert_false(source.wrong || sink.wrong);
    if (source_fails || sink_fails) {
        expect_status(status, CLSORT_ERROR_STREAM);
    } else {
        expect_status(status, CLSORT_OK);
        assert_true(all_once(&source));
        assert_true(all_once(&sink));
        assert_true(sample_right(&s, desc->stable != 0, sink.bytes, NULL, NULL));
    }
    if (source_fails)
        assert_int_equal(sink.num_calls, 0);
    end_close(&source);
    end_close(&sink);
    sample_free(&s);
}

static const clsort_desc streamed[] = {
    {.count = COUNT},
    {.count = COUNT, .type = CLSORT_F64, .order = CLSORT_DESCENDING, .out_of_place = 1},
    {.count = 999, .num_arrays = 7, .type = CLSORT_I16, .first_bit = 3, .end_bit = 9, .stable = 1},
    {.count = 1, .algorithm = CLSORT_RADIX},
    {.count = 0},
    {.count = 2},
};
enum { num_streamed = sizeof streamed / sizeof streamed[0] };

static void test_streams(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int i = 0; i < num_streamed; ++i)
        for (uint32_t k = 0; k < num_threads; ++k) {
            expect_status(clsort_set_host_threads(fix->sorter, threads[k]), CLSORT_OK);
            run_through(fix->sorter, &streamed[i], 0, 0, seed_mix(fix->seed, (uint64_t)i));
        }
    run_through(NULL, &streamed[0], 0, 0, fix->seed);
}

static void test_streams_fail(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_error_info info;
    for (uint32_t k = 0; k < 3; ++k)
        for (unsigned number = 1; number < (num_chunks(fix) > 6 ? 6 : 2); ++number) {
            expect_status(clsort_set_host_threads(fix->sorter, threads[k]), CLSORT_OK);
            run_through(fix->sorter, &streamed[0], number, 0, fix->seed);
            run_through(fix->sorter, &streamed[0], 0, number, fix->seed);
            expect_status(clsort_last_error(fix->sorter, &info), CLSORT_OK);
            expect_status(info.status, CLSORT_ERROR_STREAM);
            run_through(fix->sorter, &streamed[0], 0, 0, fix->seed);
        }
    run_through(NULL, &streamed[5], 1, 0, fix->seed);
    run_through(NULL, &streamed[5], 0, 1, fix->seed);
}

static void test_streams_refused(void **state)
{
    const fixture *fix = fixture_of(state);
    end e = end_open(64);
    const clsort_stream good = {give, &e}, bad = {NULL, &e};
    const clsort_column column = {CLSORT_U32, CLSORT_ASCENDING};
    const clsort_strings strings = {.num_bytes = 20, .width = 4};
    static const clsort_desc plain = {.count = 5}, values = {.count = 5, .value_size = 4},
                             indices = {.count = 5, .index_size = 4},
                             wrong = {.count = 5, .type = 99};
    const clsort_desc columns = {.count = 5, .num_columns = 1, .columns = &column};
    const clsort_desc lines = {.count = 5, .strings = &strings, .out_of_place = 1};
    for (int i = 0; i < 2; ++i) {
        clsort_sorter *sorter = i ? fix->sorter : NULL;
        expect_status(clsort_sort_through(sorter, NULL, &good, &good), CLSORT_ERROR_NULL);
        expect_status(clsort_sort_through(sorter, &plain, NULL, &good), CLSORT_ERROR_NULL);
        expect_status(clsort_sort_through(sorter, &plain, &good, NULL), CLSORT_ERROR_NULL);
        expect_status(clsort_sort_through(sorter, &plain, &bad, &good), CLSORT_ERROR_NULL);
        expect_status(clsort_sort_through(sorter, &plain, &good, &bad), CLSORT_ERROR_NULL);
        const clsort_desc *const refused[] = {&values, &indices, &columns, &lines};
        static const char *const arguments[] = {"values", "indices", "columns[0]", "desc.strings"};
        for (int k = 0; k < 4; ++k) {
            const clsort_status status = clsort_sort_through(sorter, refused[k], &good, &good);
            expect_status(status, CLSORT_ERROR_BUFFER_MISSING);
            if (sorter)
                expect_argument(sorter, status, CLSORT_ERROR_BUFFER_MISSING, arguments[k]);
        }
        expect_status(clsort_sort_through(sorter, &wrong, &good, &good), CLSORT_ERROR_TYPE);
    }
    assert_int_equal(e.num_calls, 0);
    end_close(&e);
}

/* ---- Memory of clsort_host_alloc() ---- */

/* Sorts COUNT keys that begin `skipped` keys into a block. */
static void sort_block(const fixture *fix, clsort_sorter *sorter, uint32_t *block, uint32_t skipped)
{
    sample s;
    const clsort_desc desc = {.count = COUNT, .algorithm = CLSORT_RADIX};
    sample_init(&s, &desc, DATA_RANDOM, fix->seed);
    const clsort_arrays arrays = {.keys = block + skipped};
    memcpy(arrays.keys, s.keys, COUNT * sizeof *block);
    expect_status(clsort_sort(sorter, &desc, &arrays), CLSORT_OK);
    assert_true(sample_right(&s, 0, arrays.keys, NULL, NULL));
    sample_free(&s);
}

static void test_blocks(void **state)
{
    const fixture *fix = fixture_of(state);
    void *blocks[3] = {NULL};
    clsort_sorter *other = sorter_create(fix);
    for (int i = 0; i < 3; ++i) {
        expect_status(clsort_host_alloc(fix->sorter, (COUNT + 9) * sizeof(uint32_t), &blocks[i]),
                      CLSORT_OK);
        assert_int_equal((uintptr_t)blocks[i] % 64, 0);
    }
    sort_block(fix, fix->sorter, blocks[1], 0);
    for (int i = 0; i < 2; ++i) {
        calls_start();
        sort_block(fix, i ? other : fix->sorter, blocks[2 * i], 9);
        calls_stop();
        const unsigned whole = is_staged(fix) ? 1 : 0,
                       chunks = pins_arrays(fix) ? 1 : num_chunks(fix);
        assert_int_equal(calls_count(CALL_clEnqueueWriteBuffer), i ? chunks : whole);
        assert_int_equal(calls_count(CALL_clEnqueueReadBuffer), i ? chunks : whole);
    }
    expect_status(clsort_host_free(fix->sorter, blocks[1]), CLSORT_OK);
    expect_status(clsort_host_free(fix->sorter, blocks[1]), CLSORT_ERROR_BUFFER_INVALID);
    assert_non_null(strstr(clsort_status_text(CLSORT_ERROR_BUFFER_INVALID), "clsort_host_alloc()"));
    expect_status(clsort_host_free(other, blocks[0]), CLSORT_ERROR_BUFFER_INVALID);
    expect_status(clsort_host_free(fix->sorter, (char *)blocks[0] + 4),
                  CLSORT_ERROR_BUFFER_INVALID);
    expect_status(clsort_host_free(fix->sorter, NULL), CLSORT_OK);
    expect_status(clsort_host_free(NULL, blocks[0]), CLSORT_ERROR_NULL);
    expect_status(clsort_host_alloc(fix->sorter, 4, NULL), CLSORT_ERROR_NULL);
    expect_status(clsort_host_alloc(NULL, 4, &blocks[1]), CLSORT_ERROR_NULL);
    assert_null(blocks[1]);
    blocks[1] = blocks;
    expect_status(clsort_host_alloc(fix->sorter, SIZE_MAX, &blocks[1]), CLSORT_ERROR_HOST_MEMORY);
    assert_null(blocks[1]);
    expect_status(clsort_host_alloc(fix->sorter, 0, &blocks[1]), CLSORT_OK);
    expect_status(clsort_release_scratch(fix->sorter), CLSORT_OK);
    sort_block(fix, fix->sorter, blocks[0], 3);
    for (int i = 0; i < 3; ++i)
        expect_status(clsort_host_free(fix->sorter, blocks[i]), CLSORT_OK);
    /* One is left for clsort_destroy(). */
    calls_start();
    clsort_sorter *third = sorter_create(fix);
    expect_status(clsort_host_alloc(third, 1000, &blocks[0]), CLSORT_OK);
    clsort_destroy(third);
    calls_stop();
    assert_int_equal(calls_balance(), 0);
    clsort_destroy(other);
}

/* ---- What is kept ---- */

static unsigned num_created(clsort_sorter *sorter, uint64_t count, uint64_t seed)
{
    const clsort_desc desc = {.count = count, .algorithm = CLSORT_BITONIC, .value_size = 4};
    calls_start();
    host_case_run(sorter, &desc, DATA_RANDOM, seed);
    calls_stop();
    return calls_count(CALL_clCreateBuffer) + calls_count(CALL_clCreateCommandQueue);
}

static void test_kept(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!is_staged(fix) || pins_arrays(fix))
        skip_because("no array passes through the ring");
    clsort_sorter *sorter = sorter_create(fix);
    assert_true(num_created(sorter, COUNT, 1) > 0);
    assert_int_equal(num_created(sorter, COUNT, 2), 0);
    assert_int_equal(num_created(sorter, COUNT / 2, 3), 0);
    assert_true(num_created(sorter, COUNT + 1, 4) > 0);
    assert_int_equal(num_created(sorter, COUNT, 5), 0);
    expect_status(clsort_release_scratch(sorter), CLSORT_OK);
    assert_true(num_created(sorter, COUNT, 6) > 0);
    clsort_destroy(sorter);
}

/* If pinned memory is refused, ordinary memory is used. */
static void test_pinning_refused(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!is_staged(fix) || pins_arrays(fix))
        skip_because("no array passes through the ring");
    for (unsigned k = 1; k < 3; ++k) {
        void *block = NULL;
        calls_start();
        clsort_sorter *sorter = sorter_create(fix);
        calls_fail(CALL_clEnqueueMapBuffer, k, 1, CL_OUT_OF_RESOURCES);
        expect_status(clsort_host_alloc(sorter, COUNT * sizeof(uint32_t), &block), CLSORT_OK);
        sort_block(fix, sorter, block, 0);
        const clsort_desc desc = {.count = COUNT, .algorithm = CLSORT_RADIX, .value_size = 4};
        host_case_run(sorter, &desc, DATA_RANDOM, fix->seed);
        assert_true(calls_count(CALL_clEnqueueMapBuffer) > 1);
        calls_fail(CALL_clEnqueueMapBuffer, 0, 0, CL_SUCCESS);
        expect_status(clsort_host_free(sorter, block), CLSORT_OK);
        clsort_destroy(sorter);
        calls_stop();
        assert_int_equal(calls_balance(), 0);
    }
}

/* Ordinary memory that is pinned for one call is transferred as a whole; if the driver refuses, it
 * passes through the ring. */
static void test_pinned_for_a_call(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = COUNT, .algorithm = CLSORT_RADIX};
    if (!pins_arrays(fix))
        skip_because("the tuning asks for no pinned arrays");
    host_case_run(fix->sorter, &desc, DATA_RANDOM, fix->seed);
    for (unsigned refused = 0; refused < 2; ++refused) {
        const unsigned num_writes = refused ? num_chunks(fix) : 1;
        calls_start();
        calls_fail(CALL_clCreateBuffer, refused, refused, CL_OUT_OF_RESOURCES);
        host_case_run(fix->sorter, &desc, DATA_RANDOM, fix->seed);
        calls_stop();
        assert_int_equal(calls_count(CALL_clEnqueueWriteBuffer), num_writes);
        assert_int_equal(calls_count(CALL_clEnqueueReadBuffer), num_writes);
        assert_int_equal(calls_count(CALL_clReleaseMemObject), !refused);
    }
}

/* No range is larger than clsort.h says, though a tuning file asks for larger chunks. */
static void test_largest_range(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = (9 << 20) / 4, .algorithm = CLSORT_RADIX};
    if (getenv("CLSORT_TUNING"))
        skip_because("there is another tuning file");
    clsort_sorter *sorter = tuned_sorter(fix, "host chunk_bytes=2^24\n");
    run_through(sorter, &desc, 0, 0, fix->seed);
    clsort_destroy(sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),         cmocka_unit_test(test_streams),
        cmocka_unit_test(test_streams_fail),    cmocka_unit_test(test_streams_refused),
        cmocka_unit_test(test_blocks),          cmocka_unit_test(test_kept),
        cmocka_unit_test(test_pinning_refused), cmocka_unit_test(test_pinned_for_a_call),
        cmocka_unit_test(test_largest_range),
    };
    return fixture_run("staging", tests, sizeof tests / sizeof tests[0]);
}
