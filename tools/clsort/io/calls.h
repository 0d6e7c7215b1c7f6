/* calls.h: the system's calls, which go on after a signal whose handler returns. Such handlers are
 * not the tool's own; a driver may install some. Errors are in errno. */
#ifndef CLSORT_TOOL_CALLS_H
#define CLSORT_TOOL_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

int call_open(const char *path, int flags, mode_t mode);

/* Reads until `size` bytes are there or the end is reached; -1 on failure. Writes all of it. At a
 * place of the file, which stays where it is, or at CALL_NEXT where it is. */
#define CALL_NEXT UINT64_MAX
ssize_t call_read(int fd, void *data, size_t size, uint64_t offset);
bool call_write(int fd, const void *data, size_t size, uint64_t offset);

/* Whether a file's disk has as much left; errno tells ENOSPC if not. */
bool call_has_room(int fd, uint64_t size);

/* Takes room on the disk for a file's first bytes, whose size stays as it is; true as well where
 * the file system cannot do that but has as much left. */
bool call_reserve(int fd, uint64_t size);

/* Gives a file that many bytes, zeros behind those there are. */
bool call_resize(int fd, uint64_t size);

bool call_sync(int fd);

/* Tells what file systems report only when a file is closed, such as a full disk; the descriptor
 * stays open. */
bool call_flush(int fd);

#endif
