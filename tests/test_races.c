/* Small sorts by every algorithm, for Oclgrind to watch: test_oclgrind.sh runs this program on a
 * simulated device that reports races and wild accesses. */
#include "case.h"

/* Few keys, since the simulation is a thousand times slower than a device. CLSORT_LIMIT makes plans
 * of several steps of them. */
static const uint64_t counts[] = {2, 37, 300, 2500};

static void test_keys(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            const clsort_desc desc = {.count = counts[i],
                                      .algorithm = (clsort_algorithm)algorithm,
                                      .type = i % 2 ? CLSORT_F32 : CLSORT_U16,
                                      .out_of_place = i % 2};
            if (fixture_takes(desc.algorithm))
                assert_int_equal(case_run_desc(fix, &desc, DATA_SPRINKLED), 1);
        }
}

static void test_payloads(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm) {
        const clsort_algorithm a = (clsort_algorithm)algorithm;
        const clsort_desc descs[] = {
            {.count = 300, .algorithm = a, .type = CLSORT_U64, .value_size = 8},
            {.count = 300, .algorithm = a, .type = CLSORT_U8, .value_size = 12, .stable = 1},
            {.count = 500, .algorithm = a, .type = CLSORT_I32, .index_size = 4},
        };
        for (unsigned i = 0; i < sizeof descs / sizeof descs[0] && fixture_takes(a); ++i)
            assert_int_equal(case_run_desc(fix, &descs[i], DATA_FEW), 1);
    }
}

static void test_batches(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm) {
        const clsort_desc desc = {.count = 33,
                                  .num_arrays = 7,
                                  .algorithm = (clsort_algorithm)algorithm};
        if (fixture_takes(desc.algorithm))
            assert_int_equal(case_run_desc(fix, &desc, DATA_RANDOM), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_payloads),
        cmocka_unit_test(test_batches),
    };
    return fixture_run("races", tests, sizeof tests / sizeof tests[0]);
}
