#include "io/paths.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool path_is_standard(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

bool path_is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The path that a link's text stands for: counted from the link's folder, or from the root. */
static char *path_of_link(const char *link, const char *text)
{
    if (*text == '/')
        return strdup(text);
    char *copy = strdup(link), *path = NULL;
    if (copy && asprintf(&path, "%s/%s", dirname(copy), text) < 0)
        path = NULL;
    free(copy);
    return path;
}

char *path_resolve(const char *path)
{
    enum { MAX_LINKS = 40 }; /* as Linux has it */
    char *resolved = strdup(path);
    for (int i = 0; resolved && i < MAX_LINKS; i++) {
        char text[PATH_MAX];
        const ssize_t length = readlink(resolved, text, sizeof(text) - 1);
        if (length < 0)
            return resolved;
        text[length] = '\0';
        char *next = path_of_link(resolved, text);
        free(resolved);
        resolved = next;
    }
    errno = resolved ? ELOOP : ENOMEM;
    free(resolved);
    return NULL;
}

/* Whether two files that are not there yet would have the same name in the same folder. */
static bool would_be_same(const char *a, const char *b)
{
    char *paths[2] = {path_resolve(a), path_resolve(b)};
    char *copies[2] = {paths[0] ? strdup(paths[0]) : NULL, paths[1] ? strdup(paths[1]) : NULL};
    struct stat folders[2];
    bool is_same = strcmp(a, b) == 0;
    if (copies[0] && copies[1])
        is_same |= strcmp(basename(paths[0]), basename(paths[1])) == 0 &&
                   stat(dirname(copies[0]), &folders[0]) == 0 &&
                   stat(dirname(copies[1]), &folders[1]) == 0 &&
                   path_is_same_file(&folders[0], &folders[1]);
    for (int i = 0; i < 2; i++) {
        free(paths[i]);
        free(copies[i]);
    }
    return is_same;
}

static bool look_at(const char *path, struct stat *status)
{
    return (path_is_standard(path) ? fstat(STDOUT_FILENO, status) : stat(path, status)) == 0;
}

bool path_is_same_output(const char *a, const char *b)
{
    struct stat of_a, of_b;
    const bool is_standard_a = path_is_standard(a), is_standard_b = path_is_standard(b);
    if (is_standard_a && is_standard_b)
        return true;
    const bool has_a = look_at(a, &of_a), has_b = look_at(b, &of_b);
    if (has_a && has_b)
        return path_is_same_file(&of_a, &of_b) && !S_ISCHR(of_a.st_mode);
    return !has_a && !has_b && !is_standard_a && !is_standard_b && would_be_same(a, b);
}
