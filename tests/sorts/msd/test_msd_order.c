/* msd, in order: pairs whose equal keys keep their order, and keys
 * with the index of their element, with onesweep behind it. Every sort here is stable and checked
 * to be so. Level 1 counts the leaves or it does not; output begins anywhere in a chunk; what the
 * sample does not see fills a counter, a bucket, a leaf or a bin. */
#include <stdlib.h>
#include <string.h>

#include "msd_case.h"

/* Level 1 counts the leaves of FEW_LEAVES and MANY_PARTS, but not of MANY_LEAVES. The last two have
 * many groups, so that a digit has several parts on any device. VOTING: where sub-groups can.
 * ROOMY: a leaf has room for 135 equal keys, and its bins have not. */
enum { FEW_LEAVES, MANY_LEAVES, MANY_PARTS, VOTING, ROOMY, NUM_TUNINGS };
static const struct {
    const char *text;
    uint32_t count;
} tunings[NUM_TUNINGS] = {
    {ONESWEEP MSD_IN_ORDER "digit_bits=5 leaf_group=16 leaf_items=4 bin_bits=10 split_group=64 "
                           "split_items=4 block_lanes=4 order_groups_per_unit=1 parts=3\n",
     12345},
    {ONESWEEP MSD_IN_ORDER "digit_bits=7 leaf_group=16 leaf_items=3 bin_bits=10 split_group=128 "
                           "split_items=8 block_lanes=16 order_groups_per_unit=50 parts=3\n",
     350003},
    {ONESWEEP MSD_IN_ORDER "digit_bits=5 leaf_group=64 leaf_items=8 bin_bits=12 split_group=64 "
                           "split_items=5 block_lanes=8 order_groups_per_unit=64 parts=8\n",
     400009},
    {ONESWEEP MSD_IN_ORDER "digit_bits=5 leaf_group=64 leaf_items=4 bin_bits=12 split_group=128 "
                           "split_items=4 block_lanes=32 order_groups_per_unit=1 parts=2\n"
                           "msd votes=1\n",
     60013},
    {ONESWEEP MSD_IN_ORDER "digit_bits=5 leaf_group=64 leaf_items=8 bin_bits=12 split_group=64 "
                           "split_items=4 block_lanes=8 order_groups_per_unit=1 parts=2\n",
     60013},
};

/* ---- Every type, in any place ---- */
/* The first four are those of the adversaries, too: compiling takes most of the time. */
static const clsort_desc descs[] = {
    {.type = CLSORT_U32, .value_size = 4},
    {.type = CLSORT_U64, .value_size = 8},
    {.type = CLSORT_U64, .value_size = 12},
    {.type = CLSORT_U64, .index_size = 4},
    {.type = CLSORT_I32, .value_size = 2, .order = CLSORT_DESCENDING},
    {.type = CLSORT_F32, .value_size = 1, .order = CLSORT_DESCENDING},
    {.type = CLSORT_U32, .value_size = 8},
    {.type = CLSORT_U64, .value_size = 4, .order = CLSORT_DESCENDING},
    {.type = CLSORT_F64, .value_size = 8},
    {.type = CLSORT_I64, .value_size = 24},
    {.type = CLSORT_F64, .index_size = 4, .order = CLSORT_DESCENDING},
};
enum { NUM_PAIRS = 4, NUM_DESCS = sizeof descs / sizeof *descs };

static clsort_desc desc_of(size_t number, uint64_t count)
{
    clsort_desc desc = descs[number];
    desc.count = count;
    desc.algorithm = CLSORT_RADIX;
    desc.stable = 1;
    return desc;
}

/* Whether msd takes it. Many leaves may not: each work-item has counters of its own. */
static int takes(clsort_sorter *sorter, const clsort_desc *desc, int tuning)
{
    const int is_taken = case_launches(sorter, desc, "msd_finish");
    assert_true(is_taken || tuning == MANY_LEAVES);
    return is_taken;
}

static void test_types(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, tunings[FEW_LEAVES].text));
    for (size_t d = 0; d < NUM_DESCS; ++d) {
        clsort_desc desc = desc_of(d, tunings[FEW_LEAVES].count - d % 3);
        assert_true(case_launches(own.sorter, &desc, "msd_finish"));
        assert_true(case_launches(own.sorter, &desc, "onesweep_sort"));
        for (int kind = 0; kind < NUM_DATA_KINDS; ++kind)
            if (kind == DATA_RANDOM || kind % 4 == (int)d % 4) {
                desc.out_of_place = ((uint32_t)d + (uint32_t)kind) % 2;
                assert_int_equal(case_run_desc(&own, &desc, (data_kind)kind), 1);
            }
    }
    clsort_destroy(own.sorter);
}

/* ---- Keys that look even ---- */
/* BLOCKS: digits have 112 keys in turn. TWINS: many keys are equal to one before them. REPEATS:
 * about eight of each key. OFTEN, TOO_OFTEN: one key is there 50 times, or 135. NEIGHBOURS: one is
 * there 700 times in a row, which fill a tile of MANY_PARTS. NARROW: half a number for each. */
enum adversary {
    BLOCKS = MSD_NUM_ADVERSARIES,
    EVEN,
    TWINS,
    REPEATS,
    OFTEN,
    TOO_OFTEN,
    NEIGHBOURS,
    NARROW,
    NUM_ADVERSARIES
};

/* Key i, of which the highest bits count. */
static uint64_t key_of(int adversary, const uint64_t *keys, uint32_t i, uint32_t count, rng *r)
{
    const uint64_t random = rng_next(r);
    const int is_seen = msd_is_sampled(count, i);
    switch (adversary) {
    case BLOCKS:
        return (uint64_t)(i / 112 * 0x9e3779b9u) >> 27 << 59 | random >> 5;
    case TWINS:
        return i % 2 ? keys[random % i] : random;
    case REPEATS:
        return random % (count / 8) * 0x9e3779b97f4a7c15u;
    case OFTEN:
        return i % (count / 50) == 7 && !is_seen ? (uint64_t)0x5a5a5a5a << 32 : random;
    case TOO_OFTEN:
        return i % (count / 135) == 7 && !is_seen ? (uint64_t)0x5a5a5a5a << 32 : random;
    case NEIGHBOURS:
        return i / 700 == 9 && !is_seen ? (uint64_t)0x5a5a5a5a << 32 : random;
    case NARROW:
        return (uint64_t)1 << 62 | random % (count / 2) << 32;
    case EVEN:
        return random;
    default:
        return (uint64_t)msd_even_key((msd_adversary)adversary, i, r) << 32 | random >> 32;
    }
}

/* Keys as they are stored: the first types are unsigned. */
static void *make_keys(int adversary, const clsort_desc *desc, uint64_t seed)
{
    const uint32_t count = (uint32_t)desc->count, bits = type_infos[desc->type].bits;
    uint64_t *keys = test_alloc(count * sizeof *keys);
    rng r = {seed + (uint64_t)adversary};
    for (uint32_t i = 0; i < count; ++i)
        keys[i] = key_of(adversary, keys, i, count, &r);
    for (uint32_t i = 0; i < count; ++i) /* over those that have been read */
        key_store(keys, i, bits / 8,
                  keys[i] >> (adversary == NARROW && bits == 64 ? 20 : 64 - bits));
    return keys;
}

/* What msd is to have done: where leaves are roomy, which adversaries it sorts itself. */
static void check_control(const struct msd_control *control, int adversary)
{
    switch (adversary) {
    case EVEN:
    case REPEATS:
    case OFTEN:
    case NARROW:
        assert_true(control->is_even && !control->split_gave_up && !control->leaf_gave_up);
        assert_false(control->is_left);
        break;
    case TOO_OFTEN:
        assert_true(control->is_even && !control->split_gave_up && !control->leaf_gave_up);
        assert_true(control->is_left);
        break;
    case NEIGHBOURS:
        assert_true(control->is_even && (control->split_gave_up || control->leaf_gave_up));
        break;
    default:
        break;
    }
}

static void test_adversaries(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int t = 0; t < NUM_TUNINGS; ++t) {
        const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, tunings[t].text));
        const uint32_t count = tunings[t].count;
        /* The others have two of the pairs each: two tunings have those of a kind of item. */
        const int step = t == FEW_LEAVES ? 1 : 2;
        for (int p = t == FEW_LEAVES ? 0 : t % 2; p < NUM_PAIRS; p += step)
            for (int a = count == MSD_NUM_EVEN ? 0 : BLOCKS; a < NUM_ADVERSARIES; ++a) {
                clsort_desc desc = desc_of((size_t)p, count);
                if (t != FEW_LEAVES && t != ROOMY && (a + p / 2) % 2)
                    continue;
                desc.out_of_place = (uint32_t)(a + t) % 2;
                if (!takes(own.sorter, &desc, t))
                    continue;
                void *keys = make_keys(a, &desc, fix->seed);
                case_run_keys(&own, &desc, keys);
                const struct msd_control control = msd_control(&own);
                assert_true(t != MANY_PARTS || msd_params_of(own.sorter)->parts > 1);
                if (t == MANY_PARTS && a == NEIGHBOURS) /* more than a counter of 8 bits can tell */
                    assert_true(control.split_gave_up);
                if (t == ROOMY && fix->seed == 1)
                    check_control(&control, a);
                free(keys);
            }
        clsort_destroy(own.sorter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_adversaries),
    };
    return fixture_run_of(CLSORT_RADIX, "msd_order", tests, sizeof tests / sizeof tests[0]);
}
