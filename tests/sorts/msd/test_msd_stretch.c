/* Keys that are even in a part of their range, which msd stretches
 * (cl/sorts/msd/stretch.h): alone, with values, with indices, and with short rests. What the sample
 * does not see: keys beyond the part, leaves that are too large, and crowded bins. msd says
 * in struct msd_control what it has done. */
#include <stdlib.h>
#include <string.h>

#include "msd_case.h"

__extension__ typedef unsigned __int128 uint128;

/* ---- Tuning ---- */
/* Leaves have room for random keys: nothing is left to onesweep. */
#define ROOMY                                                                            \
    ONESWEEP MSD "digit_bits=7 leaf_group=256 leaf_items=4 bin_bits=14 split_group=128 " \
                 "split_items=4 block_lanes=4 groups_per_unit=1 parts=2\n"
#define SHORT                                                                                \
    ONESWEEP_LONG MSD "digit_bits=8 leaf_group=16 leaf_items=4 bin_bits=16 split_group=256 " \
                      "split_items=4 block_lanes=8 groups_per_unit=1 parts=2 room=1000\n"
enum { NUM_KEYS = 30011, NUM_SHORT = 1900003, NUM_LONG = 9500003 };

/* ---- Keys ---- */
/* The part of the range in which keys lie, as ordered numbers: from the first to the last one. */
struct part {
    uint64_t first, last;
};

enum part_kind {
    LOWER_HALF,
    THREE_FIFTHS,
    AT_END,
    NARROW,
    NARROWEST,
    SEVERAL_EACH,
    TOO_NARROW,
    WHOLE,
    NUM_PARTS
};

/* NARROW: around 0 of signed numbers; of 64 bits, less than 2^40 from it. */
static struct part part_of(enum part_kind kind, uint32_t bits)
{
    const uint64_t all = ~(uint64_t)0 >> (64 - bits), middle = all / 2 + 1;
    const uint64_t near = (uint64_t)1 << (bits == 64 ? 40 : 22);
    switch (kind) {
    case LOWER_HALF:
        return (struct part){0, all / 2};
    case THREE_FIFTHS:
        return (struct part){0, all / 5 * 3};
    case AT_END:
        return (struct part){all / 5 * 3, all};
    case NARROW:
        return (struct part){middle - near, middle + near - 1};
    case NARROWEST: /* 279 numbers for each element; of 64 bits, the upper half changes once */
        return (struct part){middle - ((uint64_t)3 << 21), middle + ((uint64_t)1 << 21) - 1};
    case SEVERAL_EACH: /* half a number, so that many are equal */
        return (struct part){all / 7, all / 7 + ((uint64_t)1 << 14) - 1};
    case TOO_NARROW: /* an eighth */
        return (struct part){all / 7, all / 7 + ((uint64_t)1 << 12) - 1};
    default:
        return (struct part){0, all};
    }
}

/* What is wrong with the keys. ROOM: one is in the room below the sample's, where it ends. BELOW,
 * ABOVE: one is beyond. FAR_BELOW, FAR_ABOVE: by as much as possible. */
enum fault {
    PLAIN,
    ROOM,
    IN_RUNS,
    BELOW,
    ABOVE,
    FAR_BELOW,
    FAR_ABOVE,
    ONE_LEAF_UNSEEN,
    ONE_KEY_UNSEEN,
    ONE_KEY_OFTEN,
    ONE_KEY_CROWDS,
    CROWDED_BINS,
    FEW_KEYS,
    UNEVEN,
    IN_ORDER,
    REVERSED,
    NUM_FAULTS
};

/* A random number as one from 0 to `most`, evenly. */
static uint64_t below(uint64_t most, uint64_t random)
{
    return (uint64_t)(((uint128)most + 1) * random >> 64);
}

/* The i-th of `count` keys; steps: different keys of CROWDED_BINS. */
static uint64_t key_of(const struct part *part, enum fault fault, uint32_t i, uint32_t count,
                       uint64_t steps, rng *r)
{
    const uint64_t width = part->last - part->first, random = rng_next(r);
    const uint64_t even = below(width, random), other = below(width, rng_next(r));
    const int is_seen = msd_is_sampled(count, i);
    switch (fault) {
    case IN_RUNS: /* neighbours have one digit, so buckets overflow */
        return part->first + (i / 200 * 0x9e3779b9u >> 27) * (width / 32) + even / 32;
    case ONE_LEAF_UNSEEN:
        return part->first + (is_seen ? even : width / 3 + even / 4096);
    case ONE_KEY_UNSEEN:
        return part->first + (is_seen ? even : width / 3);
    case ONE_KEY_OFTEN: /* 50 times; of NUM_SHORT, whose leaves have more room, 150 times */
        return part->first +
               (i % (count / (count == NUM_SHORT ? 150 : 50)) == 7 && !is_seen ? width / 3 : even);
    case ONE_KEY_CROWDS: /* 200 times, in one bin of a leaf that has room */
        return part->first + (i % (count / 200) == 7 && !is_seen ? width / 3 : even);
    case CROWDED_BINS:
        return part->first + random % steps * (width / steps);
    case FEW_KEYS:
        return part->first + random % 20 * (width / 20);
    case UNEVEN: /* large ones are more frequent */
        return part->first + (even > other ? even : other);
    case IN_ORDER:
        return part->first + width / count * i;
    case REVERSED:
        return part->last - width / count * i;
    default:
        return part->first + even;
    }
}

/* Ordered keys. The sample has the part's ends, so it is known how far msd's part goes. */
static uint64_t *make_keys(const struct part *part, uint32_t bits, enum fault fault, uint32_t count,
                           uint64_t seed)
{
    const uint64_t all = ~(uint64_t)0 >> (64 - bits);
    const uint64_t room = (part->last - part->first) / 256 + 1;
    uint64_t *keys = test_alloc(count * sizeof *keys);
    uint32_t unseen = count, num_seen = 0;
    rng r = {seed + (uint64_t)fault};
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = key_of(part, fault, i, count, count == NUM_SHORT ? 1 << 20 : 1 << 13, &r);
        if (!msd_is_sampled(count, i))
            unseen = i;
        else if (fault <= CROWDED_BINS && num_seen++ < 2)
            keys[i] = num_seen == 1 ? part->first : part->last;
    }
    assert_true(unseen < count);
    if (fault == ROOM)
        keys[unseen] = part->first - room;
    else if (fault == BELOW)
        keys[unseen] = part->first - room - room / 4;
    else if (fault == ABOVE)
        keys[unseen] = part->last + room + room;
    else if (fault == FAR_BELOW || fault == FAR_ABOVE)
        keys[unseen] = fault == FAR_BELOW ? 0 : all;
    return keys;
}

/* ---- Sorting ---- */
static uint64_t stored_key(const clsort_desc *desc, uint64_t order)
{
    const type_info *type = &type_infos[desc->type];
    const uint64_t all = ~(uint64_t)0 >> (64 - type->bits);
    const uint64_t sign = type->kind == KIND_SIGNED ? all / 2 + 1 : 0;
    return order ^ sign ^ (desc->order == CLSORT_DESCENDING ? all : 0);
}

/* Sorts the keys, and checks all. */
static void sort_keys(const fixture *fix, const clsort_desc *desc, const uint64_t *orders)
{
    const uint32_t size = type_infos[desc->type].size;
    void *keys = test_alloc(desc->count * size);
    for (uint64_t i = 0; i < desc->count; ++i)
        key_store(keys, i, size, stored_key(desc, orders[i]));
    case_run_keys(fix, desc, keys);
    free(keys);
}

/* What msd says: whether keys are stretched, and why onesweep took them. Leaves have room
 * for 50 keys more, except in test_short(). */
static void check_control(const struct msd_control *control, const clsort_desc *desc,
                          enum part_kind kind, enum fault fault)
{
    const int is_even = fault < FEW_KEYS && kind != TOO_NARROW;
    const int is_too_large = fault == ONE_LEAF_UNSEEN || fault == ONE_KEY_UNSEEN ||
                             (fault == ONE_KEY_OFTEN && desc->count == NUM_SHORT);
    assert_int_equal(control->is_even, is_even);
    assert_int_equal(control->stretch.is_used, is_even && kind != WHOLE);
    if (is_too_large) { /* for a counter of 8 bits, too, where there are some */
        assert_true(control->leaf_gave_up || control->split_gave_up);
        return;
    }
    assert_int_equal(control->split_gave_up != 0, fault >= BELOW && fault <= FAR_ABOVE);
    assert_false(control->leaf_gave_up);
    if (fault != ONE_KEY_CROWDS || (!desc->value_size && !desc->index_size))
        assert_int_equal(control->is_left != 0, !is_even || fault == ONE_KEY_CROWDS);
}

/* Makes keys, sorts and checks them. */
static void run(const fixture *fix, const clsort_desc *desc, enum part_kind kind, enum fault fault)
{
    const uint32_t bits = type_infos[desc->type].bits;
    const struct part part = part_of(kind, bits);
    uint64_t *orders = make_keys(&part, bits, fault, (uint32_t)desc->count, fix->seed);
    sort_keys(fix, desc, orders);
    const struct msd_control control = msd_control(fix);
    check_control(&control, desc, kind, fault);
    free(orders);
}

/* ---- Keys that fit ---- */
static const clsort_desc descs[] = {
    {.type = CLSORT_U32},
    {.type = CLSORT_I32, .order = CLSORT_DESCENDING, .value_size = 4},
    {.type = CLSORT_U64},
    {.type = CLSORT_I64, .value_size = 8},
    {.type = CLSORT_U32, .value_size = 8},
    {.type = CLSORT_I32, .order = CLSORT_DESCENDING, .value_size = 12},
    {.type = CLSORT_I32, .order = CLSORT_DESCENDING, .index_size = 4},
};
enum { NUM_DESCS = sizeof descs / sizeof *descs };

static void test_plain(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, ROOMY));
    for (int d = 0; d < NUM_DESCS; ++d) {
        clsort_desc desc = descs[d];
        desc.count = NUM_KEYS;
        desc.algorithm = CLSORT_RADIX;
        assert_true(case_launches(own.sorter, &desc, "msd_finish"));
        for (int kind = 0; kind < NUM_PARTS; ++kind) {
            desc.out_of_place = (uint32_t)(d + kind) % 2;
            run(&own, &desc, (enum part_kind)kind, PLAIN);
        }
    }
    clsort_destroy(own.sorter);
}

/* ---- Keys that do not ---- */
static void test_faults(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, ROOMY));
    for (int d = 0; d < NUM_DESCS; ++d)
        for (int fault = ROOM; fault < NUM_FAULTS; ++fault)
            for (int kind = AT_END; kind <= NARROW; ++kind) {
                clsort_desc desc = descs[d];
                desc.count = NUM_KEYS;
                desc.algorithm = CLSORT_RADIX;
                desc.out_of_place = (uint32_t)(d + fault + kind) % 2;
                if (kind == AT_END && (fault == ABOVE || fault == FAR_ABOVE))
                    continue;
                run(&own, &desc, (enum part_kind)kind, (enum fault)fault);
            }
    clsort_destroy(own.sorter);
}

/* A part at the lower end, and a key at the other. */
static void test_other_end(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, ROOMY));
    for (int kind = LOWER_HALF; kind <= THREE_FIFTHS; ++kind)
        for (int d = 0; d < 4; d += 2) {
            clsort_desc desc = descs[d];
            desc.count = NUM_KEYS;
            desc.algorithm = CLSORT_RADIX;
            run(&own, &desc, (enum part_kind)kind, FAR_ABOVE);
        }
    clsort_destroy(own.sorter);
}

/* ---- Rests of two bytes ---- */
/* Leaves of about a hundred keys, more than there is room for beside those likely. The part begins
 * inside the first digit, so a leaf or two have all of the digit's keys. */
static void test_short_ends(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_desc desc = {.type = CLSORT_U32, .count = NUM_LONG, .algorithm = CLSORT_RADIX};
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, SHORT "msd leaf_items=14\n"));
    assert_true(case_launches(own.sorter, &desc, "msd_offsets"));
    run(&own, &desc, AT_END, PLAIN);
    clsort_destroy(own.sorter);
}

static void test_short(void **state)
{
    const fixture *fix = fixture_of(state);
    static const struct {
        enum part_kind kind;
        enum fault fault;
    } cases[] = {
        {AT_END, ONE_KEY_OFTEN},       {THREE_FIFTHS, PLAIN},     {AT_END, CROWDED_BINS},
        {THREE_FIFTHS, ONE_KEY_OFTEN}, {AT_END, ONE_LEAF_UNSEEN},
    };
    const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, SHORT));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const clsort_desc desc = {.type = CLSORT_U32,
                                  .count = NUM_SHORT,
                                  .algorithm = CLSORT_RADIX,
                                  .out_of_place = i % 2};
        assert_true(case_launches(own.sorter, &desc, "msd_offsets"));
        run(&own, &desc, cases[i].kind, cases[i].fault);
    }
    clsort_destroy(own.sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),      cmocka_unit_test(test_faults),
        cmocka_unit_test(test_other_end),  cmocka_unit_test(test_short),
        cmocka_unit_test(test_short_ends),
    };
    return fixture_run_of(CLSORT_RADIX, "msd_stretch", tests, sizeof tests / sizeof tests[0]);
}
