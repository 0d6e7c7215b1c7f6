#include "options.h"

#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool parse_type(const char *text, clsort_type *type_ret)
{
    if (clsort_type_from_name(text, type_ret) == CLSORT_OK)
        return true;
    message("unknown type '%s'; the types are" TYPE_NAMES, text);
    return false;
}

bool parse_algorithm(const char *text, clsort_algorithm *algorithm_ret)
{
    if (clsort_algorithm_from_name(text, algorithm_ret) == CLSORT_OK)
        return true;
    message("unknown algorithm '%s'; the algorithms are" ALGORITHM_NAMES, text);
    return false;
}

bool parse_count(const char *text, uint64_t *count_ret)
{
    char *end;
    if (strspn(text, "0123456789") == strlen(text) && *text != '\0') {
        errno = 0;
        *count_ret = strtoull(text, &end, 10);
        if (errno == 0)
            return true;
    } else if (strncmp(text, "2^", 2) == 0 && strspn(text + 2, "0123456789") > 0) {
        const unsigned long exponent = strtoul(text + 2, &end, 10);
        *count_ret = exponent < 64 ? UINT64_C(1) << exponent : 0;
        if (*end == '\0' && exponent < 64)
            return true;
    } else if (*text >= '0' && *text <= '9') {
        const double number = strtod(text, &end);
        /* Up to 2^53 a double is the number that was written. */
        if (*end == '\0' && number >= 0 && number <= 0x1p53 && floor(number) == number) {
            *count_ret = (uint64_t)number;
            return true;
        }
    }
    message("'%s' is not a whole number, such as 65536, 1e6 or 2^20", text);
    return false;
}

bool parse_number(const char *text, const char *what, uint64_t first, uint64_t last,
                  uint64_t *number_ret)
{
    if (!parse_count(text, number_ret))
        return false;
    if (*number_ret >= first && *number_ret <= last)
        return true;
    if (last == UINT64_MAX)
        message("%s is at least %" PRIu64 ", not %s", what, first, text);
    else
        message("%s is %" PRIu64 " to %" PRIu64 ", not %s", what, first, last, text);
    return false;
}

bool parse_index_size(const char *text, uint32_t *index_size_ret)
{
    *index_size_ret = text && strcmp(text, "8") == 0 ? 8 : 4;
    if (!text || strcmp(text, "4") == 0 || strcmp(text, "8") == 0)
        return true;
    message("an index has 4 or 8 bytes, not '%s'", text);
    return false;
}

static bool parse_value_size(const char *text, uint32_t *size_ret)
{
    uint64_t size = 0;
    const bool ok = parse_number(text, "the size of a value", 1, UINT32_MAX, &size);
    *size_ret = (uint32_t)size;
    return ok;
}

bool take_desc_option(int c, clsort_desc *desc)
{
    switch (c) {
    case 'y':
        return parse_type(optarg, &desc->type);
    case 'a':
        return parse_algorithm(optarg, &desc->algorithm);
    case OPTION_VALUES:
        return parse_value_size(optarg, &desc->value_size);
    case OPTION_ARGSORT:
        return parse_index_size(optarg, &desc->index_size);
    case OPTION_ARRAYS:
        return parse_number(optarg, "the number of arrays", 1, UINT64_MAX, &desc->num_arrays);
    case OPTION_STABLE:
        desc->stable = 1;
        return true;
    default: /* -r */
        desc->order = CLSORT_DESCENDING;
        return true;
    }
}

bool has_json(void)
{
#ifdef CLSORT_TOOL_HAS_JSON
    return true;
#else
    message("--json is not there: this clsort was built without cJSON");
    return false;
#endif
}

bool has_check(const char *what)
{
#ifdef CLSORT_TOOL_HAS_CHECK
    (void)what;
    return true;
#else
    message("%s is not there: this clsort was built without xxHash", what);
    return false;
#endif
}
