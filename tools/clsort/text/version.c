/* version.c: codes of names with numbers in them, as -V compares them: by runs of digits and
 * of other bytes in turns, first without the suffix of a file, such as .tar.gz, then with it. */
#include "text/code.h"

#include <ctype.h>
#include <string.h>

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
