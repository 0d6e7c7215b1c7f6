#include "text.h"

#include "key.h"

#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Rounds a finite number that is not negative to a narrower float. */
static uint64_t round_to(const struct key_type *type, double number)
{
    const int min_exponent = 1 - max_exponent(type);
    const int exponent = number > 0 ? ilogb(number) : min_exponent;
    const int scale = exponent < min_exponent ? min_exponent : exponent;
    const uint64_t mantissa = (uint64_t)nearbyint(ldexp(number, type->mantissa_bits - scale));

    /* The hidden one adds itself to the exponent, as does a carry. */
    return ((uint64_t)(scale - min_exponent) << type->mantissa_bits) + mantissa;
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

    char *end;
    uint64_t magnitude;
    if (type->bits == 64) {
        const double number = strtod(digits, &end);
        memcpy(&magnitude, &number, sizeof(magnitude));
    } else if (type->bits == 32) {
        const float number = strtof(digits, &end);
        uint32_t bits;
        memcpy(&bits, &number, sizeof(bits));
        magnitude = bits;
    } else {
        magnitude = round_to(type, parse_to_odd(digits, &end));
    }
    if (end != digits + num_digits)
        return TEXT_MALFORMED;
    if (magnitude >= infinity)
        return TEXT_OUT_OF_RANGE;
    *bits_ret = sign | magnitude;
    return TEXT_OK;
}

static enum text_status parse_integer(const struct key_type *type, const char *text, size_t length,
                                      uint64_t *bits_ret)
{
    const uint64_t sign = UINT64_C(1) << (type->bits - 1);
    const bool negative = *text == '-';
    const char *digits = text + (*text == '-' || *text == '+');
    const size_t num_digits = length - (size_t)(digits - text);
    if (num_digits == 0 || strspn(digits, "0123456789") != num_digits)
        return TEXT_MALFORMED;
    errno = 0;
    const uint64_t magnitude = strtoull(digits, NULL, 10);
    uint64_t max = sign | (sign - 1);
    if (type->kind == KEY_SIGNED)
        max = negative ? sign : sign - 1;
    else if (negative)
        max = 0;
    if (errno == ERANGE || magnitude > max)
        return TEXT_OUT_OF_RANGE;
    *bits_ret = (negative ? -magnitude : magnitude) & (sign | (sign - 1));
    return TEXT_OK;
}

enum text_status text_parse(clsort_type type, const char *text, size_t length, uint64_t *bits_ret)
{
    while (length > 0 && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)text[length - 1]))
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
    if (key_is_nan(key_type, bits))
        return (size_t)snprintf(text, KEY_TEXT, "%snan", minus);
    if (magnitude == infinity_bits(key_type))
        return (size_t)snprintf(text, KEY_TEXT, "%sinf", minus);
    /* Enough decimals for p bits to come back: ceil(1 + p * log10(2)). */
    const int decimals = (int)ceil(1 + (key_type->mantissa_bits + 1) * 0.30102999566398120);
    return (size_t)snprintf(text, KEY_TEXT, "%s%.*g", minus, decimals,
                            number_of(key_type, magnitude));
}
