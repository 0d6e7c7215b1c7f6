/* writer.h: texts that are written piece by piece, into the caller's memory or into memory that
 * grows. */
#ifndef WRITER_H
#define WRITER_H

#include <stddef.h>

struct writer {
    char *bytes;
    size_t capacity; /* of bytes, with the 0 at the end */
    size_t size;     /* of what was added, even if it did not fit */
    int grows;       /* all fits; the caller frees the bytes */
    int failed;      /* there was no memory to grow */
};

/* Adds what printf() would write. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void writer_add(struct writer *writer, const char *format, ...);

#endif
