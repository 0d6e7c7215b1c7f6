#include "cli/options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static struct {
    int num_words;
    char **words; /* NULL: nothing is asked */
} asked;

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

/* Whether an option takes a file: a name that is none of a device. */
static bool takes_file(const struct argument *argument)
{
    return argument->is_file ||
           ((argument->text || argument->once) && strcmp(argument->name, "device") != 0);
}

/* What an option takes, each behind a blank, if it is not a file. */
static const char *values_of(const struct argument *argument)
{
    return argument->type         ? TYPE_NAMES
           : argument->algorithm  ? ALGORITHM_NAMES
           : argument->index_size ? " 4 8"
           : argument->values     ? argument->values
                                  : "";
}

/* Values that begin with what is there of one; items of a list before it are repeated. */
static void offer_values(const struct option *option, const struct argument *arguments,
                         const char *text)
{
    const char *comma = strrchr(text, ',');
    const char *item = comma ? comma + 1 : text;
    while (!arguments->name || strcmp(arguments->name, option->name) != 0)
        arguments++;
    if (takes_file(arguments)) {
        puts(":files");
        return;
    }
    for (const char *value = values_of(arguments); *(value += strspn(value, " "));) {
        const size_t length = strcspn(value, " ");
        if (strncmp(value, item, strlen(item)) == 0)
            printf("%.*s%.*s\n", (int)(item - text), text, (int)length, value);
        value += length;
    }
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

void complete_options(const struct option *table, const struct argument *arguments)
{
    const char *word = last_word();
    const char *before = asked.num_words > 1 ? asked.words[asked.num_words - 2] : "";
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const struct option *of_word = option_of(table, word), *of_before = option_of(table, before);
    if (equals && of_word && of_word->has_arg != no_argument) {
        offer_values(of_word, arguments, equals + 1);
    } else if (of_before && of_before->has_arg == required_argument && !strchr(before, '=')) {
        offer_values(of_before, arguments, word);
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
