#include "cli/options.h"

#include "cli/count.h"
#include "memory/host_memory.h"
#include "cli/message.h"
#include "memory/parallel.h"

#include <inttypes.h>
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
    const enum count_form form = count_of(text, count_ret);
    if (form == COUNT_TOO_LARGE)
        message("'%s' is too large a number; digits go up to 2^64 - 1, 1e6 and its like to 2^53",
                text);
    else if (form == COUNT_NONE)
        message("'%s' is not a whole number, such as 65536, 1e6 or 2^20", text);
    return form == COUNT_RIGHT;
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

bool set_once(const char *option, const char *name, const char **name_ret)
{
    const bool ok = !*name_ret || strcmp(*name_ret, name) == 0;
    if (!ok)
        message("%s is given twice, with '%s' and '%s'; give it once", option, *name_ret, name);
    *name_ret = name;
    return ok;
}

bool take_memory(const char *text, uint64_t *memory_ret)
{
    uint64_t memory;
    const bool ok = parse_memory(text, &memory);
    if (ok && memory > *memory_ret)
        *memory_ret = memory;
    return ok;
}

static bool take_parallel(const char *text)
{
    uint64_t num;
    const bool ok = parse_number(text, "the number of threads", 1, UINT64_MAX, &num);
    if (ok)
        parallel_limit(num);
    return ok;
}

static bool has_verify(void)
{
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

static bool take_mode(int c, int *mode_ret)
{
    const int mode = c == OPTION_CHECK ? mode_of_check(optarg) : c;
    const bool ok = mode && (!*mode_ret || *mode_ret == mode);
    if (mode && !ok)
        message("-%c and -%c exclude each other: files are %s", *mode_ret, mode,
                *mode_ret == 'm' || mode == 'm' ? "checked or merged"
                                                : "checked with a message or without");
    *mode_ret = mode;
    return ok;
}

bool take_sort_setting(int c, struct sort_settings *settings, bool *is_known_ret)
{
    *is_known_ret = true;
    switch (c) {
    case 'D':
        settings->device = optarg;
        return true;
    case 'o':
        return set_once("-o", optarg, &settings->output);
    case 'S':
        return take_memory(optarg, &settings->memory);
    case 'T':
        return set_once("-T", optarg, &settings->dir);
    case 'c':
    case 'C':
    case 'm':
    case OPTION_CHECK:
        return take_mode(c, &settings->mode);
    case OPTION_ARGSORT:
        return parse_index_size(optarg, &settings->index_size);
    case OPTION_PARALLEL:
        return take_parallel(optarg);
    case OPTION_VERIFY:
        settings->is_verified = true;
        return has_verify();
    case OPTION_STATS:
    case OPTION_JSON:
        settings->is_json |= c == OPTION_JSON;
        return settings->is_timed = true;
    default:
        return *is_known_ret = false;
    }
}
