/* Batches: adjacent arrays of one length are sorted independently. */
#include "support/case.h"

static void test_batches_of_u32(void **state)
{
    const fixture *fix = fixture_of(state);
    /* Kernels for small devices are slow on a CPU. */
    const uint64_t numbers[] = {1, 2, 3, 7, 100, fix->limited ? 300 : 1000};
    static const uint64_t counts[] = {0, 1, 2, 5, 31, 32, 33, 100, 257, 1000, 5000};
    unsigned run = 0;
    for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
            for (unsigned j = 0; j < sizeof counts / sizeof counts[0]; ++j) {
                const clsort_desc desc = {.count = counts[j],
                                          .num_arrays = numbers[i],
                                          .order = (clsort_order)((i + j) % 2),
                                          .algorithm = (clsort_algorithm)algorithm};
                if (counts[j] * numbers[i] > 300000)
                    continue;
                case_run_desc(fix, &desc, j % 3 ? DATA_RANDOM : DATA_BORDERS);
                ++run;
            }
    assert_true(run >= 100);
}

/* Adjacent arrays must not mix, with payloads, stability, bit ranges, and out of place. */
static void test_batches_with_payloads(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t numbers[] = {2, 7, 33};
    static const uint64_t counts[] = {1, 3, 31, 100, 257, 1000};
    for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (unsigned i = 0; i < 3; ++i)
            for (unsigned j = 0; j < sizeof counts / sizeof counts[0]; ++j)
                for (unsigned choice = 0; choice < 5; ++choice) {
                    clsort_desc desc = {.count = counts[j],
                                        .num_arrays = numbers[i],
                                        .algorithm = (clsort_algorithm)algorithm,
                                        .out_of_place = (i + j) % 2};
                    if (choice == 1 || choice == 2) {
                        desc.value_size = choice == 1 ? 4 : 12;
                        desc.stable = choice - 1;
                    } else if (choice == 3) {
                        desc.index_size = 4;
                        desc.out_of_place = 0;
                    } else if (choice == 4) {
                        desc.type = CLSORT_U64;
                        desc.first_bit = 16;
                        desc.end_bit = 64;
                    }
                    assert_int_equal(case_run_desc(fix, &desc, DATA_FEW), 1);
                }
}

/* If limited, every algorithm sorts all types. Otherwise radix sort does, and the other algorithms
 * sort one type of each width. */
static void test_batches_of_every_type(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (int type = 0; type < CLSORT_NUM_TYPES;
             type += fix->limited || algorithm == CLSORT_RADIX ? 1 : 3)
            for (uint64_t count = 3; count < 3000; count = count * 7 + 1) {
                const clsort_desc desc = {.count = count,
                                          .num_arrays = 5,
                                          .type = (clsort_type)type,
                                          .algorithm = (clsort_algorithm)algorithm};
                assert_int_equal(case_run_desc(fix, &desc, DATA_EXTREMES), 1);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_of_u32),
        cmocka_unit_test(test_batches_with_payloads),
        cmocka_unit_test(test_batches_of_every_type),
    };
    return fixture_run("batch", tests, sizeof tests / sizeof tests[0]);
}
