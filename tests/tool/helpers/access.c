/* access.c: preloaded into the tool by access.sh. Calls whose names are in CLSORT_TEST_REFUSE fail
 * with EPERM, and "nameless" among them refuses a file without a name, as some file systems do.
 * Before and behind each call that changes who may read a file a line is appended to the file
 * CLSORT_TEST_ACCESS: the mode in octal, the group, and whether there is a list of access. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/xattr.h>

/* The C library's function. */
#define FIND(next, name)                       \
    do {                                       \
        void *symbol = dlsym(RTLD_NEXT, name); \
        memcpy(&next, &symbol, sizeof(next));  \
    } while (0)

static int is_refused(const char *call, int error)
{
    const char *calls = getenv("CLSORT_TEST_REFUSE");
    errno = error;
    return calls && strstr(calls, call) != NULL;
}

static void tell(int fd)
{
    const int error = errno;
    const char *path = getenv("CLSORT_TEST_ACCESS");
    FILE *file = path ? fopen(path, "a") : NULL;
    struct stat status;
    if (file && fstat(fd, &status) == 0)
        fprintf(file, "%o %u %d\n", (unsigned int)status.st_mode & 07777,
                (unsigned int)status.st_gid, fgetxattr(fd, "system.posix_acl_access", NULL, 0) > 0);
    if (file)
        fclose(file);
    errno = error;
}

int fchown(int fd, uid_t user, gid_t group)
{
    int (*next)(int, uid_t, gid_t);
    FIND(next, "fchown");
    tell(fd);
    const int result = is_refused("fchown", EPERM) ? -1 : next(fd, user, group);
    tell(fd);
    return result;
}

int fchmod(int fd, mode_t mode)
{
    int (*next)(int, mode_t);
    FIND(next, "fchmod");
    tell(fd);
    const int result = next(fd, mode);
    tell(fd);
    return result;
}

int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
    int (*next)(int, const char *, const void *, size_t, int);
    FIND(next, "fsetxattr");
    tell(fd);
    const int result = is_refused(name, EPERM) ? -1 : next(fd, name, value, size, flags);
    tell(fd);
    return result;
}

int fremovexattr(int fd, const char *name)
{
    int (*next)(int, const char *);
    FIND(next, "fremovexattr");
    return is_refused(name, EPERM) ? -1 : next(fd, name);
}

int open64(const char *path, int flags, ...)
{
    int (*next)(const char *, int, ...);
    FIND(next, "open64");
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if ((flags & __O_TMPFILE) && is_refused("nameless", EOPNOTSUPP))
        return -1;
    return next(path, flags, mode);
}
