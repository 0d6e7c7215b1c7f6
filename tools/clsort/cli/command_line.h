/* command_line.h: how every command reads its arguments: options, one after another, then files. */
#ifndef CLSORT_TOOL_COMMAND_LINE_H
#define CLSORT_TOOL_COMMAND_LINE_H

#include <getopt.h>
#include <stdbool.h>

/* Two options of a command, as getopt_long() returns them, that cannot both be given. */
struct exclusion {
    int first, second;
    const char *why; /* NULL ends a list */
};

enum { ANY_NUMBER = -1 };

struct command_line {
    const char *command;
    const char *help;    /* what -h prints; NULL: the command takes -h itself */
    const char *letters; /* for getopt_long(); they begin with a colon */
    const struct option *table;
    const struct exclusion *exclusions; /* or NULL */
    int max_files;                      /* 0, 1 or ANY_NUMBER */
    /* Takes an option as getopt_long() returned it. False: a message has been printed. */
    bool (*take)(int c, void *options);
};

/* Reads the arguments; argv[optind] is then the first file, or NULL. False: the command ends
 * with *status_ret. */
bool command_line_read(const struct command_line *line, int argc, char **argv, void *options,
                       int *status_ret);

#endif
