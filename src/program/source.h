/* source.h: the kernel sources, and a kernel file and the files that it includes as one text. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stddef.h>

/* A file that tools/build/embed.cmake puts into the library. */
struct embedded_file {
    const char *name; /* without the folder; NULL after the last file */
    const char *text; /* zero-terminated */
};

extern const struct embedded_file embedded_files[];

/* The file with a name of this length, or NULL. */
const struct embedded_file *source_find(const char *name, size_t length);

/* The text of an embedded file with everything it includes, each file once. #line marks make
 * compilers name cl/file:line, for the public headers too. record, if not NULL, replaces
 * record_source.h. The caller frees the text. NULL if there is no memory or no such file. */
char *source_join(const char *name, const char *record);

#endif
