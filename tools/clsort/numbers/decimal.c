/* decimal.c: decimals to doubles.
 *
 * Idea: the digits are an integer w below 2^64, and 10^p is 2^e times a number of 64 bits, cut
 * off, from a table. The upper 64 bits of their product are at most MAX_ERROR below the number.
 * 53 of them are the double; the 11 others say how to round, unless the middle is within the
 * error. (Clinger 1990, "AlgorithmR"; as "DiyFp" in double-conversion.) That is so for 5 of 2048
 * decimals, which strtod() reads. */
#include "numbers/text.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum {
    MAX_DIGITS = 19, /* are below 2^64 */
    MIN_POWER = -342,
    MAX_POWER = 308,
    MAX_ERROR = 4,
    SPARE_BITS = 64 - 53
};

/* The exponent behind the 'e'. */
static bool scan_exponent(const char *at, const char *end, int *exponent_ret)
{
    enum { TOO_LARGE = 100000 };
    const bool is_negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    int exponent = 0;
    if (at == end)
        return false;
    for (; at < end; at++) {
        const unsigned digit = (unsigned char)*at - (unsigned)'0';
        if (digit > 9)
            return false;
        exponent = exponent < TOO_LARGE ? 10 * exponent + (int)digit : exponent;
    }
    *exponent_ret = is_negative ? -exponent : exponent;
    return true;
}

/* The text as integer * 10^power. */
static bool scan(const char *text, size_t size, uint64_t *integer_ret, ptrdiff_t *power_ret)
{
    const char *at = text, *end = text + size, *point = NULL;
    uint64_t integer = 0;
    int num_digits = 0, exponent = 0;
    for (; at < end; at++) {
        const unsigned digit = (unsigned char)*at - (unsigned)'0';
        if (digit <= 9) {
            integer = 10 * integer + digit;
            /* Leading zeros do not count, nor does what is too much anyway. */
            num_digits += (num_digits || digit) && num_digits <= MAX_DIGITS;
        } else if (*at == '.' && !point) {
            point = at;
        } else {
            break;
        }
    }
    const ptrdiff_t num_decimals = point ? at - point - 1 : 0;
    if (num_digits > MAX_DIGITS || at - text == (point != NULL))
        return false;
    if (at < end && ((*at != 'e' && *at != 'E') || !scan_exponent(at + 1, end, &exponent)))
        return false;
    *integer_ret = integer;
    *power_ret = exponent - num_decimals;
    return true;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 uint128;

/* 10^power = mantissa * 2^exponent, the mantissa's highest bit set, cut off. */
struct power {
    uint64_t mantissa;
    int exponent;
};
static struct power powers[MAX_POWER - MIN_POWER + 1];

static void write_power(int power, uint128 mantissa, int exponent)
{
    powers[power - MIN_POWER] = (struct power){(uint64_t)(mantissa >> 64), exponent + 64};
}

/* With mantissas of 128 bits, which hundreds of steps leave right in their upper half. */
static void make_powers(void)
{
    const uint128 one = (uint128)1 << 127;
    uint128 mantissa = one;
    int exponent = -127;
    for (int power = 0; power <= MAX_POWER; power++) {
        write_power(power, mantissa, exponent);
        /* Times 10 / 8, or if that has more than 128 bits 10 / 16. */
        const uint128 product = mantissa + mantissa / 4;
        const bool is_large = product < mantissa;
        mantissa = is_large ? mantissa / 2 + mantissa / 8 : product;
        exponent += is_large ? 4 : 3;
    }
    mantissa = one;
    exponent = -127;
    for (int power = -1; power >= MIN_POWER; power--) {
        /* By 10 after times 8 or 16: the quotient of the halves, one after the other. */
        const int shift = mantissa >= (uint128)10 << 124 ? 3 : 4;
        const uint128 high = (mantissa >> 64) << shift;
        const uint128 low = (high % 10 << 64) + ((mantissa & UINT64_MAX) << shift);
        mantissa = (high / 10 << 64) + low / 10;
        exponent -= shift;
        write_power(power, mantissa, exponent);
    }
}

static bool scale(uint64_t integer, ptrdiff_t power, double *number_ret)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    enum { HALF = 1 << (SPARE_BITS - 1), MASK = 2 * HALF - 1 };
    if (power < MIN_POWER || power > MAX_POWER)
        return false;
    pthread_once(&once, make_powers);
    const struct power *ten = &powers[power - MIN_POWER];
    const int zeros = __builtin_clzll(integer);
    const uint128 product = (uint128)(integer << zeros) * ten->mantissa;
    const int is_short = (int)(product >> 127) ^ 1;
    const uint64_t upper = (uint64_t)(product >> (64 - is_short));
    const int biased = ten->exponent - zeros - is_short + 64 + 63 + 1023;
    const uint64_t rest = upper & MASK;
    if (biased < 1 || biased > 2046 || (rest <= HALF && rest + MAX_ERROR >= HALF))
        return false;
    /* The hidden one adds itself to the exponent, as does a carry. */
    const uint64_t bits = ((uint64_t)(biased - 1) << 52) + (upper >> SPARE_BITS) + (rest > HALF);
    memcpy(number_ret, &bits, sizeof(bits));
    return true;
}
#else
static bool scale(uint64_t integer, ptrdiff_t power, double *number_ret)
{
    (void)integer, (void)power, (void)number_ret;
    return false;
}
#endif

bool decimal_parse(const char *text, size_t size, double *number_ret)
{
    uint64_t integer;
    ptrdiff_t power;
    if (!scan(text, size, &integer, &power))
        return false;
    *number_ret = 0;
    return integer == 0 || scale(integer, power, number_ret);
}
