/* direct.h: much of a file read and written by several threads, and past the system's cache of
 * files where the file system can do that, so that neither copies nor full caches hold the disk
 * up. */
#ifndef CLSORT_TOOL_DIRECT_H
#define CLSORT_TOOL_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One user at a time, but several may be open for one file. */
struct direct {
    int fd;               /* the file as it was opened */
    int bypass_fd;        /* the same past the cache, or -1 */
    char *blocks;         /* a block of each thread for what lies on no page boundary */
    uint32_t num_threads; /* that have one */
};

/* Neighbouring bytes of a file, and where they are in memory. */
struct span {
    char *memory;
    uint64_t offset, size;
};

/* Whole pages of files and memory are moved without a copy. */
enum { DIRECT_PAGE = 4096 };
static inline uint64_t direct_round_up(uint64_t size)
{
    return (size + DIRECT_PAGE - 1) / DIRECT_PAGE * DIRECT_PAGE;
}

/* Opens a file that is open once more. */
struct direct direct_open(int fd, bool is_written);

/* Reads or writes spans, in slices in their order, and tells progress. Returns 0, an error of
 * errno, or DIRECT_END if the file ends before. What the cache has of a file that is only read
 * comes from there. */
enum { DIRECT_END = -1 };
int direct_read(const struct direct *direct, const struct span *spans, uint64_t num_spans);
int direct_write(const struct direct *direct, const struct span *spans, uint64_t num_spans);

/* Closes what direct_open() has opened; fine for one that is zero. */
void direct_close(struct direct *direct);

#endif
