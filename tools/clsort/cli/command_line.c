/* command_line.c: reading a command's arguments, and what is said of those that are refused. */
#include "cli/command_line.h"

#include "cli/command.h"
#include "cli/complete.h"
#include "cli/message.h"
#include "cli/nearest.h"

#include <stdio.h>
#include <string.h>

/* A word that begins several options: names them. */
static void refuse_ambiguous(const char *word, size_t length, const struct option *table)
{
    char names[512] = "";
    size_t end = 0;
    for (const struct option *option = table; option->name && end < sizeof(names); option++) {
        if (strncmp(option->name, word + 2, length) == 0)
            end += (size_t)snprintf(names + end, sizeof(names) - end, "%s --%s", end ? "," : "",
                                    option->name);
    }
    message("option '%s' is ambiguous; it may be%s", word, names);
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
    if (num_matches > 1) {
        refuse_ambiguous(word, nearest.length, table);
        return;
    }
    for (const struct option *option = table; option->name && !nearest.name; option++)
        nearest_offer_part(&nearest, option->name);
    if (num_matches > 0)
        nearest.name = NULL;
    message("option '%s' %s%s", word, num_matches == 0 ? "is unknown" : "takes no argument",
            nearest_hint(&nearest, "--", command, hint));
}

/* Letters of sort(1), which 'clsort sort' takes for lines, and the other commands keep free. */
static const struct {
    int letter;
    const char *meaning;
    const char *instead;
    const char *command; /* the only one that has something instead; NULL: all have it */
} reserved[] = {
    {'t', "the separator of fields", "; the type of keys is -y, --type", NULL},
    {'n', "order by number", "; the number of keys is -N, --count", NULL},
    {'d', "dictionary order", "; the device is -D, --device", NULL},
    {'k', "the fields to sort by", "; the number of keys is -N, --count", "top"},
    {'S', "the size of its memory", "", NULL},
    {'T', "the directory of its temporary files", "", NULL},
};
enum { NUM_RESERVED = sizeof(reserved) / sizeof(reserved[0]) };

static void refuse_letter(const char *command, int letter)
{
    for (int i = 0; i < NUM_RESERVED; i++) {
        if (reserved[i].letter == letter) {
            const char *only = reserved[i].command;
            message("option '-%c' is kept for what sort(1) means by it, %s%s", letter,
                    reserved[i].meaning,
                    !only || strcmp(only, command) == 0 ? reserved[i].instead : "");
            return;
        }
    }
    if (letter >= '0' && letter <= '9' && strcmp(command, "sort") == 0)
        message("option '-%c' ends a key in the old form of sort(1); write -k FIRST,LAST, with "
                "fields counted from 1",
                letter);
    else
        message("option '-%c' is unknown; try 'clsort %s --help'", letter, command);
}

/* What getopt_long() met that it does not know: c is what it returned, "?" or ":". */
static void refuse_option(const struct command_line *line, int c, char **argv)
{
    const char *word = argv[optind - 1];
    if (complete_is_asked())
        complete_options(line->table);
    else if (c == ':')
        message("option '%s' needs an argument; try 'clsort %s --help'", word, line->command);
    else if (optopt > 0 && optopt < 256 && strncmp(word, "--", 2) != 0)
        refuse_letter(line->command, optopt);
    else
        refuse_long_option(line->command, word, line->table);
}

static bool refuse_file(const struct command_line *line, const char *file)
{
    if (line->max_files == 0)
        message("'clsort %s' takes no FILE, and '%s' is one; try 'clsort %s --help'", line->command,
                file, line->command);
    else
        message("one FILE at most; '%s' is one too many; try 'clsort %s --help'", file,
                line->command);
    return false;
}

static const char *option_name(const struct option *table, int value)
{
    while (table->name && table->val != value)
        table++;
    return table->name;
}

/* Whether no two of the arguments exclude each other. What is unknown is refused later. */
static bool go_together(const struct command_line *line, int argc, char **argv)
{
    enum { MAX_VALUE = 400 };
    bool is_given[MAX_VALUE] = {false};
    int c;
    while ((c = getopt_long(argc, argv, line->letters, line->table, NULL)) != -1) {
        if (c >= 0 && c < MAX_VALUE)
            is_given[c] = true;
    }
    optind = 0; /* from the front, once more */
    for (const struct exclusion *pair = line->exclusions; pair && pair->why; pair++) {
        if (is_given[pair->first] && is_given[pair->second] && !(line->help && is_given['h'])) {
            message("--%s and --%s exclude each other: %s", option_name(line->table, pair->first),
                    option_name(line->table, pair->second), pair->why);
            return false;
        }
    }
    return true;
}

bool command_line_read(const struct command_line *line, int argc, char **argv, void *options,
                       int *status_ret)
{
    int c;
    *status_ret = EXIT_TROUBLE;
    if (!go_together(line, argc, argv))
        return false;
    while ((c = getopt_long(argc, argv, line->letters, line->table, NULL)) != -1) {
        if (c == 'h' && line->help) {
            puts(line->help);
            *status_ret = EXIT_DONE;
            return false;
        }
        if (c == '?' || c == ':') {
            refuse_option(line, c, argv);
            return false;
        }
        if (!line->take(c, options))
            return false;
    }
    const bool is_too_many = line->max_files >= 0 && argc - optind > line->max_files;
    return !is_too_many || refuse_file(line, argv[optind + line->max_files]);
}
