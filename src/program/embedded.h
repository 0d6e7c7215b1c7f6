/* embedded.h: the kernel sources, which tools/build/embed.cmake puts into the library. */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name; /* without the folder; NULL after the last file */
    const char *text; /* zero-terminated; size does not count the zero */
    size_t size;
};

extern const struct embedded_file embedded_files[];

#endif
