/* Radix sort of evenly spread keys (cl/sorts/msd/msd.h): counts around its tiles, types, orders and
 * all shapes of data; and keys that look even to the sample, so that buckets, blocks, leaves or
 * bins overflow. */
#include <stdlib.h>
#include <string.h>

#include "msd_case.h"

/* The second has more tasks than tiles, and as many tiles as groups. */
static const char *const tunings[] = {
    SMALL "split_group=16 split_items=4 block_lanes=4 groups_per_unit=1 parts=1\n",
    SMALL "split_group=64 split_items=8 block_lanes=8 groups_per_unit=2 parts=7\n",
};
enum { num_tunings = sizeof tunings / sizeof *tunings };

static void test_shapes(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.type = CLSORT_U32},
        {.type = CLSORT_F64, .order = CLSORT_DESCENDING},
        {.value_size = 4},
        {.type = CLSORT_U64},
        {.type = CLSORT_I32, .value_size = 1},
        {.type = CLSORT_I32, .value_size = 2, .order = CLSORT_DESCENDING},
        {.type = CLSORT_F32, .value_size = 4, .order = CLSORT_DESCENDING},
        {.value_size = 8},
    };
    static const uint64_t counts[] = {2048, 2049, 4095, 4097, MSD_NUM_EVEN, 13823};
    /* Compiling takes most of the time, so a tuning has half of them: the second has those that
     * adversaries have it compile anyway. */
    for (int t = 0; t < num_tunings; ++t) {
        const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, tunings[t]));
        for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d)
            for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
                clsort_desc desc = descs[d];
                if ((d + (size_t)t) % 2 == 0 && desc.value_size != 8)
                    continue;
                if (desc.value_size && i % 3 != 1)
                    continue;
                desc.count = counts[i];
                desc.algorithm = CLSORT_RADIX;
                desc.out_of_place = i % 2;
                msd_sort_even(&own, &desc);
                for (int kind = 0; kind < NUM_DATA_KINDS; ++kind) {
                    if (kind == DATA_RANDOM || kind % 6 != (int)(i + d) % 6)
                        continue;
                    desc.out_of_place = (i + (uint32_t)kind) % 2;
                    assert_int_equal(case_run_desc(&own, &desc, (data_kind)kind), 1);
                }
            }
        clsort_destroy(own.sorter);
    }
}

/* Two work-groups have more keys of a leaf than a counter of 16 bits can tell, by so few that the
 * leaf would seem to fit. */
static void test_long_leaf(void **state)
{
    const fixture *fix = fixture_of(state);
    enum { HALF = 195 * 512 }; /* the groups take tiles in turn */
    const clsort_desc desc = {.count = 200003, .algorithm = CLSORT_RADIX};
    const fixture own = fixture_with(
        fix,
        tuned_sorter_as_gpu(fix, ONESWEEP MSD
                            "digit_bits=5 leaf_group=32 leaf_items=16 bin_bits=11 split_group=64 "
                            "split_items=8 block_lanes=8 groups_per_unit=1 parts=2\n"));
    uint32_t *keys = test_alloc(desc.count * sizeof *keys);
    rng r = {fix->seed};
    uint32_t num = 0;
    assert_true(case_launches(own.sorter, &desc, "msd_finish"));
    for (uint32_t i = 0; i < desc.count; ++i) {
        const uint32_t random = (uint32_t)rng_next(&r);
        num = i == HALF ? 0 : num;
        const int is_in = num < UINT16_MAX + 200 && !msd_is_sampled((uint32_t)desc.count, i);
        keys[i] = is_in ? 0x5a000000u | random >> 10 : random;
        num += (uint32_t)is_in;
    }
    case_run_keys(&own, &desc, keys);
    free(keys);
    clsort_destroy(own.sorter);
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
    const fixture own =
        fixture_with(fix, tuned_sorter_as_gpu(fix, ONESWEEP MSD
                                              "digit_bits=7 leaf_group=16 leaf_items=4 bin_bits=10 "
                                              "split_group=128 split_items=4 block_lanes=4 "
                                              "groups_per_unit=1 parts=3\n"));
    for (size_t i = 0; i < 9; ++i) {
        clsort_desc desc = descs[i % 3];
        desc.count = counts[i / 3];
        desc.algorithm = CLSORT_RADIX;
        desc.out_of_place = i / 3 % 2;
        msd_sort_even(&own, &desc);
    }
    clsort_destroy(own.sorter);
}

/* Digits of nine bits: groups are twice as wide. */
static void test_wide_digits(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {
        .type = CLSORT_U64, .count = 3800003, .algorithm = CLSORT_RADIX, .out_of_place = 1};
    const fixture own =
        fixture_with(fix, tuned_sorter_as_gpu(fix, ONESWEEP MSD
                                              "digit_bits=8 leaf_group=16 leaf_items=2 bin_bits=10 "
                                              "split_group=256 split_items=4 block_lanes=16 "
                                              "groups_per_unit=8 parts=3\n"));
    msd_sort_even(&own, &desc);
    const struct msd_params *p = msd_params_of(own.sorter);
    assert_true(p->bits[0] == 9 && p->bits[1] == 9);
    clsort_destroy(own.sorter);
}

#define SHORT                                                                    \
    ONESWEEP_LONG MSD "digit_bits=8 leaf_group=16 leaf_items=4 split_group=256 " \
                      "split_items=4 block_lanes=8 groups_per_unit=1 parts=2 room=1000 "

enum { NUM_SHORT = 1900003 };

/* OFTEN: a leaf has 120 keys, for which there is room, but only 112 slots. EIGHTH: an eighth of the
 * leaves has all, for which there is no room. EQUAL: rests have 128 values, of which a leaf often
 * has one twice. */
enum short_kind { OFTEN, EIGHTH, EQUAL };

static uint32_t short_key(enum short_kind kind, uint32_t i, uint32_t random)
{
    switch (kind) {
    case OFTEN:
        return i % 15834 == 7 ? 0x5a5a5a5au : random >> 16 == 0x5a5a ? ~random : random;
    case EIGHTH:
        return random & 0xfff8ffff;
    default:
        return random & ~0x1ffu;
    }
}

/* Sorts them, and looks at what msd says. */
static void sort_short(const fixture *fix, enum short_kind kind)
{
    const clsort_desc desc = {.count = NUM_SHORT,
                              .algorithm = CLSORT_RADIX,
                              .out_of_place = kind == EQUAL};
    uint32_t *keys = test_alloc(NUM_SHORT * sizeof *keys);
    rng r = {fix->seed};
    for (uint32_t i = 0; i < NUM_SHORT; ++i)
        keys[i] = short_key(kind, i, (uint32_t)rng_next(&r));
    case_run_keys(fix, &desc, keys);
    const struct msd_control control = msd_control(fix);
    assert_true(control.is_even && !control.split_gave_up);
    assert_int_equal(control.leaf_gave_up, kind == EIGHTH);
    assert_int_equal(control.is_left, kind == OFTEN);
    free(keys);
}

/* What is left of a key has two bytes: below digits of 8 bits, below 8 and 9, and in leaves of
 * twice the work-items. */
static void test_short_rests(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.count = NUM_SHORT, .algorithm = CLSORT_RADIX, .out_of_place = 1},
        {.count = 3800003,
         .type = CLSORT_I32,
         .order = CLSORT_DESCENDING,
         .algorithm = CLSORT_RADIX},
        {.count = 7500003, .algorithm = CLSORT_RADIX},
    };
    fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, SHORT "bin_bits=16\n"));
    for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d) {
        assert_true(case_launches(own.sorter, &descs[d], "msd_offsets"));
        msd_sort_even(&own, &descs[d]);
    }
    for (int kind = OFTEN; kind <= EQUAL; ++kind)
        sort_short(&own, (enum short_kind)kind);
    clsort_destroy(own.sorter);
    /* Fewer bins than a rest has values; no scratch for rooms. */
    static const char *const others[] = {SHORT "bin_bits=10\n",
                                         SHORT "bin_bits=16\nmsd room=150\n"};
    for (int i = 0; i < 2; ++i) {
        own.sorter = tuned_sorter_as_gpu(fix, others[i]);
        assert_false(case_launches(own.sorter, &descs[0], "msd_offsets"));
        clsort_destroy(own.sorter);
    }
}

static void sort_adversary(const fixture *fix, msd_adversary adversary, uint32_t value_size)
{
    const clsort_desc desc = {.count = MSD_NUM_EVEN,
                              .algorithm = CLSORT_RADIX,
                              .value_size = value_size};
    uint32_t keys[MSD_NUM_EVEN];
    rng r = {fix->seed + (uint64_t)adversary};
    assert_true(case_launches(fix->sorter, &desc, "msd_finish"));
    for (uint32_t i = 0; i < MSD_NUM_EVEN; ++i)
        keys[i] = msd_even_key(adversary, i, &r);
    case_run_keys(fix, &desc, keys);
}

static void test_adversaries(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int t = 0; t < num_tunings; ++t) {
        const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, tunings[t]));
        /* test_msd_onesweep has others for the first. */
        for (int a = 0; a < MSD_NUM_ADVERSARIES; ++a)
            for (uint32_t value_size = t == 0 ? 8 : 0; value_size <= 8; value_size += 4)
                sort_adversary(&own, (msd_adversary)a, value_size);
        clsort_destroy(own.sorter);
    }
}

/* By a range of bits, which msd leaves to the levels of part: leaves sort the range alone,
 * and move whole keys. Each level is launched, or all are one launch. */
static void test_bit_ranges(void **state)
{
    const fixture *fix = fixture_of(state);
#define PART                                                                     \
    "onesweep min=2^40\n" MSD "\ndigits min=0 scatter_group=64 scatter_items=2 " \
    "scatter_registers=0 leaf_group=32 leaf_items=2 leaf_registers=0 digit_bits=4 "
    static const char *const rows[] = {PART "groups_per_unit=0\n",
                                       PART "groups_per_unit=2 spin_limit=2^14\n"};
    static const clsort_desc descs[] = {
        {.value_size = 4, .first_bit = 4, .end_bit = 28},
        {.type = CLSORT_I32, .order = CLSORT_DESCENDING, .value_size = 1, .end_bit = 20},
        {.type = CLSORT_U16, .value_size = 4, .first_bit = 3, .end_bit = 15},
        {.type = CLSORT_F32, .value_size = 2, .first_bit = 9, .end_bit = 32},
        {.type = CLSORT_U64, .value_size = 4, .first_bit = 20, .end_bit = 60},
        {.index_size = 4, .first_bit = 4, .end_bit = 28},
    };
    for (int t = 0; t < 2; ++t) {
        int num_parted = 0; /* a device's own rows may have onesweep for some */
        const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, rows[t]));
        for (size_t d = (size_t)t; d < sizeof descs / sizeof *descs; d += 2) {
            clsort_desc desc = descs[d];
            desc.count = MSD_NUM_EVEN;
            desc.algorithm = CLSORT_RADIX;
            num_parted += case_launches(own.sorter, &desc, "partition_rests");
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
        cmocka_unit_test(test_shapes),      cmocka_unit_test(test_wide_pairs),
        cmocka_unit_test(test_wide_digits), cmocka_unit_test(test_short_rests),
        cmocka_unit_test(test_adversaries), cmocka_unit_test(test_long_leaf),
        cmocka_unit_test(test_bit_ranges),
    };
    return fixture_run_of(CLSORT_RADIX, "msd", tests, sizeof tests / sizeof tests[0]);
}
