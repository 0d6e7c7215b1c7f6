#include "cli/command.h"

#include "cli/message.h"
#include "io/output.h"
#include "io/signals.h"
#include "memory/host_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A standard stream that is closed stays unusable, and no file of the tool takes its place: reading
 * it and writing it fail. Messages without a stream get lost. */
static bool keep_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        const bool is_error = fd == STDERR_FILENO;
        const char *path = is_error ? "/dev/null" : "/";
        /* The lowest free descriptor is taken, which is this one. */
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open(path, is_error ? O_RDWR : O_PATH) < 0 && open("/", O_PATH) < 0) {
            message("cannot open %s in place of a closed stream: %s", path, strerror(errno));
            return false;
        }
    }
    return true;
}

void forget_empty_cache(void)
{
    const char *folder = getenv("POCL_CACHE_DIR");
    if (folder && !*folder)
        unsetenv("POCL_CACHE_DIR");
}

int start(int argc, char **argv, int (*run)(int argc, char **argv))
{
    if (!keep_standard_streams())
        return EXIT_TROUBLE;
    forget_empty_cache();
    output_open_streams();
    host_memory_obey_limits();
    signals_catch();
    signals_wait();

    int status = run(argc, argv);
    if (!output_close_stdout())
        status = EXIT_TROUBLE;
    signals_end_waiting();
    return status;
}
