/* number_lines.h: one number a line, parsed by all threads. Every failure prints its message. */
#ifndef CLSORT_TOOL_NUMBER_LINES_H
#define CLSORT_TOOL_NUMBER_LINES_H

#include "io/bytes.h"
#include "io/source.h"
#include "numbers/text.h"

#include <clsort/clsort.h>

/* The numbers of some lines, of which the first num_taken have been given out. */
struct number_lines {
    clsort_type type;
    struct bytes keys;
    uint64_t num, num_taken;
};

/* Reads on, up to `capacity` numbers. No numbers and true is the end. A line that is no number of
 * the type is a failure, which names file and line; of several the first is named. */
bool number_lines_read(struct number_lines *numbers, struct line_reader *reader, void *keys,
                       size_t capacity, size_t *num_keys_ret);

void number_lines_close(struct number_lines *numbers);

/* Prints a message about a line of text that text_parse() has refused. */
void refuse_line(const char *name, uint64_t number, clsort_type type, enum text_status status,
                 const char *line, size_t size);

#endif
