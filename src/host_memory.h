/* host_memory.h: memory of clsort_host_alloc(). */
#ifndef HOST_MEMORY_H
#define HOST_MEMORY_H

#include "clsort/clsort.h"

/* One block of such memory. */
struct host_block {
    struct host_block *next;
    char *memory; /* what the caller got */
    uint64_t size;
    cl_mem mem; /* the pinned buffer; NULL: ordinary memory */
    void *begin;
};

/* Whether these bytes are in one pinned block. */
int host_memory_holds(const clsort_sorter *sorter, const char *memory, uint64_t size);

/* Ordinary memory that is kept between calls: for the runs of pieces.h, one block for each
 * array. */
#define KEPT_RUNS 17
struct host_runs {
    void *memory;
    uint64_t size;
};

/* At least `size` bytes, in huge pages if Linux has them: the first access to small pages takes
 * longer than a sort. NULL if there is no memory. */
void *host_memory_runs(struct host_runs *runs, uint64_t size);
void host_memory_release_runs(clsort_sorter *sorter);

/* Frees all blocks. */
void host_memory_release(clsort_sorter *sorter);

#endif
