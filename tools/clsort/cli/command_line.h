/* command_line.h: how every command reads its arguments: options, one after another, then files. A
 * command's options are a table that says where the argument of each goes. */
#ifndef CLSORT_TOOL_COMMAND_LINE_H
#define CLSORT_TOOL_COMMAND_LINE_H

#include <clsort/clsort.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

/* An option, whose argument goes to one of the members. A flag and an order have no argument; the
 * size of an index may have one. */
struct argument {
    const char *name; /* NULL: it has a letter alone */
    int letter;       /* or 0 */
    bool *flag;
    clsort_order *order; /* becomes descending */
    const char **text;
    const char **once; /* a text, for which another one than before is refused */
    clsort_type *type;
    clsort_algorithm *algorithm;
    uint64_t *number;     /* a whole number, */
    uint32_t *size;       /* or a small one, */
    uint64_t first, last; /* between these */
    const char *what;     /* and that is what it is, for messages */
    double *positive;
    uint32_t *index_size;
    bool (*take)(const struct argument *argument, const char *text, void *options);
    int has_arg;         /* of take(), as getopt_long() has it */
    void *to;            /* for take() */
    const char *refused; /* why it is refused */
    bool is_file;        /* of take(): completion offers files, as of texts */
    const char *values;  /* or what it takes, or what an item of its list is, each behind a blank */
    bool is_marked;      /* for command_line_has() */
};

/* An option of a command, and those with which it cannot be given, by their names with blanks
 * between them. */
struct exclusion {
    const char *first, *others;
    const char *why; /* NULL ends a list */
};

enum { ANY_NUMBER = -1, MOST_ARGUMENTS = 64 };

struct command_line {
    const char *command;
    const char *help, *more_help;       /* what --help prints; more_help: NULL or the end of it */
    const struct argument *arguments;   /* up to one that is zero */
    const struct exclusion *exclusions; /* or NULL */
    int max_files;                      /* 0, 1 or ANY_NUMBER */
    bool is_sort;                       /* -h and digits mean something else */
    bool has_version;                   /* --version is known */
};

/* Reads the arguments; argv[optind] is then the first file, or NULL. options is for take(). Returns
 * the status that the command ends with, or GO_ON. */
enum { GO_ON = -1 };
int command_line_read(const struct command_line *line, int argc, char **argv, void *options);

/* Whether the line that was read last has an option of that name; NULL: one that is marked. */
bool command_line_has(const char *name);

/* The status after a message: a file is one too many. */
int command_line_refuse_file(const struct command_line *line, const char *file);

/* complete.c: what could stand in place of a command line's last word: 'clsort --complete', which
 * the shells' completion calls (completion.bash, completion.zsh). Prints a candidate a line, or
 * ":files" where a file's name is wanted. Options come from the tables that the commands parse
 * with: main.c runs the command with an option that none has, and refuse_option() has the table
 * then. */
#define COMPLETE_OPTION "--\001"

/* The words behind the program's name; the last one is to be completed. */
void complete_begin(int num_words, char **words);

bool complete_is_asked(void);

/* Prints the name if it begins as the last word does. */
void complete_offer(const char *name);

/* Completes an option, or its value, of a command: its table, and what the arguments are. */
void complete_options(const struct option *table, const struct argument *arguments);

#endif
