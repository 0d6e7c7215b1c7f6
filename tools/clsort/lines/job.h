/* job.h: 'clsort sort --lines' and 'clsort check --lines'. */
#ifndef CLSORT_TOOL_LINES_JOB_H
#define CLSORT_TOOL_LINES_JOB_H

#include "lines/lines.h"
#include "io/output.h"
#include "numbers/sort_job.h"

#include <stdbool.h>

struct pieces_options;

struct lines_options {
    const char *input;
    const char *output;
    const char *device;
    bool is_verified;
    bool is_timed;
    bool is_json;
    bool notes_zeros; /* no option says that the file holds lines */
    const struct pieces_options *pieces;
    uint32_t index_size; /* bytes, where positions are written instead of lines by keys */
};

/* Sorts the lines of a file by bytes; desc has the order and the index size. Returns the exit
 * status. */
int lines_sort(const clsort_desc *desc, const struct lines_options *options);

/* Sorts the lines of a file by the number that each holds; lines of equal numbers keep their order.
 * desc has the type, the order, the algorithm and the index size. Returns the exit status. */
int text_sort(const clsort_desc *desc, const struct lines_options *options);

/* Tells whether the lines of a file are sorted. Returns the exit status. */
int lines_check(const char *path, clsort_order order, bool notes_zeros, uint64_t *line_ret);

/* What the device's part of a sort of lines works on. */
struct lines_job {
    struct sort_job
        job; /* desc, plan, device, seconds; indices, also where they are not the output */
    clsort_strings strings;
    struct lines lines;
    struct bytes scratch;
    uint32_t position_size; /* bytes: positions are written instead of lines, in pieces; 0: lines */
    struct bytes positions; /* of a part's lines */
};

/* Compiles the kernels that text of this size will probably need. */
void lines_compile_early(struct lines_job *job, uint64_t size);

/* Compiles, transfers, sorts and transfers back. */
bool lines_run(struct lines_job *job);

/* How two lines compare by their bytes: below, at or above 0. */
int lines_compare(const char *a, size_t a_size, const char *b, size_t b_size);

/* Whether the indices name every line in memory once, in order, equal ones as in the input. If
 * not, a message says so. `before` lines of the output are written already. */
bool lines_are_right(const struct lines_job *job, uint64_t before, const struct output *output);

/* Writes the lines in the order of the indices, each piece of the text behind the one before. */
struct lines_sink {
    bool (*write)(void *context, const void *data, size_t size);
    void *context;
};
bool lines_write_to(const struct lines_job *job, const struct lines_sink *sink);

/* What writes to an output, the sink's context. */
bool lines_write_output(void *context, const void *data, size_t size);

/* The same to an output. */
bool lines_write(const struct lines_job *job, struct output *output);

/* A line for a message: what cannot be printed is a question mark. */
enum { LINES_SHOWN = 60 };
const char *lines_show(const char *line, size_t size, char shown[LINES_SHOWN + 4]);

#endif
