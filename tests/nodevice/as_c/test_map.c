/* test_map.c: the scale of floats and the map by which they become even (cl/base/float_scale.h,
 * cl/sorts/msd/map.h), compiled as C for both orders. Needs no device. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/data.h"
#include "map_case.h"

enum { KEYS = 2000, MAPS = 300, MANTISSA = 52 };

static const struct map_form *const forms[] = {&map_form_up, &map_form_down};
static const uint32_t tops[] = {38, 39, 900, 1022, 1023, 1024, 1100, 2031, 2032};
enum { NUM_TOPS = sizeof tops / sizeof *tops };

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t order_of(const struct map_form *form, double x)
{
    return form->encode(bits_of(x));
}

/* A float of the scale, of either sign: any of its exponents, or one at the end of one. */
static uint64_t any_bits(const struct map_form *form, uint32_t top, rng *r)
{
    const uint64_t first = top + 1 - form->even - form->below;
    const uint64_t num = form->below + form->even + form->above;
    const uint64_t exponent = first + rng_below(r, num), random = rng_next(r);
    const uint64_t mantissas[] = {0, 1, ((uint64_t)1 << MANTISSA) - 1, random >> 12};
    return (random & 1) << 63 | exponent << MANTISSA | mantissas[random / 2 % 4];
}

static uint64_t larger_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- The scale ---- */
static void test_scale_order(void **state)
{
    (void)state;
    rng r = {11};
    for (size_t f = 0; f < 2; ++f)
        for (size_t t = 0; t < NUM_TOPS; ++t)
            for (int i = 0; i < KEYS; ++i) {
                const struct map_form *form = forms[f];
                const uint64_t key = form->encode(any_bits(form, tops[t], &r));
                const uint64_t other = form->encode(any_bits(form, tops[t], &r));
                const uint64_t number = form->number(key, tops[t]);
                assert_false(form->is_off_scale(key, tops[t]));
                assert_true(form->order(number, tops[t]) == key);
                assert_int_equal(number < form->number(other, tops[t]), key < other);
                if (!form->is_off_scale(key + 1, tops[t]))
                    assert_true(form->number(key + 1, tops[t]) > number);
            }
}

/* Numbers that no key has are between those of their neighbours. */
static void test_scale_between(void **state)
{
    (void)state;
    rng r = {12};
    for (size_t f = 0; f < 2; ++f)
        for (int i = 0; i < KEYS; ++i) {
            const struct map_form *form = forms[f];
            const uint32_t top = tops[i % NUM_TOPS];
            const uint64_t key = form->encode(any_bits(form, top, &r));
            const uint64_t number = form->number(key, top), step = rng_next(&r) >> (8 + i % 50);
            assert_true(form->order(number + step, top) >= key);
            assert_true(form->order(number - step, top) <= key);
        }
}

/* How many numbers lie from one float to another, in the order of the form. */
static uint64_t distance(const struct map_form *form, double from, double to)
{
    const uint64_t a = form->number(order_of(form, from), 1023);
    const uint64_t b = form->number(order_of(form, to), 1023);
    return form->is_descending ? a - b : b - a;
}

/* In the even part, from 1/8 to 2, numbers grow with values; below it faster, above it less. */
static void test_scale_is_even(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; ++f) {
        const struct map_form *form = forms[f];
        const uint64_t sixteenth = distance(form, 1, 1.0625);
        for (int i = 2; i < 32; ++i) {
            assert_true(distance(form, i / 16.0, (i + 1) / 16.0) == sixteenth);
            assert_true(distance(form, -(i + 1) / 16.0, -i / 16.0) == sixteenth);
        }
        assert_true(distance(form, 0.0625, 0.125) == 2 * sixteenth);
        assert_true(distance(form, 2, 2.0625) == sixteenth / 16);
        assert_true(distance(form, -0.0, 0.0) == 1);
    }
}

static void test_scale_ends(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; ++f) {
        const struct map_form *form = forms[f];
        const double away[] = {INFINITY,      -NAN,          -INFINITY, NAN,     ldexp(1, 15),
                               -ldexp(1, 15), ldexp(1, -38), 5e-324,    -5e-324, 1e300};
        const double on[] = {ldexp(1, -37), -ldexp(1, -37), ldexp(1.99, 14), 1, -1.5};
        for (size_t i = 0; i < sizeof away / sizeof *away; ++i)
            assert_true(form->is_off_scale(order_of(form, away[i]), 1023));
        for (size_t i = 0; i < sizeof on / sizeof *on; ++i)
            assert_false(form->is_off_scale(order_of(form, on[i]), 1023));
        assert_false(form->is_off_scale(order_of(form, 0.0), 1023));
        assert_int_equal(form->exponent(order_of(form, -1.75)), 1023);
        assert_int_equal(form->exponent(order_of(form, INFINITY)), 2047);
        assert_true(form->fits(1023) && form->fits(38) && form->fits(2032));
        assert_false(form->fits(37) || form->fits(2033) || form->fits(2047));
    }
}

/* ---- The map ---- */
enum { PART_BITS = 59, CELL_BITS = 49, STEPS = 1 << 15 };

/* Steps are random, many of them the least. */
static void make_map(const struct map_form *form, struct float_map *map, rng *r)
{
    uint64_t weights[MAP_CELLS], sum = 0, begin = 0;
    for (uint32_t c = 0; c < MAP_CELLS; ++c)
        sum += weights[c] = rng_below(r, 3) ? 0 : rng_next(r) >> (40 + rng_below(r, 20));
    for (uint32_t c = 0; c < MAP_CELLS; ++c) {
        const uint64_t step = (weights[c] * (STEPS - 2 * MAP_CELLS) / larger_of(sum, 1)) | 1;
        map->cells[c] = (uint32_t)(begin << 16 | step);
        map->inverses[c] = form->inverse((uint32_t)step);
        assert_true(map->inverses[c] * step == 1);
        begin += step;
    }
    assert_true(begin <= STEPS);
}

/* A part of the scale around 1, or around 0 if it is all of it. */
static struct key_stretch any_part(const struct map_form *form, uint32_t shift, rng *r)
{
    const uint64_t middle = (uint64_t)1 << 63;
    struct key_stretch part = {.top = 1023, .shift = shift};
    part.low = shift < 3 ? middle - ((uint64_t)1 << (PART_BITS - 1 - shift))
                         : form->number(order_of(form, 1 + rng_next(r) * 0x1p-64), 1023);
    return part;
}

static void check_mapped(const struct map_form *form, const struct key_stretch *part,
                         const struct float_map *map, uint64_t key, rng *r)
{
    if (form->is_beyond(part, key))
        return;
    const uint64_t mapped = form->map(part, map, key);
    assert_true(form->back(part, map, mapped, mapped) == key);
    assert_true(form->back(part, map, rng_below(r, mapped + 1), mapped) == key);
    if (!form->is_beyond(part, key + 1))
        assert_true(form->map(part, map, key + 1) > mapped);
    /* What is no key's is between the keys'. */
    const uint64_t step = rng_next(r) >> (14 + rng_below(r, 50));
    const uint64_t below = mapped > step ? mapped - step : 0;
    const uint64_t above = mapped < UINT64_MAX - step ? mapped + step : UINT64_MAX;
    assert_true(form->any(part, map, mapped, mapped) == key);
    assert_true(form->any(part, map, below, below) <= key);
    assert_true(form->any(part, map, mapped, above) >= key);
}

static void test_map(void **state)
{
    (void)state;
    static struct float_map map;
    rng r = {13};
    for (size_t f = 0; f < 2; ++f)
        for (uint32_t i = 0; i < MAPS; ++i) {
            const struct map_form *form = forms[f];
            make_map(form, &map, &r);
            const struct key_stretch part = any_part(form, i % 49, &r);
            uint32_t num_inside = 0;
            for (uint32_t k = 0; k < KEYS; ++k) {
                const uint64_t width = (uint64_t)1 << (PART_BITS - part.shift);
                const uint64_t places[] = {0, width - 1, (k + 1) % MAP_CELLS * (width / MAP_CELLS),
                                           k % MAP_CELLS * (width / MAP_CELLS) - 1};
                const uint64_t at = k % 8 < 4 ? places[k % 4] : rng_below(&r, width);
                const uint64_t key = form->order(part.low + at, part.top);
                num_inside += !form->is_beyond(&part, key);
                check_mapped(form, &part, &map, key, &r);
            }
            assert_true(num_inside > KEYS / 4);
        }
}

static void test_beyond(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; ++f) {
        const struct map_form *form = forms[f];
        const double first = form->is_descending ? 1.5 : 1.25, last = 2.75 - first;
        struct key_stretch part = {.top = 1023};
        part.low = form->number(order_of(form, first), 1023);
        const uint64_t width = form->number(order_of(form, last), 1023) - part.low;
        while (width >> (PART_BITS - 1 - part.shift) == 0)
            ++part.shift;
        assert_false(form->is_beyond(&part, order_of(form, first)));
        assert_false(form->is_beyond(&part, order_of(form, 1.375)));
        const double beyond[] = {0.9, 1.8, -1.3, 0, 1e10, NAN};
        for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i)
            assert_true(form->is_beyond(&part, order_of(form, beyond[i])));
        /* Floats just below the scale would have numbers in the middle of it. */
        const struct key_stretch all = {.top = 1023,
                                        .low =
                                            ((uint64_t)1 << 63) - ((uint64_t)1 << (PART_BITS - 1))};
        const double near[] = {0, ldexp(1, -37), ldexp(1, -38)};
        for (int sign = -1; sign <= 1; sign += 2)
            for (size_t i = 0; i < sizeof near / sizeof *near; ++i)
                assert_int_equal(form->is_beyond(&all, order_of(form, sign * near[i])), i == 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scale_order),   cmocka_unit_test(test_scale_between),
        cmocka_unit_test(test_scale_is_even), cmocka_unit_test(test_scale_ends),
        cmocka_unit_test(test_map),           cmocka_unit_test(test_beyond),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL) ? 1 : 0;
}
