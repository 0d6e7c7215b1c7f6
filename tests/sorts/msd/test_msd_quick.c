/* What stands behind the engine for evenly spread keys if keys have 64 bits: quicksort for crowded
 * ones, and onesweep for few different ones and arrays in order. */
#include <stdio.h>
#include <stdlib.h>

#include "support/case.h"
#include "msd_case.h"
#include "msd_control.h"

#define TUNING                                                                               \
    "onesweep scatter_group=64 scatter_items=3 registers=0 spin_limit=2^16 min=0 max=0 "     \
    "stable_min=0 skew_min=0\n"                                                              \
    "part min=0 scatter_group=64 scatter_items=2 scatter_registers=0 votes=0 leaf_group=32 " \
    "leaf_items=4 leaf_registers=0 digit_bits=6 groups_per_unit=0 quick_min=0\n"             \
    "msd onesweep_min=0 onesweep_max=2^40 pairs_min=0 pairs_max=2^40 leaf_group=32 "         \
    "leaf_items=8 leaf_registers=0 bin_bits=12 votes=0 split_group=64 split_items=8 "        \
    "block_lanes=8 groups_per_unit=1 parts=2\n"                                              \
    "quick leaf_group=32 leaf_items=4 leaf_registers=0 sample_group=32 sample_items=4 "      \
    "scatter_group=64 scatter_items=4 bucket_bits=4 rest_max=0 groups_per_unit=2 "           \
    "votes=0 "
#define ALL UINT64_MAX
enum { COUNT = 30011 };

static const struct {
    data_kind kind;
    uint64_t mask; /* of the bits that keys keep */
    uint32_t sort; /* that the sample chooses; 0: the engine */
} arrays[] = {
    {DATA_RANDOM, ALL, 0},
    {DATA_SORTED, ALL, PART_BY_ONESWEEP},
    {DATA_FEW, ALL, PART_BY_ONESWEEP},
    {DATA_EQUAL, ALL, PART_BY_ONESWEEP},
    {DATA_LOGARITHMS, ALL, PART_BY_QUICK},
    {DATA_NESTED, ALL, PART_BY_QUICK},
    /* Many different keys in few of the sample's bins. */
    {DATA_RANDOM, 15ull << 60 | 0xffffffffff, PART_BY_QUICK},
};
enum { NUM_ARRAYS = sizeof arrays / sizeof *arrays };

static const clsort_desc descs[] = {
    {.type = CLSORT_U64, .count = COUNT, .algorithm = CLSORT_RADIX},
    {.type = CLSORT_I64, .count = COUNT, .algorithm = CLSORT_RADIX, .order = CLSORT_DESCENDING},
    {.type = CLSORT_U64, .count = COUNT, .algorithm = CLSORT_RADIX, .value_size = 8},
    {.type = CLSORT_I64,
     .count = COUNT,
     .algorithm = CLSORT_RADIX,
     .value_size = 4,
     .order = CLSORT_DESCENDING},
};
enum { NUM_DESCS = sizeof descs / sizeof *descs };

static void *make_keys(const fixture *fix, const clsort_desc *desc, uint32_t array)
{
    uint64_t *keys = test_alloc(desc->count * sizeof *keys);
    data_fill(keys, desc->type, desc->count, arrays[array].kind, fix->seed);
    for (uint64_t i = 0; i < desc->count; ++i)
        keys[i] &= arrays[array].mask;
    return keys;
}

/* Sorts these keys, and frees them. */
static void run_case(const fixture *fix, const clsort_desc *desc, void *keys)
{
    const sort_case c = {
        .desc = *desc,
        .bytes = keys,
        .num_bytes = desc->count * sizeof(uint64_t),
        .own_scratch = 1,
    };
    assert_int_equal(case_run(fix, &c), 1);
    free(keys);
}

/* Blocks that quicksort's levels have left to merges in the last sort. */
static uint32_t blocks_left(const fixture *fix)
{
    const struct plan *plan = &fix->sorter->plan;
    uint32_t i = 0;
    while (i < plan->num_steps && plan->steps[i].kernel != KERNEL_QUICK_MERGES)
        ++i;
    assert_true(i < plan->num_steps);
    const struct quick_params *params = &plan->steps[i].params.quick;
    struct quick_control control = {0};
    expect_cl(clEnqueueReadBuffer(fix->queue, fix->sorter->scratch, CL_TRUE,
                                  (size_t)params->control, sizeof control, &control, 0, NULL,
                                  NULL));
    return control.num_blocks[params->level];
}

/* Sorts once more, in the sorter's own scratch, where the sample has said what sorts; and what is
 * in order then. Returns the blocks that the first of these has left to merges. */
static uint32_t check_choice(const fixture *fix, const clsort_desc *desc, uint32_t array)
{
    void *keys = make_keys(fix, desc, array);
    unsigned char *values = test_alloc(desc->count * desc->value_size);
    clsort_desc own = *desc;
    own.out_of_place = 0;
    data_bytes(values, desc->count * desc->value_size, fix->seed);
    const clsort_arrays sorted = {.keys = keys, .values = desc->value_size ? values : NULL};
    expect_status(clsort_sort(fix->sorter, &own, &sorted), CLSORT_OK);
    struct sort_control control = msd_control(fix, fix->sorter);
    assert_int_equal(control.taken_by, arrays[array].sort);
    assert_int_equal(control.is_even != 0, arrays[array].sort == 0);
    const uint32_t left = arrays[array].sort == PART_BY_QUICK ? blocks_left(fix) : 0;
    expect_status(clsort_sort(fix->sorter, &own, &sorted), CLSORT_OK);
    control = msd_control(fix, fix->sorter);
    assert_int_equal(control.taken_by, PART_BY_ONESWEEP);
    free(keys);
    free(values);
    return left;
}

static void sort_all(void **state, const char *levels, const char *kernel, int merges)
{
    const fixture *fix = fixture_of(state);
    if (!fixture_takes(CLSORT_RADIX))
        return;
    fixture own = *fix;
    char rows[2048];
    (void)snprintf(rows, sizeof rows, "%s%s", TUNING, levels);
    own.sorter = msd_sorter(fix, rows);
    for (uint32_t d = 0; d < NUM_DESCS; ++d) {
        assert_true(case_launches(own.sorter, &descs[d], kernel));
        assert_true(case_launches(own.sorter, &descs[d], "onesweep_sort"));
        uint32_t left = 0;
        for (uint32_t i = 0; i < NUM_ARRAYS; ++i) {
            clsort_desc desc = descs[d];
            desc.out_of_place = (int)((d + i) % 2);
            run_case(&own, &desc, make_keys(&own, &desc, i));
            left += check_choice(&own, &desc, i);
        }
        assert_true(left || !merges);
    }
    clsort_destroy(own.sorter);
}

static void test_one_launch(void **state)
{
    sort_all(state, "levels_per_unit=2 spin_limit=2^14\n", "quick_levels", 0);
}

static void test_launches(void **state)
{
    sort_all(state, "levels_per_unit=0 spin_limit=2^14\n", "quick_scatter", 0);
}

/* A group that gives up at once leaves its phases to the others. */
static void test_no_waiting(void **state)
{
    sort_all(state, "levels_per_unit=2 spin_limit=0\n", "quick_levels", 0);
}

/* A sample is as large as a tile of what moves: small ones cut so badly that merges have work
 * behind them. */
static void test_merges(void **state)
{
    sort_all(state,
             "levels_per_unit=2 spin_limit=2^14\n"
             "quick bucket_bits=3 scatter_group=16 scatter_items=2\n",
             "quick_levels", 1);
}

/* One of `share` keys that the sample does not see belongs in one leaf. If few do, the leaf proves
 * too large at the end. If many do, there is no room for it. Either way onesweep sorts what the
 * engine leaves, not quicksort, which only the sample can choose. */
static void sort_left_over(const fixture *fix, const clsort_desc *desc, uint32_t share)
{
    uint64_t *keys = test_alloc(COUNT * sizeof *keys);
    rng r = {fix->seed};
    for (uint32_t i = 0; i < COUNT; ++i) {
        const int is_random = msd_is_sampled(COUNT, i) || i % share > 0;
        keys[i] = is_random ? rng_next(&r) : 0x5aull << 56 | rng_next(&r) >> 32;
    }
    run_case(fix, desc, keys);
    const struct sort_control control = msd_control(fix, fix->sorter);
    assert_true(control.is_even);
    assert_int_equal(control.taken_by, share > 1 ? PART_BY_ONESWEEP : 0);
    assert_int_equal(control.leaf_gave_up, share == 1);
}

static void test_left_over(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!fixture_takes(CLSORT_RADIX))
        return;
    fixture own = *fix;
    own.sorter = msd_sorter(fix, TUNING "levels_per_unit=2 spin_limit=2^14\n");
    for (uint32_t d = 0; d < NUM_DESCS; ++d) {
        sort_left_over(&own, &descs[d], 1);
        sort_left_over(&own, &descs[d], 128);
    }
    clsort_destroy(own.sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_launch), cmocka_unit_test(test_launches),
        cmocka_unit_test(test_no_waiting), cmocka_unit_test(test_merges),
        cmocka_unit_test(test_left_over),
    };
    return fixture_run("msd_quick", tests, sizeof tests / sizeof tests[0]);
}
