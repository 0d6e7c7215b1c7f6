#include "options.h"

#include "command.h"
#include "complete.h"
#include "message.h"
#include "nearest.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
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
    message("'%s' is not a number of keys; write it as 65536, 1e6 or 2^20", text);
    return false;
}

bool parse_number(const char *text, const char *what, uint64_t first, uint64_t last,
                  uint64_t *number_ret)
{
    if (!parse_count(text, number_ret))
        return false;
    if (*number_ret >= first && *number_ret <= last)
        return true;
    message("%s is %" PRIu64 " to %" PRIu64 ", not %s", what, first, last, text);
    return false;
}

bool parse_record_size(const char *text, struct elements *elements)
{
    uint64_t size = 0;
    const bool ok = parse_number(text, "the size of a record", 1, 256, &size);
    elements->size = (uint32_t)size;
    return ok;
}

bool parse_key_offset(const char *text, struct elements *elements)
{
    uint64_t offset = 0;
    const bool ok = parse_number(text, "the offset of a key", 0, 255, &offset);
    elements->offset = (uint32_t)offset;
    return ok;
}

bool complete_elements(struct elements *elements)
{
    const uint32_t size = clsort_type_size(elements->type);
    if (elements->size == 0 && elements->offset == 0)
        elements->size = size;
    if (elements->size == 0)
        message("--key-offset is for records; give their --record-size");
    else if (elements->offset + size > elements->size)
        message("a %s key at byte %" PRIu32 " is not within a record of %" PRIu32 " bytes",
                clsort_type_name(elements->type), elements->offset, elements->size);
    else
        return true;
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

/* What is wrong with a long option that getopt_long() did not take. */
static void refuse_long_option(const char *command, const char *word, const struct option *table)
{
    struct nearest nearest = {.word = word + 2, .length = strcspn(word + 2, "=")};
    char hint[NEAREST_TEXT];
    int num_matches = 0;
    for (const struct option *option = table; option->name; option++) {
        num_matches += strncmp(option->name, nearest.word, nearest.length) == 0;
        nearest_offer(&nearest, option->name);
    }
    if (num_matches > 0)
        nearest.name = NULL;
    message("option '%s' %s%s", word,
            num_matches == 0  ? "is unknown"
            : num_matches > 1 ? "is ambiguous"
                              : "takes no argument",
            nearest_hint(&nearest, "--", command, hint));
}

/* Letters of sort(1), which 'clsort sort' takes for lines, and the other commands keep free. */
static const struct {
    int letter;
    const char *meaning;
    const char *instead;
} reserved[] = {
    {'t', "the separator of fields", "; the type of keys is -y, --type"},
    {'n', "order by number", "; the number of keys is -N, --count"},
    {'d', "dictionary order", "; the device is -D, --device"},
    {'k', "the fields to sort by", ""},
    {'S', "the size of its memory", ""},
    {'T', "the directory of its temporary files", ""},
};
enum { NUM_RESERVED = sizeof(reserved) / sizeof(reserved[0]) };

static void refuse_letter(const char *command, int letter)
{
    for (int i = 0; i < NUM_RESERVED; i++) {
        if (reserved[i].letter == letter) {
            message("option '-%c' is kept for what sort(1) means by it, %s%s", letter,
                    reserved[i].meaning, reserved[i].instead);
            return;
        }
    }
    message("option '-%c' is unknown; try 'clsort %s --help'", letter, command);
}

int refuse_option(const char *command, int c, char **argv, const struct option *table)
{
    const char *word = argv[optind - 1];
    if (complete_is_asked())
        complete_options(table);
    else if (c == ':')
        message("option '%s' needs an argument; try 'clsort %s --help'", word, command);
    else if (optopt > 0 && optopt < 256 && strncmp(word, "--", 2) != 0)
        refuse_letter(command, optopt);
    else
        refuse_long_option(command, word, table);
    return EXIT_TROUBLE;
}

int refuse_operand(const char *command, const char *operand)
{
    message("one FILE at most; '%s' is one too many; try 'clsort %s --help'", operand, command);
    return EXIT_TROUBLE;
}

static const char *option_name(const struct option *table, int value)
{
    while (table->name && table->val != value)
        table++;
    return table->name;
}

bool options_go_together(int argc, char **argv, const char *letters, const struct option *table,
                         const struct exclusion *exclusions)
{
    enum { MAX_VALUE = 300 };
    bool is_given[MAX_VALUE] = {false};
    int c;
    while ((c = getopt_long(argc, argv, letters, table, NULL)) != -1) {
        if (c >= 0 && c < MAX_VALUE)
            is_given[c] = true;
    }
    optind = 0; /* from the front, once more */
    for (const struct exclusion *pair = exclusions; pair->why && !is_given['h']; pair++) {
        if (is_given[pair->first] && is_given[pair->second]) {
            message("--%s and --%s exclude each other: %s", option_name(table, pair->first),
                    option_name(table, pair->second), pair->why);
            return false;
        }
    }
    return true;
}
