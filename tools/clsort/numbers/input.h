/* input.h: keys from a file or standard input, binary or text. What fails dies. */
#ifndef CLSORT_TOOL_INPUT_H
#define CLSORT_TOOL_INPUT_H

#include "numbers/key.h"
#include "io/bytes.h"
#include "io/source.h"

#include <clsort/clsort.h>

struct text_job;

struct input {
    struct source source;
    struct text_job *numbers; /* of text, which read the source; else NULL */
    struct elements elements;
    struct bytes first; /* keys that have been put back */
    size_t num_taken;   /* bytes of those that have been read again */
};

/* Opens a file, or standard input where path is NULL or "-". A regular binary file that does not
 * hold whole keys is refused here. */
void input_open(struct input *input, const char *path, bool text, const struct elements *elements);

/* The same of a binary file alone: what is open is the source. */
void input_open_source(struct source *source, const char *path, const struct elements *elements);

/* Dies, since this size is no whole number of elements. */
_Noreturn void input_refuse_part(const struct elements *elements, const char *name, uint64_t size);

/* Reads at most capacity keys; returns how many, 0 at the end. */
size_t input_read(struct input *input, void *keys, size_t capacity);

/* Reads on until `keys` has the whole keys that `limit` bytes hold, or all is read: then it returns
 * true. A regular binary file is read by several threads. */
bool input_read_up_to(struct input *input, uint64_t limit, struct bytes *keys);

/* Reads whole keys until `size` bytes are there or all is read; returns the bytes. */
uint64_t input_read_many(struct input *input, char *bytes, uint64_t size);

/* Reads a whole binary file. */
void input_read_all(const char *path, const struct elements *elements, struct bytes *bytes);

/* Takes an array of keys, the last that have been read, to be read again. */
void input_put_back(struct input *input, struct bytes *keys);

/* Reads bytes of a regular file, from any thread. */
void input_read_at(struct input *input, void *bytes, uint64_t offset, size_t size);

void input_close(struct input *input);

/* text/files.c: one number a line, read in pieces and parsed by all threads. */

/* Takes an open source, which it closes. */
struct text_job *text_numbers_open(const struct source *source, const char *path, clsort_type type);

/* Reads on, up to `capacity` numbers; returns how many, 0 at the end. A line that is no number of
 * the type is refused with file and line; of several the first is named. */
size_t text_numbers_read(struct text_job *job, void *keys, size_t capacity);

/* Fine for NULL. */
void text_numbers_close(struct text_job *job);

#endif
