#include "spill.h"

#include "calls.h"
#include "message.h"
#include "parallel.h"
#include "temp.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { SLICE = 4 << 20 };

static bool is_full(int error)
{
    return error == ENOSPC || error == EDQUOT;
}

/* After a failed call, errno being `error`. */
static bool trouble(const struct spill *spill, const char *what, int error)
{
    static atomic_bool is_told; /* by another thread: one failure ends the tool */
    if (atomic_exchange(&is_told, true))
        return false;
    message("cannot %s a temporary file in %s: %s%s", what, spill->dir, strerror(error),
            is_full(error) ? "; name a folder with more room with -T" : "");
    return false;
}

static bool refuse_space(const struct spill *spill, uint64_t expected)
{
    char need[SIZE_TEXT], have[SIZE_TEXT];
    struct statvfs status;
    const bool is_known = fstatvfs(spill->fd, &status) == 0;
    message("the temporary file needs %s, and %s has %s left; name a folder with more room with -T",
            size_text(expected, need), spill->dir,
            is_known ? size_text((uint64_t)status.f_bavail * status.f_frsize, have) : "less");
    return false;
}

bool spill_open(struct spill *spill, const char *dir, uint64_t expected)
{
    const char *variable = getenv("TMPDIR");
    *spill = (struct spill){.dir = dir ? dir : variable && *variable ? variable : "/tmp"};
    spill->fd = temp_open_nameless(spill->dir);
    if (spill->fd < 0)
        return trouble(spill, "create", errno);
    if (call_reserve(spill->fd, expected))
        return true;
    return is_full(errno) ? refuse_space(spill, expected) : trouble(spill, "write", errno);
}

uint64_t spill_take(struct spill *spill, uint64_t size)
{
    const uint64_t at = spill->size;
    spill->size += size;
    return at;
}

/* What the threads of one transfer share. */
struct transfer {
    const struct spill *spill;
    char *to;
    const char *from; /* or NULL, to read */
    uint64_t size, offset;
};

static bool transfer_slice(void *context, uint64_t item)
{
    const struct transfer *transfer = context;
    const struct spill *spill = transfer->spill;
    const uint64_t at = item * SLICE, left = transfer->size - at;
    const size_t size = left < SLICE ? (size_t)left : SLICE;
    if (!transfer->from)
        return spill_read_few(spill, transfer->to + at, size, transfer->offset + at);
    return spill_write_few(spill, transfer->from + at, size, transfer->offset + at);
}

static bool run(struct transfer transfer)
{
    return parallel_for((transfer.size + SLICE - 1) / SLICE, transfer_slice, &transfer);
}

bool spill_write(const struct spill *spill, const void *data, uint64_t size, uint64_t offset)
{
    return run((struct transfer){.spill = spill, .from = data, .size = size, .offset = offset});
}

bool spill_read(const struct spill *spill, void *data, uint64_t size, uint64_t offset)
{
    return run((struct transfer){.spill = spill, .to = data, .size = size, .offset = offset});
}

bool spill_write_few(const struct spill *spill, const void *data, size_t size, uint64_t offset)
{
    return call_write_at(spill->fd, data, size, offset) || trouble(spill, "write", errno);
}

bool spill_read_few(const struct spill *spill, void *data, size_t size, uint64_t offset)
{
    const ssize_t num_read = call_read_at(spill->fd, data, size, offset);
    if (num_read < 0 || (size_t)num_read < size)
        return trouble(spill, "read", num_read < 0 ? errno : EIO);
    return true;
}

void spill_close(struct spill *spill)
{
    if (spill->fd > 0)
        close(spill->fd);
    *spill = (struct spill){0};
}
