/* job.h: lines in memory in an order, and 'clsort check --lines'. */
#ifndef CLSORT_TOOL_LINES_JOB_H
#define CLSORT_TOOL_LINES_JOB_H

#include "io/output.h"
#include "lines/lines.h"
#include "numbers/sort_job.h"

#include <stdbool.h>

struct pieces_options;

struct lines_options {
    const char *output;
    const char *device;
    bool is_verified;
    bool is_timed;
    bool is_json;
    bool notes_zeros; /* no option says that the file holds lines */
    const struct pieces_options *pieces;
    uint32_t index_size; /* bytes, where positions are written instead of lines; else 0 */
};

/* Tells whether the lines of a file are sorted. Returns the exit status. */
int lines_check(const char *path, clsort_order order, bool notes_zeros, uint64_t *line_ret);

/* Lines in memory. */
struct lines_job {
    struct sort_job job; /* plan, device, seconds; the order of the lines in its indices */
    struct lines lines;
    uint64_t first;     /* the number of the first of them among all lines, counted from 0 */
    uint32_t head_size; /* bytes in front of each line that is written: its number; or 0 */
};
enum { LINES_HEAD = sizeof(uint64_t) };

/* How two lines compare by their bytes: below, at or above 0. */
int lines_compare(const char *a, size_t a_size, const char *b, size_t b_size);

/* Writes the lines in the order of the indices, each piece of the text behind the one before. */
struct lines_sink {
    bool (*write)(void *context, const void *data, size_t size);
    void *context;
};
bool lines_write_to(const struct lines_job *job, const struct lines_sink *sink);

/* What writes to an output, the sink's context. */
bool lines_write_output(void *context, const void *data, size_t size);

/* A line for a message: what cannot be printed is a question mark. */
enum { LINES_SHOWN = 60 };
const char *lines_show(const char *line, size_t size, char shown[LINES_SHOWN + 4]);

#endif
