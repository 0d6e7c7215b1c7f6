/* watch.c: preloaded into the tool by files.sh. Counts the calls of pread() and pwrite(), and at call
 * number CLSORT_TEST_AT raises the signal CLSORT_TEST_RAISE or cuts the file CLSORT_TEST_CUT to 5
 * bytes. CLSORT_TEST_SPOIL changes what is read from that call on: "number" makes the first u32 the
 * largest there is, "line" makes the first digit of a text a 9. At the end writes to the file
 * CLSORT_TEST_USAGE: the calls, the largest resident memory in KiB, the bytes read and written. */
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long num_calls;

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
    const ssize_t num_read = next(fd, data, size, offset);
    spoil(data, num_read);
    return num_read;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off_t);
    void *symbol = dlsym(RTLD_NEXT, "pwrite64");
    memcpy(&next, &symbol, sizeof(next));
    count_call();
    return next(fd, data, size, offset);
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
    fprintf(file, "%ld %ld %ld %ld\n", num_calls, usage.ru_maxrss,
            number_in("/proc/self/io", "rchar:"), number_in("/proc/self/io", "wchar:"));
    fclose(file);
}
