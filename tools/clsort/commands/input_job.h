/* input_job.h: what all commands that read a file are told alike: what it holds, in which order
 * that is, and where the result goes. */
#ifndef CLSORT_TOOL_INPUT_JOB_H
#define CLSORT_TOOL_INPUT_JOB_H

#include "cli/command_line.h"
#include "numbers/input.h"
#include "cli/options.h"

struct input_job {
    struct elements elements;
    clsort_order order;
    bool has_elements; /* an option is of elements */
    bool is_text;      /* they are numbers, one a line; else raw */
    bool is_lines;     /* lines of text: --lines is given, or no option of elements */
    bool is_unsaid;    /* lines without --lines */
    bool is_json;
    const char *path, *output, *device; /* NULL: standard input, standard output, the best */
};

/* The options that only elements have, not lines. NULL: c is none; else what lines have instead. */
const char *input_job_elements(int c);

/* Options that exclude each other in every command with --lines or --text. */
/* clang-format off */
#define INPUT_JOB_EXCLUSIONS                                                                       \
    {OPTION_LINES, 'y', "lines are bytes, which have no type"},                                    \
        {OPTION_LINES, OPTION_TEXT, "a line is bytes or a number"},                                \
        {OPTION_LINES, OPTION_RECORD_SIZE, "lines end with a line feed, whatever their size"},     \
        {OPTION_TEXT, OPTION_RECORD_SIZE, "records are raw bytes"},                                \
        {OPTION_LINES, OPTION_KEY_OFFSET, "lines are ordered by all of their bytes"},              \
        {OPTION_TEXT, OPTION_KEY_OFFSET, "records are raw bytes"}
/* clang-format on */

/* Takes -y, -r, -D, -o, --record-size, --key-offset, --text, --lines or --json, and of other
 * options what they say about the input. False: a message has been printed. */
bool input_job_take(struct input_job *job, int c);

/* What the options leave open: the file is lines, or the elements have a size. */
bool input_job_complete(struct input_job *job, const char *path);

/* Opens the file of elements. */
bool input_job_open(const struct input_job *job, struct input *input);

#endif
