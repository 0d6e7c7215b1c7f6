/* numbers.h: one number a line, read in pieces and parsed by all threads. Every failure prints its
 * message. */
#ifndef CLSORT_TOOL_TEXT_NUMBERS_H
#define CLSORT_TOOL_TEXT_NUMBERS_H

#include "io/source.h"

#include <clsort/clsort.h>

struct text_job;

/* Takes an open source, which it closes. NULL: there is no memory. */
struct text_job *text_numbers_open(const struct source *source, const char *path, clsort_type type);

/* Reads on, up to `capacity` numbers. No numbers and true is the end. A line that is no number of
 * the type is a failure, which names file and line; of several the first is named. */
bool text_numbers_read(struct text_job *job, void *keys, size_t capacity, size_t *num_keys_ret);

/* Fine for NULL. */
void text_numbers_close(struct text_job *job);

#endif
