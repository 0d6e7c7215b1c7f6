/* watch.c: preloaded into the tool by files.sh. Counts the calls of pread() and pwrite(), and at
 * call number CLSORT_TEST_AT raises the signal CLSORT_TEST_RAISE, cuts the file CLSORT_TEST_CUT to
 * 5 bytes, or fails if CLSORT_TEST_FAIL is set.
 * CLSORT_TEST_CUT_READ=N cuts that file before the Nth read() of a file that is counted instead.
 * CLSORT_TEST_SPOIL changes what is read from that call on: "number" makes the first u32 the
 * largest there is, "last" the last one of more than one, "only" the only one, "line" makes the
 * first digit of a text a 9. The first pwrite() waits until pread() has read CLSORT_TEST_WAIT
 * bytes, a minute at most. At the end writes to the file CLSORT_TEST_USAGE: the calls, the largest
 * resident memory in KiB, the bytes read from and written to files in CLSORT_TEST_DIR or the
 * working directory, named or not, those of them that passed the cache by (O_DIRECT), and whether
 * the first pwrite() has waited in vain. What drivers read elsewhere is not counted. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long num_calls, num_reads, num_read, num_written, num_direct;
static atomic_int has_written, is_in_vain;

static int is_counted(int fd)
{
    char link[32], path[PATH_MAX] = "", dir[PATH_MAX] = "?";
    const char *named = getenv("CLSORT_TEST_DIR");
    const char *wanted = named ? named : getcwd(dir, sizeof(dir)) ? dir : "?";
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    return readlink(link, path, sizeof(path) - 1) > 0 && strncmp(path, wanted, strlen(wanted)) == 0;
}

static ssize_t add_up(int fd, ssize_t size, atomic_long *sum)
{
    const int error = errno;
    if (size > 0 && is_counted(fd)) {
        atomic_fetch_add(sum, size);
        if (fcntl(fd, F_GETFL) & O_DIRECT)
            atomic_fetch_add(&num_direct, size);
    }
    errno = error;
    return size;
}

static void wait_for_reads(void)
{
    const char *size = getenv("CLSORT_TEST_WAIT");
    int tries = 60000;
    if (!size || atomic_exchange(&has_written, 1))
        return;
    while (num_read < atol(size) && --tries)
        usleep(1000);
    is_in_vain = tries == 0;
}

/* Whether the call is to fail. */
static int count_call(void)
{
    const char *at = getenv("CLSORT_TEST_AT");
    const char *number = getenv("CLSORT_TEST_RAISE"), *path = getenv("CLSORT_TEST_CUT");
    if (atomic_fetch_add(&num_calls, 1) + 1 != (at ? atol(at) : -1))
        return 0;
    if (number) {
        kill(getpid(), atoi(number));
        for (;;) /* a thread of the tool ends it */
            pause();
    }
    if (path && !getenv("CLSORT_TEST_CUT_READ") && truncate(path, 5) != 0)
        abort();
    errno = EIO;
    return getenv("CLSORT_TEST_FAIL") != NULL;
}

static void spoil(char *data, ssize_t size)
{
    const char *what = getenv("CLSORT_TEST_SPOIL"), *at = getenv("CLSORT_TEST_AT");
    if (!what || size < 4 || num_calls < atol(at ? at : "0"))
        return;
    if (strcmp(what, "number") == 0)
        memset(data, 0xff, 4);
    else if (strcmp(what, size == 4 ? "only" : size % 4 == 0 ? "last" : "neither") == 0)
        memset(data + size - 4, 0xff, 4);
    else if (*data >= '0' && *data <= '9' && !memchr(data, 0, (size_t)size))
        *data = '9';
}

/* The C library's function. */
#define FIND(next, name)                       \
    do {                                       \
        void *symbol = dlsym(RTLD_NEXT, name); \
        memcpy(&next, &symbol, sizeof(next));  \
    } while (0)

ssize_t pread64(int fd, void *data, size_t size, off_t offset)
{
    ssize_t (*next)(int, void *, size_t, off_t);
    FIND(next, "pread64");
    if (count_call())
        return -1;
    const ssize_t done = next(fd, data, size, offset);
    spoil(data, done);
    return add_up(fd, done, &num_read);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off_t);
    FIND(next, "pwrite64");
    if (count_call())
        return -1;
    wait_for_reads();
    return add_up(fd, next(fd, data, size, offset), &num_written);
}

ssize_t read(int fd, void *data, size_t size)
{
    ssize_t (*next)(int, void *, size_t);
    const char *number = getenv("CLSORT_TEST_CUT_READ");
    FIND(next, "read");
    if (number && is_counted(fd) && atomic_fetch_add(&num_reads, 1) + 1 == atol(number) &&
        truncate(getenv("CLSORT_TEST_CUT"), 5) != 0)
        abort();
    return add_up(fd, next(fd, data, size), &num_read);
}

ssize_t write(int fd, const void *data, size_t size)
{
    ssize_t (*next)(int, const void *, size_t);
    FIND(next, "write");
    return add_up(fd, next(fd, data, size), &num_written);
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("CLSORT_TEST_USAGE");
    FILE *file = path ? fopen(path, "w") : NULL;
    struct rusage usage;
    if (!file || getrusage(RUSAGE_SELF, &usage) != 0)
        return;
    fprintf(file, "%ld %ld %ld %ld %ld %d\n", num_calls, usage.ru_maxrss, num_read, num_written,
            num_direct, is_in_vain);
    fclose(file);
}
