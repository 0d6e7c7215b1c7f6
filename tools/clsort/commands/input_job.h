/* input_job.h: what all commands that read a file are told alike: what it holds, and in which order
 * that is. */
#ifndef CLSORT_TOOL_INPUT_JOB_H
#define CLSORT_TOOL_INPUT_JOB_H

#include "cli/command_line.h"
#include "numbers/input.h"
#include "cli/options.h"

struct input_job {
    struct elements elements;
    clsort_order order;
    bool is_text;   /* they are numbers, one a line; else raw */
    bool is_lines;  /* lines of text: --lines is given, or no option of elements */
    bool is_unsaid; /* lines without --lines */
    bool is_json;
    const char *path; /* NULL: standard input */
};

/* Whether an option was given that lines do not have: then the text says what lines have instead,
 * else it is NULL. */
const char *input_job_elements(void);

/* Options that exclude each other in every command with --lines or --text. */
/* clang-format off */
#define INPUT_JOB_EXCLUSIONS                                                                       \
    {"lines", "type", "lines are bytes, which have no type"},                                      \
        {"lines", "text", "a line is bytes or a number"},                                          \
        {"lines", "record-size", "lines end with a line feed, whatever their size"},               \
        {"text", "record-size", "records are raw bytes"},                                          \
        {"lines", "key-offset", "lines are ordered by all of their bytes"},                        \
        {"text", "key-offset", "records are raw bytes"}

/* The options that several commands have, of a job in static memory. */
#define INPUT_JOB_TYPE(job)    {"type", 'y', .type = &(job).elements.type}
#define INPUT_JOB_REVERSE(job) {"reverse", 'r', .order = &(job).order}
#define INPUT_JOB_RECORDS(job)                                                                     \
    {"record-size", .size = &(job).elements.size, .first = 1, .last = 256,                         \
     .what = "the size of a record"},                                                              \
        {"key-offset", .size = &(job).elements.offset, .last = 255,                                \
         .what = "the offset of a key"}
/* clang-format on */

/* What the options leave open: the file is lines, or the elements have a size. */
void input_job_complete(struct input_job *job, const char *path);

/* Whether a file of elements is in order; returns the exit status. A key that is out of order is
 * shown unless is_quiet, and counted from 0 it is *position_ret. */
int check_file(const struct input_job *job, bool is_quiet, uint64_t *position_ret);

#endif
