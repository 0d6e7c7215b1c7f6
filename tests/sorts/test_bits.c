/* Sorting by some bits of the key's ordered form (a window): at both ends, in the middle, a single
 * bit, for every type. Keys keep all their bits and move as a whole. */
#include "support/case.h"

static const uint64_t counts[] = {2, 33, 257, 500};

/* A window of a type with this many bits. In the first two, padding is most easily mistaken for
 * keys. */
typedef struct window {
    uint32_t first;
    uint32_t end;
} window;

enum { num_windows = 7, num_windows_for_all = 2 };

static window window_of(uint32_t bits, uint32_t number)
{
    const window windows[num_windows] = {
        {bits / 4, bits},            /* from inside to the end */
        {bits - 1, bits},            /* the sign bit */
        {0, 1},                      /* the lowest bit */
        {1, bits},                   /* all except the lowest */
        {0, bits - 1},               /* all except the highest */
        {bits / 4, bits - bits / 4}, /* the middle */
        {0, bits},                   /* all, given explicitly */
    };
    return windows[number];
}

/* One order, stability and placement for each window, since each may need its own kernel. */
static void run_window(const fixture *fix, clsort_type type, clsort_algorithm algorithm,
                       uint32_t number)
{
    static const data_kind kinds[] = {DATA_RANDOM,   DATA_EXTREMES, DATA_LAST,
                                      DATA_ALL_ONES, DATA_BORDERS,  DATA_LOW_BITS};
    const window w = window_of(type_infos[type].bits, number);
    const uint32_t turn = number + (uint32_t)type;
    for (uint32_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind)
        for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            const clsort_desc desc = {
                .count = counts[i],
                .type = type,
                .order = (clsort_order)(turn % 2),
                .first_bit = w.first,
                .end_bit = w.end,
                .algorithm = algorithm,
                .stable = turn / 2 % 2,
                .out_of_place = (kind + i) % 2,
            };
            assert_int_equal(case_run_desc(fix, &desc, kinds[kind]), 1);
        }
}

/* Each algorithm sorts each type by one window, of those in which padding is most easily mistaken
 * for keys. Quicksort, whose kernels are many, sorts one type of each width only. Rank sort, unless
 * limited, takes every other window of every type, so that the types of one width cover all of
 * them. If limited, each algorithm sorts some types of every width. */
static void test_windows_of_every_type(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (uint32_t number = 0; number < num_windows; ++number)
            for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm) {
                const uint32_t turn = (uint32_t)(type + algorithm) % num_windows_for_all;
                if (algorithm == CLSORT_QUICK && type != CLSORT_F32 && type != CLSORT_I64 &&
                    type != CLSORT_I8 && type != CLSORT_BF16)
                    continue;
                if (fix->limited && (type / 4 + algorithm) % 2)
                    continue;
                if (number == turn || (algorithm == CLSORT_RANK && !fix->limited &&
                                       ((uint32_t)type / 2 + number) % 2 == 0))
                    run_window(fix, (clsort_type)type, (clsort_algorithm)algorithm, number);
            }
}

/* Every window of an 8-bit type. */
static void test_every_window_of_8_bits(void **state)
{
    const fixture *fix = fixture_of(state);
    if (fix->limited)
        skip_because("the unlimited run covers this");
    for (uint32_t first = 0; first < 8; ++first)
        for (uint32_t end = first + 1; end <= 8; ++end) {
            const clsort_desc desc = {.count = 300,
                                      .type = first % 2 ? CLSORT_I8 : CLSORT_U8,
                                      .order = (clsort_order)(end / 2 % 2),
                                      .first_bit = first,
                                      .end_bit = end,
                                      .algorithm = CLSORT_RANK};
            assert_int_equal(case_run_desc(fix, &desc, DATA_RANDOM), 1);
        }
}

/* Windows with payloads: keys that agree in the window must keep their own values. */
static void test_windows_with_payloads(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_type types[] = {CLSORT_F32, CLSORT_I64};
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (uint32_t i = 0; i < 2; ++i)
            for (uint32_t choice = 0; choice < 4; ++choice) {
                const uint32_t bits = type_infos[types[i]].bits;
                const clsort_desc desc = {
                    .count = 500 + 2000 * (choice & 1),
                    .type = types[i],
                    .order = (clsort_order)(i % 2),
                    .first_bit = choice & 1 ? bits / 2 : 3,
                    .end_bit = choice & 1 ? bits : bits / 2,
                    .algorithm = (clsort_algorithm)algorithm,
                    .stable = choice == 1,
                    .value_size = choice < 2 ? 4 : 0,
                    .index_size = choice == 2   ? 4
                                  : choice == 3 ? 8
                                                : 0,
                };
                assert_int_equal(case_run_desc(fix, &desc, DATA_RANDOM), 1);
                assert_int_equal(case_run_desc(fix, &desc, DATA_BORDERS), 1);
            }
}

/* Several work-groups: padding must not be mistaken for keys, nor keys for padding. */
static void test_windows_of_large_arrays(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (uint32_t order = 0; order < 2; ++order) {
            const clsort_desc desc = {.count = fix->limited ? 6007 : 10007,
                                      .type = order ? CLSORT_F32 : CLSORT_U32,
                                      .order = (clsort_order)order,
                                      .first_bit = 20,
                                      .end_bit = 32,
                                      .algorithm = (clsort_algorithm)algorithm};
            assert_int_equal(case_run_desc(fix, &desc, DATA_ALL_ONES), 1);
            assert_int_equal(case_run_desc(fix, &desc, DATA_BORDERS), 1);
            assert_int_equal(case_run_desc(fix, &desc, DATA_HIGH_BITS), 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows_of_every_type),
        cmocka_unit_test(test_every_window_of_8_bits),
        cmocka_unit_test(test_windows_with_payloads),
        cmocka_unit_test(test_windows_of_large_arrays),
    };
    return fixture_run("bits", tests, sizeof tests / sizeof tests[0]);
}
