/* Every algorithm on every type, order, payload and shape of data, at small sizes. u32 meets every
 * combination, except that most algorithms take one order for each payload. The other types cover
 * pairs of choices among the types of one width. */
#include <stdio.h>

#include "support/case.h"

static const uint32_t value_sizes[] = {0, 1, 2, 3, 4, 8, 12, 16, 40};
static const uint32_t num_value_sizes = sizeof value_sizes / sizeof value_sizes[0];

static const uint64_t small_sizes[] = {0,  1,  2,   3,   7,   15,  16,  17,  31,  32,
                                       33, 64, 100, 129, 256, 257, 511, 600, 1025};
static const uint32_t num_small_sizes = sizeof small_sizes / sizeof small_sizes[0];

/* A payload: values of this size, or indices if the number is one of the last two. */
static clsort_desc with_payload(clsort_desc desc, uint32_t payload)
{
    if (payload < num_value_sizes)
        desc.value_size = value_sizes[payload];
    else
        desc.index_size = payload == num_value_sizes ? 4 : 8;
    return desc;
}
static const uint32_t num_payloads = sizeof value_sizes / sizeof value_sizes[0] + 2;

/* u32: algorithms x payloads x stable or not x in place or not x sizes. Rank sort, whose kernels
 * compile fastest, takes both orders for each payload; every other algorithm takes one. */
static void test_cross_on_u32(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t sizes[] = {0, 1, 2, 3, 33, 300};
    static const data_kind kinds[] = {DATA_RANDOM, DATA_FEW, DATA_BORDERS};
    unsigned run = 0;
    for (int order = 0; order < 2; ++order)
        for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
            for (uint32_t payload = 0; payload < num_payloads; ++payload)
                for (uint32_t stable = 0; stable < 2; ++stable)
                    for (uint32_t out = 0; out < 2; ++out)
                        for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
                            const clsort_desc desc =
                                with_payload((clsort_desc){.count = sizes[i],
                                                           .order = (clsort_order)order,
                                                           .algorithm = (clsort_algorithm)algorithm,
                                                           .stable = stable,
                                                           .out_of_place = out},
                                             payload);
                            const int turn = (int)payload + algorithm;
                            if ((out && desc.index_size) ||
                                (algorithm != CLSORT_RANK && turn % 2 != order))
                                continue;
                            run += (unsigned)case_run_desc(fix, &desc, kinds[run % 3]);
                        }
    assert_true(run >= CLSORT_NUM_ALGORITHMS * (num_payloads * 2 - 2) * 2 * 6);
}

/* One order for each type and algorithm; each algorithm meets both among the types of one width.
 * AUTO mostly takes radix sort and shares its kernels. */
static clsort_order order_of(int type, int algorithm)
{
    const int named = algorithm == CLSORT_AUTO ? CLSORT_RADIX : algorithm;
    return (clsort_order)((type / 2 + type + named) % 2);
}

/* Types x algorithms x shapes, keys alone, sizes in turn. */
static void test_types_and_shapes(void **state)
{
    const fixture *fix = fixture_of(state);
    unsigned run = 0;
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
            for (int kind = 0; kind < NUM_DATA_KINDS; ++kind)
                for (unsigned i = 0; i < 2; ++i) {
                    const clsort_desc desc = {
                        .count = small_sizes[(run * 7 + run / 19) % num_small_sizes],
                        .type = (clsort_type)type,
                        .order = order_of(type, algorithm),
                        .algorithm = (clsort_algorithm)algorithm,
                        .out_of_place = i,
                    };
                    run += (unsigned)case_run_desc(fix, &desc, (data_kind)kind);
                }
    assert_int_equal(run, CLSORT_NUM_TYPES * CLSORT_NUM_ALGORITHMS * NUM_DATA_KINDS * 2);
}

/* Every type with one payload for each algorithm, on data with many equal keys and with keys that
 * look like padding. Each algorithm meets values and indices among the types of one width.
 * Quicksort has many kernels for each payload: test_quick has one for each type, test_quicksort has
 * others. If limited, each algorithm sorts some types of every width. */
static void test_types_and_payloads(void **state)
{
    const fixture *fix = fixture_of(state);
    static const data_kind kinds[] = {DATA_FEW,      DATA_LAST,  DATA_FIRST,    DATA_BORDERS,
                                      DATA_ALL_ONES, DATA_STRAY, DATA_EXTREMES, DATA_TWO};
    unsigned run = 0;
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
            for (unsigned kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind)
                for (uint32_t out = 0; out < 2; ++out) {
                    const uint32_t choice = (uint32_t)(type / 2 + type) % 2;
                    clsort_desc desc = {
                        .count = small_sizes[(run * 5 + run / 16) % num_small_sizes],
                        .type = (clsort_type)type,
                        .order = (clsort_order)((type + (int)choice) % 2),
                        .algorithm = (clsort_algorithm)algorithm,
                    };
                    if (algorithm == CLSORT_QUICK || (fix->limited && (type / 4 + algorithm) % 2))
                        continue;
                    if ((type / 2 + algorithm) % 2) {
                        desc.value_size =
                            value_sizes[1 + ((uint32_t)type + 3 * choice) % (num_value_sizes - 1)];
                        desc.out_of_place = out;
                        desc.stable = choice;
                    } else {
                        desc.index_size = choice ? 8 : 4;
                        desc.stable = out;
                    }
                    run += (unsigned)case_run_desc(fix, &desc, kinds[kind]);
                }
    assert_int_equal(run, CLSORT_NUM_TYPES * (CLSORT_NUM_ALGORITHMS - 2) * 8 * 2 /
                              (fix->limited ? 2 : 1));
}

/* Values of odd sizes, and larger than any type of a kernel. */
static void test_unusual_value_sizes(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t sizes[] = {5, 6, 7, 24, 100, 1000};
    for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
            for (uint32_t out = 0; out < 2; ++out) {
                const clsort_desc desc = {.count = 300 + i,
                                          .type = i % 2 ? CLSORT_U16 : CLSORT_I64,
                                          .algorithm = (clsort_algorithm)algorithm,
                                          .stable = out ^ (i & 1),
                                          .value_size = sizes[i],
                                          .out_of_place = out};
                assert_int_equal(case_run_desc(fix, &desc, DATA_FEW), 1);
            }
}

/* Sorting sorted data changes nothing; if stable, also among equal keys. */
static void test_sorted_stays(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (int order = 0; order < 2; ++order) {
            const clsort_desc desc = {.count = 777,
                                      .type = CLSORT_F32,
                                      .order = (clsort_order)order,
                                      .algorithm = (clsort_algorithm)algorithm,
                                      .stable = 1,
                                      .value_size = 4};
            assert_int_equal(case_run_desc(fix, &desc, DATA_SORTED), 1);
            assert_int_equal(case_run_desc(fix, &desc, DATA_REVERSED), 1);
            assert_int_equal(case_run_desc(fix, &desc, DATA_EQUAL), 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cross_on_u32),       cmocka_unit_test(test_types_and_shapes),
        cmocka_unit_test(test_types_and_payloads), cmocka_unit_test(test_unusual_value_sizes),
        cmocka_unit_test(test_sorted_stays),
    };
    return fixture_run("sort", tests, sizeof tests / sizeof tests[0]);
}
