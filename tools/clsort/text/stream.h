/* stream.h: the lines of a file, or of a run in the temporary file, from the first to the
 * last. Every failure prints its message. */
#ifndef CLSORT_TOOL_TEXT_STREAM_H
#define CLSORT_TOOL_TEXT_STREAM_H

#include "io/source.h"
#include "external/spill.h"
#include "text/order.h"

struct text_stream {
    struct source source;            /* a file, or */
    const struct spill *spill;       /* a run, which is not NULL and has */
    uint64_t at, left;               /* bytes */
    char end;                        /* of a line */
    const struct elements *elements; /* instead of lines; or NULL */
    size_t head_size;                /* bytes in front of each line of a run, of any value */
    bool has_ended;                  /* all is in the block */
    size_t block_size;               /* bytes read at once */
    struct bytes block;
    size_t next;      /* where the next line begins in the block */
    const char *line; /* the line read last, without its end, until the next is read */
    size_t size;
    uint64_t number; /* of that line, counted from 1 */
};

/* Opens a file, or standard input where path is NULL or "-". */
bool text_stream_open(struct text_stream *stream, const char *path, const struct text_order *order,
                      size_t block_size);

/* Passes over a byte order mark at a file's begin; nothing has been read of it. */
bool text_stream_skip_mark(struct text_stream *stream, bool *has_mark_ret);

/* Reads a line. *has_line_ret becomes false at the end. */
bool text_stream_read(struct text_stream *stream, bool *has_line_ret);

/* Reads bytes of a file, whatever lines they are of: `size` of them, or less at the end or behind
 * what has been read as lines. */
bool text_stream_take(struct text_stream *stream, void *to, size_t size, size_t *size_ret);

/* Fine for one that is zero. */
void text_stream_close(struct text_stream *stream);

#endif
