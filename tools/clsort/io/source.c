#include "io/source.h"

#include "io/calls.h"
#include "io/paths.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a file says that it is larger than what can be read of it, as those of /sys do: it takes
 * no room, and nothing stands where its last byte would be. */
static bool is_unsized(int fd, const struct stat *status)
{
    char last;
    return status->st_blocks == 0 && status->st_size > 0 &&
           call_read(fd, &last, 1, (uint64_t)status->st_size - 1) == 0;
}

/* Returns what cannot be done, for errno's reason, or NULL. */
static const char *try_open(struct source *source, const char *path)
{
    const bool is_standard = path_is_standard(path);
    *source = (struct source){.name = is_standard ? "standard input" : path, .fd = STDIN_FILENO};
    if (!is_standard)
        source->fd = call_open(path, O_RDONLY, 0);
    if (source->fd < 0)
        return "open";
    if (isatty(source->fd))
        progress_hide();
    struct stat status;
    if (fstat(source->fd, &status) != 0)
        return "look at";
    const off_t here = S_ISREG(status.st_mode) ? lseek(source->fd, 0, SEEK_CUR) : -1;
    if (here >= 0 && status.st_size > here && !is_unsized(source->fd, &status)) {
        source->start = (uint64_t)here;
        source->size = (uint64_t)(status.st_size - here);
    }
    return NULL;
}

void source_open(struct source *source, const char *path)
{
    const char *failed = try_open(source, path);
    if (failed)
        die("cannot %s %s: %s", failed, source->name, strerror(errno));
}

bool source_find_size(const char *path, uint64_t *size_ret)
{
    struct source source;
    struct stat status;
    if ((path_is_standard(path) ? fstat(STDIN_FILENO, &status) : stat(path, &status)) != 0 ||
        !S_ISREG(status.st_mode))
        return false;
    const bool is_open = !try_open(&source, path);
    *size_ret = source.size;
    source_close(&source);
    return is_open;
}

/* Much of a regular file by several threads; errno on failure. */
static ssize_t read_parts(const struct source *source, void *data, size_t size)
{
    const struct direct cached = {.fd = source->fd, .bypass_fd = -1};
    const struct span span = {data, source->start + source->num_read, size};
    const int error = direct_read(source->direct.blocks ? &source->direct : &cached, &span, 1);
    lseek(source->fd, (off_t)(span.offset + size), SEEK_SET);
    errno = error;
    return error == DIRECT_END ? 0 : error ? -1 : (ssize_t)size;
}

size_t source_read(struct source *source, void *data, size_t size)
{
    enum { MUCH = 4 << 20 }; /* bytes */
    if (source->is_at_end)
        return 0;
    const uint64_t left = source->size > source->num_read ? source->size - source->num_read : 0;
    const size_t known = size < left ? size : (size_t)left;
    const bool is_much = known >= MUCH;
    const ssize_t num_read =
        is_much ? read_parts(source, data, known) : call_read(source->fd, data, size, CALL_NEXT);
    if (num_read < 0)
        die("cannot read %s: %s", source->name, strerror(errno));
    source->is_at_end = (size_t)num_read < size;
    source->num_read += (size_t)num_read;
    /* A part of a file is no input. */
    const bool is_cut = source->is_at_end && source->num_read < source->size;
    if (is_cut)
        die("cannot read %s: it has become shorter", source->name);
    if (!source->is_uncounted && !is_much) /* read_parts() tells its own */
        progress_add((uint64_t)num_read);
    return (size_t)num_read;
}

void source_close(struct source *source)
{
    direct_close(&source->direct);
    if (source->fd > STDERR_FILENO)
        close(source->fd);
    source->fd = -1;
}
