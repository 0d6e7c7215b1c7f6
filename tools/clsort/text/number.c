/* number.c: codes of numbers, as -n, -h, -g and -M compare them, and of names with numbers in them,
 * as -V does. */
#include "text/code.h"

#include "numbers/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The digits of a decimal number without those that its value does not need: zeros in front and
 * behind. */
struct decimal {
    const char *begin, *end;
    const char *point;  /* behind the integer's digits; what lies at or behind it and before end is
                          the point and the fraction */
    const char *behind; /* the whole number */
    bool is_negative;
};

static struct decimal find_decimal(const char *at, const char *end)
{
    struct decimal decimal = {.is_negative = at < end && *at == '-'};
    at += decimal.is_negative;
    while (at < end && *at == '0')
        at++;
    decimal.begin = at;
    decimal.point = decimal.behind = text_skip_digits(at, end);
    if (decimal.point < end && *decimal.point == '.')
        decimal.behind = text_skip_digits(decimal.point + 1, end);
    decimal.end = decimal.behind;
    while (decimal.end > decimal.begin && (decimal.end[-1] == '0' || decimal.end[-1] == '.'))
        decimal.end--;
    return decimal;
}

/* The number of digits in front of the point, then the digits, two in a byte, each 1 more than its
 * value, and a 0 behind the last. Negative numbers have all bits the other way. */
static unsigned char *put_decimal(unsigned char *to, const struct decimal *decimal,
                                  unsigned char flip)
{
    enum { ZERO = 0x80, NO_DIGIT = 0x81, MANY = 0xff };
    if (decimal->begin == decimal->end) {
        *to++ = ZERO ^ flip;
        return to;
    }
    if (decimal->is_negative)
        flip ^= 0xff;
    const uint64_t num = (uint64_t)(decimal->point - decimal->begin);
    *to++ = (unsigned char)(num < MANY - NO_DIGIT ? NO_DIGIT + num : MANY) ^ flip;
    for (int shift = 56; num >= MANY - NO_DIGIT && shift >= 0; shift -= 8)
        *to++ = (unsigned char)(num >> shift) ^ flip;
    unsigned pair = 0;
    bool is_second = false;
    for (const char *at = decimal->begin; at < decimal->end; at++) {
        if (*at == '.')
            continue;
        const unsigned digit = (unsigned)(*at - '0' + 1);
        if (is_second)
            *to++ = (unsigned char)(pair | digit) ^ flip;
        pair = digit << 4;
        is_second = !is_second;
    }
    *to++ = (unsigned char)(is_second ? pair : 0) ^ flip;
    return to;
}

unsigned char *text_put_number(unsigned char *to, const char *begin, const char *end,
                               unsigned char flip)
{
    const struct decimal decimal = find_decimal(text_skip_blanks(begin, end), end);
    return put_decimal(to, &decimal, flip);
}

unsigned char *text_put_human(unsigned char *to, const char *begin, const char *end,
                              unsigned char flip)
{
    static const char units[] = "KMGTPEZY";
    const struct decimal decimal = find_decimal(text_skip_blanks(begin, end), end);
    int unit = 0;
    if (decimal.begin < decimal.end && decimal.behind < end && *decimal.behind) {
        const char letter = *decimal.behind == 'k' ? 'K' : *decimal.behind;
        const char *at = strchr(units, letter);
        unit = at ? (int)(at - units) + 1 : 0;
    }
    *to++ = (unsigned char)(0x80 + (decimal.is_negative ? -unit : unit)) ^ flip;
    return put_decimal(to, &decimal, flip);
}

static int find_month(const char *at, const char *end)
{
    static const char names[][4] = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                    "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
    at = text_skip_blanks(at, end);
    for (int i = 0; end - at >= 3 && i < 12; i++) {
        if (strncasecmp(at, names[i], 3) == 0)
            return i + 1;
    }
    return 0;
}

unsigned char *text_put_month(unsigned char *to, const char *begin, const char *end,
                              unsigned char flip)
{
    *to++ = (unsigned char)find_month(begin, end) ^ flip;
    return to;
}

/* Digits and a point; returns what stands behind, or NULL: it may be another number. A letter
 * behind may be an exponent's, or begin a hexadecimal number. */
static const char *read_plain(const char *at, const char *end, double *number_ret)
{
    const struct decimal decimal = find_decimal(at, end);
    const char *const digits = at + decimal.is_negative, *const behind = decimal.behind;
    if (digits == behind || (behind < end && isalpha((unsigned char)*behind)) ||
        !decimal_parse(digits, (size_t)(behind - digits), number_ret))
        return NULL;
    *number_ret = decimal.is_negative ? -*number_ret : *number_ret;
    return behind;
}

/* As strtold() reads it, as a double. Returns what stands behind, or begin: there is none. */
static const char *read_general(const char *begin, const char *end, double *number_ret)
{
    enum { USUAL = 128 };
    const char *at = begin;
    while (at < end && isspace((unsigned char)*at))
        at++;
    const char *behind = read_plain(at, end, number_ret);
    if (behind)
        return behind;
    const size_t size = (size_t)(end - at);
    char usual[USUAL], *copy = size < USUAL ? usual : zeroed(size + 1, 1), *copy_behind;
    memcpy(copy, at, size);
    copy[size] = '\0';
    *number_ret = strtod(copy, &copy_behind);
    behind = copy_behind == copy ? begin : at + (copy_behind - copy);
    if (copy != usual)
        free(copy);
    return behind;
}

/* What is no number, then nan, -nan and the numbers. */
unsigned char *text_put_general(unsigned char *to, const char *begin, const char *end,
                                unsigned char flip)
{
    enum { NONE, NAN_WITHOUT_SIGN, NAN_WITH_SIGN };
    const uint64_t sign = UINT64_C(1) << 63;
    double number;
    uint64_t rank = NONE, bits;
    if (read_general(begin, end, &number) != begin) {
        number = number == 0 ? 0 : number;
        memcpy(&bits, &number, sizeof(bits));
        rank = isnan(number) ? (bits & sign ? NAN_WITH_SIGN : NAN_WITHOUT_SIGN)
               : bits & sign ? ~bits
                             : bits | sign;
    }
    for (int shift = 56; shift >= 0; shift -= 8)
        *to++ = (unsigned char)(rank >> shift) ^ flip;
    return to;
}

bool text_is_number(enum text_kind kind, const char *begin, const char *end)
{
    const char *at = text_skip_blanks(begin, end), *behind = at;
    double number;
    if (begin < end && end[-1] == '\r') /* of a line that ends with both */
        end--;
    if (kind == TEXT_MONTH)
        return find_month(at, end) > 0;
    if (kind == TEXT_GENERAL) {
        behind = read_general(at, end, &number);
        return behind > at && text_skip_blanks(behind, end) == end;
    }
    if (kind != TEXT_NUMBER && kind != TEXT_HUMAN)
        return true;
    const struct decimal decimal = find_decimal(at, end);
    behind = decimal.behind;
    bool has_digit = false;
    for (const char *c = at; c < behind; c++)
        has_digit |= text_is_digit(*c);
    if (kind == TEXT_HUMAN && behind < end && *behind && strchr("kKMGTPEZY", *behind))
        behind++;
    return has_digit && text_skip_blanks(behind, end) == end;
}

/* ---- -V -------------------------------------------------------------------------------------- */

/* By runs of digits and of other bytes in turns, first without the suffix of a file, such as
 * .tar.gz, then with it. */
enum { TILDE = 1, RUN_END = 2, FIRST_LETTER = 3, FIRST_OTHER = FIRST_LETTER + 2 * 26 };

/* '~', the end of a run, letters, all others. */
static unsigned char code_of(unsigned char c)
{
    if (c == '~')
        return TILDE;
    if (isalpha(c))
        return (unsigned char)(FIRST_LETTER + (c <= 'Z' ? c - 'A' : c - 'a' + 26));
    const int left_out = c < '0' ? 0 : c < 'A' ? 10 : c < 'a' ? 36 : c < '~' ? 62 : 63;
    return (unsigned char)(FIRST_OTHER + c - left_out);
}

static unsigned char *put_digits(unsigned char *to, const char *begin, const char *end,
                                 unsigned char flip)
{
    enum { MANY = 0xff };
    const uint64_t num = (uint64_t)(end - begin);
    *to++ = (unsigned char)(num < MANY ? num : MANY) ^ flip;
    for (int shift = 56; num >= MANY && shift >= 0; shift -= 8)
        *to++ = (unsigned char)(num >> shift) ^ flip;
    for (const char *at = begin; at < end; at++)
        *to++ = (unsigned char)*at ^ flip;
    return to;
}

static unsigned char *put_runs(unsigned char *to, const char *at, const char *end,
                               unsigned char flip)
{
    do {
        for (; at < end && !text_is_digit(*at); at++)
            *to++ = code_of((unsigned char)*at) ^ flip;
        *to++ = RUN_END ^ flip;
        while (at < end && *at == '0')
            at++;
        const char *const digits = at;
        at = text_skip_digits(at, end);
        to = put_digits(to, digits, at, flip);
    } while (at < end);
    *to++ = RUN_END ^ flip;
    return to;
}

/* Where the suffixes of a file's name begin, each a point, a letter and letters or digits; they are
 * never the whole name. */
static const char *find_suffix(const char *begin, const char *end)
{
    const char *suffix = begin;
    for (const char *at = begin; at < end;) {
        suffix = ++at;
        while (end - at > 1 && *at == '.' && (isalpha((unsigned char)at[1]) || at[1] == '~')) {
            for (at += 2; at < end && (isalnum((unsigned char)*at) || *at == '~');)
                at++;
        }
    }
    return suffix;
}

unsigned char *text_put_version(unsigned char *to, const char *begin, const char *end,
                                unsigned char flip)
{
    enum { EMPTY, DOT, DOT_DOT, HIDDEN, OTHER };
    const size_t size = (size_t)(end - begin);
    const int class = size == 0                                  ? EMPTY
                      : *begin != '.'                            ? OTHER
                      : size == 1                                ? DOT
                      : size == 2 && memcmp(begin, "..", 2) == 0 ? DOT_DOT
                                                                 : HIDDEN;
    *to++ = (unsigned char)class ^ flip;
    to = put_runs(to, begin, find_suffix(begin, end), flip);
    return put_runs(to, begin, end, flip);
}
