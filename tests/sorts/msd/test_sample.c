/* What the sample of keys of 64 bits says (cl/sorts/sample/sample.cl) to msd, and that onesweep
 * sorts what it is left. */
#include <stdlib.h>

#include "msd_case.h"

#define ROWS                                                                           \
    ONESWEEP MSD "digit_bits=6 leaf_group=32 leaf_items=8 bin_bits=12 split_group=64 " \
                 "split_items=8 block_lanes=8 groups_per_unit=1 parts=2\n"
#define ALL UINT64_MAX
enum { COUNT = 30011 };

/* Whether onesweep is to sort the keys in place of msd. */
static const struct {
    data_kind kind;
    uint64_t mask; /* of the bits that keys keep */
    int is_left;
} arrays[] = {
    {DATA_RANDOM, ALL, 0},
    {DATA_SORTED, ALL, 1},
    {DATA_FEW, ALL, 1},
    {DATA_EQUAL, ALL, 1},
    {DATA_LOGARITHMS, ALL, 1},
    {DATA_NESTED, ALL, 1},
    /* Many different keys in few of the sample's bins. */
    {DATA_RANDOM, 15ull << 60 | 0xffffffffff, 1},
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

static void test_engine(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, ROWS));
    for (uint32_t d = 0; d < NUM_DESCS; ++d) {
        assert_true(case_launches(own.sorter, &descs[d], "msd_finish"));
        assert_true(case_launches(own.sorter, &descs[d], "onesweep_sort"));
        for (uint32_t i = 0; i < NUM_ARRAYS; ++i) {
            clsort_desc desc = descs[d];
            desc.out_of_place = (int)((d + i) % 2);
            uint64_t *keys = test_alloc(COUNT * sizeof *keys);
            data_fill(keys, desc.type, COUNT, arrays[i].kind, fix->seed);
            for (uint64_t k = 0; k < COUNT; ++k)
                keys[k] &= arrays[i].mask;
            case_run_keys(&own, &desc, keys);
            const struct msd_control control = msd_control(&own);
            assert_int_equal(control.is_left, arrays[i].is_left);
            assert_int_equal(control.is_even != 0, !arrays[i].is_left);
            free(keys);
        }
    }
    clsort_destroy(own.sorter);
}

/* One of `share` keys that the sample does not see belongs in one leaf. If few do, the leaf proves
 * too large at the end. If many do, there is no room for it. Either way onesweep sorts what
 * msd leaves. */
static void sort_left_over(const fixture *fix, const clsort_desc *desc, uint32_t share)
{
    uint64_t *keys = test_alloc(COUNT * sizeof *keys);
    rng r = {fix->seed};
    for (uint32_t i = 0; i < COUNT; ++i) {
        const int is_random = msd_is_sampled(COUNT, i) || i % share > 0;
        keys[i] = is_random ? rng_next(&r) : 0x5aull << 56 | rng_next(&r) >> 32;
    }
    case_run_keys(fix, desc, keys);
    const struct msd_control control = msd_control(fix);
    assert_true(control.is_even);
    assert_int_equal(control.is_left, share > 1);
    assert_int_equal(control.leaf_gave_up, share == 1);
    free(keys);
}

static void test_left_over(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, ROWS));
    for (uint32_t d = 0; d < NUM_DESCS; ++d) {
        sort_left_over(&own, &descs[d], 1);
        sort_left_over(&own, &descs[d], 128);
    }
    clsort_destroy(own.sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine),
        cmocka_unit_test(test_left_over),
    };
    return fixture_run_of(CLSORT_RADIX, "sample", tests, sizeof tests / sizeof tests[0]);
}
