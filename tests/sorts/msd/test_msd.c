/* Radix sort of evenly spread keys (cl/sorts/msd/msd.h): counts around its tiles, types, orders and
 * all shapes of data; and keys that look even to the sample, so that buckets, blocks, leaves or
 * bins overflow. */
#include <stdlib.h>
#include <string.h>

#include "support/case.h"
#include "msd_case.h"

/* The second has more tasks than tiles, and as many tiles as groups. */
static const char *const tunings[] = {
    LAUNCHED_LEVELS MSD "split_group=16 split_items=4 block_lanes=4 groups_per_unit=1 parts=1\n",
    LEVELS_IN_ONE MSD "split_group=64 split_items=8 block_lanes=8 groups_per_unit=2 parts=7\n",
};
enum { num_tunings = sizeof tunings / sizeof *tunings };

static void test_shapes(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.type = CLSORT_U32},
        {.type = CLSORT_F64, .order = CLSORT_DESCENDING},
        {.type = CLSORT_I32, .order = CLSORT_DESCENDING},
        {.type = CLSORT_F32},
        {.type = CLSORT_U64},
        {.value_size = 4},
        {.type = CLSORT_I32, .value_size = 1},
        {.type = CLSORT_F32, .value_size = 8, .order = CLSORT_DESCENDING},
    };
    static const uint64_t counts[] = {2048, 2049, 4095, 4097, MSD_NUM_EVEN, 13823};
    if (!fixture_takes(CLSORT_RADIX))
        return;
    for (int t = 0; t < num_tunings; ++t) {
        fixture own = *fix;
        own.sorter = msd_sorter(fix, tunings[t]);
        for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d)
            for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
                clsort_desc desc = descs[d];
                if (desc.value_size && i % 3 != 1)
                    continue;
                desc.count = counts[i];
                desc.algorithm = CLSORT_RADIX;
                assert_true(case_launches(own.sorter, &desc, "msd_finish"));
                for (int kind = 0; kind < NUM_DATA_KINDS; ++kind) {
                    if (kind != DATA_RANDOM && kind % 6 != (int)(i + d) % 6)
                        continue;
                    desc.out_of_place = (i + (uint32_t)kind) % 2;
                    assert_int_equal(case_run_desc(&own, &desc, (data_kind)kind), 1);
                }
            }
        clsort_destroy(own.sorter);
    }
}

/* Each digit has 112 keys in turn, and takes two blocks of 64 for 96 of them. So blocks stay empty
 * by a quarter, for which there is no room. */
static void test_out_of_blocks(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 200003, .algorithm = CLSORT_RADIX};
    if (!fixture_takes(CLSORT_RADIX))
        return;
    clsort_sorter *sorter = msd_sorter(
        fix,
        "onesweep skew_min=2^40 min=2^40\n"
        "part min=0 scatter_group=64 scatter_items=2 scatter_registers=0 votes=0 leaf_group=32 "
        "leaf_items=16 leaf_registers=0 digit_bits=5 groups_per_unit=0\n"
        "msd min=0 leaf_group=32 leaf_items=16 leaf_registers=0 bin_bits=11 votes=0 "
        "split_group=64 split_items=8 block_lanes=8 groups_per_unit=1 parts=2\n");
    uint32_t *keys = test_alloc(desc.count * sizeof *keys);
    uint32_t *expected = test_alloc(desc.count * sizeof *keys);
    rng r = {fix->seed};
    assert_true(case_launches(sorter, &desc, "msd_finish"));
    for (uint32_t i = 0; i < desc.count; ++i)
        expected[i] = keys[i] = (i / 112 * 0x9e3779b9u & 0xf8000000u) | (uint32_t)rng_next(&r) >> 5;
    qsort(expected, desc.count, sizeof *expected, msd_compare_u32);
    expect_status(clsort_sort(sorter, &desc, &(clsort_arrays){.keys = keys}), CLSORT_OK);
    assert_memory_equal(keys, expected, desc.count * sizeof *keys);
    free(keys);
    free(expected);
    clsort_destroy(sorter);
}

/* All keys that the sample does not see are in one leaf: more of them in a work-group than a
 * counter of 16 bits can tell, if groups are few. */
static void test_long_leaf(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 200003, .algorithm = CLSORT_RADIX};
    if (!fixture_takes(CLSORT_RADIX))
        return;
    clsort_sorter *sorter = msd_sorter(
        fix,
        "onesweep skew_min=2^40 min=2^40\n"
        "part min=0 scatter_group=64 scatter_items=2 scatter_registers=0 votes=0 leaf_group=32 "
        "leaf_items=16 leaf_registers=0 digit_bits=5 groups_per_unit=0\n"
        "msd min=0 leaf_group=32 leaf_items=16 leaf_registers=0 bin_bits=11 votes=0 "
        "split_group=64 split_items=8 block_lanes=8 groups_per_unit=1 parts=2\n");
    uint32_t *keys = test_alloc(desc.count * sizeof *keys);
    rng r = {fix->seed};
    assert_true(case_launches(sorter, &desc, "msd_finish"));
    for (uint32_t i = 0; i < desc.count; ++i) {
        const uint32_t random = (uint32_t)rng_next(&r);
        keys[i] = msd_is_sampled((uint32_t)desc.count, i) ? random : 0x5a000000u | random >> 9;
    }
    msd_check_keys(sorter, &desc, keys);
    free(keys);
    clsort_destroy(sorter);
}

/* Keys and payloads of 64 bits: digits leave 51 bits or less. */
static void test_wide_pairs(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.type = CLSORT_U64, .value_size = 8},
        {.type = CLSORT_F64, .value_size = 8, .order = CLSORT_DESCENDING},
        {.type = CLSORT_I64, .value_size = 2},
    };
    static const uint64_t counts[] = {2048, 33333, 262143};
    if (!fixture_takes(CLSORT_RADIX))
        return;
    fixture own = *fix;
    own.sorter =
        msd_sorter(fix,
                   "onesweep skew_min=2^40 min=2^40\n"
                   "part min=0 scatter_group=64 scatter_items=4 scatter_registers=0 votes=0 "
                   "leaf_group=32 leaf_items=2 leaf_registers=0 digit_bits=7 groups_per_unit=0\n"
                   "msd min=0 leaf_group=16 leaf_items=4 leaf_registers=0 bin_bits=10 votes=0 "
                   "split_group=128 split_items=4 block_lanes=4 groups_per_unit=1 parts=3\n");
    for (size_t i = 0; i < 9; ++i) {
        clsort_desc desc = descs[i % 3];
        desc.count = counts[i / 3];
        desc.algorithm = CLSORT_RADIX;
        desc.out_of_place = i / 3 % 2;
        assert_true(case_launches(own.sorter, &desc, "msd_finish"));
        assert_int_equal(case_run_desc(&own, &desc, DATA_RANDOM), 1);
    }
    clsort_destroy(own.sorter);
}

#define SHORT                                                                                \
    "onesweep skew_min=2^40 min=2^40\n"                                                      \
    "part min=0 scatter_group=64 scatter_items=4 scatter_registers=0 votes=0 leaf_group=16 " \
    "leaf_items=2 leaf_registers=0 digit_bits=8 groups_per_unit=0\n"                         \
    "msd min=0 leaf_group=16 leaf_items=2 leaf_registers=0 votes=0 split_group=256 "         \
    "split_items=4 block_lanes=8 groups_per_unit=1 parts=2 room=1000 "

/* Rests of 128 values, of which a leaf often has one twice. */
static void sort_equal_rests(clsort_sorter *sorter, const clsort_desc *desc, uint64_t seed)
{
    uint32_t *keys = test_alloc(desc->count * sizeof *keys);
    rng r = {seed};
    for (uint64_t i = 0; i < desc->count; ++i)
        keys[i] = (uint32_t)rng_next(&r) & ~0x1ffu;
    msd_check_keys(sorter, desc, keys);
    free(keys);
}

/* What is left of a key has two bytes: below digits of 8 bits, below 8 and 9, and in leaves of
 * twice the work-items. */
static void test_short_rests(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.count = 1000003, .algorithm = CLSORT_RADIX, .out_of_place = 1},
        {.count = 2000003,
         .type = CLSORT_I32,
         .order = CLSORT_DESCENDING,
         .algorithm = CLSORT_RADIX},
        {.count = 3700003, .algorithm = CLSORT_RADIX},
    };
    if (!fixture_takes(CLSORT_RADIX))
        return;
    fixture own = *fix;
    own.sorter = msd_sorter(fix, SHORT "bin_bits=16\n");
    for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d) {
        assert_true(case_launches(own.sorter, &descs[d], "msd_offsets"));
        assert_int_equal(case_run_desc(&own, &descs[d], DATA_RANDOM), 1);
    }
    const clsort_desc desc = {.count = 1000003, .algorithm = CLSORT_RADIX};
    sort_equal_rests(own.sorter, &desc, fix->seed);
    msd_sort_without_room(own.sorter, &desc, fix->seed);
    clsort_destroy(own.sorter);
    /* Fewer bins than a rest has values. */
    own.sorter = msd_sorter(fix, SHORT "bin_bits=10\nmsd room=150\n");
    assert_false(case_launches(own.sorter, &desc, "msd_offsets"));
    clsort_destroy(own.sorter);
}

/* value_size: 0, 4, or 8, whose upper half is 0. */
static void sort_adversary(clsort_sorter *sorter, msd_adversary adversary, uint64_t seed,
                           uint32_t value_size)
{
    const clsort_desc desc = {.count = MSD_NUM_EVEN,
                              .algorithm = CLSORT_RADIX,
                              .value_size = value_size};
    uint32_t *before = test_alloc(MSD_NUM_EVEN * sizeof *before);
    uint32_t *keys = test_alloc(MSD_NUM_EVEN * sizeof *keys);
    uint32_t *values = test_alloc(MSD_NUM_EVEN * sizeof *values);
    uint64_t *wide = test_alloc(MSD_NUM_EVEN * sizeof *wide);
    rng r = {seed + (uint64_t)adversary};
    assert_true(case_launches(sorter, &desc, "msd_finish"));
    for (uint32_t i = 0; i < MSD_NUM_EVEN; ++i) {
        before[i] = keys[i] = msd_even_key(adversary, i, &r);
        wide[i] = values[i] = i;
    }
    void *payload = value_size == 8 ? (void *)wide : values;
    expect_status(clsort_sort(sorter, &desc,
                              &(clsort_arrays){.keys = keys,
                                               .values = value_size ? payload : NULL}),
                  CLSORT_OK);
    for (uint32_t i = 0; i < MSD_NUM_EVEN && value_size == 8; ++i)
        values[i] = (uint32_t)wide[i];
    if (value_size) {
        msd_check_pairs(before, keys, values, MSD_NUM_EVEN);
    } else {
        qsort(before, MSD_NUM_EVEN, sizeof *before, msd_compare_u32);
        assert_memory_equal(keys, before, MSD_NUM_EVEN * sizeof *keys);
    }
    free(before);
    free(keys);
    free(values);
    free(wide);
}

static void test_adversaries(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int t = 0; t < num_tunings && fixture_takes(CLSORT_RADIX); ++t) {
        clsort_sorter *sorter = msd_sorter(fix, tunings[t]);
        for (int a = 0; a < MSD_NUM_ADVERSARIES; ++a)
            for (uint32_t value_size = 0; value_size <= 8; value_size += 4)
                sort_adversary(sorter, (msd_adversary)a, fix->seed, value_size);
        clsort_destroy(sorter);
    }
}

/* By a range of bits: leaves sort the range alone, and move whole keys. Arrays, and segments that
 * are no longer than a leaf, or longer. */
static void test_bit_ranges(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.value_size = 4, .first_bit = 4, .end_bit = 28},
        {.type = CLSORT_I32, .order = CLSORT_DESCENDING, .value_size = 1, .end_bit = 20},
        {.type = CLSORT_U16, .value_size = 4, .first_bit = 3, .end_bit = 15},
        {.type = CLSORT_F32, .value_size = 2, .first_bit = 9, .end_bit = 32},
        {.type = CLSORT_U64, .value_size = 4, .first_bit = 20, .end_bit = 60},
        {.index_size = 4, .first_bit = 4, .end_bit = 28},
    };
    if (!fixture_takes(CLSORT_RADIX))
        return;
    for (int t = 0; t < num_tunings; ++t) {
        int num_parted = 0; /* a device's own rows may have onesweep for some */
        fixture own = *fix;
        own.sorter = msd_sorter(fix, tunings[t]);
        for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d) {
            clsort_desc desc = descs[d];
            desc.count = MSD_NUM_EVEN;
            desc.algorithm = CLSORT_RADIX;
            num_parted += case_launches(own.sorter, &desc, "part_leaf");
            for (desc.out_of_place = 0; desc.out_of_place < 2; ++desc.out_of_place) {
                assert_int_equal(case_run_desc(&own, &desc, DATA_RANDOM), 1);
                assert_int_equal(case_run_desc(&own, &desc, DATA_FEW), 1);
            }
        }
        assert_true(num_parted >= 2);
        clsort_destroy(own.sorter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),      cmocka_unit_test(test_out_of_blocks),
        cmocka_unit_test(test_wide_pairs),  cmocka_unit_test(test_short_rests),
        cmocka_unit_test(test_adversaries), cmocka_unit_test(test_long_leaf),
        cmocka_unit_test(test_bit_ranges),
    };
    return fixture_run("msd", tests, sizeof tests / sizeof tests[0]);
}
