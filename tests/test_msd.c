/* Radix sort of evenly spread keys (cl/msd.h): counts around its tiles, types, orders and all
 * shapes of data; and keys that look even to the sample, so that buckets, blocks, leaves or bins
 * overflow. */
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "tuning_case.h"

/* 64 leaf slots and digits of 3 and 4 bits: two levels from 2048 to 14000 keys. */
#define PART                                                                         \
    "onesweep skew_min=2^40 min=2^40\n"                                              \
    "part min=0 scatter_group=64 scatter_items=2 scatter_registers=0 leaf_group=32 " \
    "leaf_items=2 leaf_registers=0 digit_bits=4 "
#define LAUNCHED_LEVELS PART "groups_per_unit=0\n"
#define LEVELS_IN_ONE PART "groups_per_unit=2 spin_limit=2^14\n"
#define MSD "msd min=0 leaf_group=16 leaf_items=4 leaf_registers=0 bin_bits=10 votes=0 "
/* The second has more tasks than tiles, and as many tiles as groups. */
static const char *const tunings[] = {
    LAUNCHED_LEVELS MSD "split_group=16 split_items=4 block_lanes=4 groups_per_unit=1 parts=1\n",
    LEVELS_IN_ONE MSD "split_group=64 split_items=8 block_lanes=8 groups_per_unit=2 parts=7\n",
};
enum { num_tunings = sizeof tunings / sizeof *tunings, num_even = 12345 };

/* A sorter that uses the GPUs' forms, on CPUs too. */
static clsort_sorter *sorter_of(const fixture *fix, const char *tuning)
{
    clsort_sorter *sorter = NULL;
    const char *limit = getenv("CLSORT_LIMIT");
    if (!limit)
        setenv("CLSORT_LIMIT", "cpu=0", 1);
    tuning_write_text(tuning);
    expect_status(clsort_create(fix->context, fix->device, &sorter), CLSORT_OK);
    tuning_remove();
    if (!limit)
        unsetenv("CLSORT_LIMIT");
    return sorter;
}

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
    static const uint64_t counts[] = {2048, 2049, 4095, 4097, num_even, 13823};
    if (!fixture_takes(CLSORT_RADIX))
        return;
    for (int t = 0; t < num_tunings; ++t) {
        fixture own = *fix;
        own.sorter = sorter_of(fix, tunings[t]);
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

static int compare_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Each digit has 112 keys in turn, and takes two blocks of 64 for 96 of them. So blocks stay empty
 * by a quarter, for which there is no room. */
static void test_out_of_blocks(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 200003, .algorithm = CLSORT_RADIX};
    if (!fixture_takes(CLSORT_RADIX))
        return;
    clsort_sorter *sorter = sorter_of(
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
    qsort(expected, desc.count, sizeof *expected, compare_u32);
    expect_status(clsort_sort(sorter, &desc, &(clsort_arrays){.keys = keys}), CLSORT_OK);
    assert_memory_equal(keys, expected, desc.count * sizeof *keys);
    free(keys);
    free(expected);
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
    own.sorter = sorter_of(
        fix,
        "onesweep skew_min=2^40 min=2^40\n"
        "part min=0 quick_min=2^40 scatter_group=64 scatter_items=4 scatter_registers=0 votes=0 "
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

/* Keys of which an eighth of the leaves has all: more than these have room for in scratch. */
static void sort_without_room(clsort_sorter *sorter, const clsort_desc *desc, uint64_t seed)
{
    uint32_t *keys = test_alloc(desc->count * sizeof *keys);
    uint32_t *expected = test_alloc(desc->count * sizeof *keys);
    rng r = {seed};
    for (uint64_t i = 0; i < desc->count; ++i)
        expected[i] = keys[i] = (uint32_t)rng_next(&r) & 0xfff8ffff;
    qsort(expected, desc->count, sizeof *expected, compare_u32);
    expect_status(clsort_sort(sorter, desc, &(clsort_arrays){.keys = keys}), CLSORT_OK);
    assert_memory_equal(keys, expected, desc->count * sizeof *keys);
    free(keys);
    free(expected);
}

/* What is left of a key has two bytes: below digits of 8 bits, below 8 and 9, and in leaves of
 * twice the work-items. */
static void test_short_rests(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.count = 1000003, .algorithm = CLSORT_RADIX, .out_of_place = 1},
        {.count = 2000003,
         .type = CLSORT_F32,
         .order = CLSORT_DESCENDING,
         .algorithm = CLSORT_RADIX},
        {.count = 3700003, .algorithm = CLSORT_RADIX},
    };
    if (!fixture_takes(CLSORT_RADIX))
        return;
    fixture own = *fix;
    own.sorter = sorter_of(
        fix,
        "onesweep skew_min=2^40 min=2^40\n"
        "part min=0 scatter_group=64 scatter_items=4 scatter_registers=0 votes=0 leaf_group=16 "
        "leaf_items=2 leaf_registers=0 digit_bits=8 groups_per_unit=0\n"
        "msd min=0 leaf_group=16 leaf_items=2 leaf_registers=0 bin_bits=10 votes=0 "
        "split_group=256 split_items=4 block_lanes=8 groups_per_unit=1 parts=2 room=1000\n");
    for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d) {
        assert_true(case_launches(own.sorter, &descs[d], "msd_offsets"));
        assert_int_equal(case_run_desc(&own, &descs[d], DATA_RANDOM), 1);
    }
    sort_without_room(own.sorter, &(clsort_desc){.count = 1000003, .algorithm = CLSORT_RADIX},
                      fix->seed);
    clsort_destroy(own.sorter);
}

/* ---- Keys that look even to the sample ----------------------------------------------------------
 */
/* The key of a part of the array that the sample takes: cl/random.h. */
static uint32_t sampled(uint32_t seed, uint32_t bound)
{
    uint32_t x = seed * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return (uint32_t)((uint64_t)(x ^ x >> 16) * bound >> 32);
}

enum adversary { RUNS, ONE_LEAF, FEW_BINS, ONE_VALUE, NUM_ADVERSARIES };

/* RUNS: neighbours have one digit, so each bucket overflows. ONE_LEAF: all that the sample does not
 * see are in one leaf. FEW_BINS: keys of a leaf differ in few bits. ONE_VALUE: all unseen keys are
 * equal. */
static uint32_t even_key(enum adversary adversary, uint32_t i, rng *r)
{
    const uint32_t part = num_even / 2048, stratum = i / part;
    const uint32_t random = (uint32_t)rng_next(r);
    const int is_seen = stratum < 2048 && i % part == sampled(stratum, part);
    switch (adversary) {
    case RUNS:
        return is_seen ? random : i / 100 * 0x9e3779b9u >> 24 << 24 | random >> 8;
    case ONE_LEAF:
        return is_seen ? random : 0x5a000000u | random >> 8;
    case FEW_BINS:
        return random & 0xffc00003u;
    default:
        return is_seen ? random : 0x5a5a5a5au;
    }
}

/* Whether keys are in order, and each has the value that it had before, its index. */
static void check_pairs(const uint32_t *before, const uint32_t *keys, const uint32_t *values)
{
    unsigned char *seen = test_alloc(num_even);
    memset(seen, 0, num_even);
    for (uint32_t i = 0; i < num_even; ++i) {
        assert_true(i == 0 || keys[i - 1] <= keys[i]);
        assert_true(values[i] < num_even && !seen[values[i]]++);
        assert_int_equal(keys[i], before[values[i]]);
    }
    free(seen);
}

/* value_size: 0, 4, or 8, whose upper half is 0. */
static void sort_adversary(clsort_sorter *sorter, enum adversary adversary, uint64_t seed,
                           uint32_t value_size)
{
    const clsort_desc desc = {.count = num_even,
                              .algorithm = CLSORT_RADIX,
                              .value_size = value_size};
    uint32_t *before = test_alloc(num_even * sizeof *before);
    uint32_t *keys = test_alloc(num_even * sizeof *keys);
    uint32_t *values = test_alloc(num_even * sizeof *values);
    uint64_t *wide = test_alloc(num_even * sizeof *wide);
    rng r = {seed + (uint64_t)adversary};
    assert_true(case_launches(sorter, &desc, "msd_finish"));
    for (uint32_t i = 0; i < num_even; ++i) {
        before[i] = keys[i] = even_key(adversary, i, &r);
        wide[i] = values[i] = i;
    }
    void *payload = value_size == 8 ? (void *)wide : values;
    expect_status(clsort_sort(sorter, &desc,
                              &(clsort_arrays){.keys = keys,
                                               .values = value_size ? payload : NULL}),
                  CLSORT_OK);
    for (uint32_t i = 0; i < num_even && value_size == 8; ++i)
        values[i] = (uint32_t)wide[i];
    if (value_size) {
        check_pairs(before, keys, values);
    } else {
        qsort(before, num_even, sizeof *before, compare_u32);
        assert_memory_equal(keys, before, num_even * sizeof *keys);
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
        clsort_sorter *sorter = sorter_of(fix, tunings[t]);
        for (int a = 0; a < NUM_ADVERSARIES; ++a)
            for (uint32_t value_size = 0; value_size <= 8; value_size += 4)
                sort_adversary(sorter, (enum adversary)a, fix->seed, value_size);
        clsort_destroy(sorter);
    }
}

/* ---- Keys with the index of their element ---- */
#define ONESWEEP                                                                         \
    "onesweep scatter_group=64 scatter_items=3 registers=0 spin_limit=2^16 min=0 max=0 " \
    "stable_min=0 skew_min=0\n"
/* In the second, digits that have 112 keys in turn run out of blocks. */
static const struct {
    const char *text;
    uint32_t count;
} index_tunings[] = {
    {LAUNCHED_LEVELS ONESWEEP MSD
     "split_group=64 split_items=4 block_lanes=4 groups_per_unit=1 parts=3 index_min=0\n",
     num_even},
    {ONESWEEP
     "part min=0 scatter_group=64 scatter_items=2 scatter_registers=0 votes=0 leaf_group=32 "
     "leaf_items=16 leaf_registers=0 digit_bits=5 groups_per_unit=0\n"
     "msd index_min=0 leaf_group=32 leaf_items=16 leaf_registers=0 bin_bits=11 votes=0 "
     "split_group=64 split_items=8 block_lanes=8 groups_per_unit=1 parts=2\n",
     200003},
};

static void test_indices(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.index_size = 4},
        {.type = CLSORT_I32, .index_size = 4, .order = CLSORT_DESCENDING},
        {.type = CLSORT_I32, .value_size = 12, .out_of_place = 1},
        {.type = CLSORT_I32, .value_size = 3},
    };
    static const uint64_t counts[] = {2048, 4097, num_even};
    if (!fixture_takes(CLSORT_RADIX))
        return;
    fixture own = *fix;
    own.sorter = sorter_of(fix, index_tunings[0].text);
    for (size_t i = 0; i < 12; ++i) {
        clsort_desc desc = descs[i % 4];
        desc.count = counts[i / 4];
        desc.algorithm = CLSORT_RADIX;
        assert_true(case_launches(own.sorter, &desc, "msd_finish"));
        assert_false(case_launches(own.sorter, &desc, "part_scatter"));
        for (int kind = 0; kind < NUM_DATA_KINDS; ++kind)
            if (kind == DATA_RANDOM || kind % 12 == (int)i)
                assert_int_equal(case_run_desc(&own, &desc, (data_kind)kind), 1);
    }
    clsort_destroy(own.sorter);
}

/* Whether the indices are the only right ones: equal keys in the order of the input. */
static void check_indices(const uint32_t *keys, const uint32_t *indices, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        const uint32_t a = indices[i - 1], b = indices[i];
        assert_true(a < count && b < count);
        assert_true(keys[a] < keys[b] || (keys[a] == keys[b] && a < b));
    }
}

/* BLOCKS: digits have 112 keys in turn. TWINS: many keys are equal to one before them. */
enum { BLOCKS = NUM_ADVERSARIES, TWINS, NUM_INDEX_ADVERSARIES };

static void make_index_keys(uint32_t *keys, uint32_t count, int adversary, uint64_t seed)
{
    rng r = {seed + (uint64_t)adversary};
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t random = (uint32_t)rng_next(&r);
        if (adversary == BLOCKS)
            keys[i] = (i / 112 * 0x9e3779b9u & 0xf8000000u) | random >> 5;
        else if (adversary == TWINS)
            keys[i] = i % 2 ? keys[random % i] : random;
        else
            keys[i] = even_key((enum adversary)adversary, i, &r);
    }
}

/* In place, with values that are gathered: 12 bytes, the first four of which are the index. */
static void sort_values(clsort_sorter *sorter, const uint32_t *before, uint32_t *indices,
                        uint32_t count)
{
    const clsort_desc desc = {.count = count, .algorithm = CLSORT_RADIX, .value_size = 12};
    uint32_t *keys = test_alloc(count * sizeof *keys);
    uint32_t(*values)[3] = test_alloc(count * sizeof *values);
    assert_true(case_launches(sorter, &desc, "msd_restore"));
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = before[i];
        values[i][0] = values[i][1] = values[i][2] = i;
    }
    expect_status(clsort_sort(sorter, &desc, &(clsort_arrays){.keys = keys, .values = values}),
                  CLSORT_OK);
    for (uint32_t i = 0; i < count; ++i) {
        indices[i] = values[i][0];
        assert_true(indices[i] < count && values[i][1] == indices[i] && values[i][2] == indices[i]);
        assert_int_equal(keys[i], before[indices[i]]);
    }
    free(keys);
    free(values);
}

/* What overflows when a part of the output has been written. */
static void test_index_adversaries(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int t = 0; t < 2 && fixture_takes(CLSORT_RADIX); ++t) {
        const uint32_t count = index_tunings[t].count;
        const clsort_desc desc = {.count = count, .algorithm = CLSORT_RADIX, .index_size = 4};
        uint32_t *keys = test_alloc(count * sizeof *keys);
        uint32_t *indices = test_alloc(count * sizeof *indices);
        clsort_sorter *sorter = sorter_of(fix, index_tunings[t].text);
        assert_true(case_launches(sorter, &desc, "msd_finish"));
        for (int a = t == 0 ? 0 : BLOCKS; a < NUM_INDEX_ADVERSARIES; ++a) {
            make_index_keys(keys, count, a, fix->seed);
            expect_status(clsort_sort(sorter, &desc,
                                      &(clsort_arrays){.keys = keys, .indices = indices}),
                          CLSORT_OK);
            check_indices(keys, indices, count);
            sort_values(sorter, keys, indices, count);
            check_indices(keys, indices, count);
        }
        clsort_destroy(sorter);
        free(keys);
        free(indices);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_out_of_blocks),
        cmocka_unit_test(test_wide_pairs),
        cmocka_unit_test(test_short_rests),
        cmocka_unit_test(test_adversaries),
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_index_adversaries),
    };
    return fixture_run("msd", tests, sizeof tests / sizeof tests[0]);
}
