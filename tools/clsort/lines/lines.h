/* lines.h: a text in memory, and where its lines begin. */
#ifndef CLSORT_TOOL_LINES_H
#define CLSORT_TOOL_LINES_H

#include "io/source.h"

#include <stdbool.h>
#include <stdint.h>

struct lines {
    struct bytes text;    /* every line with its end, also the last one */
    struct bytes starts;  /* count + 1 offsets */
    uint32_t offset_size; /* of one: 4 or 8 bytes */
    uint64_t count;
};

/* Where line i begins; i may be the count. */
static inline uint64_t lines_start(const struct lines *lines, uint64_t i)
{
    return lines->offset_size == 4 ? ((const uint32_t *)lines->starts.data)[i]
                                   : ((const uint64_t *)lines->starts.data)[i];
}

/* Prints a note if the begin of a text has zero bytes, as raw keys have. */
void lines_note_zeros(const char *name, const void *text, size_t size);

/* The same of a regular file. */
void lines_note_zeros_of(const struct source *source);

#endif
