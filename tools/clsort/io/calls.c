#include "io/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Sets `result`; negative is a failure. */
#define RETRY(result, call) \
    do {                    \
        (result) = (call);  \
    } while ((result) < 0 && errno == EINTR)

int call_open(const char *path, int flags, mode_t mode)
{
    int fd;
    RETRY(fd, open(path, flags | O_CLOEXEC, mode));
    return fd;
}

ssize_t call_read(int fd, void *data, size_t size, uint64_t offset)
{
    size_t done = 0;
    while (done < size) {
        char *to = (char *)data + done;
        const ssize_t part = offset == CALL_NEXT
                                 ? read(fd, to, size - done)
                                 : pread(fd, to, size - done, (off_t)(offset + done));
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return -1;
        if (part == 0)
            break;
        done += (size_t)part;
    }
    return (ssize_t)done;
}

bool call_write(int fd, const void *data, size_t size, uint64_t offset)
{
    for (size_t done = 0; done < size;) {
        const char *from = (const char *)data + done;
        const ssize_t part = offset == CALL_NEXT
                                 ? write(fd, from, size - done)
                                 : pwrite(fd, from, size - done, (off_t)(offset + done));
        if (part < 0 && errno != EINTR)
            return false;
        done += part < 0 ? 0 : (size_t)part;
    }
    return true;
}

bool call_has_room(int fd, uint64_t size)
{
    struct statvfs status;
    const bool is_known = fstatvfs(fd, &status) == 0 && status.f_frsize > 0;
    errno = ENOSPC;
    return !is_known || size / status.f_frsize <= status.f_bavail;
}

bool call_reserve(int fd, uint64_t size)
{
    int result;
    /* Asked first, since a reservation that fails has taken all there was until the file is
     * closed. */
    if (!call_has_room(fd, size))
        return false;
    RETRY(result, size > 0 ? fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)size) : 0);
    return result == 0 || errno == EOPNOTSUPP || errno == ENOSYS;
}

bool call_resize(int fd, uint64_t size)
{
    int result;
    RETRY(result, ftruncate(fd, (off_t)size));
    return result == 0;
}

bool call_sync(int fd)
{
    int result;
    RETRY(result, fsync(fd));
    return result == 0;
}

bool call_flush(int fd)
{
    /* Every close() of a file reports. One that is interrupted is not to be repeated. */
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return copy >= 0 && (close(copy) == 0 || errno == EINTR);
}
