/* embedded.h: the kernel sources, put into the library by tools/embed.cmake. */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name; /* without its folder; NULL after the last file */
    const char *text; /* ends with a zero that size does not count */
    size_t size;
};

extern const struct embedded_file embedded_files[];

#endif
