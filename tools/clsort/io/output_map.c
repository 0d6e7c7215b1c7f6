#include "io/output_map.h"

#include "io/calls.h"
#include "memory/parallel.h"

#include <linux/magic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Bytes made at once: little, since other threads' mappings wait meanwhile, such as a driver's. */
enum { STEP = 512 << 10 };

/* Makes the pages of a range. False: there is no room, or the system is older than Linux 5.14. */
static bool populate(const struct output_map *map, uint64_t begin, uint64_t end)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t first = begin / page * page;
    return madvise(map->memory + first, (size_t)(end - first), MADV_POPULATE_WRITE) == 0;
}

static void *make_pages(void *argument)
{
    struct output_map *map = argument;
    while (!atomic_load(&map->is_ending)) {
        const uint64_t begin = atomic_fetch_add(&map->next, STEP);
        const uint64_t left = begin < map->size ? map->size - begin : 0;
        if (left == 0 || !populate(map, begin, begin + (left < STEP ? left : STEP)))
            break;
    }
    return NULL;
}

/* As many threads as leave half of the processors to others. */
static void start_threads(struct output_map *map)
{
    const uint32_t half = (parallel_threads() + 1) / 2;
    const uint32_t most = half < OUTPUT_MAP_THREADS ? half : OUTPUT_MAP_THREADS;
    while (map->num_threads < most &&
           parallel_begin(&map->threads[map->num_threads], make_pages, map))
        map->num_threads++;
}

void output_map_open(struct output_map *map, int fd, uint64_t size)
{
    struct statfs status;
    if (size == 0 || fstatfs(fd, &status) != 0 || status.f_type != TMPFS_MAGIC ||
        !call_resize(fd, size))
        return;
    void *memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        return;
    map->memory = memory;
    map->size = size;
    if (populate(map, 0, 1))
        start_threads(map);
    else
        output_map_close(map);
}

bool output_map_write(struct output_map *map, const void *data, uint64_t offset, size_t size)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (!map->memory || !populate(map, offset, offset + size))
        return false;
    memcpy(map->memory + offset, data, size);
    /* What is unmapped here, by many threads, is not left to one at the end. */
    const uint64_t first = (offset + page - 1) / page * page, end = (offset + size) / page * page;
    if (first < end)
        madvise(map->memory + first, (size_t)(end - first), MADV_DONTNEED);
    return true;
}

void output_map_close(struct output_map *map)
{
    atomic_store(&map->is_ending, true);
    for (uint32_t i = 0; i < map->num_threads; i++)
        parallel_join(map->threads[i]);
    if (map->memory)
        munmap(map->memory, (size_t)map->size);
    map->num_threads = 0;
    map->memory = NULL;
}
