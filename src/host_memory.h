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

/* Much ordinary memory, by free(): in huge pages where Linux has them to give, since the first touch of others takes
 * longer than a sort. NULL if there is none. */
void *host_memory_large(uint64_t size);

/* Frees all blocks. */
void host_memory_release(clsort_sorter *sorter);

#endif
