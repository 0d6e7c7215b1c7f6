/* input.h: keys from a file or standard input, binary or text. Every failure prints its message. */
#ifndef CLSORT_TOOL_INPUT_H
#define CLSORT_TOOL_INPUT_H

#include "bytes.h"

#include <clsort/clsort.h>
#include <stdio.h>

struct input {
    const char *name; /* for messages */
    FILE *file;
    bool text;
    clsort_type type;
    uint64_t size;        /* bytes from here to the end of a regular file, else 0 */
    uint64_t num_read;    /* bytes, in binary */
    uint64_t line_number; /* of the line read last; 0 in binary */
    char *line;
    size_t line_capacity;
};

/* Opens a file, or standard input where path is NULL or "-". A regular binary file that does not
 * hold whole keys is refused here. */
bool input_open(struct input *input, const char *path, bool text, clsort_type type);

/* Reads at most capacity keys. False is a failure; no keys and true is the end. */
bool input_read(struct input *input, void *keys, size_t capacity, size_t *num_keys_ret);

/* How many bytes of a regular file are read, for a progress bar; 0 for others. */
uint64_t input_position(const struct input *input);

/* Reads everything. Past limit bytes of keys it stops and refuses. */
bool input_read_all(struct input *input, uint64_t limit, struct bytes *keys);

void input_close(struct input *input);

#endif
