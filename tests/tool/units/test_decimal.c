/* The tool's parsing of decimal numbers (tools/clsort/numbers/decimal.c and text.c) against
 * strtod() and strtof(), which glibc rounds correctly. Tested with random decimals of any length
 * and exponent, midpoints between adjacent floats and their neighbours, and decimals that other
 * parsers have misread. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "numbers/text.h"
#include "support/fixture.h"
#include "numbers/text.h"

enum { ROUNDS = 400000, CAPACITY = 1200 };

struct tally {
    uint64_t num, num_fast;
};

/* Parses one decimal in every way. The text ends with a byte that belongs to no number. */
static void check(struct tally *tally, const char *text)
{
    const size_t size = strlen(text);
    char *end;
    const double expected = strtod(text, &end);
    assert_true(end == text + size);
    double number;
    tally->num += 1;
    if (decimal_parse(text, size, &number)) {
        tally->num_fast += 1;
        if (memcmp(&number, &expected, sizeof number) != 0)
            fail_msg("%s: %a, and not %a", text, number, expected);
    }
    uint64_t bits, expected_bits;
    memcpy(&expected_bits, &expected, sizeof expected_bits);
    if (text_parse(CLSORT_F64, text, size, &bits) == TEXT_OK && bits != expected_bits)
        fail_msg("%s: 0x%" PRIx64 " and not 0x%" PRIx64, text, bits, expected_bits);
    const float narrow = strtof(text, NULL);
    uint32_t narrow_bits;
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    const enum text_status status = text_parse(CLSORT_F32, text, size, &bits);
    assert_true(status == TEXT_OK || isinf(narrow) || narrow == 0);
    if (status == TEXT_OK && bits != narrow_bits)
        fail_msg("%s: 0x%" PRIx64 " and not 0x%" PRIx32 " as f32", text, bits, narrow_bits);
}

static void print_tally(const char *name, const struct tally *tally)
{
    print_message("%s: %" PRIu64 " decimals, %.2f %% without strtod()\n", name, tally->num,
                  100.0 * (double)tally->num_fast / (double)tally->num);
}

static double random_double(rng *r)
{
    const uint64_t bits = rng_next(r) >> 1;
    double number;
    memcpy(&number, &bits, sizeof number);
    return isfinite(number) ? number : 1;
}

/* 1 to 19 digits, a point anywhere, and an exponent or none. */
static void random_decimal(rng *r, char text[CAPACITY])
{
    const uint32_t num_digits = 1 + (uint32_t)rng_below(r, 19);
    const uint32_t point = (uint32_t)rng_below(r, 3 * num_digits);
    size_t size = 0;
    for (uint32_t i = 0; i < num_digits; ++i) {
        if (i == point)
            text[size++] = '.';
        text[size++] = (char)('0' + rng_below(r, 10));
    }
    text[size] = 0;
    if (rng_below(r, 2))
        snprintf(text + size, CAPACITY - size, "%c%+d", rng_below(r, 2) ? 'e' : 'E',
                 (int)rng_below(r, 680) - 350);
    else if (rng_below(r, 2))
        snprintf(text + size, CAPACITY - size, "e%d", (int)rng_below(r, 60) - 30);
}

static void test_random(void **state)
{
    (void)state;
    rng r = {1};
    char text[CAPACITY];
    struct tally tally = {0};
    for (int i = 0; i < ROUNDS; ++i) {
        random_decimal(&r, text);
        check(&tally, text);
    }
    print_tally("random digits", &tally);
}

/* Doubles as printf() writes them: nearly all must do without strtod(). */
static void test_doubles(void **state)
{
    (void)state;
    static const char *const formats[] = {"%.17g", "%.16e", "%.15g", "%.6g", "%.17f"};
    rng r = {2};
    char text[CAPACITY];
    for (size_t f = 0; f < sizeof formats / sizeof *formats; ++f) {
        struct tally tally = {0};
        for (int i = 0; i < ROUNDS / 4; ++i) {
            const double number =
                f == 4 ? (double)(rng_next(&r) >> 11) * 0x1p-53 : random_double(&r);
            snprintf(text, sizeof text, formats[f], number);
            check(&tally, text);
        }
        print_tally(formats[f], &tally);
        assert_true(tally.num_fast * 1000 > tally.num * 985);
    }
}

/* Midpoints between two neighbours, whole or cut after 17 to 21 digits, and decimals just below and
 * above them. */
static void test_middles(void **state)
{
    (void)state;
    rng r = {3};
    char text[CAPACITY];
    struct tally tally = {0};
    for (int i = 0; i < ROUNDS / 4; ++i) {
        /* A midpoint of f32 is a double. */
        const int is_narrow = i % 2;
        double number = random_double(&r);
        if (rng_below(&r, 2))
            number = ldexp(1 + fmod(number, 1), (int)rng_below(&r, 200) - 100);
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        bits = is_narrow ? (bits >> 28 | 1) << 28 : bits;
        memcpy(&number, &bits, sizeof bits);
        if (is_narrow)
            snprintf(text, sizeof text, "%.*e", (int)rng_below(&r, 24), number);
        else if (number < 0x1p60 && number >= 0x1p53)
            snprintf(text, sizeof text, "%" PRIu64,
                     ((uint64_t)number + (uint64_t)nextafter(number, INFINITY)) / 2);
        else
            snprintf(text, sizeof text, "%.*Le", 16 + (int)rng_below(&r, 5),
                     (long double)number + ((long double)nextafter(number, INFINITY) - number) / 2);
        check(&tally, text);
    }
    for (uint64_t odd = 1; odd < 200; odd += 2) { /* 2^53 + 1 and the like: ties */
        snprintf(text, sizeof text, "%" PRIu64, (UINT64_C(1) << 53) + odd);
        check(&tally, text);
        snprintf(text, sizeof text, "%" PRIu64, (UINT64_C(1) << 63) + odd * 1024);
        check(&tally, text);
    }
    print_tally("middles", &tally);
}

/* Hard decimals of Paxson 1991, limits of the formats, 2^64 and digits that wrap to it, and the
 * ends of the tables of powers. */
static const char *const known[] = {
    "5e125",
    "69e267",
    "999e-26",
    "7861e-34",
    "75569e-254",
    "928609e-261",
    "9210917e80",
    "84863171e114",
    "653777767e273",
    "5232604057e-298",
    "27235667517e-109",
    "653532977297e-123",
    "3142213164987e-294",
    "46202199371337e-72",
    "231010996856685e-73",
    "9324754620109615e212",
    "78459735791271921e49",
    "272104041512242479e200",
    "6802601037806061975e198",
    "20505426358836677347e-221",
    "836168422905420598437e-234",
    "4891559871276714924261e222",
    "9e-265",
    "85e-37",
    "623e100",
    "3571e263",
    "81661e153",
    "920657e-23",
    "4603285e-24",
    "87575437e-309",
    "245540327e122",
    "6138508175e120",
    "83356057653e193",
    "619534293513e124",
    "2335141086879e218",
    "36167929443327e-159",
    "609610927149051e-255",
    "3743626360493413e-165",
    "94080055902682397e-242",
    "899810892172646163e283",
    "7120190517612959703e120",
    "25188282901709339043e-252",
    "308984926168550152811e-52",
    "6372891218502368041059e64",
    "2.2250738585072011e-308",
    "2.2250738585072012e-308",
    "2.2250738585072014e-308",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "4.9e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "1e-342",
    "1e-343",
    "1e308",
    "1e309",
    "18446744073709551615",
    "18446744073709551616",
    "36893488147419103232",
    "9999999999999999999",
    "184467440737095516160",
    "9007199254740993",
    "9007199254740992.9999999999",
    "0.000e5000",
    "0",
    "00000000000000000000000000001",
    ".5",
    "5.",
    "0.1",
    "1e0000000000000000000000000000001",
    "1e-0",
    "0.0000000000000000000000000000000000000000000000000000000000001234567890123456789e61",
};

static void test_known(void **state)
{
    (void)state;
    struct tally tally = {0};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        check(&tally, known[i]);
    print_tally("known ones", &tally);
}

/* A text that is no such decimal is left to other parsers, and the result says where it ends. */
static void test_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",      ".",   "e5",  "1e",          "1e+",  "1e-",
                                        "1.2.3", "1x",  "+1",  "-1",          "1e5x", "1e5.",
                                        "0x10",  "inf", "nan", " 1",          "1 ",   "1e+-5",
                                        "1_0",   "1,0", ".e5", "1e4294967297"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        double number;
        if (decimal_parse(texts[i], strlen(texts[i]), &number))
            fail_msg("\"%s\" was read as %g", texts[i], number);
    }
    double number;
    assert_true(decimal_parse("12345", 3, &number));
    assert_true(number == 123);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),  cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_middles), cmocka_unit_test(test_known),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL) ? 1 : 0;
}
