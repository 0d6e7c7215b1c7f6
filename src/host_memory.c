/* host_memory.c: host memory that is transferred at the link's speed. */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#include <sys/mman.h>
#endif

#include "host_memory.h"

#include "sorter.h"
#include "staging.h"

#include <stdlib.h>

/* The alignment at which devices that share the host's memory use arrays in place. */
#define PAGE 4096
#define HUGE_PAGE ((size_t)2 << 20)

int host_memory_holds(const clsort_sorter *sorter, const char *memory, uint64_t size)
{
    const uintptr_t at = (uintptr_t)memory;
    for (const struct host_block *block = sorter->blocks; block; block = block->next) {
        const uintptr_t begin = (uintptr_t)block->memory;
        if (block->mem && at >= begin && at - begin <= block->size &&
            size <= block->size - (at - begin))
            return 1;
    }
    return 0;
}

static void *allocate_large(uint64_t size)
{
    if (size > SIZE_MAX - HUGE_PAGE)
        return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const size_t rounded = ((size_t)size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (size >= HUGE_PAGE) {
        void *memory = aligned_alloc(HUGE_PAGE, rounded);
        if (memory)
            madvise(memory, rounded, MADV_HUGEPAGE);
        return memory;
    }
#endif
    return malloc((size_t)size);
}

void *host_memory_runs(struct host_runs *runs, uint64_t size)
{
    if (runs->size < size) {
        free(runs->memory);
        runs->memory = allocate_large(size);
        runs->size = runs->memory ? size : 0;
    }
    return runs->memory;
}

void host_memory_release_runs(clsort_sorter *sorter)
{
    for (uint32_t i = 0; i < KEPT_RUNS; ++i) {
        free(sorter->runs[i].memory);
        sorter->runs[i] = (struct host_runs){0};
    }
}

/* Allocates pinned memory if the device has memory of its own and the driver allows it, else
 * ordinary memory. */
static int fill(clsort_sorter *sorter, struct host_block *block, size_t size)
{
    block->size = size;
    if (!sorter->facts.unified_memory)
        block->memory = staging_pin(sorter, size, &block->mem);
    if (block->memory || size > SIZE_MAX - PAGE)
        return block->memory != NULL;
    block->begin = malloc(size + PAGE);
    if (!block->begin)
        return 0;
    block->memory = (char *)block->begin + (PAGE - (uintptr_t)block->begin % PAGE);
    return 1;
}

static void empty(clsort_sorter *sorter, struct host_block *block)
{
    if (block->mem)
        staging_unpin(sorter, block->mem, block->memory);
    free(block->begin);
    free(block);
}

void host_memory_release(clsort_sorter *sorter)
{
    while (sorter->blocks) {
        struct host_block *block = sorter->blocks;
        sorter->blocks = block->next;
        empty(sorter, block);
    }
}

clsort_status clsort_host_alloc(clsort_sorter *sorter, size_t size, void **memory_ret)
{
    if (memory_ret)
        *memory_ret = NULL;
    if (!sorter || !memory_ret)
        return CLSORT_ERROR_NULL;
    clsort_status status = sorter_enter(sorter);
    if (status)
        return status;
    struct host_block *block = calloc(1, sizeof *block);
    if (block && fill(sorter, block, size ? size : 1)) {
        block->next = sorter->blocks;
        sorter->blocks = block;
        *memory_ret = block->memory;
    } else {
        free(block);
        status = error_set(&sorter->error, CLSORT_ERROR_HOST_MEMORY);
    }
    sorter_leave(sorter);
    return status;
}

clsort_status clsort_host_free(clsort_sorter *sorter, void *memory)
{
    if (!sorter)
        return CLSORT_ERROR_NULL;
    if (!memory)
        return CLSORT_OK;
    clsort_status status = sorter_enter(sorter);
    if (status)
        return status;
    struct host_block **link = &sorter->blocks;
    while (*link && (*link)->memory != (char *)memory)
        link = &(*link)->next;
    struct host_block *block = *link;
    if (block) {
        *link = block->next;
        empty(sorter, block);
    } else {
        status = error_refuse(&sorter->error, refuse(CLSORT_ERROR_BUFFER_INVALID, "memory"));
    }
    sorter_leave(sorter);
    return status;
}
