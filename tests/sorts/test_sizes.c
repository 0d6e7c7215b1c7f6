/* Sizes: every small one, those around powers of two and around each change of a plan, primes, and
 * more than a million. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/case.h"

/* A number that changes whenever the plan takes other kernels, work-group sizes, local memory or a
 * different number of steps. */
static uint64_t plan_shape(const fixture *fix, clsort_desc desc, uint64_t count)
{
    clsort_plan plan;
    clsort_step steps[4096];
    desc.count = count;
    const clsort_status status = clsort_get_plan(fix->sorter, &desc, &plan, steps, 4096);
    if (status == CLSORT_ERROR_ALGORITHM_COUNT)
        return 0;
    expect_status(status, CLSORT_OK);
    uint64_t shape = seed_mix(plan.num_steps, (uint64_t)plan.algorithm);
    for (uint32_t i = 0; i < plan.num_steps && i < 4096; ++i) {
        for (const char *c = steps[i].kernel; *c; ++c)
            shape = seed_mix(shape, (uint64_t)*c);
        shape = seed_mix(shape, steps[i].group_size);
        shape = seed_mix(shape, steps[i].local_size);
    }
    return shape;
}

/* Finds the counts in (low, high] whose plan differs from the previous count's, by bisection
 * between counts with different plans. Returns how many were found, at most `capacity`. */
static uint32_t find_changes(const fixture *fix, const clsort_desc *desc, uint64_t low,
                             uint64_t high, uint64_t *changes, uint32_t capacity)
{
    uint32_t found = 0;
    while (low < high && found < capacity) {
        /* The next count of the grid, about a third larger. */
        uint64_t next = low + low / 3 + 1;
        next = next < high ? next : high;
        uint64_t before = low;
        uint64_t after = next;
        const uint64_t shape = plan_shape(fix, *desc, before);
        if (plan_shape(fix, *desc, after) == shape) {
            low = next;
            continue;
        }
        while (after - before > 1) {
            const uint64_t middle = before + (after - before) / 2;
            if (plan_shape(fix, *desc, middle) == shape)
                before = middle;
            else
                after = middle;
        }
        changes[found++] = after;
        low = after;
    }
    return found;
}

static void run_around_changes(const fixture *fix, const clsort_desc *desc, uint64_t high)
{
    uint64_t changes[200];
    const uint32_t found = find_changes(fix, desc, 0, high, changes, 200);
    assert_in_range(found, 1, 199);
    for (uint32_t i = 0; i < found; ++i) {
        clsort_desc around = *desc;
        for (around.count = changes[i] - 1; around.count <= changes[i] + 1; ++around.count)
            case_run_desc(fix, &around, i % 2 ? DATA_RANDOM : DATA_BORDERS);
    }
}

static void test_around_changes_of_the_plan(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm) {
        const clsort_algorithm a = (clsort_algorithm)algorithm;
        const clsort_desc descs[] = {
            {.algorithm = a},
            {.type = CLSORT_F64, .order = CLSORT_DESCENDING, .algorithm = a, .out_of_place = 1},
            {.type = CLSORT_U8, .algorithm = a, .stable = 1, .value_size = 4},
            {.type = CLSORT_F32, .algorithm = a, .index_size = 4},
            {.type = CLSORT_U64, .algorithm = a, .value_size = 40},
        };
        for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
            run_around_changes(fix, &descs[i], i == 0 ? 150000 : 20000);
    }
}

static void test_every_size_to_600(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (uint64_t count = 0; count <= 600; ++count) {
            const clsort_desc desc = {.count = count, .algorithm = (clsort_algorithm)algorithm};
            assert_int_equal(case_run_desc(fix, &desc, DATA_RANDOM), 1);
        }
}

static void test_around_powers_of_two(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (uint64_t power = 4; power <= 65536; power *= 2)
            for (uint64_t count = power - 1; count <= power + 1; ++count) {
                clsort_desc desc = {.count = count, .algorithm = (clsort_algorithm)algorithm};
                case_run_desc(fix, &desc, DATA_BORDERS);
                desc.value_size = 4;
                desc.stable = (uint32_t)(count & 1);
                case_run_desc(fix, &desc, DATA_BORDERS);
            }
}

/* If limited, every algorithm sorts all types, since test_sort has compiled the same kernels.
 * Otherwise radix sort and AUTO do, and the other algorithms sort one type of each width:
 * test_quick has all. */
static void test_primes_and_random_sizes(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t primes[] = {1999, 4999, 7919, 10007, 19997, 65537, 100003, 131071};
    rng r = {fix->seed};
    for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (int type = 0; type < CLSORT_NUM_TYPES; ++type) {
            if (!fix->limited && algorithm != CLSORT_AUTO && algorithm != CLSORT_RADIX && type % 3)
                continue;
            clsort_desc desc = {.count = primes[(type + algorithm) % 8],
                                .type = (clsort_type)type,
                                .algorithm = (clsort_algorithm)algorithm};
            case_run_desc(fix, &desc, DATA_SPRINKLED);
            desc.count = rng_below(&r, (uint64_t)2 << rng_below(&r, 15));
            case_run_desc(fix, &desc, DATA_SPRINKLED);
        }
}

/* Keys of a few bits, which some plans only count: work-items write parts of the output that begin
 * anywhere among equal keys. */
static void test_many_of_each_key(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint64_t count = 2048; count < 2200; count += 7) {
        const clsort_desc desc = {.count = count, .type = CLSORT_U8, .algorithm = CLSORT_RADIX};
        assert_int_equal(case_run_desc(fix, &desc, DATA_RANDOM), 1);
    }
}

/* More than a million keys, or a quarter of that if limited; and every shape of data at a size of
 * several work-groups. */
static void test_large(void **state)
{
    const fixture *fix = fixture_of(state);
    unsigned run = 0;
    for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm) {
        clsort_desc desc = {.count = (fix->limited ? 262144 : 1048576) + 123,
                            .algorithm = (clsort_algorithm)algorithm};
        run += (unsigned)case_run_desc(fix, &desc, DATA_RANDOM);
        desc.type = CLSORT_F32;
        desc.order = CLSORT_DESCENDING;
        desc.value_size = 4;
        desc.stable = 1;
        run += (unsigned)case_run_desc(fix, &desc, DATA_SPRINKLED);
    }
    /* AUTO and at least one algorithm by name. */
    assert_true(run >= 4);
    for (int kind = 0; kind < NUM_DATA_KINDS; ++kind) {
        const clsort_desc desc = {.count = 70001,
                                  .type = kind % 2 ? CLSORT_F32 : CLSORT_I32,
                                  .out_of_place = (uint32_t)kind & 1};
        assert_int_equal(case_run_desc(fix, &desc, (data_kind)kind), 1);
    }
    /* Crowds, which the CPUs' radix sort cuts more than once. */
    for (uint32_t index_size = 0; index_size <= 4; index_size += 4)
        for (int kind = DATA_LOGARITHMS; kind <= DATA_NESTED; ++kind) {
            const clsort_desc desc = {.count = 70001,
                                      .type = CLSORT_U64,
                                      .algorithm = CLSORT_RADIX,
                                      .index_size = index_size,
                                      .value_size = 4 - index_size};
            assert_int_equal(case_run_desc(fix, &desc, (data_kind)kind), 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size_to_600),
        cmocka_unit_test(test_around_changes_of_the_plan),
        cmocka_unit_test(test_around_powers_of_two),
        cmocka_unit_test(test_primes_and_random_sizes),
        cmocka_unit_test(test_many_of_each_key),
        cmocka_unit_test(test_large),
    };
    return fixture_run("sizes", tests, sizeof tests / sizeof tests[0]);
}
