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

static _Noreturn void trouble(const struct output *output, const char *what)
{
    die("cannot %s %s: %s", what, output->name, strerror(errno));
}

/* Dies if an output's name has a folder that is not there. */
static void check_folder(const char *name)
{
    char folder[PATH_MAX];
    struct stat status;
    const char *slash = strrchr(name, '/');
    const int length = slash ? (int)(slash - name) : 0;
    if (length == 0 || length >= PATH_MAX)
        return;
    snprintf(folder, sizeof(folder), "%.*s", length, name);
    if (stat(folder, &status) != 0 && errno == ENOENT)
        die("cannot write %s: there is no folder %s; create it first", name, folder);
}

/* Nothing can be made in the folder. */
static _Noreturn void refuse_folder(const struct output *output)
{
    const int error = errno;
    if (error == ENOENT)
        check_folder(output->name);
    const bool is_forbidden = error == EACCES || error == EPERM || error == EROFS;
    die("cannot create a temporary file beside %s: %s%s", output->name, strerror(error),
        !is_forbidden          ? ""
        : output->is_replacing ? "; " REPLACE_BY_COPY
                               : "; write to a file in another folder");
}

/* A file whose replacement would be refused when all is done is refused at once. What replaces a
 * file is its owner's alone until it is complete. */
static void open_regular(struct output *output, const char *path, bool exists)
{
    output->is_replacing = exists;
    if (exists && access(path, W_OK) != 0)
        trouble(output, "write");
    output->target = exists ? realpath(path, NULL) : path_resolve(path);
    if (!output->target)
        trouble(output, "write");
    const char *refusal = exists ? replace_refusal(output->target) : NULL;
    if (refusal)
        die("cannot replace %s: %s", output->name, refusal);
    if (!temp_open(&output->temp, output->target, !exists))
        refuse_folder(output);
    output->fd = output->temp.fd;
}

void output_open(struct output *output, const char *path)
{
    *output = (struct output){.name = path, .fd = -1, .temp = {.fd = -1}};
    struct stat status, standard;
    if (path && !*path)
        die("the output's name is empty");
    const bool is_standard = path_is_standard(path);
    const bool exists = !is_standard && stat(path, &status) == 0;
    if (is_standard ||
        (exists && fstat(STDOUT_FILENO, &standard) == 0 && path_is_same_file(&standard, &status))) {
        output->name = "standard output";
        output->fd = STDOUT_FILENO;
        return;
    }
    if (!exists && errno != ENOENT)
        trouble(output, "write");
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        trouble(output, "write");
    }

    if (!exists || S_ISREG(status.st_mode)) {
        open_regular(output, path, exists);
        return;
    }
    output->fd = call_open(path, O_WRONLY | O_CREAT, 0666);
    if (output->fd < 0)
        trouble(output, "open");
}

void output_refuse_terminal(const char *path)
{
    if (path_is_standard(path) && isatty(STDOUT_FILENO))
        die("standard output is a terminal, and raw bytes are not for it; give a file with -o");
}

void output_refuse_input(const struct output *output, const char *name, int fd)
{
    struct stat of_input, of_output;
    if (!output->target && fstat(fd, &of_input) == 0 && fstat(output->fd, &of_output) == 0 &&
        S_ISREG(of_input.st_mode) && of_input.st_size > 0 &&
        path_is_same_file(&of_input, &of_output))
        die("%s is standard output, too, and would be written while it is read", name);
}

void output_reserve(struct output *output, uint64_t size)
{
    char text[SIZE_TEXT];
    output->num_reserved = size;
    if (!output->target || call_reserve(output->fd, size))
        return;
    if (errno != ENOSPC && errno != EDQUOT)
        trouble(output, "write");
    die("cannot write %s: %s; it needs %s", output->name, strerror(errno), size_text(size, text));
}

void output_write(struct output *output, const void *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const size_t part = size - done < WRITE_SIZE ? size - done : WRITE_SIZE;
        if (!call_write(output->fd, (const char *)data + done, part, CALL_NEXT))
            trouble(output, "write");
        done += part;
        output->num_written += part;
        progress_add(part);
    }
}

void output_refute(const struct output *output, const char *format, ...)
{
    char wrong[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(wrong, sizeof(wrong), format, arguments);
    va_end(arguments);
    die("verification failed: %s; %s", wrong,
        output->target || output->num_written == 0
            ? "nothing was written"
            : "do not use what was written before this message");
}

void output_write_at(struct output *output, const void *data, uint64_t offset, size_t size)
{
    if (!call_write(output->fd, data, size, offset))
        trouble(output, "write");
}

void output_write_many(struct output *output, const void *data, uint64_t size)
{
    if (!output->target) {
        output_write(output, data, (size_t)size);
        return;
    }
    /* It is only read. */
    const struct span span = {(char *)(uintptr_t)data, output->num_written, size};
    /* Writes that make a file longer are one at a time. */
    if (output->num_written == 0 && !call_resize(output->fd, output->num_reserved))
        trouble(output, "write");
    if (!output->direct.blocks)
        output->direct = direct_open(output->fd, true);
    errno = direct_write(&output->direct, &span, 1);
    if (errno)
        trouble(output, "write");
    output->num_written += size;
}

/* Gives back what was reserved behind the file's end. */
static bool trim(const struct output *output)
{
    struct stat status;
    return !output->target || fstat(output->fd, &status) != 0 ||
           output->num_reserved <= (uint64_t)status.st_size ||
           call_resize(output->fd, (uint64_t)status.st_size);
}

static void keep_access(const struct output *output)
{
    bool is_narrower = false;
    if (output->target && !replace_keep_access(output->fd, output->target, &is_narrower))
        trouble(output, "set the mode of");
    if (is_narrower)
        message("%s: " REPLACE_NARROWED, output->name);
}

/* Whether what is replaced may go: it may be the only copy, so the new one must be on the disk. */
static bool is_synced(const struct output *output)
{
    return !output->is_replacing || call_sync(output->fd) || errno == EINVAL || errno == ENOTSUP;
}

/* What can fail for the file's bytes has then failed. */
static void output_complete(const struct output *output)
{
    if (!trim(output))
        trouble(output, "write");
    keep_access(output);
    if (!is_synced(output) || !call_flush(output->fd))
        trouble(output, "write");
}

void output_finish(struct output *output)
{
    output_finish_all(&output, 1);
}

void output_finish_all(struct output *const outputs[], uint32_t num)
{
    for (uint32_t i = 0; i < num; i++)
        output_complete(outputs[i]);
    for (uint32_t i = 0; i < num; i++) {
        if (outputs[i]->target && !temp_name(&outputs[i]->temp, outputs[i]->target)) {
            message("cannot replace %s: %s", outputs[i]->name, strerror(errno));
            for (uint32_t k = 0; k < i; k++)
                message("%s is written already, but %s is not: the two do not belong together",
                        outputs[k]->name, outputs[i]->name);
            die_told();
        }
        output_abandon(outputs[i]);
    }
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

void output_try(const char *path)
{
    struct stat status;
    struct output output;
    if (!path_is_standard(path) &&
        (stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) {
        output_open(&output, path);
        output_abandon(&output);
    }
}

void output_write_file(const char *path, const void *data, size_t size)
{
    struct output output;
    output_open(&output, path);
    output_write(&output, data, size);
    output_finish(&output);
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
