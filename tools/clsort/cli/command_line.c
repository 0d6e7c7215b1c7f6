/* command_line.c: reading a command's arguments, and what is said of those that are refused. */
#include "cli/command_line.h"

#include "cli/command.h"
#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

/* The line that is read. */
static struct {
    const struct argument *arguments;
    struct option table[MOST_ARGUMENTS]; /* for getopt_long(); the last one stays zero */
    char letters[2 * MOST_ARGUMENTS];    /* they begin with a colon */
    bool is_given[MOST_ARGUMENTS];
} state;

/* What getopt_long() returns for options without a letter: their places behind this. */
enum { FIRST_LONG = 256, OPTION_HELP = FIRST_LONG - 1, OPTION_VERSION = FIRST_LONG - 2 };

/* What is wrong with a long option that getopt_long() did not take: it may begin several. */
static void refuse_long_option(const char *command, const char *word, const struct option *table)
{
    struct nearest nearest = {.word = word + 2, .length = strcspn(word + 2, "=")};
    char hint[NEAREST_TEXT], names[512] = "";
    size_t end = 0;
    int num_matches = 0;
    for (const struct option *option = table; option->name; option++) {
        nearest_offer(&nearest, option->name);
        if (strncmp(option->name, nearest.word, nearest.length) != 0)
            continue;
        if (end < sizeof(names))
            end += (size_t)snprintf(names + end, sizeof(names) - end, "%s --%s", end ? "," : "",
                                    option->name);
        num_matches++;
    }
    if (num_matches > 1) {
        message("option '%s' is ambiguous; it may be%s", word, names);
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

static void refuse_letter(const struct command_line *line, int letter)
{
    for (int i = 0; i < NUM_RESERVED; i++) {
        if (reserved[i].letter == letter) {
            const char *only = reserved[i].command;
            message("option '-%c' is kept for what sort(1) means by it, %s%s", letter,
                    reserved[i].meaning,
                    !only || strcmp(only, line->command) == 0 ? reserved[i].instead : "");
            return;
        }
    }
    if (letter >= '0' && letter <= '9' && line->is_sort)
        message("option '-%c' ends a key in the old form of sort(1); write -k FIRST,LAST, with "
                "fields counted from 1",
                letter);
    else
        message("option '-%c' is unknown; try '%s %s --help'", letter, message_program(),
                line->command);
}

/* What getopt_long() met that it does not know: c is what it returned, "?" or ":". */
static void refuse_option(const struct command_line *line, int c, char **argv)
{
    const char *word = argv[optind - 1];
    if (complete_is_asked())
        complete_options(state.table, line->arguments);
    else if (c == ':')
        message("option '%s' needs an argument; try '%s %s --help'", word, message_program(),
                line->command);
    else if (optopt > 0 && optopt < OPTION_VERSION && strncmp(word, "--", 2) != 0)
        refuse_letter(line, optopt);
    else
        refuse_long_option(line->command, word, state.table);
}

int command_line_refuse_file(const struct command_line *line, const char *file)
{
    if (line->max_files == 0)
        message("'%s %s' takes no FILE, and '%s' is one; try '%s %s --help'", message_program(),
                line->command, file, message_program(), line->command);
    else
        message("one FILE at most; '%s' is one too many; try '%s %s --help'", file,
                message_program(), line->command);
    return EXIT_TROUBLE;
}

static int form_of(const struct argument *argument)
{
    return argument->index_size                  ? optional_argument
           : argument->flag || argument->order   ? no_argument
           : argument->take || argument->refused ? argument->has_arg
                                                 : required_argument;
}

/* Makes what getopt_long() takes. */
static void describe(const struct command_line *line)
{
    memset(&state, 0, sizeof(state));
    state.arguments = line->arguments;
    struct option *option = state.table;
    char *letter = state.letters;
    *letter++ = ':';
    for (int i = 0; line->arguments[i].name || line->arguments[i].letter; i++) {
        const struct argument *argument = &line->arguments[i];
        const int form = form_of(argument);
        const int value = argument->letter ? argument->letter : FIRST_LONG + i;
        if (argument->name)
            *option++ = (struct option){argument->name, form, NULL, value};
        if (argument->letter)
            *letter++ = (char)argument->letter;
        if (argument->letter && form == required_argument)
            *letter++ = ':';
    }
    *option++ = (struct option){"help", no_argument, NULL, OPTION_HELP};
    if (line->has_version)
        *option = (struct option){"version", no_argument, NULL, OPTION_VERSION};
    if (!line->is_sort)
        *letter = 'h';
}

/* The place of what getopt_long() has returned, which is no help. */
static int place_of(int c)
{
    int i = c < FIRST_LONG ? 0 : c - FIRST_LONG;
    while (c < FIRST_LONG && state.arguments[i].letter != c)
        i++;
    return i;
}

bool command_line_has(const char *name)
{
    const struct argument *argument = state.arguments;
    for (int i = 0; argument->name || argument->letter; i++, argument++) {
        const bool is_it =
            name ? argument->name && strcmp(argument->name, name) == 0 : argument->is_marked;
        if (state.is_given[i] && is_it)
            return true;
    }
    return false;
}

/* Whether no two of the arguments exclude each other. What is unknown is refused later. */
static bool go_together(const struct command_line *line)
{
    for (const struct exclusion *pair = line->exclusions; pair && pair->why; pair++) {
        char others[128], *rest = others;
        snprintf(others, sizeof(others), "%s", pair->others);
        for (char *other; (other = strsep(&rest, " "));) {
            if (command_line_has(pair->first) && command_line_has(other)) {
                message("--%s and --%s exclude each other: %s", pair->first, other, pair->why);
                return false;
            }
        }
    }
    return true;
}

int print_version(void)
{
    if (message_program())
        printf("%s %s\n", message_program(), clsort_version());
    return EXIT_DONE;
}

int command_line_read(const struct command_line *line, int argc, char **argv, void *options)
{
    int c;
    describe(line);
    opterr = 0;
    optind = 0;
    while ((c = getopt_long(argc, argv, state.letters, state.table, NULL)) != -1) {
        const bool is_help = c == OPTION_HELP || (c == 'h' && !line->is_sort);
        if (is_help || c == OPTION_VERSION) {
            if (!is_help)
                print_version();
            else if (message_program())
                printf("%s\n%s", line->help, line->more_help ? line->more_help : "");
            return EXIT_DONE;
        }
        if (c != '?' && c != ':')
            state.is_given[place_of(c)] = true;
    }
    optind = 0; /* from the front, once more */
    if (!go_together(line))
        return EXIT_TROUBLE;
    while ((c = getopt_long(argc, argv, state.letters, state.table, NULL)) != -1) {
        if (c == '?' || c == ':') {
            refuse_option(line, c, argv);
            return EXIT_TROUBLE;
        }
        if (!option_take(&line->arguments[place_of(c)], optarg, options))
            return EXIT_TROUBLE;
    }
    const bool is_too_many = line->max_files >= 0 && argc - optind > line->max_files;
    return is_too_many ? command_line_refuse_file(line, argv[optind + line->max_files]) : GO_ON;
}
