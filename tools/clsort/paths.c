#include "paths.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool path_is_standard(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether two files that are not there yet would have the same name in the same folder. */
static bool would_be_same(const char *a, const char *b)
{
    char *copies[4] = {strdup(a), strdup(a), strdup(b), strdup(b)};
    struct stat folders[2];
    bool is_same = strcmp(a, b) == 0;
    if (copies[0] && copies[1] && copies[2] && copies[3])
        is_same |= strcmp(basename(copies[0]), basename(copies[2])) == 0 &&
                   stat(dirname(copies[1]), &folders[0]) == 0 &&
                   stat(dirname(copies[3]), &folders[1]) == 0 &&
                   is_same_file(&folders[0], &folders[1]);
    for (int i = 0; i < 4; i++)
        free(copies[i]);
    return is_same;
}

bool path_is_same_output(const char *a, const char *b)
{
    struct stat of_a, of_b;
    if (path_is_standard(a) || path_is_standard(b))
        return path_is_standard(a) && path_is_standard(b);
    const bool has_a = stat(a, &of_a) == 0, has_b = stat(b, &of_b) == 0;
    if (has_a && has_b)
        return is_same_file(&of_a, &of_b) && !S_ISCHR(of_a.st_mode);
    return !has_a && !has_b && would_be_same(a, b);
}
