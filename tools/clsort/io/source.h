/* source.h: a file or standard input, read from front to back. What fails dies. */
#ifndef CLSORT_TOOL_SOURCE_H
#define CLSORT_TOOL_SOURCE_H

#include "io/direct.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source {
    const char *name; /* for messages */
    int fd;
    uint64_t start;       /* where a regular file is read from */
    uint64_t size;        /* bytes of a regular file from there on; 0 where there is no telling */
    uint64_t num_read;    /* bytes */
    bool is_at_end;       /* a terminal that has ended would begin anew */
    bool is_uncounted;    /* the progress is that of something else */
    struct direct direct; /* the same file past the system's cache, if it is opened so */
};

/* Opens a file, or standard input where path is NULL or "-". */
void source_open(struct source *source, const char *path);

/* Sets *size_ret to the `size` that it would have, if it is a regular file that can be opened.
 * Prints nothing. */
bool source_find_size(const char *path, uint64_t *size_ret);

/* Reads until `size` bytes are there or the end is reached; returns how many there are. A regular
 * file that ends before its `size` is refused. */
size_t source_read(struct source *source, void *data, size_t size);

/* Fine for one that is closed. */
void source_close(struct source *source);

#endif
