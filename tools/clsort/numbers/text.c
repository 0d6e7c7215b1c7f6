#include "numbers/text.h"

#include "numbers/key.h"

#include <ctype.h>
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int max_exponent(const struct key_type *type)
{
    return (1 << (type->bits - 2 - type->mantissa_bits)) - 1;
}

static uint64_t infinity_bits(const struct key_type *type)
{
    return (UINT64_C(1) << (type->bits - 1)) - (UINT64_C(1) << type->mantissa_bits);
}

/* The decimal rounded to a double "to odd": an inexact one gets an odd last bit. Rounding that once
 * more to a narrower float is as good as rounding the decimal itself. */
static double parse_to_odd(const char *text, char **end_ret)
{
    const int rounding = fegetround();
    fesetround(FE_DOWNWARD);
    const double low = strtod(text, end_ret);
    fesetround(FE_UPWARD);
    const double high = strtod(text, end_ret);
    fesetround(rounding);

    /* The two are the same or neighbours, and of neighbours one is odd. */
    uint64_t low_bits;
    memcpy(&low_bits, &low, sizeof(low_bits));
    return low_bits & 1 ? low : high;
}

/* Rounds a finite number that is not negative to a narrower float, to nearest, ties to even, and
 * tells of a tie. */
static uint64_t narrow(const struct key_type *type, double number, bool *is_tie_ret)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    const int exponent = (int)(bits >> 52) - 1023;
    const int min_exponent = 1 - max_exponent(type);
    const int scale = exponent < min_exponent ? min_exponent : exponent;
    const int shift = 52 - type->mantissa_bits + scale - exponent;
    *is_tie_ret = false;
    if (shift > 60)
        return 0; /* far less than half of the least number; the double may be subnormal */

    const uint64_t significand = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    const uint64_t half = UINT64_C(1) << (shift - 1);
    const uint64_t rest = significand & (2 * half - 1);
    const uint64_t cut = significand >> shift;
    *is_tie_ret = rest == half;
    /* The hidden one adds itself to the exponent, as does a carry. */
    return ((uint64_t)(scale - min_exponent) << type->mantissa_bits) + cut +
           (rest > half || (rest == half && cut % 2 == 1));
}

/* A decimal, or a hexadecimal number, that is not zero. */
static bool has_nonzero_digit(const char *digits, size_t num_digits)
{
    const bool is_hexadecimal = num_digits > 1 && tolower((unsigned char)digits[1]) == 'x';
    const int exponent = is_hexadecimal ? 'p' : 'e';
    for (size_t i = is_hexadecimal ? 2 : 0; i < num_digits; i++) {
        const int c = tolower((unsigned char)digits[i]);
        if (c == exponent)
            return false;
        if (isxdigit(c) && c != '0')
            return true;
    }
    return false;
}

/* The magnitude's bits; false if the digits are not one number. */
static bool parse_magnitude(const struct key_type *type, const char *digits, size_t num_digits,
                            uint64_t *magnitude_ret)
{
    double number;
    bool is_tie = false;
    if (decimal_parse(digits, num_digits, &number)) {
        if (type->bits == 64)
            memcpy(magnitude_ret, &number, sizeof(number));
        else
            *magnitude_ret = narrow(type, number, &is_tie);
        /* A double between two of the narrower numbers may itself have been rounded. */
        if (!is_tie)
            return true;
    }
    char *end;
    if (type->bits == 64) {
        number = strtod(digits, &end);
        memcpy(magnitude_ret, &number, sizeof(number));
    } else {
        number = parse_to_odd(digits, &end);
        *magnitude_ret = isfinite(number) ? narrow(type, number, &is_tie) : infinity_bits(type);
    }
    return end == digits + num_digits;
}

static enum text_status parse_float(const struct key_type *type, const char *text, size_t length,
                                    uint64_t *bits_ret)
{
    const uint64_t sign = *text == '-' ? UINT64_C(1) << (type->bits - 1) : 0;
    const char *digits = text + (*text == '-' || *text == '+');
    const size_t num_digits = length - (size_t)(digits - text);
    const uint64_t infinity = infinity_bits(type);
    if (num_digits == 3 && strncasecmp(digits, "nan", 3) == 0) {
        *bits_ret = sign | infinity | (UINT64_C(1) << (type->mantissa_bits - 1));
        return TEXT_OK;
    }
    if ((num_digits == 3 && strncasecmp(digits, "inf", 3) == 0) ||
        (num_digits == 8 && strncasecmp(digits, "infinity", 8) == 0)) {
        *bits_ret = sign | infinity;
        return TEXT_OK;
    }
    if (!isdigit((unsigned char)*digits) && *digits != '.')
        return TEXT_MALFORMED;

    uint64_t magnitude;
    if (!parse_magnitude(type, digits, num_digits, &magnitude))
        return TEXT_MALFORMED;
    if (magnitude >= infinity || (magnitude == 0 && has_nonzero_digit(digits, num_digits)))
        return TEXT_OUT_OF_RANGE;
    *bits_ret = sign | magnitude;
    return TEXT_OK;
}

/* So many digits are always less than 2^64. */
enum { MAX_SURE_DIGITS = 19 };

static enum text_status parse_integer(const struct key_type *type, const char *text, size_t length,
                                      uint64_t *bits_ret)
{
    const uint64_t sign = UINT64_C(1) << (type->bits - 1);
    const bool negative = *text == '-';
    const char *digits = text + (*text == '-' || *text == '+');
    const char *end = text + length;
    if (digits == end)
        return TEXT_MALFORMED;
    uint64_t magnitude = 0;
    bool is_over = false;
    for (const char *at = digits; at < end; at++) {
        const unsigned digit = (unsigned char)*at - (unsigned)'0';
        if (digit > 9)
            return TEXT_MALFORMED;
        if (at - digits < MAX_SURE_DIGITS) {
            magnitude = 10 * magnitude + digit;
            continue;
        }
        is_over |= __builtin_mul_overflow(magnitude, (uint64_t)10, &magnitude);
        is_over |= __builtin_add_overflow(magnitude, (uint64_t)digit, &magnitude);
    }
    uint64_t max = sign | (sign - 1);
    if (type->kind == KEY_SIGNED)
        max = negative ? sign : sign - 1;
    else if (negative)
        max = 0;
    if (is_over || magnitude > max)
        return TEXT_OUT_OF_RANGE;
    *bits_ret = (negative ? -magnitude : magnitude) & (sign | (sign - 1));
    return TEXT_OK;
}

/* isspace() without a call. */
static inline bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

enum text_status text_parse(clsort_type type, const char *text, size_t length, uint64_t *bits_ret)
{
    while (length > 0 && is_blank(*text)) {
        text++;
        length--;
    }
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    if (length == 0)
        return TEXT_MALFORMED;

    const struct key_type *key_type = &key_types[type];
    if (key_type->kind == KEY_FLOAT)
        return parse_float(key_type, text, length, bits_ret);
    return parse_integer(key_type, text, length, bits_ret);
}

static double number_of(const struct key_type *type, uint64_t magnitude)
{
    const uint64_t hidden = UINT64_C(1) << type->mantissa_bits;
    const uint64_t fraction = magnitude & (hidden - 1);
    const int exponent = (int)(magnitude >> type->mantissa_bits);
    const int scale = (exponent ? exponent : 1) - max_exponent(type) - type->mantissa_bits;
    return ldexp((double)(exponent ? fraction | hidden : fraction), scale);
}

/* Whether a whole number with an exponent, as 1e+01, is as short or shorter without. */
static bool plain_is_shorter(double number, const char *text, size_t length)
{
    const double longest = 1e16; /* every whole number below has decimals of its own */
    return strchr(text, 'e') && number < longest && number == floor(number) &&
           (size_t)snprintf(NULL, 0, "%.0f", number) <= length;
}

size_t text_print(clsort_type type, uint64_t bits, char text[KEY_TEXT])
{
    const struct key_type *key_type = &key_types[type];
    const uint64_t sign = UINT64_C(1) << (key_type->bits - 1);
    if (key_type->kind == KEY_UNSIGNED)
        return (size_t)snprintf(text, KEY_TEXT, "%" PRIu64, bits);
    if (key_type->kind == KEY_SIGNED)
        return (size_t)snprintf(text, KEY_TEXT, "%" PRId64, (int64_t)((bits ^ sign) - sign));

    const char *minus = bits & sign ? "-" : "";
    const uint64_t magnitude = bits & (sign - 1);
    if (magnitude > infinity_bits(key_type))
        return (size_t)snprintf(text, KEY_TEXT, "%snan", minus);
    if (magnitude == infinity_bits(key_type))
        return (size_t)snprintf(text, KEY_TEXT, "%sinf", minus);
    /* The fewest decimals that give the bits back; ceil(1 + p * log10(2)) do for p bits. */
    const double number = number_of(key_type, magnitude);
    const int max_decimals = (int)ceil(1 + (key_type->mantissa_bits + 1) * 0.30102999566398120);
    size_t length = 0;
    for (int decimals = 1; decimals <= max_decimals; decimals++) {
        uint64_t again;
        length = (size_t)snprintf(text, KEY_TEXT, "%s%.*g", minus, decimals, number);
        if (text_parse(type, text, length, &again) == TEXT_OK && again == bits)
            break;
    }
    return plain_is_shorter(number, text, length)
               ? (size_t)snprintf(text, KEY_TEXT, "%s%.0f", minus, number)
               : length;
}
