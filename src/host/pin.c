/* pin.c: host memory that is transferred at the link's speed: pinned, or in huge pages. */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#include <sys/mman.h>
#endif

#include "host/pin.h"

#include "base/phases.h"
#include "call/sorter.h"
#include "host/pool.h"

#include <stdlib.h>

/* The alignment at which devices that share the host's memory use arrays in place. */
#define PAGE 4096
#define HUGE_PAGE ((size_t)2 << 20)

void *pin_allocate(clsort_sorter *sorter, size_t size, cl_mem *mem_ret)
{
    cl_command_queue queue = NULL;
    cl_int code = CL_SUCCESS;
    *mem_ret = NULL;
    if (pool_queue(sorter, &queue))
        return NULL;
    const cl_mem mem = clCreateBuffer(sorter->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                      size, NULL, &code);
    void *memory = mem ? clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                            size, 0, NULL, NULL, &code)
                       : NULL;
    if (memory)
        *mem_ret = mem;
    else if (mem)
        clReleaseMemObject(mem);
    return memory;
}

void pin_release(clsort_sorter *sorter, cl_mem mem, void *memory)
{
    cl_command_queue queue = NULL;
    if (!pool_queue(sorter, &queue))
        clEnqueueUnmapMemObject(queue, mem, memory, 0, NULL, NULL);
    clReleaseMemObject(mem);
}

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

/* ---- Pinning existing memory ---------------------------------------------------------------- */

/* Drivers of devices with memory of their own pin the memory under a buffer. No command uses that
 * buffer; the memory itself is transferred to and from other buffers. A block has at most the size
 * that the device allows for a buffer. */
void host_memory_borrow(clsort_sorter *sorter, void *memory, uint64_t size)
{
    const uint64_t max_size = sorter->facts.max_alloc;
    for (uint64_t at = 0; at < size; at += max_size) {
        char *begin = (char *)memory + at;
        const uint64_t rest = size - at < max_size ? size - at : max_size;
        cl_int code = CL_SUCCESS;
        if (host_memory_holds(sorter, begin, rest))
            continue;
        struct host_block *block = calloc(1, sizeof *block);
        if (!block)
            return;
        *block = (struct host_block){
            .next = sorter->blocks, .memory = begin, .size = rest, .is_borrowed = 1};
        block->mem = clCreateBuffer(sorter->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                    (size_t)rest, begin, &code);
        if (!block->mem) {
            free(block);
            return;
        }
        sorter->blocks = block;
    }
}

void host_memory_give_back(clsort_sorter *sorter, void *memory, uint64_t size)
{
    const uintptr_t begin = (uintptr_t)memory;
    struct host_block **link = &sorter->blocks;
    while (*link) {
        struct host_block *block = *link;
        const uintptr_t at = (uintptr_t)block->memory;
        if (!block->is_borrowed || at < begin || at - begin >= size) {
            link = &block->next;
            continue;
        }
        *link = block->next;
        clReleaseMemObject(block->mem);
        free(block);
    }
}

/* ---- Runs ----------------------------------------------------------------------------------- */

#define TOUCHED_AT_ONCE ((size_t)16 << 20)

static void touch_pages(void *memory, size_t begin, size_t end)
{
    for (size_t at = begin; at < end; at += PAGE)
        *((volatile char *)memory + at) = 0;
}

/* While the driver pins, it makes new pages one after another. All threads touch them first, which
 * is faster. */
static void pin_runs(clsort_sorter *sorter, struct kept_memory *runs)
{
    if (sorter->facts.unified_memory || runs->size < tuning_host(&sorter->facts).pin_min)
        return;
    host_parts_run(sorter->host_threads, (size_t)runs->size, TOUCHED_AT_ONCE, touch_pages,
                   runs->memory);
    host_memory_borrow(sorter, runs->memory, runs->size);
}

static void free_runs(clsort_sorter *sorter, struct kept_memory *runs)
{
    host_memory_give_back(sorter, runs->memory, runs->size);
    free(runs->memory);
    *runs = (struct kept_memory){0};
}

void *host_memory_runs(clsort_sorter *sorter, struct kept_memory *runs, uint64_t size)
{
    if (runs->size < size) {
        free_runs(sorter, runs);
        runs->memory = allocate_large(size);
        runs->size = runs->memory ? size : 0;
        if (runs->memory)
            pin_runs(sorter, runs);
    }
    return runs->memory;
}

void host_memory_release_runs(clsort_sorter *sorter)
{
    for (uint32_t i = 0; i < KEPT_RUNS; ++i)
        free_runs(sorter, &sorter->runs[i]);
}

/* ---- clsort_host_alloc() -------------------------------------------------------------------- */

/* Allocates pinned memory if the device has memory of its own and the driver allows it, else
 * ordinary memory. */
static int fill(clsort_sorter *sorter, struct host_block *block, size_t size)
{
    block->size = size;
    if (!sorter->facts.unified_memory)
        block->memory = pin_allocate(sorter, size, &block->mem);
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
        pin_release(sorter, block->mem, block->memory);
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
    clsort_status status = sorter_enter_with(sorter, memory_ret != NULL);
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
    return sorter_leave(sorter, status);
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
    while (*link && ((*link)->is_borrowed || (*link)->memory != (char *)memory))
        link = &(*link)->next;
    struct host_block *block = *link;
    if (block) {
        *link = block->next;
        empty(sorter, block);
    } else {
        status = error_refuse(&sorter->error, refuse(CLSORT_ERROR_BUFFER_INVALID, "memory"));
    }
    return sorter_leave(sorter, status);
}
