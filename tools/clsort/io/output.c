#include "io/output.h"

#include "io/calls.h"
#include "cli/message.h"
#include "io/paths.h"
#include "cli/progress.h"
#include "io/replace.h"

#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One write() at most: often enough for a progress bar. */
enum { WRITE_SIZE = 8 << 20 };

static bool trouble(const struct output *output, const char *what)
{
    message("cannot %s %s: %s", what, output->name, strerror(errno));
    return false;
}

/* Whether an output's name has a folder that is not there; says so. */
static bool lacks_folder(const char *name)
{
    char folder[PATH_MAX];
    struct stat status;
    const char *slash = strrchr(name, '/');
    const int length = slash ? (int)(slash - name) : 0;
    if (length == 0 || length >= PATH_MAX)
        return false;
    snprintf(folder, sizeof(folder), "%.*s", length, name);
    if (stat(folder, &status) == 0 || errno != ENOENT)
        return false;
    message("cannot write %s: there is no folder %s; create it first", name, folder);
    return true;
}

/* Nothing can be made in the folder. */
static bool refuse_folder(const struct output *output)
{
    const int error = errno;
    if (error == ENOENT && lacks_folder(output->name))
        return false;
    errno = error;
    const bool is_forbidden = errno == EACCES || errno == EPERM || errno == EROFS;
    message("cannot create a temporary file beside %s: %s%s", output->name, strerror(errno),
            !is_forbidden          ? ""
            : output->is_replacing ? "; " REPLACE_BY_COPY
                                   : "; write to a file in another folder");
    return false;
}

/* A file whose replacement would be refused when all is done is refused at once. What replaces a
 * file is its owner's alone until it is complete. */
static bool open_regular(struct output *output, const char *path, bool exists)
{
    output->is_replacing = exists;
    if (exists && access(path, W_OK) != 0)
        return trouble(output, "write");
    output->target = exists ? realpath(path, NULL) : path_resolve(path);
    if (!output->target)
        return trouble(output, "write");
    const char *refusal = exists ? replace_refusal(output->target) : NULL;
    if (refusal) {
        message("cannot replace %s: %s", output->name, refusal);
        return false;
    }
    if (!temp_open(&output->temp, output->target, !exists))
        return refuse_folder(output);
    output->fd = output->temp.fd;
    return true;
}

bool output_open(struct output *output, const char *path)
{
    *output = (struct output){.name = path, .fd = -1, .temp = {.fd = -1}};
    struct stat status, standard;
    if (path && !*path) {
        message("the output's name is empty");
        return false;
    }
    const bool is_standard = path_is_standard(path);
    const bool exists = !is_standard && stat(path, &status) == 0;
    if (is_standard ||
        (exists && fstat(STDOUT_FILENO, &standard) == 0 && path_is_same_file(&standard, &status))) {
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

    if (exists && !S_ISREG(status.st_mode)) {
        output->fd = call_open(path, O_WRONLY | O_CREAT, 0666);
        return output->fd >= 0 || trouble(output, "open");
    }
    const bool ok = open_regular(output, path, exists);
    if (!ok)
        output_abandon(output);
    return ok;
}

bool output_takes_bytes(const char *path)
{
    const bool is_terminal = path_is_standard(path) && isatty(STDOUT_FILENO);
    if (is_terminal)
        message("standard output is a terminal, and raw bytes are not for it; give a file with -o");
    return !is_terminal;
}

bool output_refuse_input(const struct output *output, const char *name, int fd)
{
    struct stat of_input, of_output;
    const bool is_same = !output->target && fstat(fd, &of_input) == 0 &&
                         fstat(output->fd, &of_output) == 0 && S_ISREG(of_input.st_mode) &&
                         of_input.st_size > 0 && path_is_same_file(&of_input, &of_output);
    if (is_same)
        message("%s is standard output, too, and would be written while it is read", name);
    return !is_same;
}

static bool refuse_space(const struct output *output, uint64_t size)
{
    char text[SIZE_TEXT];
    if (errno != ENOSPC && errno != EDQUOT)
        return trouble(output, "write");
    message("cannot write %s: %s; it needs %s", output->name, strerror(errno),
            size_text(size, text));
    return false;
}

bool output_reserve(struct output *output, uint64_t size)
{
    output->num_reserved = size;
    return !output->target || call_reserve(output->fd, size) || refuse_space(output, size);
}

bool output_write(struct output *output, const void *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const size_t part = size - done < WRITE_SIZE ? size - done : WRITE_SIZE;
        if (!call_write(output->fd, (const char *)data + done, part, CALL_NEXT))
            return trouble(output, "write");
        done += part;
        output->num_written += part;
        progress_add(part);
    }
    return true;
}

bool output_refute(const struct output *output, const char *format, ...)
{
    char wrong[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(wrong, sizeof(wrong), format, arguments);
    va_end(arguments);
    message("verification failed: %s; %s", wrong,
            output->target || output->num_written == 0
                ? "nothing was written"
                : "do not use what was written before this message");
    return false;
}

bool output_write_at(struct output *output, const void *data, uint64_t offset, size_t size)
{
    if (call_write(output->fd, data, size, offset))
        return true;
    const int error = errno;
    if (!atomic_exchange(&output->has_failed, true)) {
        errno = error;
        trouble(output, "write");
    }
    return false;
}

bool output_write_many(struct output *output, const void *data, uint64_t size)
{
    if (!output->target)
        return output_write(output, data, (size_t)size);
    /* It is only read. */
    const struct span span = {(char *)(uintptr_t)data, output->num_written, size};
    /* Writes that make a file longer are one at a time. */
    if (output->num_written == 0 && !call_resize(output->fd, output->num_reserved))
        return trouble(output, "write");
    if (!output->direct.blocks)
        output->direct = direct_open(output->fd, true);
    const int error = direct_write(&output->direct, &span, 1);
    output->num_written += size;
    errno = error;
    return !error || trouble(output, "write");
}

/* Gives back what was reserved behind the file's end. */
static bool trim(const struct output *output)
{
    struct stat status;
    return !output->target || fstat(output->fd, &status) != 0 ||
           output->num_reserved <= (uint64_t)status.st_size ||
           call_resize(output->fd, (uint64_t)status.st_size);
}

static bool keep_access(const struct output *output)
{
    bool is_narrower;
    if (!output->target)
        return true;
    if (!replace_keep_access(output->fd, output->target, &is_narrower))
        return trouble(output, "set the mode of");
    if (is_narrower)
        message("%s: " REPLACE_NARROWED, output->name);
    return true;
}

/* Whether what is replaced may go: it may be the only copy, so the new one must be on the disk. */
static bool is_synced(const struct output *output)
{
    return !output->is_replacing || call_sync(output->fd) || errno == EINVAL || errno == ENOTSUP;
}

/* What can fail for the file's bytes has then failed. */
static bool output_complete(struct output *output)
{
    output->is_complete =
        output->is_complete ||
        ((trim(output) || trouble(output, "write")) && keep_access(output) &&
         ((is_synced(output) && call_flush(output->fd)) || trouble(output, "write")));
    return output->is_complete;
}

bool output_finish(struct output *output)
{
    bool ok = output_complete(output);
    if (ok && output->target && !temp_name(&output->temp, output->target))
        ok = trouble(output, "replace");
    output_abandon(output);
    return ok;
}

bool output_finish_all(struct output *const outputs[], uint32_t num)
{
    uint32_t num_named = 0;
    for (uint32_t i = 0; i < num; i++) {
        if (!output_complete(outputs[i]))
            return false;
    }
    while (num_named < num && output_finish(outputs[num_named]))
        num_named++;
    for (uint32_t i = 0; i < num_named && num_named < num; i++)
        message("%s is written already, but %s is not: the two do not belong together",
                outputs[i]->name, outputs[num_named]->name);
    return num_named == num;
}

void output_abandon(struct output *output)
{
    direct_close(&output->direct);
    if (output->target)
        temp_close(&output->temp);
    else if (output->fd > STDERR_FILENO)
        close(output->fd);
    output->fd = -1;
    free(output->target);
    output->target = NULL;
}

bool output_is_possible(const char *path)
{
    struct stat status;
    struct output output;
    if (path_is_standard(path) ||
        (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
        return true;
    const bool is_possible = output_open(&output, path);
    output_abandon(&output);
    return is_possible;
}

bool output_write_file(const char *path, const void *data, size_t size)
{
    struct output output;
    const bool ok =
        output_open(&output, path) && output_write(&output, data, size) && output_finish(&output);
    output_abandon(&output);
    return ok;
}

#ifdef __GLIBC__
static ssize_t write_stream(void *fd, const char *data, size_t size)
{
    return call_write(*(const int *)fd, data, size, CALL_NEXT) ? (ssize_t)size : 0;
}

/* A stream that goes on after an interrupted write; the one there was, where memory is out. */
static FILE *continuing_stream(FILE *stream, int *fd, int buffering)
{
    const cookie_io_functions_t functions = {.write = write_stream};
    FILE *opened = fopencookie(fd, "w", functions);
    if (!opened)
        return stream;
    setvbuf(opened, NULL, buffering, BUFSIZ);
    return opened;
}

void output_open_streams(void)
{
    static int fds[] = {STDOUT_FILENO, STDERR_FILENO};
    stdout = continuing_stream(stdout, &fds[0], isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    stderr = continuing_stream(stderr, &fds[1], _IONBF);
}
#else
void output_open_streams(void)
{
}
#endif

bool output_close_stdout(void)
{
    const bool is_used = __fpending(stdout) > 0 || ferror(stdout);
    const bool has_failed = ferror(stdout);
    const bool is_closed = fflush(stdout) == 0 && close(STDOUT_FILENO) == 0;
    if (has_failed || (!is_closed && is_used)) {
        message("cannot write standard output: %s", strerror(errno));
        return false;
    }
    /* What a driver still prints must not get into a file that another one opens. */
    (void)open("/", O_PATH);
    return true;
}
