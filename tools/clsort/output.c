#include "output.h"

#include "message.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One write() at most: often enough for a progress bar. */
enum { WRITE_SIZE = 8 << 20 };

/* Names of temporary files that exist, where a signal handler finds them. Four: bench writes CSV,
 * JSON and a plot. */
enum { NUM_SLOTS = 4 };
static char temp_paths[NUM_SLOTS][PATH_MAX];
static volatile sig_atomic_t temp_exists[NUM_SLOTS];

static const int fatal_signals[] = {SIGHUP, SIGINT, SIGTERM, SIGBUS};
enum { NUM_SIGNALS = sizeof(fatal_signals) / sizeof(fatal_signals[0]) };

static void remove_temps_and_die(int number)
{
    for (int slot = 0; slot < NUM_SLOTS; slot++) {
        if (temp_exists[slot])
            unlink(temp_paths[slot]);
    }
    /* The handler was installed to be used once. */
    raise(number);
}

static void catch_fatal_signals(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    struct sigaction action = {.sa_handler = remove_temps_and_die, .sa_flags = (int)SA_RESETHAND};
    for (int i = 0; i < NUM_SIGNALS; i++)
        sigaddset(&action.sa_mask, fatal_signals[i]);
    for (int i = 0; i < NUM_SIGNALS; i++) {
        struct sigaction before;
        sigaction(fatal_signals[i], NULL, &before);
        if (before.sa_handler != SIG_IGN)
            sigaction(fatal_signals[i], &action, NULL);
    }
}

/* Makes the temporary file; a signal finds either no file or its name. */
static bool open_temp(struct output *output)
{
    int slot = 0;
    while (slot < NUM_SLOTS && temp_exists[slot])
        slot++;
    const char *slash = strrchr(output->target, '/');
    const int dir_length = slash ? (int)(slash - output->target) + 1 : 0;
    if (slot == NUM_SLOTS || dir_length + 16 > PATH_MAX) {
        message("cannot write %s: the path is too long", output->name);
        return false;
    }
    catch_fatal_signals();
    sigset_t signals, before;
    sigemptyset(&signals);
    for (int i = 0; i < NUM_SIGNALS; i++)
        sigaddset(&signals, fatal_signals[i]);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    snprintf(temp_paths[slot], PATH_MAX, "%.*s.clsort.XXXXXX", dir_length, output->target);
    output->fd = mkstemp(temp_paths[slot]);
    const int error = errno;
    temp_exists[slot] = output->fd >= 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);

    if (output->fd < 0) {
        message("cannot create a temporary file beside %s: %s", output->name, strerror(error));
        return false;
    }
    output->slot = slot;
    return true;
}

static void remove_temp(struct output *output)
{
    if (temp_exists[output->slot])
        unlink(temp_paths[output->slot]);
    temp_exists[output->slot] = 0;
}

static bool trouble(const struct output *output, const char *what)
{
    message("cannot %s %s: %s", what, output->name, strerror(errno));
    return false;
}

static bool is_open_as_stdout(const struct stat *status)
{
    struct stat standard;
    return fstat(STDOUT_FILENO, &standard) == 0 && standard.st_dev == status->st_dev &&
           standard.st_ino == status->st_ino;
}

static bool open_regular(struct output *output, const char *path, const struct stat *existing)
{
    output->is_replacing = existing != NULL;
    if (existing && access(path, W_OK) != 0)
        return trouble(output, "write");
    output->target = existing ? realpath(path, NULL) : strdup(path);
    if (!output->target)
        return trouble(output, "write");
    if (!open_temp(output))
        return false;

    mode_t mode;
    if (existing) {
        mode = existing->st_mode & 07777;
        /* Only root may, and only where it matters; before the mode, whose bits it clears. */
        if (fchown(output->fd, existing->st_uid, existing->st_gid) != 0)
            errno = 0;
    } else {
        mode = umask(0);
        umask(mode);
        mode = 0666 & ~mode;
    }
    if (fchmod(output->fd, mode) != 0)
        return trouble(output, "set the mode of");
    return true;
}

bool output_open(struct output *output, const char *path)
{
    *output = (struct output){.name = path, .fd = -1};
    struct stat status;
    const bool exists = path && strcmp(path, "-") != 0 && stat(path, &status) == 0;
    if (!path || strcmp(path, "-") == 0 || (exists && is_open_as_stdout(&status))) {
        output->name = "standard output";
        output->fd = STDOUT_FILENO;
        return true;
    }
    if (!exists && errno != ENOENT)
        return trouble(output, "write");
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return trouble(output, "write");
    }

    struct stat link;
    const bool is_dangling = !exists && lstat(path, &link) == 0;
    bool ok;
    if ((exists && !S_ISREG(status.st_mode)) || is_dangling) {
        output->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        ok = output->fd >= 0 || trouble(output, "open");
    } else {
        ok = open_regular(output, path, exists ? &status : NULL);
    }
    if (!ok)
        output_abandon(output);
    return ok;
}

bool output_write(struct output *output, const void *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const size_t part = size - done < WRITE_SIZE ? size - done : WRITE_SIZE;
        const ssize_t written = write(output->fd, (const char *)data + done, part);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return trouble(output, "write");
        done += (size_t)written;
        output->num_written += (uint64_t)written;
        progress_done(output->num_written);
    }
    return true;
}

bool output_finish(struct output *output)
{
    bool ok = true;
    /* What is replaced may be the only copy, so the new one must be on the disk before. */
    if (output->is_replacing && fsync(output->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
        ok = trouble(output, "write");
    /* Some file systems report a full disk only here. */
    if (output->fd != STDOUT_FILENO && close(output->fd) != 0 && ok)
        ok = trouble(output, "write");
    output->fd = -1;
    if (ok && output->target && rename(temp_paths[output->slot], output->target) != 0)
        ok = trouble(output, "replace");
    if (ok && output->target)
        temp_exists[output->slot] = 0;
    output_abandon(output);
    return ok;
}

void output_abandon(struct output *output)
{
    if (output->fd > STDERR_FILENO)
        close(output->fd);
    output->fd = -1;
    if (output->target)
        remove_temp(output);
    free(output->target);
    output->target = NULL;
}

bool output_write_file(const char *path, const void *data, size_t size)
{
    struct output output;
    if (!output_open(&output, path))
        return false;
    if (output_write(&output, data, size))
        return output_finish(&output);
    output_abandon(&output);
    return false;
}

bool output_close_stdout(void)
{
    const bool is_used = __fpending(stdout) > 0 || ferror(stdout);
    const bool has_failed = ferror(stdout);
    const bool is_closed = fclose(stdout) == 0;
    if (!has_failed && (is_closed || !is_used))
        return true;
    message("cannot write standard output: %s", strerror(errno));
    return false;
}
