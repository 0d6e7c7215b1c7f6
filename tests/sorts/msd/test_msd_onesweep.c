/* msd with onesweep behind it: keys alone, pairs, and keys with the
 * index of their element. What does not fit when a part of the output has been written; few
 * different keys, which are counted; keys in reversed order, which are turned. */
#include <stdlib.h>
#include <string.h>

#include "msd_case.h"

/* In the second, digits that have 112 keys in turn run out of blocks. */
static const struct {
    const char *text;
    uint32_t count;
} tunings[] = {
    {SMALL "split_group=64 split_items=4 block_lanes=4 groups_per_unit=1 parts=3\n", MSD_NUM_EVEN},
    {ONESWEEP "onesweep wide_max=2^40\n" MSD
              "digit_bits=5 leaf_group=32 leaf_items=16 bin_bits=11 split_group=64 split_items=8 "
              "block_lanes=8 groups_per_unit=1 parts=2\n",
     200003},
};

/* BLOCKS: digits have 112 keys in turn. TWINS: many keys are equal to one before them. REPEATS:
 * about eight of each key. OFTEN: one key is there 200 times, too often to be compared. */
enum { BLOCKS = MSD_NUM_ADVERSARIES, TWINS, REPEATS, OFTEN, NUM_INDEX_ADVERSARIES };

static void make_index_keys(uint32_t *keys, uint32_t count, int adversary, uint64_t seed)
{
    rng r = {seed + (uint64_t)adversary};
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t random = (uint32_t)rng_next(&r);
        if (adversary == BLOCKS)
            keys[i] = (i / 112 * 0x9e3779b9u & 0xf8000000u) | random >> 5;
        else if (adversary == TWINS)
            keys[i] = i % 2 ? keys[random % i] : random;
        else if (adversary == REPEATS)
            keys[i] = random % (count / 8) * 0x9e3779b9u;
        else if (adversary == OFTEN)
            keys[i] = i % 1000 == 17 ? 0x5a5a5a5au : random;
        else
            keys[i] = msd_even_key((msd_adversary)adversary, i, &r);
    }
}

/* ---- Keys alone, and pairs ---- */
/* Pairs of 16 bytes, by leaves of fewer work-items than the row has: 128 and 64, of 5 elements. */
static void test_small_leaves(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.type = CLSORT_U64, .value_size = 8, .count = 200003},
        {.type = CLSORT_I64, .value_size = 4, .count = 300007, .order = CLSORT_DESCENDING},
        {.type = CLSORT_U32, .value_size = 8, .count = 30011},
    };
    const fixture own = fixture_with(
        fix,
        tuned_sorter_as_gpu(fix, ONESWEEP MSD
                            "digit_bits=6 leaf_group=256 leaf_items=4 bin_bits=14 split_group=64 "
                            "split_items=8 block_lanes=8 groups_per_unit=1 parts=2\n"));
    for (size_t i = 0; i < sizeof descs / sizeof *descs; ++i) {
        clsort_desc desc = descs[i];
        desc.algorithm = CLSORT_RADIX;
        msd_sort_even(&own, &desc);
        assert_int_equal(case_run_desc(&own, &desc, DATA_RANDOM), 1);
        desc.out_of_place = 1;
        assert_int_equal(case_run_desc(&own, &desc, DATA_RANDOM), 1);
        assert_int_equal(case_run_desc(&own, &desc, DATA_FEW), 1);
    }
    clsort_destroy(own.sorter);
}

/* 128 of each key would crowd leaves, eight do not. */
static void test_copies(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t copies[] = {8, 128};
    const clsort_desc desc = {.algorithm = CLSORT_RADIX, .count = tunings[1].count};
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, tunings[1].text));
    for (size_t k = 0; k < sizeof copies / sizeof *copies; ++k) {
        uint32_t *keys = test_alloc(desc.count * sizeof *keys);
        rng r = {fix->seed};
        for (uint32_t i = 0; i < desc.count; ++i)
            keys[i] = (uint32_t)rng_next(&r) % (tunings[1].count / copies[k]) * 0x9e3779b9u;
        case_run_keys(&own, &desc, keys);
        assert_int_equal(msd_control(&own).is_even != 0, copies[k] == 8);
        free(keys);
    }
    clsort_destroy(own.sorter);
}

/* Keys that look even, of which something does not fit when a part of the output has been written:
 * alone, in pairs, with their indices, and with values of 12 bytes that are gathered by index. In
 * place onesweep sorts what msd has left there. */
static void test_adversaries(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.type = CLSORT_I32, .order = CLSORT_DESCENDING},
        {.type = CLSORT_I32, .order = CLSORT_DESCENDING, .out_of_place = 1},
        {.index_size = 4},
        {.value_size = 12},
        {.value_size = 4}};
    for (int t = 0; t < 2; ++t) {
        const uint32_t count = tunings[t].count;
        uint32_t *keys = test_alloc(count * sizeof *keys);
        const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, tunings[t].text));
        for (int a = t == 0 ? 0 : BLOCKS; a < NUM_INDEX_ADVERSARIES; ++a) {
            make_index_keys(keys, count, a, fix->seed);
            for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d) {
                clsort_desc desc = descs[d];
                if (t > 0 && desc.value_size == 4)
                    continue; /* another program to compile */
                desc.count = count;
                desc.algorithm = CLSORT_RADIX;
                assert_true(case_launches(own.sorter, &desc,
                                          desc.value_size == 12 ? "msd_restore" : "msd_finish"));
                case_run_keys(&own, &desc, keys);
            }
        }
        clsort_destroy(own.sorter);
        free(keys);
    }
}

/* ---- Few different keys ---- */
/* STRAY: one that the sample has not met, or two. CLUSTERS: many keys that agree in their highest
 * bits with others. IN_RUNS: each key stands in one run, so the sample seldom turns. LARGEST: the
 * largest key that there is, which fills the list behind its end. */
enum few_kind {
    PLAIN,
    STRAY_LAST,
    STRAY_LARGEST,
    STRAY_BETWEEN,
    LARGEST,
    CLUSTERS,
    IN_RUNS,
    NUM_FEW_KINDS
};

static void make_few(uint32_t *keys, uint32_t count, uint32_t num_few, enum few_kind kind,
                     uint64_t seed)
{
    rng r = {seed};
    uint32_t few[70] = {0};
    for (uint32_t i = 0; i < num_few; ++i)
        few[i] = (uint32_t)rng_next(&r) | 1;
    /* At most 32 different ones in the bits that the sample counts. */
    for (uint32_t i = 30; i < num_few; ++i)
        few[i] = few[i % 30] ^ (uint32_t)rng_below(&r, 1 << 16) << 1;
    if (kind == LARGEST)
        few[num_few / 2] = UINT32_MAX;
    /* One digit tells them apart, and one of them has it in common with the stray one. */
    few[0] |= kind == STRAY_LARGEST ? 0xff : 0;
    for (uint32_t i = 1; i < num_few && kind == STRAY_LARGEST; ++i)
        few[i] = few[0] - i;
    uint32_t unseen = count;
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = few[kind == IN_RUNS ? (uint64_t)i * num_few / count : rng_below(&r, num_few)];
        if (kind == CLUSTERS)
            keys[i] ^= (uint32_t)rng_below(&r, 1 << 10);
        if (!msd_is_sampled(count, i) && (unseen == count || kind != STRAY_LARGEST))
            unseen = i; /* the stray one before all others */
    }
    assert_true(unseen < count);
    if (kind == STRAY_LAST)
        keys[unseen] = 0xfffffffe;
    if (kind == STRAY_LARGEST)
        keys[unseen] = UINT32_MAX;
    if (kind == STRAY_BETWEEN)
        keys[unseen] = few[0] - 1;
}

static const clsort_desc pairs = {.count = MSD_NUM_EVEN,
                                  .algorithm = CLSORT_RADIX,
                                  .value_size = 4};

/* Keys alone, and with values, of which onesweep makes few passes. */
static void test_few(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t nums[] = {2, 3, 17, 64, 65, 70};
    uint32_t keys[MSD_NUM_EVEN];
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, tunings[0].text));
    for (size_t n = 0; n < sizeof nums / sizeof *nums; ++n)
        for (int kind = 0; kind < NUM_FEW_KINDS; ++kind) {
            const clsort_desc desc = {.count = MSD_NUM_EVEN - (kind == PLAIN) * n,
                                      .algorithm = CLSORT_RADIX,
                                      .out_of_place = (n + (uint32_t)kind) % 2};
            make_few(keys, (uint32_t)desc.count, nums[n], (enum few_kind)kind, fix->seed + n);
            case_run_keys(&own, &desc, keys);
            make_few(keys, MSD_NUM_EVEN, nums[n], (enum few_kind)kind, fix->seed + n);
            case_run_keys(&own, &pairs, keys);
        }
    clsort_destroy(own.sorter);
}

/* In reversed order, odd and even counts: all different, or with runs of equal ones. */
static void test_turned(void **state)
{
    const fixture *fix = fixture_of(state);
    uint32_t keys[MSD_NUM_EVEN];
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, tunings[0].text));
    for (uint32_t i = 0; i < 8; ++i) {
        const clsort_desc desc = {.count = MSD_NUM_EVEN - i % 2,
                                  .algorithm = CLSORT_RADIX,
                                  .out_of_place = i / 2 % 2};
        for (uint32_t k = 0; k < desc.count; ++k)
            keys[k] = 0xffffffff - (i < 4 ? k * 347811u / 2 : k / 3 * 700000u);
        case_run_keys(&own, &desc, keys);
    }
    clsort_destroy(own.sorter);
}

/* ---- Keys with the index of their element ---- */
static void test_indices(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.index_size = 4},
        {.type = CLSORT_I32, .index_size = 4, .order = CLSORT_DESCENDING},
        {.type = CLSORT_I32, .value_size = 12, .out_of_place = 1},
        {.type = CLSORT_I32, .value_size = 3},
    };
    static const uint64_t counts[] = {2048, 4097, MSD_NUM_EVEN};
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, tunings[0].text));
    for (size_t i = 0; i < 12; ++i) {
        clsort_desc desc = descs[i % 4];
        desc.count = counts[i / 4];
        desc.algorithm = CLSORT_RADIX;
        assert_true(case_launches(own.sorter, &desc, "msd_finish"));
        for (int kind = 0; kind < NUM_DATA_KINDS; ++kind)
            if (kind == DATA_RANDOM || kind % 12 == (int)i)
                assert_int_equal(case_run_desc(&own, &desc, (data_kind)kind), 1);
    }
    clsort_destroy(own.sorter);
}

/* A leaf that is small enough, but has one key too often to be compared: it is known when others
 * have been written. */
static void test_restored(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 60013, .algorithm = CLSORT_RADIX, .value_size = 12};
    uint32_t *keys = test_alloc(desc.count * sizeof *keys);
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, tunings[1].text));
    assert_true(case_launches(own.sorter, &desc, "msd_restore"));
    rng r = {fix->seed};
    for (uint32_t i = 0; i < desc.count; ++i)
        keys[i] = i % 330 ? (uint32_t)rng_next(&r) : 0x5a5a5a5au;
    case_run_keys(&own, &desc, keys);
    assert_int_equal(msd_control(&own).is_left, 1);
    clsort_destroy(own.sorter);
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adversaries), cmocka_unit_test(test_small_leaves),
        cmocka_unit_test(test_copies),      cmocka_unit_test(test_few),
        cmocka_unit_test(test_turned),      cmocka_unit_test(test_indices),
        cmocka_unit_test(test_restored),
    };
    return fixture_run_of(CLSORT_RADIX, "msd_onesweep", tests, sizeof tests / sizeof tests[0]);
}
