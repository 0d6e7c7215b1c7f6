/* host_memory.h: memory of clsort_host_alloc(). */
#ifndef HOST_MEMORY_H
#define HOST_MEMORY_H

#include "clsort/clsort.h"

/* One piece of it. */
struct host_block {
    struct host_block *next;
    char *memory; /* the caller's */
    uint64_t size;
    cl_mem mem; /* pinned; NULL: ordinary memory, which begins at: */
    void *begin;
};

/* Whether these bytes lie in one pinned block. */
int host_memory_holds(const clsort_sorter *sorter, const char *memory, uint64_t size);

/* Ordinary memory that is kept between calls: for the runs of pieces.h, one for each array. */
#define KEPT_RUNS 17
struct host_runs {
    void *memory;
    uint64_t size;
};

/* At least `size` bytes of it, in huge pages where Linux has them: the first touch of small pages takes longer
 * than a sort. NULL if there is no memory. */
void *host_memory_runs(struct host_runs *runs, uint64_t size);
void host_memory_release_runs(clsort_sorter *sorter);

/* Frees all blocks. */
void host_memory_release(clsort_sorter *sorter);

#endif
