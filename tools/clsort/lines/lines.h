/* lines.h: a text in memory, and where its lines begin. Every failure prints its message. */
#ifndef CLSORT_TOOL_LINES_H
#define CLSORT_TOOL_LINES_H

#include "io/source.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { LINES_MAX_THREADS = 8 };

/* What one thread reads and splits. */
struct lines_part {
    struct lines *lines;
    pthread_t thread;
    bool is_running;
    uint64_t begin, end; /* bytes of the text */
    uint64_t num_before; /* line feeds */
    uint64_t num_feeds;
    int error; /* errno; -1: the file has become shorter */
};

struct lines {
    struct source source;
    struct bytes text;    /* every line with its line feed, also the last one */
    struct bytes starts;  /* count + 1 offsets */
    uint32_t offset_size; /* of one: 4 or 8 bytes */
    uint64_t count;
    int num_parts;
    struct lines_part parts[LINES_MAX_THREADS];
};

/* Opens a file, or standard input where path is NULL or "-". */
bool lines_open(struct lines *lines, const char *path);

/* Begins to read a regular file, by threads of its own. */
bool lines_begin(struct lines *lines);

/* Reads everything and counts the lines; what lines_begin() has begun is waited for, also on
 * failure. At most `limit` bytes. */
bool lines_read(struct lines *lines, uint64_t limit);

/* Takes the memory for where the lines begin, and finds that. */
bool lines_split(struct lines *lines);

/* Lets go of what has been read of a regular file, which can then be read anew. */
void lines_forget(struct lines *lines);

/* Where line i begins; i may be the count. */
static inline uint64_t lines_start(const struct lines *lines, uint64_t i)
{
    return lines->offset_size == 4 ? ((const uint32_t *)lines->starts.data)[i]
                                   : ((const uint64_t *)lines->starts.data)[i];
}

/* As many threads as there are processors, but not more than are wanted. */
uint64_t lines_threads(uint64_t wanted);

/* Prints a note if the begin of a text has zero bytes, as raw keys have. */
void lines_note_zeros(const char *name, const void *text, size_t size);

/* The same of a regular file. */
void lines_note_zeros_of(const struct source *source);

void lines_close(struct lines *lines);

#endif
