/* test_stretch.c: the arithmetic of keys that are stretched over all of their range
 * (cl/sorts/msd/stretch.h), compiled as C for both widths, against exact fractions. Needs no
 * device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/data.h"
#include "stretch_case.h"

__extension__ typedef unsigned __int128 uint128;

enum { KEYS = 200, PARTS = 6000, LEAST_WIDTH_BITS = 17 };

static const struct stretch_form *const forms[] = {&stretch_form_32, &stretch_form_64};

static uint64_t all_of(const struct stretch_form *form)
{
    return ~(uint64_t)0 >> (64 - form->bits);
}

/* How many keys the part has; 0: all 2^64. */
static uint64_t num_keys(const struct key_stretch *stretch)
{
    return ((stretch->range - 1) >> stretch->shift) + 1;
}

/* The smallest number of which `range` of 2^bits, rounded down, is the moved key. */
static uint64_t exact(const struct stretch_form *form, const struct key_stretch *stretch,
                      uint64_t key)
{
    const uint128 moved = (uint128)(key - stretch->low) << stretch->shift << form->bits;
    return (uint64_t)((moved + stretch->range - 1) / stretch->range);
}

static void check_key(const struct stretch_form *form, const struct key_stretch *stretch,
                      uint64_t key)
{
    const uint64_t stretched = form->stretch(stretch, key);
    assert_false(form->is_beyond(stretch, key));
    assert_true(stretched <= all_of(form));
    assert_true(stretched == exact(form, stretch, key));
    assert_true(form->shrink(stretch, stretched) == key);
    if (key - stretch->low + 1 < num_keys(stretch))
        assert_true(stretched < form->stretch(stretch, key + 1));
}

/* Any number shrinks to a key of the part, and numbers in order to keys in order. */
static void check_numbers(const struct stretch_form *form, const struct key_stretch *stretch,
                          uint64_t number)
{
    const uint64_t key = form->shrink(stretch, number);
    assert_true(key - stretch->low < num_keys(stretch));
    if (number < all_of(form)) {
        const uint64_t next = form->shrink(stretch, number + 1);
        assert_true(next == key || next == key + 1);
    }
    assert_true(form->stretch(stretch, key) <= number);
}

/* Keys just outside, and any others. */
static void check_outside(const struct stretch_form *form, const struct key_stretch *stretch,
                          rng *r)
{
    const uint64_t all = all_of(form), num = num_keys(stretch);
    for (uint64_t i = 0; i < KEYS; ++i) {
        const uint64_t beyond = i < 3 ? i : rng_next(r) & (all >> (rng_next(r) % form->bits));
        if (beyond < stretch->low)
            assert_true(form->is_beyond(stretch, stretch->low - 1 - beyond));
        if (beyond <= all - stretch->low && num <= all - stretch->low - beyond)
            assert_true(form->is_beyond(stretch, stretch->low + num + beyond));
    }
}

/* The part's keys: its ends, the sample's, and random ones. */
static void check_part(const struct stretch_form *form, const struct key_stretch *stretch,
                       uint64_t least, uint64_t most, rng *r)
{
    const uint64_t all = all_of(form), num = num_keys(stretch);
    const uint64_t ends[] = {stretch->low, stretch->low + 1,       least, least + 1,
                             most - 1,     stretch->low + num - 2, most,  stretch->low + num - 1};
    assert_true(stretch->low <= least && most - stretch->low < num);
    assert_true(num - 1 <= all - stretch->low); /* the part ends in the range */
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
        check_key(form, stretch, ends[i]);
    for (int i = 0; i < KEYS; ++i) {
        check_key(form, stretch, stretch->low + rng_below(r, num));
        check_numbers(form, stretch, i % 8 ? rng_next(r) & all : i ? all - (uint64_t)i : 0);
    }
    check_outside(form, stretch, r);
    assert_true(form->stretch(stretch, stretch->low) == 0);
    assert_true(form->shrink(stretch, all) == stretch->low + num - 1);
    /* The room on either side is a 256th, and rounding adds little. So the keys are even nearly up
     * to the ends. */
    assert_true(form->stretch(stretch, least) <= all / 32); /* low may have moved down */
    assert_true(form->stretch(stretch, most) >= all - all / 32);
}

/* Between two keys, which are far enough from one another. Returns whether it is used. */
static int check_between(const struct stretch_form *form, uint64_t least, uint64_t most, rng *r)
{
    const uint64_t all = all_of(form), width = most - least;
    const uint64_t room = width / 256 + 1;
    const struct key_stretch stretch = form->between(least, most, 1);
    const uint64_t below = least < room ? least : room;
    const uint64_t above = all - most < room ? all - most : room;
    /* Nearly all of the range, or all of it, stays as it is. */
    const int is_nearly_all = width >= all / 100 * 98 - below - above;
    if (is_nearly_all)
        assert_int_equal(stretch.is_used, 0);
    else
        check_part(form, &stretch, least, most, r);
    return !is_nearly_all && !stretch.is_used;
}

/* Widths of every size: powers of two and their neighbours, and others. */
static uint64_t width_of(const struct stretch_form *form, int i, rng *r)
{
    const uint32_t span = form->bits - LEAST_WIDTH_BITS;
    const uint32_t bits = LEAST_WIDTH_BITS + (uint32_t)rng_below(r, span);
    const uint64_t power = (uint64_t)1 << bits;
    switch (i % 5) {
    case 0:
        return power + rng_below(r, 5) - 2;
    case 1: /* with room on both sides a power of two, about */
        return power - power / 129 + rng_below(r, 16) - 8;
    case 2: /* with room on one side */
        return power - power / 257 + rng_below(r, 16) - 8;
    case 3:
        return power + rng_below(r, power);
    default: /* around the largest that is stretched */
        return all_of(form) / 10000 * (9500 + rng_below(r, 500));
    }
}

static void test_parts(void **state)
{
    (void)state;
    int num_unused = 0;
    for (size_t f = 0; f < 2; ++f) {
        const struct stretch_form *form = forms[f];
        const uint64_t all = all_of(form);
        rng r = {form->bits};
        for (int i = 0; i < PARTS; ++i) {
            const uint64_t width = width_of(form, i, &r);
            const uint64_t rest = all - width;
            const uint64_t lows[] = {0,       rest, rng_below(&r, rest), rest - 1, rng_below(&r, 9),
                                     rest / 2};
            num_unused += check_between(form, lows[i / 5 % 6], lows[i / 5 % 6] + width, &r);
        }
    }
    if (num_unused)
        print_message("%d parts are not stretched, though much is left\n", num_unused);
    assert_int_equal(num_unused, 0);
}

/* All of a small part's keys, in order. */
static void test_each_key(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; ++f) {
        const struct stretch_form *form = forms[f];
        const struct key_stretch stretch =
            form->between(all_of(form) / 3, all_of(form) / 3 + 99999, 1);
        assert_true(stretch.is_used);
        uint64_t before = 0;
        for (uint64_t i = 0; i < num_keys(&stretch); ++i) {
            const uint64_t stretched = form->stretch(&stretch, stretch.low + i);
            assert_true(i == 0 || stretched > before);
            check_key(form, &stretch, stretch.low + i);
            before = stretched;
        }
    }
}

/* All of the range, one key, and fewer than are wanted. */
static void test_unused(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; ++f) {
        const struct stretch_form *form = forms[f];
        const uint64_t all = all_of(form);
        assert_false(form->between(0, all, 1).is_used);
        assert_false(form->between(1, all - 1, 1).is_used);
        assert_false(form->between(all / 1000, all - all / 1000, 1).is_used);
        const uint64_t keys[] = {0, 1, all / 2, all / 2 + 1, all - 1, all};
        for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
            const struct key_stretch one = form->between(keys[k], keys[k], 2048);
            assert_false(one.is_used);
            (void)form->stretch(&one, keys[k]); /* the sample stretches its keys in any case */
        }
        const uint64_t width = 1 << 20, first = all / 7;
        const uint64_t num = width + 2 * (width / 256 + 1) + 1; /* with room on either side */
        assert_true(form->between(first, first + width, num).is_used);
        assert_false(form->between(first, first + width, num + 1).is_used);
        assert_false(form->between(first, first + width, UINT64_MAX).is_used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_each_key),
        cmocka_unit_test(test_unused),
    };
    return cmocka_run_group_tests_name("stretch", tests, NULL, NULL) ? 1 : 0;
}
