/* Rooms of the engine for evenly spread keys (cl/sorts/msd/msd.h), which stand out of place where
 * leaves are not counted: leaves that fit in them, leaves that do not and are moved again, leaves
 * that no room holds, and buckets of 512 digits. */
#include <stdlib.h>

#include "support/case.h"
#include "msd_case.h"
#include "msd_control.h"
#include "call/sorter.h"

#define ONESWEEP                                                                         \
    "onesweep scatter_group=64 scatter_items=3 registers=0 spin_limit=2^16 min=0 max=0 " \
    "stable_min=0 skew_min=0\n"
#define PART_TUNING                                                                             \
    ONESWEEP "part min=0 scatter_group=64 scatter_items=4 scatter_registers=0 votes=0 "         \
             "leaf_group=32 leaf_items=16 leaf_registers=0 digit_bits=8 groups_per_unit=0\n"    \
             "msd min=0 leaf_registers=0 votes=0 split_group=256 split_items=4 block_lanes=16 " \
             "split_registers=0 groups_per_unit=8 parts=3 room=1000 "
/* Leaves of 113 keys on average, at most; then two levels of 7 bits take 0.9 to 1.8 million. */
#define LEAVES PART_TUNING "leaf_group=16 leaf_items=8 bin_bits=11 "
#define WIDE PART_TUNING "leaf_group=16 leaf_items=2 bin_bits=10 "
enum { COUNT = 1000003, BITS = 14, SLOTS = 128, MOST = MSD_LARGE_MOST(SLOTS) };
enum { WIDE_COUNT = 3800003 }; /* leaves of 14 keys, by 18 bits */
/* The average is 61, for which there is room for 160. */
enum { LARGE_LEAF = 180, HUGE_LEAF = MSD_MOST_ROOM + 1000 };

static const clsort_desc descs[] = {
    {.type = CLSORT_U64},
    {.type = CLSORT_I32, .order = CLSORT_DESCENDING, .value_size = 4},
    {.type = CLSORT_U64, .value_size = 8},
    {.type = CLSORT_U32, .value_size = 1},
    {.type = CLSORT_F32, .value_size = 8},
};
enum { NUM_DESCS = sizeof descs / sizeof *descs };

/* What becomes of a leaf that has more keys than others: nothing, another room, or another sort of
 * all keys. */
typedef enum outcome { FITS, AGAIN, ENDS } outcome;

/* Random keys, of which one leaf has `num`, where the sample does not see them. */
static unsigned char *make_keys(const clsort_desc *desc, uint32_t num, uint64_t seed)
{
    const uint32_t size = type_infos[desc->type].size, bits = 8 * size;
    unsigned char *keys = test_alloc((uint64_t)COUNT * size);
    const uint64_t leaf = 0x1234;
    uint32_t left = num;
    rng r = {seed + num};
    for (uint32_t i = 0; i < COUNT; ++i) {
        uint64_t key;
        do
            key = rng_next(&r) >> (64 - bits);
        while (key >> (bits - BITS) == leaf);
        if (left && i % 3 == 1 && !msd_is_sampled(COUNT, i)) {
            key = leaf << (bits - BITS) | key >> BITS;
            --left;
        }
        key_store(keys, i, size, key);
    }
    assert_int_equal(left, 0);
    return keys;
}

/* How many digits of the last sort were moved again. */
static uint32_t num_again(const fixture *fix, const clsort_sorter *sorter)
{
    const struct msd_params *p = msd_params_of(sorter);
    const uint32_t words = MSD_PAD << p->bits[0];
    uint32_t *totals = test_alloc(words * sizeof *totals), num = 0;
    expect_cl(clEnqueueReadBuffer(fix->queue, sorter->scratch, CL_TRUE, (size_t)p->totals,
                                  words * sizeof *totals, totals, 0, NULL, NULL));
    for (uint32_t i = 0; i < words; i += MSD_PAD)
        num += totals[i + MSD_AGAIN] != 0;
    free(totals);
    return num;
}

/* Sorts them, and looks at what the engine says. */
static void check_leaf(const fixture *fix, const clsort_desc *desc, uint32_t num, outcome expected)
{
    unsigned char *keys = make_keys(desc, num, fix->seed);
    const sort_case c = {
        .desc = *desc,
        .bytes = keys,
        .num_bytes = desc->count * type_infos[desc->type].size,
        .own_scratch = 1,
    };
    assert_int_equal(case_run(fix, &c), 1);
    const struct msd_params *p = msd_params_of(fix->sorter);
    const struct sort_control control = msd_control(fix, fix->sorter);
    assert_true(p->rests > 0 && p->out_blocks[0] > 0);
    assert_true(p->out_blocks[1] > 0 || desc->value_size < 4);
    assert_true(control.is_even && !control.split_gave_up);
    assert_int_equal(control.leaf_gave_up, expected == ENDS);
    if (expected != ENDS)
        assert_int_equal(num_again(fix, fix->sorter), expected == AGAIN);
    free(keys);
}

/* A sorter for which part or onesweep stands behind the engine. */
static fixture open_with(const fixture *fix, const char *tuning)
{
    fixture own = *fix;
    own.sorter = msd_sorter(fix, tuning);
    return own;
}

static clsort_desc describe(uint32_t i, uint64_t count)
{
    clsort_desc desc = descs[i];
    desc.count = count;
    desc.algorithm = CLSORT_RADIX;
    desc.out_of_place = 1;
    return desc;
}

/* With onesweep behind, a leaf that a work-group can cut is moved again, and a larger one ends the
 * engine's work. */
static void test_onesweep(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!fixture_takes(CLSORT_RADIX))
        return;
    const fixture own = open_with(fix, LEAVES "onesweep_min=0 pairs_min=0\n");
    for (uint32_t i = 0; i < 3; ++i) {
        const clsort_desc desc = describe(i, COUNT);
        assert_true(case_launches(own.sorter, &desc, "msd_offsets"));
        check_leaf(&own, &desc, SLOTS, FITS);
        check_leaf(&own, &desc, LARGE_LEAF, AGAIN);
    }
    const clsort_desc desc = describe(0, COUNT);
    check_leaf(&own, &desc, MOST + 1, ENDS);
    clsort_destroy(own.sorter);
}

/* With part's levels behind, any leaf that half a word counts is moved again and left to them. */
static void test_part(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!fixture_takes(CLSORT_RADIX))
        return;
    const fixture own = open_with(fix, LEAVES "onesweep_min=2^40 pairs_min=2^40\n");
    for (uint32_t i = 1; i < NUM_DESCS; ++i) {
        const clsort_desc desc = describe(i, COUNT);
        assert_true(case_launches(own.sorter, &desc, "msd_offsets"));
        if (desc.type == CLSORT_F32)
            assert_int_equal(case_run_desc(&own, &desc, DATA_RANDOM), 1);
        else
            check_leaf(&own, &desc, 5000, AGAIN);
    }
    const clsort_desc desc = describe(1, COUNT);
    check_leaf(&own, &desc, HUGE_LEAF, ENDS);
    clsort_destroy(own.sorter);
}

/* Digits of nine bits. Keys alone need no rooms for them. */
static void test_wide(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!fixture_takes(CLSORT_RADIX))
        return;
    for (uint32_t i = 0; i < 3; ++i) {
        const fixture own = open_with(fix, i ? WIDE "onesweep_min=0 pairs_min=0\n"
                                             : WIDE "onesweep_min=0 pairs_min=0\nmsd room=150\n");
        const clsort_desc desc = describe(i, WIDE_COUNT);
        assert_int_equal(case_run_desc(&own, &desc, DATA_RANDOM), 1);
        const struct msd_params *p = msd_params_of(own.sorter);
        assert_true(p->bits[0] == 9 && p->bits[1] == 9);
        assert_int_equal(p->out_blocks[0] > 0, i > 0);
        clsort_destroy(own.sorter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_onesweep),
        cmocka_unit_test(test_part),
        cmocka_unit_test(test_wide),
    };
    return fixture_run("msd_rooms", tests, sizeof tests / sizeof tests[0]);
}
