/* Leaves of msd that are too large for a work-group: those that are
 * cut in two, those of which a half is still too large, and those that are too large to be cut. */
#include <stdlib.h>
#include <string.h>

#include "msd_case.h"

#define TUNING                                                                         \
    ONESWEEP MSD "digit_bits=6 leaf_group=64 leaf_items=4 bin_bits=12 split_group=64 " \
                 "split_items=8 block_lanes=8 groups_per_unit=1 parts=2\n"
enum { COUNT = 100003, NUM_LEAVES = 3 };
enum {
    SLOTS = 256,
    MOST = MSD_LARGE_MOST(SLOTS)
}; /* of a leaf's work-group; of a leaf that is cut */

static const clsort_desc descs[] = {
    {.type = CLSORT_I32, .order = CLSORT_DESCENDING},
    {.type = CLSORT_U64},
    {.type = CLSORT_U32, .value_size = 4},
    {.type = CLSORT_I32, .value_size = 2, .order = CLSORT_DESCENDING},
    {.type = CLSORT_I64, .value_size = 8, .order = CLSORT_DESCENDING},
    {.type = CLSORT_U32, .value_size = 8},
};
enum { NUM_DESCS = sizeof descs / sizeof *descs };

/* What msd has to say. */
typedef enum outcome { CUT, HALF_TOO_LARGE, TOO_LARGE } outcome;

/* Keys of three leaves, and how many of these are in the second half. */
static const struct {
    uint32_t sizes[NUM_LEAVES], seconds[NUM_LEAVES];
    outcome outcome;
} arrays[] = {
    {{SLOTS + 1, 300, SLOTS}, {128, 150, 130}, CUT},
    {{MOST, MOST, 263}, {MOST - SLOTS, SLOTS, 7}, CUT},
    {{MOST, SLOTS, SLOTS + 1}, {MOST - SLOTS - 1, 0, 1}, HALF_TOO_LARGE},
    {{SLOTS + 1, SLOTS + 1, SLOTS + 1}, {1, 0, SLOTS}, HALF_TOO_LARGE},
    {{265, MOST + 1, SLOTS}, {128, 200, 3}, TOO_LARGE},
};
enum { NUM_ARRAYS = sizeof arrays / sizeof *arrays };

/* Random keys, of which three leaves have exactly as many as is wanted, where the sample does not
 * see them. */
static unsigned char *make_keys(const clsort_desc *desc, uint32_t array, const struct msd_params *p,
                                uint64_t seed)
{
    const uint32_t size = type_infos[desc->type].size, bits = 8 * size;
    const uint32_t leaf_bits = p->bits[0] + p->bits[1];
    unsigned char *keys = test_alloc((uint64_t)COUNT * size);
    uint32_t left[2 * NUM_LEAVES], used = 0;
    rng r = {seed + array};
    for (uint32_t leaf = 0; leaf < NUM_LEAVES; ++leaf) {
        left[2 * leaf + 1] = arrays[array].seconds[leaf];
        left[2 * leaf] = arrays[array].sizes[leaf] - left[2 * leaf + 1];
    }
    for (uint32_t i = 0; i < COUNT; ++i) {
        uint64_t key, half;
        do {
            key = rng_next(&r) >> (64 - bits);
            half = key >> (bits - leaf_bits - 1); /* of the leaves 3, 8 and 13 */
        } while (half / 2 % 5 == 3 && half / 10 < NUM_LEAVES);
        const uint32_t leaf = used % (2 * NUM_LEAVES);
        if (i % 20 == 2 && !msd_is_sampled(COUNT, i)) {
            for (uint32_t k = 0; k < 2 * NUM_LEAVES; ++k) {
                const uint32_t chosen = (leaf + k) % (2 * NUM_LEAVES);
                if (left[chosen]) {
                    --left[chosen];
                    half = (chosen / 2 * 5 + 3) * 2 + chosen % 2;
                    key = half << (bits - leaf_bits - 1) | key >> (leaf_bits + 1);
                    break;
                }
            }
            ++used;
        }
        key_store(keys, i, size, key);
    }
    for (uint32_t k = 0; k < 2 * NUM_LEAVES; ++k)
        assert_int_equal(left[k], 0);
    return keys;
}

static void check_outcome(const fixture *fix, outcome expected)
{
    const struct msd_control control = msd_control(fix);
    assert_true(control.is_even);
    assert_false(control.split_gave_up);
    assert_int_equal(control.leaf_gave_up, expected == TOO_LARGE);
    assert_int_equal(control.is_left, expected == HALF_TOO_LARGE);
}

static void sort_arrays(const fixture *fix, const clsort_desc *given)
{
    clsort_desc desc = *given;
    assert_true(case_launches(fix->sorter, &desc, "msd_finish"));
    assert_int_equal(case_run_desc(fix, &desc, DATA_RANDOM), 1);
    assert_int_equal(msd_params_of(fix->sorter)->leaf_slots, MOST);
    for (uint32_t array = 0; array < NUM_ARRAYS; ++array) {
        unsigned char *keys = make_keys(&desc, array, msd_params_of(fix->sorter), fix->seed);
        desc.out_of_place = array % 2;
        case_run_keys(fix, &desc, keys);
        check_outcome(fix, arrays[array].outcome);
        free(keys);
    }
}

static void test_leaves(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, TUNING));
    for (uint32_t i = 0; i < NUM_DESCS; ++i) {
        clsort_desc desc = descs[i];
        desc.count = COUNT;
        desc.algorithm = CLSORT_RADIX;
        sort_arrays(&own, &desc);
    }
    clsort_destroy(own.sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves),
    };
    return fixture_run_of(CLSORT_RADIX, "msd_large", tests, sizeof tests / sizeof tests[0]);
}
