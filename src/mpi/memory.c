/* memory.c: a rank's working memory on the host. The first access to a page of new memory costs
 * more than sending the page. With new memory in each call, an exchange took four times as long as
 * MPI_Alltoallv() of memory in use, as bench_mpi measures it. So the sorter keeps the memory. */
#define _DEFAULT_SOURCE
#include "job.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

_Static_assert(sizeof((struct clsort_sorter *)0)->mpi_areas ==
                   NUM_AREAS * sizeof(struct kept_memory),
               "struct clsort_sorter has another number of areas");

/* Asks for huge pages, so that fewer first accesses fault. An error changes nothing. */
static void prefer_huge_pages(void *begin, size_t size)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    enum { MIN_SIZE = 1 << 22 }; /* smaller areas hold hardly one aligned huge page */
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)begin + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)begin + size) / page * page;
    if (size >= MIN_SIZE && first < end)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)begin;
    (void)size;
#endif
}

void memory_borrow(struct kept_memory areas[NUM_AREAS], clsort_sorter *sorter)
{
    memset(areas, 0, NUM_AREAS * sizeof *areas);
    if (!sorter || sorter_enter(sorter))
        return;
    memcpy(areas, sorter->mpi_areas, sizeof sorter->mpi_areas);
    memset(sorter->mpi_areas, 0, sizeof sorter->mpi_areas);
    sorter_leave(sorter, CLSORT_OK);
}

char *memory_fit(struct kept_memory *area, size_t size)
{
    if (size > SIZE_MAX - AREA_ALIGNMENT)
        return NULL;
    /* realloc() keeps pages that are in use, and gives back those that a smaller area does not
     * need. */
    if (area->size != size || !area->memory) {
        void *bytes = realloc(area->memory, size + AREA_ALIGNMENT);
        if (!bytes)
            return NULL;
        if (size > area->size)
            prefer_huge_pages(bytes, size + AREA_ALIGNMENT);
        *area = (struct kept_memory){.memory = bytes, .size = size};
    }
    const uintptr_t begin = (uintptr_t)area->memory;
    return (char *)area->memory + (AREA_ALIGNMENT - begin % AREA_ALIGNMENT) % AREA_ALIGNMENT;
}

void memory_return(struct kept_memory areas[NUM_AREAS], clsort_sorter *sorter)
{
    const int has_any = areas[AREA_SENT].memory || areas[AREA_RECEIVED].memory;
    if (has_any && sorter && !sorter_enter(sorter)) {
        for (int i = 0; i < NUM_AREAS; ++i) {
            const struct kept_memory before = sorter->mpi_areas[i];
            if (!areas[i].memory)
                continue;
            sorter->mpi_areas[i] = areas[i];
            areas[i] = before;
        }
        sorter_leave(sorter, CLSORT_OK);
    }
    for (int i = 0; i < NUM_AREAS; ++i)
        free(areas[i].memory);
}
