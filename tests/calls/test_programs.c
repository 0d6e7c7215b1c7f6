/* test_programs.c: programs that are saved and loaded. A sorter that has loaded them compiles none,
 * sorts as before and saves the same. A block of which a byte has changed, or that is cut short, is
 * left alone, and what it lacks is compiled. */
#include <stdlib.h>
#include <string.h>

#include "support/calls.h"
#include "support/job.h"

static const clsort_field fields[] = {{0, CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_record record = {.size = 8, .num_fields = 1, .fields = fields};
static const clsort_desc descs[] = {
    {.count = 3000, .algorithm = CLSORT_BITONIC},
    {.count = 1000, .algorithm = CLSORT_RANK, .value_size = 4},
    {.count = 3000, .algorithm = CLSORT_MERGE, .record = &record},
};
enum { NUM_DESCS = sizeof descs / sizeof *descs };

static void *save(clsort_sorter *sorter, size_t *size_ret)
{
    size_t again = 0;
    expect_status(clsort_save_programs(sorter, NULL, 0, size_ret), CLSORT_OK);
    assert_true(*size_ret > 0);
    unsigned char *bytes = test_alloc(*size_ret + 1);
    bytes[*size_ret] = 0x5a;
    expect_status(clsort_save_programs(sorter, bytes, *size_ret, &again), CLSORT_OK);
    assert_true(again == *size_ret && bytes[*size_ret] == 0x5a);
    return bytes;
}

static void *save_all(const fixture *fix, size_t *size_ret)
{
    clsort_sorter *sorter = sorter_create(fix);
    for (int i = 0; i < NUM_DESCS; ++i)
        expect_status(clsort_prepare(sorter, &descs[i]), CLSORT_OK);
    void *bytes = save(sorter, size_ret);
    clsort_destroy(sorter);
    return bytes;
}

/* Sorts or prepares everything, and returns how many programs were compiled. */
static unsigned num_compiled(const fixture *fix, clsort_sorter *sorter)
{
    unsigned num = 0;
    for (int i = 0; i < NUM_DESCS; ++i) {
        job j;
        cl_event event = NULL;
        if (descs[i].record) { /* a job has none */
            calls_start();
            expect_status(clsort_prepare(sorter, &descs[i]), CLSORT_OK);
            calls_stop();
            num += calls_count(CALL_clCreateProgramWithSource);
            continue;
        }
        assert_int_equal(job_init(&j, fix->context, &descs[i], fix->seed), 0);
        calls_start();
        expect_status(job_enqueue(&j, sorter, fix->queue, 0, NULL, &event), CLSORT_OK);
        calls_stop();
        num += calls_count(CALL_clCreateProgramWithSource);
        expect_complete(event);
        assert_true(job_is_right(&j, fix->queue));
        job_free(&j);
    }
    return num;
}

static void test_loaded(void **state)
{
    const fixture *fix = fixture_of(state);
    size_t size = 0;
    uint32_t num = 0;
    void *bytes = save_all(fix, &size);
    clsort_sorter *sorter = sorter_create(fix), *other = sorter_create(fix);
    expect_status(clsort_load_programs(sorter, bytes, size, &num), CLSORT_OK);
    assert_true(num >= NUM_DESCS);
    assert_int_equal(num_compiled(fix, sorter), 0);
    /* What was loaded is saved as what was compiled is. */
    size_t size_of_loaded = 0;
    void *bytes_of_loaded = save(sorter, &size_of_loaded);
    expect_status(clsort_load_programs(other, bytes_of_loaded, size_of_loaded, &num), CLSORT_OK);
    assert_int_equal(num_compiled(fix, other), 0);
    clsort_destroy(sorter);
    clsort_destroy(other);
    free(bytes);
    free(bytes_of_loaded);
}

/* Programs that the block lacks, here because of their order, are compiled. */
static void test_others(void **state)
{
    const fixture *fix = fixture_of(state);
    size_t size = 0;
    void *bytes = save_all(fix, &size);
    clsort_desc desc = descs[0];
    desc.order = CLSORT_DESCENDING;
    clsort_sorter *sorter = sorter_create(fix);
    expect_status(clsort_load_programs(sorter, bytes, size, NULL), CLSORT_OK);
    calls_start();
    expect_status(clsort_prepare(sorter, &desc), CLSORT_OK);
    calls_stop();
    assert_true(calls_count(CALL_clCreateProgramWithSource) > 0);
    clsort_destroy(sorter);
    free(bytes);
}

static void test_damaged(void **state)
{
    const fixture *fix = fixture_of(state);
    size_t size = 0;
    unsigned char *bytes = save_all(fix, &size);
    clsort_sorter *sorter = sorter_create(fix);
    const size_t places[] = {0, 9, 17, 25, 33, 41, size / 2, size - 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        uint32_t num = 1;
        bytes[places[i]] ^= 1;
        expect_status(clsort_load_programs(sorter, bytes, size, &num), CLSORT_OK);
        assert_int_equal(num, 0);
        bytes[places[i]] ^= 1;
    }
    const size_t sizes[] = {0, 1, 31, 32, 40, size / 2, size - 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        uint32_t num = 1;
        expect_status(clsort_load_programs(sorter, bytes, sizes[i], &num), CLSORT_OK);
        assert_int_equal(num, 0);
    }
    assert_true(num_compiled(fix, sorter) >= NUM_DESCS);
    clsort_destroy(sorter);
    free(bytes);
}

/* A driver that does not take the binaries: everything is compiled. */
static void test_refused(void **state)
{
    const fixture *fix = fixture_of(state);
    size_t size = 0;
    void *bytes = save_all(fix, &size);
    clsort_sorter *sorter = sorter_create(fix);
    expect_status(clsort_load_programs(sorter, bytes, size, NULL), CLSORT_OK);
    calls_start();
    calls_fail(CALL_clCreateProgramWithBinary, 1, 1, CL_INVALID_BINARY);
    for (int i = 0; i < NUM_DESCS; ++i)
        expect_status(clsort_prepare(sorter, &descs[i]), CLSORT_OK);
    calls_stop();
    assert_true(calls_count(CALL_clCreateProgramWithSource) >= NUM_DESCS);
    assert_int_equal(num_compiled(fix, sorter), 0);
    clsort_destroy(sorter);
    free(bytes);
}

static void test_mistakes(void **state)
{
    const fixture *fix = fixture_of(state);
    size_t size = 0;
    char bytes[64] = "";
    expect_status(clsort_save_programs(NULL, bytes, sizeof bytes, &size), CLSORT_ERROR_NULL);
    expect_status(clsort_save_programs(fix->sorter, NULL, 1, &size), CLSORT_ERROR_NULL);
    expect_status(clsort_save_programs(fix->sorter, bytes, sizeof bytes, NULL), CLSORT_ERROR_NULL);
    expect_status(clsort_load_programs(NULL, bytes, 1, NULL), CLSORT_ERROR_NULL);
    expect_status(clsort_load_programs(fix->sorter, NULL, 0, NULL), CLSORT_ERROR_NULL);
    /* Too little room: the size, and no byte behind it. */
    clsort_sorter *sorter = sorter_create(fix);
    expect_status(clsort_prepare(sorter, &descs[0]), CLSORT_OK);
    memset(bytes, 0x5a, sizeof bytes);
    expect_status(clsort_save_programs(sorter, bytes, 40, &size), CLSORT_OK);
    assert_true(size > 40);
    for (size_t i = 40; i < sizeof bytes; ++i)
        assert_int_equal(bytes[i], 0x5a);
    calls_start();
    calls_fail(CALL_clGetProgramInfo, 1, 1, CL_INVALID_PROGRAM);
    expect_status(clsort_save_programs(sorter, NULL, 0, &size), CLSORT_ERROR_OPENCL);
    calls_stop();
    clsort_destroy(sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loaded),   cmocka_unit_test(test_others),
        cmocka_unit_test(test_damaged),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_mistakes),
    };
    return fixture_run("programs", tests, sizeof tests / sizeof tests[0]);
}
