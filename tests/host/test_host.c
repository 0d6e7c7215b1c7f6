/* clsort_sort(): arrays on the host, with a sorter and without. */
#include <stdlib.h>
#include <string.h>

#include "support/fixture.h"
#include "host_case.h"

static void test_every_type(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t values[] = {0, 1, 3, 4, 8, 12, 16, 40};
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (uint32_t turn = 0; turn < 2; ++turn) {
            const uint32_t choice = turn * (1 + (uint32_t)type % 3);
            const uint32_t index = choice == 3 ? (type % 2 ? 4 : 8) : 0;
            for (uint64_t count = 0; count < 10000; count = count * 9 + 1) {
                const clsort_desc desc = {.count = count,
                                          .type = (clsort_type)type,
                                          .order = (clsort_order)(type % 2),
                                          .stable = (uint32_t)type / 2 % 2,
                                          .value_size = index || !choice
                                                            ? 0
                                                            : values[((uint32_t)type + choice) % 8],
                                          .index_size = index,
                                          .out_of_place = choice == 2};
                host_case_run(fix->sorter, &desc, DATA_SPRINKLED, seed_mix(fix->seed, count));
            }
        }
}

static void test_batches_and_windows(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t choice = 0; choice < 4; ++choice) {
        const clsort_desc desc = {.count = 333,
                                  .num_arrays = 17,
                                  .type = CLSORT_F32,
                                  .first_bit = choice & 1 ? 8 : 0,
                                  .end_bit = choice & 1 ? 32 : 0,
                                  .stable = 1,
                                  .value_size = choice & 1 ? 4 : 0,
                                  .out_of_place = choice >> 1};
        host_case_run(fix->sorter, &desc, DATA_FEW, fix->seed + choice);
    }
}

static void test_large(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc in_place = {.count = 1000003, .type = CLSORT_I32};
    const clsort_desc pairs = {.count = 300007, .stable = 1, .value_size = 4, .out_of_place = 1};
    host_case_run(fix->sorter, &in_place, DATA_RANDOM, fix->seed);
    host_case_run(fix->sorter, &pairs, DATA_FEW, fix->seed);
}

/* Without a sorter the result is the same, but slower. */
static void test_without_sorter(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc plain = {.count = 5000, .type = CLSORT_F64};
    const clsort_desc indices = {.count = 700, .type = CLSORT_I8, .index_size = 4};
    const clsort_desc nothing = {.count = 0};
    host_case_run(NULL, &plain, DATA_SPRINKLED, fix->seed);
    host_case_run(NULL, &indices, DATA_RANDOM, fix->seed);
    host_case_run(NULL, &nothing, DATA_RANDOM, fix->seed);
    const clsort_arrays no_arrays = {.keys = NULL};
    expect_status(clsort_sort(NULL, &nothing, &no_arrays), CLSORT_OK);
    expect_status(clsort_sort(fix->sorter, &nothing, &no_arrays), CLSORT_OK);
}

/* Keys that a sort does not write may lie in read-only memory. */
static void test_constant_source(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t keys[] = {5, 3, 4, 1, 2};
    uint32_t sorted[5] = {0};
    uint32_t indices[5] = {0};
    const clsort_desc copying = {.count = 5, .out_of_place = 1};
    const clsort_desc to_indices = {.count = 5, .index_size = 4};
    const clsort_arrays first = {.keys = (void *)keys, .keys_out = sorted};
    const clsort_arrays second = {.keys = (void *)keys, .indices = indices};
    expect_status(clsort_sort(fix->sorter, &copying, &first), CLSORT_OK);
    expect_status(clsort_sort(fix->sorter, &to_indices, &second), CLSORT_OK);
    for (uint32_t i = 0; i < 5; ++i) {
        assert_int_equal(sorted[i], i + 1);
        assert_int_equal(keys[indices[i]], i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type),      cmocka_unit_test(test_batches_and_windows),
        cmocka_unit_test(test_large),           cmocka_unit_test(test_without_sorter),
        cmocka_unit_test(test_constant_source),
    };
    fixture_with_host();
    return fixture_run("host", tests, sizeof tests / sizeof tests[0]);
}
