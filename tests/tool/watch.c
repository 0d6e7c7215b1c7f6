/* watch.c: preloaded into the tool by files.sh. Counts the calls of pread() and pwrite(), and at call
 * number CLSORT_TEST_AT raises the signal CLSORT_TEST_RAISE or cuts the file CLSORT_TEST_CUT to 5
 * bytes. CLSORT_TEST_SPOIL changes what is read from that call on: "number" makes the first u32 the
 * largest there is, "line" makes the first digit of a text a 9. The first pwrite() waits until
 * pread() has read CLSORT_TEST_WAIT bytes, a minute at most. At the end writes to the file
 * CLSORT_TEST_USAGE: the calls, the largest resident memory in KiB, the bytes read and written, those of
 * them that passed the cache by (O_DIRECT), and whether the first pwrite() has waited in vain. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long num_calls, num_read, num_direct;
static atomic_int has_written, is_in_vain;

static void add_up(int fd, ssize_t size, atomic_long *sum)
{
    if (size > 0 && sum)
        atomic_fetch_add(sum, size);
    if (size > 0 && fcntl(fd, F_GETFL) & O_DIRECT)
        atomic_fetch_add(&num_direct, size);
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

static void count_call(void)
{
    const char *at = getenv("CLSORT_TEST_AT");
    const char *number = getenv("CLSORT_TEST_RAISE"), *path = getenv("CLSORT_TEST_CUT");
    if (atomic_fetch_add(&num_calls, 1) + 1 != (at ? atol(at) : -1))
        return;
    if (number)
        raise(atoi(number));
    if (path && truncate(path, 5) != 0)
        abort();
}

static void spoil(char *data, ssize_t size)
{
    const char *what = getenv("CLSORT_TEST_SPOIL"), *at = getenv("CLSORT_TEST_AT");
    if (!what || size < 4 || num_calls < atol(at ? at : "0"))
        return;
    if (strcmp(what, "number") == 0)
        memset(data, 0xff, 4);
    else if (*data >= '0' && *data <= '9' && !memchr(data, 0, (size_t)size))
        *data = '9';
}

ssize_t pread64(int fd, void *data, size_t size, off_t offset)
{
    ssize_t (*next)(int, void *, size_t, off_t);
    void *symbol = dlsym(RTLD_NEXT, "pread64");
    memcpy(&next, &symbol, sizeof(next));
    count_call();
    const ssize_t done = next(fd, data, size, offset);
    spoil(data, done);
    add_up(fd, done, &num_read);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off_t);
    void *symbol = dlsym(RTLD_NEXT, "pwrite64");
    memcpy(&next, &symbol, sizeof(next));
    count_call();
    wait_for_reads();
    const ssize_t done = next(fd, data, size, offset);
    add_up(fd, done, NULL);
    return done;
}

static long number_in(const char *path, const char *word)
{
    char line[256];
    long number = -1;
    FILE *file = fopen(path, "r");
    while (file && number < 0 && fgets(line, sizeof(line), file)) {
        if (strncmp(line, word, strlen(word)) == 0)
            number = atol(line + strlen(word));
    }
    if (file)
        fclose(file);
    return number;
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("CLSORT_TEST_USAGE");
    FILE *file = path ? fopen(path, "w") : NULL;
    struct rusage usage;
    if (!file || getrusage(RUSAGE_SELF, &usage) != 0)
        return;
    fprintf(file, "%ld %ld %ld %ld %ld %d\n", num_calls, usage.ru_maxrss,
            number_in("/proc/self/io", "rchar:"), number_in("/proc/self/io", "wchar:"), num_direct,
            is_in_vain);
    fclose(file);
}
