/* Floats of 64 bits that are spread smoothly, which msd maps so that
 * they are even (cl/sorts/msd/map.h): alone and with values, up and down. What the sample does not
 * see: keys beyond the map, leaves that are too large, and crowded bins. msd says in struct
 * msd_control what it has done. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "msd_case.h"

/* ---- Tuning ---- */
#define TUNING                                                                                 \
    ONESWEEP MSD "digit_bits=5 leaf_group=64 leaf_items=4 bin_bits=12 split_group=128 "        \
                 "split_items=4 block_lanes=8 groups_per_unit=1 parts=2\nmsd key=8 payload=4 " \
                 "digit_bits=7\nmsd key=8 payload=8 digit_bits=7\n"
enum { NUM_KEYS = 30011 };

/* ---- Keys ---- */
enum spread {
    UNIFORM,
    BOTH_SIGNS,
    FAR_FROM_0,
    NORMAL,
    EXPONENTIAL,
    LOGNORMAL,
    CAUCHY,
    TWO_PEAKS,
    POWERS_OF_10,
    NUM_SPREADS
};

/* Up to LEAF_UNSEEN, and of CROWDED_WORD, the sample does not see what is wrong. */
enum fault {
    PLAIN,
    ONE_INFINITE,
    ONE_NAN,
    ONE_TINY,
    ONE_ZERO,
    ONE_FAR,
    LEAF_UNSEEN,
    CROWDED_BINS,
    CROWDED_ZERO,
    CROWDED_WORD,
    FEW_KEYS,
    SEEN_NAN,
    REPEATED,
    PEAK,
    IN_ORDER,
    NUM_FAULTS
};

/* From 0 to 1, without 0. */
static double unit(rng *r)
{
    return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53;
}

static double normal(rng *r)
{
    return sqrt(-2 * log(unit(r))) * cos(6.283185307179586 * unit(r));
}

static double draw(enum spread spread, rng *r)
{
    switch (spread) {
    case BOTH_SIGNS:
        return 2 * unit(r) - 1;
    case FAR_FROM_0:
        return 1e6 + unit(r);
    case NORMAL:
        return normal(r);
    case EXPONENTIAL:
        return -log(unit(r));
    case LOGNORMAL:
        return exp(2 * normal(r));
    case CAUCHY:
        return tan(3.141592653589793 * (unit(r) - 0.5));
    case TWO_PEAKS:
        return normal(r) / 5 + (rng_next(r) & 1 ? 2 : -2);
    case POWERS_OF_10:
        return pow(10, 9 * unit(r) - 4);
    default:
        return unit(r);
    }
}

/* One of the least that the scale has around 0 below 1, or 0. With values it is not 0, and one of
 * few, so that the leaf's bins are crowded there, too. */
static double near_zero(uint32_t value_size, rng *r)
{
    const double size = 0x1p-38 * (1 + (double)rng_below(r, value_size ? 2 : 8) / 16);
    const uint64_t kind = rng_below(r, 21);
    return kind == 0 && !value_size ? 0 : kind % 2 ? size : -size;
}

/* One of many that differ, of either sign. */
static double any_nan(rng *r)
{
    const uint64_t random = rng_next(r);
    const uint64_t bits = (random & 1) << 63 | (uint64_t)0x7ff8 << 48 | random >> 14;
    double nan;
    memcpy(&nan, &bits, sizeof nan);
    return nan;
}

static double unseen_key(enum fault fault, double key)
{
    switch (fault) {
    case ONE_INFINITE:
        return -INFINITY;
    case ONE_NAN:
        return NAN;
    case ONE_TINY:
        return 5e-324;
    case ONE_ZERO:
        return 0;
    case ONE_FAR:
        return 1e12;
    default:
        return key;
    }
}

static double *make_keys(enum spread spread, enum fault fault, uint32_t count, uint32_t value_size,
                         uint64_t seed)
{
    double *keys = test_alloc(count * sizeof *keys);
    rng r = {seed + (uint64_t)fault};
    uint32_t unseen = 0, num_equal = 0; /* of CROWDED_WORD */
    for (uint32_t i = 0; i < count; ++i) {
        const int is_seen = msd_is_sampled(count, i);
        keys[i] = draw(spread, &r);
        unseen = is_seen ? unseen : i;
        if (fault == LEAF_UNSEEN && !is_seen)
            keys[i] = 0.5 + unit(&r) / 10000;
        else if (fault == CROWDED_BINS)
            keys[i] = (double)(1 + rng_below(&r, 16000)) / 16000;
        else if (fault == CROWDED_ZERO)
            keys[i] =
                i % 250 ? (double)(1 + rng_below(&r, 16000)) / 16000 : near_zero(value_size, &r);
        else if (fault == CROWDED_WORD && !is_seen && num_equal < 135)
            keys[i] = 0.3, ++num_equal;
        else if (fault == PEAK && i % 10)
            keys[i] = 0.5 + unit(&r) / 1e9;
        else if (fault == REPEATED)
            keys[i] = (double)rng_below(&r, 500) / 500;
        else if (fault == FEW_KEYS)
            keys[i] = (double)rng_below(&r, 20);
        else if (fault == SEEN_NAN)
            keys[i] = i % 1000 < 50 ? any_nan(&r) : unit(&r) * 0x1p1023;
        else if (fault == IN_ORDER)
            keys[i] = i;
    }
    keys[unseen] = unseen_key(fault, keys[unseen]);
    return keys;
}

/* ---- Sorting ---- */
/* Whether keys are mapped, and why onesweep took them. Leaves compare keys that crowd bins,
 * unless too many share a word. */
static void check_control(const struct msd_control *control, enum fault fault)
{
    const int is_even = fault < FEW_KEYS;
    assert_int_equal(control->is_even, is_even);
    assert_int_equal(control->stretch.is_used, is_even);
    if (fault == LEAF_UNSEEN) { /* too large for a counter of 8 bits, too, where there are some */
        assert_true(control->leaf_gave_up || control->split_gave_up);
        return;
    }
    assert_int_equal(control->split_gave_up != 0,
                     (fault >= ONE_INFINITE && fault <= ONE_TINY) || fault == ONE_FAR);
    assert_false(control->leaf_gave_up);
    assert_int_equal(control->is_left != 0, !is_even || fault == CROWDED_WORD);
}

static void run(const fixture *fix, const clsort_desc *desc, enum spread spread, enum fault fault)
{
    double *keys = make_keys(spread, fault, (uint32_t)desc->count, desc->value_size, fix->seed);
    case_run_keys(fix, desc, keys);
    const struct msd_control control = msd_control(fix);
    /* With other seeds a leaf of so few keys may be too large. */
    if (fix->seed == 1)
        check_control(&control, fault);
    free(keys);
}

static const clsort_desc descs[] = {
    {.type = CLSORT_F64},
    {.type = CLSORT_F64, .order = CLSORT_DESCENDING, .value_size = 4},
    {.type = CLSORT_F64, .value_size = 8},
};
enum { NUM_DESCS = sizeof descs / sizeof *descs };

static void test_spreads(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, TUNING));
    for (int d = 0; d < NUM_DESCS; ++d)
        for (int spread = 0; spread < NUM_SPREADS; ++spread) {
            clsort_desc desc = descs[d];
            desc.count = NUM_KEYS;
            desc.algorithm = CLSORT_RADIX;
            desc.out_of_place = (uint32_t)(d + spread) % 2;
            assert_true(case_launches(own.sorter, &desc, "msd_finish"));
            run(&own, &desc, (enum spread)spread, PLAIN);
        }
    clsort_destroy(own.sorter);
}

static void test_faults(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, TUNING));
    for (int d = 0; d < NUM_DESCS; ++d)
        for (int fault = PLAIN + 1; fault < NUM_FAULTS; ++fault) {
            clsort_desc desc = descs[d];
            desc.count = NUM_KEYS;
            desc.algorithm = CLSORT_RADIX;
            desc.out_of_place = (uint32_t)(d + fault) % 2;
            run(&own, &desc, UNIFORM, (enum fault)fault);
        }
    clsort_destroy(own.sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spreads),
        cmocka_unit_test(test_faults),
    };
    return fixture_run_of(CLSORT_RADIX, "msd_map", tests, sizeof tests / sizeof tests[0]);
}
