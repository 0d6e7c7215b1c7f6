/* paths.h: whether names on the command line stand for the same file. */
#ifndef CLSORT_TOOL_PATHS_H
#define CLSORT_TOOL_PATHS_H

#include <stdbool.h>
#include <sys/stat.h>

/* Whether it is standard input or standard output: NULL or "-". */
bool path_is_standard(const char *path);

bool path_is_same_file(const struct stat *a, const struct stat *b);

/* Where the links lead that a path may be, also to a file that is not there. To be freed; NULL: it
 * cannot be told, and errno says why. */
char *path_resolve(const char *path);

/* Whether two outputs would be the same file, also one that is not there yet, or one that standard
 * output is. A device such as /dev/null takes the bytes of several outputs. */
bool path_is_same_output(const char *a, const char *b);

#endif
