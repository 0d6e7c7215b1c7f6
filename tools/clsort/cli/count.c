/* count.c: a number of keys as people write it: in digits, as a power of two, or as 1e6. */
#include "cli/count.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

enum count_form count_of(const char *text, uint64_t *count_ret)
{
    char *end;
    *count_ret = 0;
    if (*text < '0' || *text > '9')
        return COUNT_NONE;
    if (text[strspn(text, digits)] == '\0') {
        errno = 0;
        *count_ret = strtoull(text, &end, 10);
        return errno == 0 ? COUNT_RIGHT : COUNT_TOO_LARGE;
    }
    if (strncmp(text, "2^", 2) == 0) {
        const unsigned long exponent = strtoul(text + 2, &end, 10);
        if (strspn(text + 2, digits) == 0 || *end != '\0')
            return COUNT_NONE;
        *count_ret = exponent < 64 ? UINT64_C(1) << exponent : 0;
        return exponent < 64 ? COUNT_RIGHT : COUNT_TOO_LARGE;
    }
    const double number = strtod(text, &end);
    if (text[strspn(text, "0123456789.eE+-")] != '\0' || *end != '\0' || floor(number) != number)
        return COUNT_NONE;
    /* Up to 2^53 a double is the number that was written. */
    if (number > 0x1p53)
        return COUNT_TOO_LARGE;
    *count_ret = (uint64_t)number;
    return COUNT_RIGHT;
}
