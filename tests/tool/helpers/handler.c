/* handler.c: preloaded into the tool by signals.sh. SIGUSR1 gets a handler that returns and lets
 * calls end with EINTR, as some drivers install them, if CLSORT_TEST_HANDLER is set. With
 * CLSORT_TEST_NAMED set, no file system knows files without a name. With CLSORT_TEST_LATE set, that
 * of standard output tells that it is full when the file is closed, as that of another machine.
 * With CLSORT_TEST_PRINTS set, a destructor prints, as drivers' may. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static void ignore(int number)
{
    (void)number;
}

__attribute__((constructor)) static void install(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = ignore;
    /* A shell's background processes ignore these two. */
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    if (getenv("CLSORT_TEST_HANDLER"))
        sigaction(SIGUSR1, &action, NULL);
}

/* Memory that a stream had before is full of other bytes by then. */
__attribute__((destructor)) static void print(void)
{
    if (!getenv("CLSORT_TEST_PRINTS"))
        return;
    for (size_t size = 16; size < 2048; size += 16) {
        static void *volatile kept; /* else a compiler may leave this out */
        void *taken = kept = malloc(size);
        if (taken)
            memset(taken, 0x5a, size);
    }
    puts("printed late");
    fflush(stdout);
}

/* clsort is compiled for files of 64 bits. */
int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if ((flags & O_TMPFILE) == O_TMPFILE && getenv("CLSORT_TEST_NAMED")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    int (*next)(const char *, int, ...);
    void *symbol = dlsym(RTLD_NEXT, "open64");
    memcpy(&next, &symbol, sizeof(next));
    return next(path, flags, mode);
}

int close(int fd)
{
    struct stat closed, out;
    const int is_late = getenv("CLSORT_TEST_LATE") && fstat(fd, &closed) == 0 &&
                        fstat(STDOUT_FILENO, &out) == 0 && closed.st_dev == out.st_dev &&
                        closed.st_ino == out.st_ino;
    int (*next)(int);
    void *symbol = dlsym(RTLD_NEXT, "close");
    memcpy(&next, &symbol, sizeof(next));
    const int result = next(fd);
    if (!is_late || result != 0)
        return result;
    errno = ENOSPC;
    return -1;
}
