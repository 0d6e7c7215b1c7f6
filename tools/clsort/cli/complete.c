#include "cli/complete.h"

#include "bench/run/work.h"
#include "cli/option_table.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static struct {
    int num_words;
    char **words; /* NULL: nothing is asked */
} asked;

/* What an option takes, if it is not a file; of a list, what each item is. */
#define NAME(name, text, ...) text,
static const char *const types[] = {CLSORT_TYPE_LIST(NAME) NULL};
static const char *const algorithms[] = {CLSORT_ALGORITHM_LIST(NAME) NULL};
#undef NAME
#define NAME(name, text, about) text,
static const char *const distributions[] = {BENCH_DISTRIBUTION_LIST(NAME) NULL};
#undef NAME
#define NAME(name, text, ...) text,
static const char *const operations[] = {BENCH_OPERATION_LIST(NAME) NULL};
#undef NAME
static const char *const index_sizes[] = {"4", "8", NULL};
static const char *const orders[] = {"general-numeric", "human-numeric", "month",
                                     "numeric",         "version",       NULL};
static const char *const checks[] = {"diagnose-first", "quiet", "silent", NULL};
static const char *const locales[] = {"C", "POSIX", NULL};
static const char *const kinds[] = {"part",   "msd",     "onesweep", "counting", "whole",
                                    "cpu",    "general", "merge",    "quick",    "segments",
                                    "select", "range",   "records",  NULL};
static const char *const none[] = {NULL}; /* numbers and other words */

static const struct {
    const char *option;
    const char *const *values;
} values_of[] = {{"type", types},
                 {"algorithm", algorithms},
                 {"dist", distributions},
                 {"operation", operations},
                 {"sort", orders},
                 {"check", checks},
                 {"argsort", index_sizes},
                 {"locale", locales},
                 {"only", kinds},
                 {"count", none},
                 {"skip", none},
                 {"limit", none},
                 {"rows", none},
                 {"segments", none},
                 {"queries", none},
                 {"values", none},
                 {"arrays", none},
                 {"device", none},
                 {"buffer-size", none},
                 {"record-size", none},
                 {"key-offset", none},
                 {"repeat", none},
                 {"seed", none},
                 {"row-seconds", none},
                 {"noise", none},
                 {"seconds", none},
                 {"vs", none},
                 {"key", none},
                 {"header", none},
                 {"field-separator", none},
                 {"parallel", none},
                 {"batch-size", none}};
enum { NUM_VALUES = sizeof(values_of) / sizeof(values_of[0]) };

void complete_begin(int num_words, char **words)
{
    asked.num_words = num_words;
    asked.words = words;
}

bool complete_is_asked(void)
{
    return asked.words != NULL;
}

static const char *last_word(void)
{
    return asked.num_words > 0 ? asked.words[asked.num_words - 1] : "";
}

void complete_offer(const char *name)
{
    if (strncmp(name, last_word(), strlen(last_word())) == 0)
        puts(name);
}

/* Values that begin with what is there of one; items of a list before it are repeated. */
static void offer_values(const struct option *option, const char *text)
{
    const char *comma = strrchr(text, ',');
    const char *item = comma ? comma + 1 : text;
    for (int i = 0; i < NUM_VALUES; i++) {
        /* 'sort' and 'top' name files where others have a size. */
        if (strcmp(values_of[i].option, option->name) != 0 || option->val == OPTION_VALUE_FILE ||
            option->val == OPTION_SEGMENTS)
            continue;
        for (const char *const *value = values_of[i].values; *value; value++) {
            if (strncmp(*value, item, strlen(item)) == 0)
                printf("%.*s%s\n", (int)(item - text), text, *value);
        }
        return;
    }
    puts(":files");
}

/* The option of a word, "--name", "--name=..." or "-x", also behind other letters; or NULL. */
static const struct option *option_of(const struct option *table, const char *word)
{
    const size_t length = strlen(word);
    const bool is_long = strncmp(word, "--", 2) == 0;
    for (const struct option *option = table; option->name && length > 1 && *word == '-';
         option++) {
        const size_t name_length = is_long ? strcspn(word + 2, "=") : 0;
        if (is_long ? strncmp(option->name, word + 2, name_length) == 0 &&
                          option->name[name_length] == '\0'
                    : option->val == word[length - 1])
            return option;
    }
    return NULL;
}

void complete_options(const struct option *table)
{
    const char *word = last_word();
    const char *before = asked.num_words > 1 ? asked.words[asked.num_words - 2] : "";
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const struct option *of_word = option_of(table, word), *of_before = option_of(table, before);
    if (equals && of_word && of_word->has_arg != no_argument) {
        offer_values(of_word, equals + 1);
    } else if (of_before && of_before->has_arg == required_argument && !strchr(before, '=')) {
        offer_values(of_before, word);
    } else if (*word == '-') {
        for (const struct option *option = table; option->name; option++) {
            char name[64];
            snprintf(name, sizeof(name), "--%s", option->name);
            complete_offer(name);
        }
    } else {
        puts(":files");
    }
}
