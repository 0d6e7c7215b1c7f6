/* Wrong numbers of a description, besides those of test_arguments, and wrong arguments of the
 * functions that take no buffers. Each has its own status, nothing is enqueued, and the next valid
 * call works. */
#include <stdlib.h>
#include <string.h>

#include "refusal.h"
#include "support/job.h"

static void expect_still_works(const fixture *fix)
{
    const clsort_desc desc = {.count = 500, .stable = 1, .value_size = 4};
    job j;
    cl_event event = NULL;
    assert_int_equal(job_init(&j, fix->context, &desc, 3), 0);
    expect_status(job_enqueue(&j, fix->sorter, fix->queue, 0, NULL, &event), CLSORT_OK);
    expect_complete(event);
    assert_true(job_is_right(&j, fix->queue));
    job_free(&j);
}

static void test_unknown_choices(void **state)
{
    const fixture *fix = fixture_of(state);
    static const int unknown[] = {-1, 100, 1 << 30};
    for (int i = 0; i < 3; ++i) {
        const clsort_desc type = {.count = 5, .type = (clsort_type)unknown[i]};
        const clsort_desc order = {.count = 5, .order = (clsort_order)unknown[i]};
        const clsort_desc algorithm = {.count = 5, .algorithm = (clsort_algorithm)unknown[i]};
        refuse_desc(fix, &type, CLSORT_ERROR_TYPE);
        refuse_desc(fix, &order, CLSORT_ERROR_ORDER);
        refuse_desc(fix, &algorithm, CLSORT_ERROR_ALGORITHM);
    }
    for (int i = 0; i < 5; ++i) {
        clsort_desc desc = {.count = 5};
        desc.reserved[i] = 1;
        refuse_desc(fix, &desc, CLSORT_ERROR_RESERVED);
    }
    expect_still_works(fix);
}

static void test_bit_ranges(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type) {
        const uint32_t bits = type_infos[type].bits;
        const uint32_t wrong[][2] = {{0, bits + 1},    {bits, bits},
                                     {bits, bits + 1}, {1, 1},
                                     {2, 1},           {1, 0},
                                     {bits, 0},        {UINT32_MAX, 0},
                                     {0, UINT32_MAX},  {UINT32_MAX, UINT32_MAX}};
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
            const clsort_desc desc = {.count = 5,
                                      .type = (clsort_type)type,
                                      .first_bit = wrong[i][0],
                                      .end_bit = wrong[i][1]};
            refuse_desc(fix, &desc, CLSORT_ERROR_BIT_RANGE);
        }
        uint64_t size = 0;
        const clsort_desc last = {
            .count = 5, .type = (clsort_type)type, .first_bit = bits - 1, .end_bit = bits};
        expect_status(clsort_scratch_size(fix->sorter, &last, &size), CLSORT_OK);
    }
}

static void test_indices(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t wrong[] = {1, 2, 3, 5, 6, 7, 9, 16, 32, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        const clsort_desc desc = {.count = 5, .index_size = wrong[i]};
        refuse_desc(fix, &desc, CLSORT_ERROR_INDEX_SIZE);
    }
    const uint64_t numbers = (uint64_t)1 << 32; /* as many as 4 bytes can count */
    const clsort_desc all = {.count = numbers, .index_size = 4};
    const clsort_desc wide = {.count = numbers + 1, .index_size = 8};
    const clsort_desc arrays = {.count = numbers, .num_arrays = 3, .index_size = 4};
    uint64_t size = 0;
    expect_status(clsort_scratch_size(fix->sorter, &all, &size), CLSORT_OK);
    expect_status(clsort_scratch_size(fix->sorter, &wide, &size), CLSORT_OK);
    expect_status(clsort_scratch_size(fix->sorter, &arrays, &size), CLSORT_OK);
    expect_still_works(fix);
}

static void test_counts(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t limit = (uint64_t)1 << 48; /* elements */
    const uint64_t pairs[][2] = {
        {UINT64_MAX, 1},
        {UINT64_MAX, UINT64_MAX},
        {limit, 1},
        {1, limit},
        {limit >> 20, (uint64_t)1 << 20},
        {(uint64_t)1 << 33, (uint64_t)1 << 33}, /* the product wraps to 4 */
        {((uint64_t)1 << 32) + 1, (uint64_t)1 << 32},
        {((uint64_t)1 << 63) + 1, 2},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i)
        for (int type = 0; type < CLSORT_NUM_TYPES; ++type) {
            const clsort_desc desc = {.count = pairs[i][0],
                                      .num_arrays = pairs[i][1],
                                      .type = (clsort_type)type,
                                      .algorithm = CLSORT_BITONIC};
            refuse_desc(fix, &desc, CLSORT_ERROR_COUNT);
        }
    /* The values have too many bytes, the keys do not. */
    const clsort_desc values = {.count = (uint64_t)1 << 40, .value_size = (uint32_t)1 << 22};
    refuse_desc(fix, &values, CLSORT_ERROR_COUNT);
    const clsort_desc wide = {.count = limit - 1, .value_size = UINT32_MAX};
    refuse_desc(fix, &wide, CLSORT_ERROR_COUNT);
    uint64_t size = 0;
    const clsort_desc most = {.count = limit - 1, .algorithm = CLSORT_BITONIC};
    const clsort_desc most_values = {.count = (uint64_t)1 << 40,
                                     .value_size = ((uint32_t)1 << 22) - 1};
    expect_status(clsort_scratch_size(fix->sorter, &most, &size), CLSORT_OK);
    expect_status(clsort_scratch_size(fix->sorter, &most_values, &size), CLSORT_OK);
}

static void test_limits_of_rank_sort(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t most = (uint64_t)1 << 20;
    const clsort_desc more = {.count = most + 1, .algorithm = CLSORT_RANK};
    const clsort_desc compares = {.count = most, .num_arrays = 3, .algorithm = CLSORT_RANK};
    const clsort_desc small = {.count = 1024, .num_arrays = most * 2 + 1, .algorithm = CLSORT_RANK};
    refuse_desc(fix, &more, CLSORT_ERROR_ALGORITHM_COUNT);
    refuse_desc(fix, &compares, CLSORT_ERROR_ALGORITHM_COUNT);
    refuse_desc(fix, &small, CLSORT_ERROR_ALGORITHM_COUNT);
    uint64_t size = 0;
    const clsort_desc one = {.count = most, .algorithm = CLSORT_RANK};
    const clsort_desc two = {.count = most, .num_arrays = 2, .algorithm = CLSORT_RANK};
    expect_status(clsort_scratch_size(fix->sorter, &one, &size), CLSORT_OK);
    expect_status(clsort_scratch_size(fix->sorter, &two, &size), CLSORT_OK);
    /* AUTO takes another algorithm. */
    clsort_plan plan;
    const clsort_desc automatic = {.count = most + 1};
    expect_status(clsort_get_plan(fix->sorter, &automatic, &plan, NULL, 0), CLSORT_OK);
    assert_int_not_equal(plan.algorithm, CLSORT_RANK);
    assert_int_not_equal(plan.algorithm, CLSORT_AUTO);
}

static void refuse_null_without_sorter(const fixture *fix)
{
    clsort_type type;
    clsort_algorithm algorithm;
    uint32_t number = 0;
    expect_status(clsort_type_from_name(NULL, &type), CLSORT_ERROR_NULL);
    expect_status(clsort_type_from_name("u32", NULL), CLSORT_ERROR_NULL);
    expect_status(clsort_algorithm_from_name(NULL, &algorithm), CLSORT_ERROR_NULL);
    expect_status(clsort_algorithm_from_name("rank", NULL), CLSORT_ERROR_NULL);
    expect_status(clsort_devices(NULL, 0, NULL), CLSORT_ERROR_NULL);
    expect_status(clsort_devices(NULL, 1, &number), CLSORT_ERROR_NULL);
    expect_status(clsort_find_device(NULL, NULL), CLSORT_ERROR_NULL);
    expect_status(clsort_create(fix->context, fix->device, NULL), CLSORT_ERROR_NULL);
}

static void test_null_pointers(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_sorter *const sorter = fix->sorter;
    const clsort_desc desc = {.count = 5};
    const clsort_buffers buffers = {.keys = {NULL, 0}};
    uint32_t keys[5] = {5, 4, 3, 2, 1};
    const clsort_arrays arrays = {.keys = keys};
    uint64_t size = 0;
    uint32_t number = 0;
    double second = 0;
    clsort_plan plan;
    const clsort_status null = CLSORT_ERROR_NULL;
    refuse_null_without_sorter(fix);
    expect_status(clsort_scratch_size(NULL, &desc, &size), null);
    expect_status(clsort_scratch_size(sorter, NULL, &size), null);
    expect_status(clsort_scratch_size(sorter, &desc, NULL), null);
    expect_status(clsort_prepare(NULL, &desc), null);
    expect_status(clsort_prepare(sorter, NULL), null);
    expect_status(clsort_get_plan(NULL, &desc, &plan, NULL, 0), null);
    expect_status(clsort_get_plan(sorter, NULL, &plan, NULL, 0), null);
    expect_status(clsort_get_plan(sorter, &desc, NULL, NULL, 0), null);
    expect_status(clsort_get_plan(sorter, &desc, &plan, NULL, 1), null);
    expect_status(clsort_get_plan_roles(NULL, &desc, NULL, 0), null);
    expect_status(clsort_get_plan_roles(sorter, NULL, NULL, 0), null);
    expect_status(clsort_get_plan_roles(sorter, &desc, NULL, 1), null);
    expect_status(clsort_get_plan_text(NULL, &desc, NULL, 0, NULL), null);
    expect_status(clsort_get_plan_text(sorter, NULL, NULL, 0, NULL), null);
    expect_status(clsort_get_plan_text(sorter, &desc, NULL, 1, NULL), null);
    expect_status(clsort_enqueue(NULL, fix->queue, &desc, &buffers, 0, NULL, NULL), null);
    expect_argument(sorter, clsort_enqueue(sorter, NULL, &desc, &buffers, 0, NULL, NULL), null,
                    "queue");
    expect_argument(sorter, clsort_enqueue(sorter, fix->queue, NULL, &buffers, 0, NULL, NULL), null,
                    "desc");
    expect_argument(sorter, clsort_enqueue(sorter, fix->queue, &desc, NULL, 0, NULL, NULL), null,
                    "buffers");
    expect_argument(sorter, clsort_sort(sorter, NULL, &arrays), null, "desc");
    expect_argument(sorter, clsort_sort(sorter, &desc, NULL), null, "arrays");
    expect_status(clsort_sort(NULL, NULL, &arrays), null);
    expect_status(clsort_sort(NULL, &desc, NULL), null);
    clsort_error_info info;
    expect_status(clsort_last_error(NULL, &info), null);
    expect_status(clsort_last_error(sorter, NULL), null);
    expect_status(clsort_set_timing(NULL, 1), null);
    expect_status(clsort_get_timing(NULL, &second, 1, &number), null);
    expect_status(clsort_get_timing(sorter, NULL, 1, &number), null);
    expect_status(clsort_get_timing(sorter, &second, 1, NULL), null);
    expect_status(clsort_get_progress(NULL, &number, &number), null);
    expect_status(clsort_get_progress(sorter, NULL, &number), null);
    expect_status(clsort_get_progress(sorter, &number, NULL), null);
    expect_status(clsort_release_scratch(NULL), null);
    assert_null(clsort_context(NULL));
    assert_null(clsort_device(NULL));
    assert_int_equal(keys[0], 5);
    expect_still_works(fix);
}

/* At first there is no failure. A later success does not hide the last failure. */
static void test_last_error(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_error_info info;
    memset(&info, 0x5a, sizeof info);
    clsort_sorter *sorter = sorter_create(fix);
    expect_status(clsort_last_error(sorter, &info), CLSORT_OK);
    expect_status(info.status, CLSORT_OK);
    assert_string_equal(info.call, "");
    assert_string_equal(info.build_log, "");
    const clsort_desc wrong = {.count = 5, .type = CLSORT_NUM_TYPES};
    const clsort_desc right = {.count = 5};
    uint64_t size = 0;
    expect_status(clsort_scratch_size(sorter, &wrong, &size), CLSORT_ERROR_TYPE);
    expect_status(clsort_scratch_size(sorter, &right, &size), CLSORT_OK);
    expect_status(clsort_last_error(sorter, &info), CLSORT_OK);
    expect_status(info.status, CLSORT_ERROR_TYPE);
    clsort_destroy(sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown_choices),
        cmocka_unit_test(test_bit_ranges),
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_limits_of_rank_sort),
        cmocka_unit_test(test_null_pointers),
        cmocka_unit_test(test_last_error),
    };
    fixture_with_host();
    return fixture_run("args", tests, sizeof tests / sizeof tests[0]);
}
