#include "io/direct.h"

#include "io/calls.h"
#include "memory/host_memory.h"
#include "memory/parallel.h"
#include "cli/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A thread moves a slice at once. Disks are faster for several at a time. */
enum {
    SLICE = 4 << 20,
    LEAST_THREADS = 4,
    MAX_THREADS = 8,
    SMALL = 16 << 10,
    BLOCK = SLICE + DIRECT_PAGE
};

static uint64_t round_down(uint64_t offset)
{
    return offset / DIRECT_PAGE * DIRECT_PAGE;
}

static bool is_page(const void *memory)
{
    return (uintptr_t)memory % DIRECT_PAGE == 0;
}

static uint32_t num_threads(void)
{
    const uint32_t num = parallel_threads();
    return num < LEAST_THREADS ? LEAST_THREADS : num > MAX_THREADS ? MAX_THREADS : num;
}

struct direct direct_open(int fd, bool is_written)
{
    char path[32];
    struct direct direct = {.fd = fd, .bypass_fd = -1};
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    /* If the limits of the process leave little room, this takes none of it. */
    enum { SHARE = 8 };
    const uint32_t num = num_threads();
    const size_t size = (size_t)num * BLOCK;
    if (host_memory_room() / SHARE < size)
        return direct;
    void *blocks = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (blocks == MAP_FAILED)
        return direct;
    direct.blocks = blocks;
    direct.num_threads = num;
    direct.bypass_fd = call_open(path, O_DIRECT | (is_written ? O_RDWR : O_RDONLY), 0);
    return direct;
}

void direct_close(struct direct *direct)
{
    if (direct->blocks)
        munmap(direct->blocks, (size_t)direct->num_threads * BLOCK);
    if (direct->blocks && direct->bypass_fd >= 0)
        close(direct->bypass_fd);
    *direct = (struct direct){0};
}

static int read_by_cache(const struct direct *direct, const struct span *span)
{
    const ssize_t size = call_read(direct->fd, span->memory, (size_t)span->size, span->offset);
    return size < 0 ? errno : (uint64_t)size < span->size ? DIRECT_END : 0;
}

static int write_by_cache(const struct direct *direct, const char *from, uint64_t begin,
                          uint64_t end)
{
    return begin >= end || call_write(direct->fd, from, (size_t)(end - begin), begin) ? 0 : errno;
}

/* Whether the system has all of these bytes in memory. Where it does not say it says yes. */
static bool is_cached(const struct direct *direct, uint64_t begin, uint64_t end)
{
    unsigned char pages[BLOCK / DIRECT_PAGE];
    const size_t size = (size_t)(end - begin);
    void *mapped = mmap(NULL, size, PROT_READ, MAP_SHARED, direct->fd, (off_t)begin);
    if (mapped == MAP_FAILED)
        return false;
    bool ok = mincore(mapped, size, pages) == 0;
    for (size_t i = 0; ok && i < size / DIRECT_PAGE; i++)
        ok = pages[i] & 1;
    munmap(mapped, size);
    return ok;
}

static int read_slice(const struct direct *direct, uint32_t thread, const struct span *span)
{
    const uint64_t end = span->offset + span->size;
    const uint64_t first = round_down(span->offset), last = direct_round_up(end);
    if (direct->bypass_fd < 0 || span->size < SMALL || is_cached(direct, first, last))
        return read_by_cache(direct, span);
    const bool is_in_place = first == span->offset && last == end && is_page(span->memory);
    char *to = is_in_place ? span->memory : direct->blocks + (size_t)thread * BLOCK;
    const ssize_t size = call_read(direct->bypass_fd, to, (size_t)(last - first), first);
    if (size < 0 && errno == EINVAL) /* a page is too little for this file, or it ends here */
        return read_by_cache(direct, span);
    if (size < 0)
        return errno;
    if ((uint64_t)size < end - first)
        return DIRECT_END;
    if (!is_in_place)
        memcpy(span->memory, to + (span->offset - first), (size_t)span->size);
    return 0;
}

/* The pages that belong to the span alone go past the cache. */
static int write_slice(const struct direct *direct, uint32_t thread, const struct span *span)
{
    const uint64_t begin = span->offset, end = begin + span->size;
    const uint64_t first = direct_round_up(begin), last = round_down(end);
    if (direct->bypass_fd < 0 || span->size < SMALL)
        return write_by_cache(direct, span->memory, begin, end);
    int error = write_by_cache(direct, span->memory, begin, first);
    if (!error)
        error = write_by_cache(direct, span->memory + (last - begin), last, end);
    if (error)
        return error;
    const size_t size = (size_t)(last - first);
    const char *from = span->memory + (first - begin);
    if (!is_page(from))
        from = memcpy(direct->blocks + (size_t)thread * BLOCK, from, size);
    if (call_write(direct->bypass_fd, from, size, first))
        return 0;
    return errno == EINVAL ? write_by_cache(direct, from, first, last) : errno;
}

/* What the threads of a transfer share. */
struct move {
    const struct direct *direct;
    bool is_writing;
    struct span *slices;
    atomic_int error; /* the first one */
};

static void move_slice(void *context, const struct parallel_slice *item)
{
    struct move *move = context;
    const struct span *slice = &move->slices[item->begin];
    if (atomic_load(&move->error))
        return;
    const int error =
        (move->is_writing ? write_slice : read_slice)(move->direct, item->thread, slice);
    int none = 0;
    if (error)
        atomic_compare_exchange_strong(&move->error, &none, error);
    progress_add(slice->size);
}

/* Slices end where a multiple of their size does in the file. */
static uint64_t cut(const struct span *spans, uint64_t num_spans, struct span *slices)
{
    uint64_t num = 0;
    for (uint64_t i = 0; i < num_spans; i++) {
        for (uint64_t at = 0, size; at < spans[i].size; at += size, num++) {
            const uint64_t offset = spans[i].offset + at, left = spans[i].size - at;
            size = SLICE - offset % SLICE < left ? SLICE - offset % SLICE : left;
            if (slices)
                slices[num] = (struct span){spans[i].memory + at, offset, size};
        }
    }
    return num;
}

static int move_spans(const struct direct *direct, const struct span *spans, uint64_t num_spans,
                      bool is_writing)
{
    struct move move = {.direct = direct, .is_writing = is_writing};
    const uint64_t num = cut(spans, num_spans, NULL);
    move.slices = calloc(num + 1, sizeof(*move.slices));
    if (!move.slices)
        return ENOMEM;
    cut(spans, num_spans, move.slices);
    parallel_for_by(direct->blocks ? direct->num_threads : num_threads(), num, 1, move_slice,
                    &move);
    free(move.slices);
    return move.error;
}

int direct_read(const struct direct *direct, const struct span *spans, uint64_t num_spans)
{
    return move_spans(direct, spans, num_spans, false);
}

int direct_write(const struct direct *direct, const struct span *spans, uint64_t num_spans)
{
    return move_spans(direct, spans, num_spans, true);
}
