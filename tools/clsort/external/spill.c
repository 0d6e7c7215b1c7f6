#include "external/spill.h"

#include "io/calls.h"
#include "cli/message.h"
#include "io/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

static bool is_full(int error)
{
    return error == ENOSPC || error == EDQUOT;
}

void spill_refuse_damage(const struct spill *spill)
{
    die("the temporary file in %s is damaged: it has other lines than were written to it",
        spill->dir);
}

/* After a failed call, errno being `error`. */
static _Noreturn void trouble(const struct spill *spill, const char *what, int error)
{
    die("cannot %s a temporary file in %s: %s%s", what, spill->dir,
        error == DIRECT_END ? "it has become shorter" : strerror(error),
        is_full(error) ? "; name a folder with more room with -T" : "");
}

static _Noreturn void refuse_space(const struct spill *spill, uint64_t expected)
{
    char need[SIZE_TEXT], have[SIZE_TEXT];
    struct statvfs status;
    const bool is_known = fstatvfs(spill->fd, &status) == 0;
    die("the temporary file needs %s, and %s has %s left; name a folder with more room with -T",
        size_text(expected, need), spill->dir,
        is_known ? size_text((uint64_t)status.f_bavail * status.f_frsize, have) : "less");
}

void spill_open(struct spill *spill, const char *dir, uint64_t expected)
{
    *spill = (struct spill){.dir = dir ? dir : temp_dir()};
    spill->fd = temp_open_nameless(spill->dir);
    if (spill->fd < 0)
        trouble(spill, "create", errno);
    spill->direct = direct_open(spill->fd, true);
    posix_fadvise(spill->fd, 0, 0, POSIX_FADV_RANDOM); /* cuts look at a few bytes here and there */
    /* Writes that make a file longer are one at a time. */
    if (call_reserve(spill->fd, expected) && call_resize(spill->fd, expected))
        return;
    if (is_full(errno))
        refuse_space(spill, expected);
    trouble(spill, "write", errno);
}

bool spill_open_in_memory(struct spill *spill)
{
    *spill = (struct spill){.dir = "memory"};
    spill->fd = memfd_create("clsort", MFD_CLOEXEC);
    if (spill->fd > 0)
        spill->direct = direct_open(spill->fd, true);
    return spill->fd > 0;
}

uint64_t spill_take(struct spill *spill, uint64_t size)
{
    const uint64_t at = spill->size;
    spill->size += direct_round_up(size);
    return at;
}

void spill_drop(const struct spill *spill, uint64_t at, uint64_t kept, uint64_t size)
{
    const uint64_t begin = at + direct_round_up(kept), end = at + direct_round_up(size);
    if (begin < end)
        fallocate(spill->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)begin,
                  (off_t)(end - begin));
}

void spill_write(const struct spill *spill, const struct span *spans, uint64_t num_spans)
{
    const int error = direct_write(&spill->direct, spans, num_spans);
    if (error)
        trouble(spill, "write", error);
}

void spill_read(const struct spill *spill, const struct span *spans, uint64_t num_spans)
{
    const int error = direct_read(&spill->direct, spans, num_spans);
    if (error)
        trouble(spill, "read", error);
}

void spill_write_few(const struct spill *spill, const void *data, size_t size, uint64_t offset)
{
    if (!call_write(spill->fd, data, size, offset))
        trouble(spill, "write", errno);
}

void spill_read_few(const struct spill *spill, void *data, size_t size, uint64_t offset)
{
    const ssize_t num_read = call_read(spill->fd, data, size, offset);
    if (num_read != (ssize_t)size)
        trouble(spill, "read", num_read < 0 ? errno : DIRECT_END);
}

void spill_close(struct spill *spill)
{
    direct_close(&spill->direct);
    if (spill->fd > 0)
        close(spill->fd);
    *spill = (struct spill){0};
}
