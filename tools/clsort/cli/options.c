#include "cli/options.h"

#include "memory/host_memory.h"
#include "cli/message.h"
#include "memory/parallel.h"

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

static const char digits[] = "0123456789";

/* Reads "65536", "1e6" or "2^20". */
enum count_form { COUNT_RIGHT, COUNT_NONE, COUNT_TOO_LARGE };
static enum count_form count_of(const char *text, uint64_t *count_ret)
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

bool parse_number(const char *text, const char *what, uint64_t first, uint64_t last,
                  uint64_t *number_ret)
{
    const enum count_form form = count_of(text, number_ret);
    const bool is_within = *number_ret >= first && *number_ret <= last;
    if (form == COUNT_TOO_LARGE)
        message("'%s' is too large a number; digits go up to 2^64 - 1, 1e6 and its like to 2^53",
                text);
    else if (form == COUNT_NONE)
        message("'%s' is not a whole number, such as 65536, 1e6 or 2^20", text);
    else if (!is_within && last == UINT64_MAX)
        message("%s is at least %" PRIu64 ", not %s", what, first, text);
    else if (!is_within)
        message("%s is %" PRIu64 " to %" PRIu64 ", not %s", what, first, last, text);
    return form == COUNT_RIGHT && is_within;
}

static bool parse_index_size(const char *text, uint32_t *index_size_ret)
{
    *index_size_ret = text && strcmp(text, "8") == 0 ? 8 : 4;
    if (!text || strcmp(text, "4") == 0 || strcmp(text, "8") == 0)
        return true;
    message("an index has 4 or 8 bytes, not '%s'", text);
    return false;
}

static bool parse_positive(const char *text, const struct argument *argument)
{
    char *end;
    *argument->positive = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*argument->positive) && *argument->positive > 0)
        return true;
    message("'%s' is not %s", text, argument->what);
    return false;
}

static bool parse_bounded(const char *text, const struct argument *argument)
{
    uint64_t number = 0;
    const bool ok = parse_number(text, argument->what, argument->first, argument->last, &number);
    if (argument->size)
        *argument->size = (uint32_t)number;
    else
        *argument->number = number;
    return ok;
}

static bool set_once(const char *option, const char *name, const char **name_ret)
{
    const bool ok = !*name_ret || strcmp(*name_ret, name) == 0;
    if (!ok)
        message("--%s is given twice, with '%s' and '%s'; give it once", option, *name_ret, name);
    *name_ret = name;
    return ok;
}

bool option_take(const struct argument *argument, const char *text, void *options)
{
    if (argument->refused)
        message("%s", argument->refused);
    else if (argument->take)
        return argument->take(argument, text, options);
    else if (argument->flag)
        return *argument->flag = true;
    else if (argument->order)
        return (*argument->order = CLSORT_DESCENDING);
    else if (argument->text)
        return (*argument->text = text);
    else if (argument->once)
        return set_once(argument->name, text, argument->once);
    else if (argument->type)
        return parse_type(text, argument->type);
    else if (argument->algorithm)
        return parse_algorithm(text, argument->algorithm);
    else if (argument->index_size)
        return parse_index_size(text, argument->index_size);
    else if (argument->positive)
        return parse_positive(text, argument);
    else
        return parse_bounded(text, argument);
    return false;
}

bool take_memory(const struct argument *argument, const char *text, void *options)
{
    uint64_t memory, *const largest = argument->to;
    const bool ok = parse_memory(text, &memory);
    (void)options;
    if (ok && memory > *largest)
        *largest = memory;
    return ok;
}

bool take_parallel(const struct argument *argument, const char *text, void *options)
{
    uint64_t num;
    const bool ok = parse_number(text, "the number of threads", 1, UINT64_MAX, &num);
    (void)argument, (void)options;
    if (ok)
        parallel_limit(num);
    return ok;
}

bool take_verify(const struct argument *argument, const char *text, void *options)
{
    (void)text, (void)options;
    *(bool *)argument->to = true;
#ifdef CLSORT_TOOL_HAS_VERIFY
    return true;
#else
    message("--verify is not available: this clsort was built without xxHash");
    return false;
#endif
}

/* The letter that means the same as --check=WORD; 0: a message has been printed. A word may be cut
 * short, as sort(1) takes it. */
static int mode_of_check(const char *word)
{
    static const struct {
        const char *word;
        int mode;
    } words[] = {{"diagnose-first", 'c'}, {"quiet", 'C'}, {"silent", 'C'}};
    if (!word)
        return 'c';
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && *word; i++) {
        if (strncmp(words[i].word, word, strlen(word)) == 0)
            return words[i].mode;
    }
    message("--check=%s: it is quiet, silent or diagnose-first", word);
    return 0;
}

bool take_mode(const struct argument *argument, const char *text, void *options)
{
    int *const mode = argument->to;
    const int asked = argument->letter ? argument->letter : mode_of_check(text);
    const bool ok = asked && (!*mode || *mode == asked);
    (void)options;
    if (asked && !ok)
        message("-%c and -%c exclude each other: files are %s", *mode, asked,
                *mode == 'm' || asked == 'm' ? "checked or merged"
                                             : "checked with a message or without");
    *mode = asked;
    return ok;
}
