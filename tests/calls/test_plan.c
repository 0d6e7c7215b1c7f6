/* Plans as data: sums, launches, scratch, text, and the counts of compares and exchanges that
 * follow from the algorithm alone. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/fixture.h"

enum { capacity = 8192 };

static clsort_step steps[capacity];
static clsort_role roles[capacity];

static clsort_plan plan_of(const fixture *fix, const clsort_desc *desc)
{
    clsort_plan plan;
    memset(&plan, 0x5a, sizeof plan);
    memset(steps, 0x5a, sizeof steps);
    expect_status(clsort_get_plan(fix->sorter, desc, &plan, steps, capacity), CLSORT_OK);
    assert_in_range(plan.num_steps, 0, capacity);
    return plan;
}

/* What is true of every plan. */
static void check_plan(const fixture *fix, const clsort_desc *desc)
{
    const clsort_plan plan = plan_of(fix, desc);
    uint64_t compares = 0;
    uint64_t exchanges = 0;
    uint64_t bytes_read = 0;
    uint64_t bytes_written = 0;
    cl_ulong local_size = 0;
    size_t group_size = 0;
    expect_cl(clGetDeviceInfo(fix->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_size, &local_size,
                              NULL));
    expect_cl(clGetDeviceInfo(fix->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group_size,
                              &group_size, NULL));
    for (uint32_t i = 0; i < plan.num_steps; ++i) {
        compares += steps[i].compares;
        exchanges += steps[i].exchanges;
        bytes_read += steps[i].bytes_read;
        bytes_written += steps[i].bytes_written;
        assert_non_null(steps[i].kernel);
        assert_true(strlen(steps[i].kernel) > 0);
        assert_in_range(steps[i].group_size, 1, group_size);
        assert_true(steps[i].num_groups >= 1);
        assert_in_range(steps[i].local_size, 0, local_size);
        assert_true(steps[i].exchanges <= steps[i].compares);
    }
    assert_true(plan.compares == compares);
    assert_true(plan.exchanges == exchanges);
    assert_true(plan.bytes_read == bytes_read);
    assert_true(plan.bytes_written == bytes_written);
    assert_in_range(plan.algorithm, CLSORT_AUTO + 1, CLSORT_NUM_ALGORITHMS - 1);
    if (desc->algorithm != CLSORT_AUTO)
        assert_int_equal(plan.algorithm, desc->algorithm);
    if (desc->stable || desc->index_size || plan.algorithm == CLSORT_RANK)
        assert_true(plan.stable);

    /* A fallback stands behind a main sort. */
    memset(roles, 0x5a, sizeof roles);
    expect_status(clsort_get_plan_roles(fix->sorter, desc, roles, capacity), CLSORT_OK);
    for (uint32_t i = 0; i < plan.num_steps; ++i) {
        assert_in_range(roles[i], CLSORT_ROLE_ONLY, CLSORT_ROLE_FALLBACK);
        if (roles[i] == CLSORT_ROLE_FALLBACK)
            assert_true(i > 0 && roles[i - 1] != CLSORT_ROLE_ONLY);
    }

    uint64_t scratch_size = 1;
    expect_status(clsort_scratch_size(fix->sorter, desc, &scratch_size), CLSORT_OK);
    assert_true(scratch_size == plan.scratch_size);

    /* Something has to be done, and each element read and written, where there is something. */
    const uint64_t num_arrays = desc->num_arrays ? desc->num_arrays : 1;
    const uint64_t bytes = desc->count * num_arrays * clsort_type_size(desc->type);
    if (desc->count * num_arrays == 0)
        assert_int_equal(plan.num_steps, 0);
    if (desc->count > 1) {
        assert_true(plan.num_steps >= 1);
        assert_true(plan.bytes_read >= bytes);
        assert_true(plan.bytes_written >= (desc->index_size ? 1 : bytes));
    }
}

static void test_every_plan(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t counts[] = {0,    1,     2,     3,      64,      100,      1000,
                                      5000, 20000, 65536, 100003, 1000000, 50000000, 4294967296};
    unsigned seen = 0;
    for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (int type = 0; type < CLSORT_NUM_TYPES; ++type)
            for (uint32_t choice = 0; choice < 12; ++choice)
                for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
                    static const uint32_t values[] = {0, 1, 4, 8, 12, 40};
                    clsort_desc desc = {.count = counts[i],
                                        .num_arrays = choice % 4,
                                        .type = (clsort_type)type,
                                        .algorithm = (clsort_algorithm)algorithm,
                                        .stable = choice & 1,
                                        .value_size = values[choice % 6],
                                        .out_of_place = choice >> 1 & 1};
                    if (choice >= 10) {
                        desc.value_size = 0;
                        desc.out_of_place = 0;
                        desc.index_size = 8;
                    }
                    clsort_plan plan;
                    const clsort_status status =
                        clsort_get_plan(fix->sorter, &desc, &plan, NULL, 0);
                    if (status == CLSORT_ERROR_ALGORITHM_COUNT) {
                        assert_int_not_equal(algorithm, CLSORT_AUTO);
                        continue;
                    }
                    check_plan(fix, &desc);
                    ++seen;
                }
    assert_true(seen >= 2 * CLSORT_NUM_TYPES * 12 * 14);
}

/* capacity is obeyed, and the steps written are the first ones. */
static void test_capacity(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 5000000, .algorithm = CLSORT_BITONIC};
    const clsort_plan plan = plan_of(fix, &desc);
    assert_true(plan.num_steps >= 3);
    clsort_step few[3];
    const clsort_step untouched = steps[capacity - 1];
    for (uint32_t number = 0; number <= 2; ++number) {
        clsort_plan again;
        memset(&again, 0, sizeof again);
        memset(few, 0x5a, sizeof few);
        expect_status(clsort_get_plan(fix->sorter, &desc, &again, number ? few : NULL, number),
                      CLSORT_OK);
        assert_int_equal(again.num_steps, plan.num_steps);
        assert_true(again.compares == plan.compares);
        for (uint32_t i = 0; i < number; ++i) {
            assert_ptr_equal(few[i].kernel, steps[i].kernel);
            assert_true(few[i].num_groups == steps[i].num_groups);
        }
        assert_memory_equal(&few[number], &untouched, sizeof untouched);
    }
}

/* Comparators of one stride of the network whose upper end is one of n elements. */
static uint64_t comparators(uint64_t n, unsigned stride_bits)
{
    const uint64_t stride = (uint64_t)1 << stride_bits;
    const uint64_t rest = n % (2 * stride);
    return n / (2 * stride) * stride + (rest > stride ? rest - stride : 0);
}

/* A bitonic network whose comparators all point the same way; all its pairs of real elements. */
static uint64_t network_exchanges(uint64_t n)
{
    uint64_t sum = 0;
    for (unsigned stage = 1; stage <= 64 && ((uint64_t)1 << (stage - 1)) < n; ++stage) {
        for (unsigned stride_bits = 0; stride_bits < stage; ++stride_bits)
            sum += comparators(n, stride_bits);
    }
    return sum;
}

static void expect_network(const fixture *fix, uint64_t count, clsort_type type)
{
    const clsort_desc desc = {.count = count, .type = type, .algorithm = CLSORT_BITONIC};
    const clsort_plan plan = plan_of(fix, &desc);
    if (plan.exchanges != network_exchanges(count))
        print_error("count %llu\n", (unsigned long long)count);
    assert_true(plan.exchanges == network_exchanges(count));
}

static void test_exchanges_of_the_network(void **state)
{
    const fixture *fix = fixture_of(state);
    assert_true(network_exchanges(2) == 1);
    assert_true(network_exchanges(3) == 3);
    assert_true(network_exchanges(4) == 6);
    assert_true(network_exchanges(8) == 24);
    for (uint64_t count = 0; count <= 300; ++count)
        expect_network(fix, count, CLSORT_U32);
    rng r = {fix->seed};
    for (int i = 0; i < 300; ++i) {
        const uint64_t power = (uint64_t)1 << (4 + i % 40);
        expect_network(fix, power - 1 + (uint64_t)i % 3, (clsort_type)(i % CLSORT_NUM_TYPES));
        expect_network(fix, rng_below(&r, power), CLSORT_U32);
    }
}

static void test_compares_of_rank_sort(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint64_t count = 1; count <= 1048576; count = count * 3 + 1) {
        clsort_desc desc = {.count = count, .algorithm = CLSORT_RANK};
        clsort_plan plan = plan_of(fix, &desc);
        assert_int_equal(plan.exchanges, 0);
        assert_true(plan.compares >= count * (count - 1));
        assert_true(plan.stable);
        if (count * count > ((uint64_t)1 << 41) / 7)
            continue;
        const uint64_t one = plan.compares;
        desc.num_arrays = 7;
        plan = plan_of(fix, &desc);
        assert_true(plan.compares >= 7 * (one ? count * (count - 1) : 0));
    }
}

/* Columns without a segment are copied alone, by an algorithm that has a name all the same. */
static void test_no_segment(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_column columns[2] = {{.type = CLSORT_U32}, {.type = CLSORT_F32}};
    const clsort_desc desc = {
        .count = 10, .num_columns = 2, .columns = columns, .offset_size = 4, .out_of_place = 1};
    const clsort_plan plan = plan_of(fix, &desc);
    assert_int_equal(plan.num_steps, 2);
    assert_int_equal(plan.algorithm, CLSORT_RADIX);
}

/* More keys are never less work, within one form of an algorithm. */
static void test_plans_grow(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (uint32_t stable = 0; stable < 2; ++stable) {
            clsort_plan last = {.num_steps = 0};
            const char *last_kernel = NULL;
            for (uint64_t count = 2; count < (uint64_t)1 << 44; count += count / 3 + 1) {
                const clsort_desc desc = {.count = count,
                                          .algorithm = (clsort_algorithm)algorithm,
                                          .stable = stable,
                                          .value_size = 4 * stable};
                clsort_plan plan;
                clsort_step first;
                const clsort_status status = clsort_get_plan(fix->sorter, &desc, &plan, &first, 1);
                if (status == CLSORT_ERROR_ALGORITHM_COUNT)
                    break;
                expect_status(status, CLSORT_OK);
                /* Radix sort's forms differ; that from the top has other levels for other
                 * counts, and tables for them. Quicksort in one launch cuts the array into other
                 * buckets. */
                const int has_levels = strcmp(first.kernel, "fill") == 0 ||
                                       strcmp(first.kernel, "msd_sample") == 0 ||
                                       strcmp(first.kernel, "whole_rank") == 0;
                if (first.kernel != last_kernel || has_levels)
                    last = (clsort_plan){.num_steps = 0};
                last_kernel = first.kernel;
                assert_true(plan.compares >= last.compares);
                assert_true(plan.exchanges >= last.exchanges);
                assert_true(plan.bytes_read >= last.bytes_read);
                assert_true(plan.bytes_written >= last.bytes_written);
                assert_true(plan.scratch_size >= last.scratch_size);
                last = plan;
            }
        }
}

/* Up to the count that is refused, no sum wraps around: each is at least what one pass needs. */
static void test_huge_counts(void **state)
{
    const fixture *fix = fixture_of(state);
    for (unsigned bits = 30; bits < 48; ++bits)
        for (uint32_t stable = 0; stable < 2; ++stable) {
            const uint64_t count = ((uint64_t)2 << bits) - 1;
            const clsort_desc desc = {.count = count,
                                      .type = CLSORT_U64,
                                      .algorithm = CLSORT_BITONIC,
                                      .stable = stable,
                                      .value_size = stable ? 16 : 0};
            clsort_plan plan;
            expect_status(clsort_get_plan(fix->sorter, &desc, &plan, NULL, 0), CLSORT_OK);
            assert_true(plan.exchanges / count >= bits * bits / 4);
            assert_true(plan.exchanges <= plan.compares);
            assert_true(plan.bytes_read / count >= 8);
            assert_true(plan.bytes_written / count >= 8);
            if (stable) {
                assert_true(plan.stable);
                assert_true(plan.scratch_size / count >= 4);
            } else {
                assert_true(plan.exchanges == network_exchanges(count));
            }
        }
}

static void test_text(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t counts[] = {0, 1, 50, 5000, 3000000};
    for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (unsigned i = 0; i < 5; ++i) {
            const clsort_desc desc = {.count = counts[i],
                                      .algorithm = (clsort_algorithm)algorithm,
                                      .stable = 1,
                                      .value_size = 12};
            size_t size = 0;
            const clsort_status status = clsort_get_plan_text(fix->sorter, &desc, NULL, 0, &size);
            if (status == CLSORT_ERROR_ALGORITHM_COUNT)
                continue;
            expect_status(status, CLSORT_OK);
            assert_true(size >= 2);
            char *whole = test_alloc(size + 8);
            memset(whole, 0x5a, size + 8);
            size_t again = 0;
            expect_status(clsort_get_plan_text(fix->sorter, &desc, whole, size + 8, &again),
                          CLSORT_OK);
            assert_int_equal(again, size);
            assert_int_equal(strlen(whole) + 1, size);
            assert_int_equal(whole[size], 0x5a);
            char *part = test_alloc(size + 8);
            for (size_t room = 1; room <= size;
                 room = room < size ? room * 2 < size ? room * 2 : size : size + 1) {
                memset(part, 0x5a, size + 8);
                expect_status(clsort_get_plan_text(fix->sorter, &desc, part, room, NULL),
                              CLSORT_OK);
                assert_int_equal(strlen(part), room - 1);
                assert_memory_equal(part, whole, room - 1);
                assert_int_equal(part[room], 0x5a);
            }
            /* A line names each step's kernel, in order. */
            const clsort_plan plan = plan_of(fix, &desc);
            const char *at = whole;
            for (uint32_t k = 0; k < plan.num_steps; ++k) {
                at = strstr(at, steps[k].kernel);
                assert_non_null(at);
                at = strchr(at, '\n');
                assert_non_null(at);
            }
            free(part);
            free(whole);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_plan),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_exchanges_of_the_network),
        cmocka_unit_test(test_compares_of_rank_sort),
        cmocka_unit_test(test_no_segment),
        cmocka_unit_test(test_plans_grow),
        cmocka_unit_test(test_huge_counts),
        cmocka_unit_test(test_text),
    };
    return fixture_run("plan", tests, sizeof tests / sizeof tests[0]);
}
