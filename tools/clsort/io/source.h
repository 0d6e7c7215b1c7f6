/* source.h: a file or standard input, read from front to back. Every failure prints its message. */
#ifndef CLSORT_TOOL_SOURCE_H
#define CLSORT_TOOL_SOURCE_H

#include "io/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source {
    const char *name; /* for messages */
    int fd;
    uint64_t start;    /* where a regular file is read from */
    uint64_t size;     /* bytes of a regular file from there on; 0 where there is no telling */
    uint64_t num_read; /* bytes */
    bool is_at_end;    /* a terminal that has ended would begin anew */
    bool is_uncounted; /* the progress is that of something else */
};

/* Opens a file, or standard input where path is NULL or "-". */
bool source_open(struct source *source, const char *path);

/* Whether that would be a regular file. */
bool source_is_regular(const char *path);

/* Sets *size_ret to the `size` that it would have, if it is a regular file that can be opened.
 * Prints nothing. */
bool source_find_size(const char *path, uint64_t *size_ret);

/* Reads until `size` bytes are there or the end is reached. A regular file that ends before its
 * `size` is refused. */
bool source_read(struct source *source, void *data, size_t size, size_t *size_ret);

/* Fine for one that is closed. */
void source_close(struct source *source);

/* A source in lines, through a block of memory that grows with the longest of them. */
struct line_reader {
    struct source source;
    struct bytes block;
    size_t next;        /* where the next line begins in the block */
    const char *line;   /* the line read last, without its line feed; a line feed, zero or the like
                             that belongs to no number stands behind it */
    size_t line_size;   /* bytes */
    const char *before; /* the line in front of it, which stays as long */
    size_t before_size; /* bytes */
    uint64_t line_number; /* of the line read last, counted from 1 */
};

/* Reads a line. *has_line_ret becomes false at the end. */
bool line_read(struct line_reader *reader, bool *has_line_ret);

/* Reads whole lines, at least `least` bytes of them unless the source ends. The last line may have
 * no line feed; a zero stands behind it then. The lines stay until the next call, and line_number
 * does not count them. No lines and true is the end. */
bool line_read_many(struct line_reader *reader, size_t least, const char **lines_ret,
                    size_t *size_ret);

/* Closes the source, too. */
void line_reader_close(struct line_reader *reader);

#endif
