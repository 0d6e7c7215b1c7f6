/* pin.h: pinned memory: that of clsort_host_alloc(), and other memory for a while. */
#ifndef HOST_MEMORY_H
#define HOST_MEMORY_H

#include "clsort/clsort.h"

/* A block of such memory. */
struct host_block {
    struct host_block *next;
    char *memory; /* the caller's address */
    uint64_t size;
    cl_mem mem;      /* the buffer that pins it; NULL: ordinary memory */
    void *begin;     /* of the ordinary memory, for free() */
    int is_borrowed; /* from host_memory_borrow() */
};

/* Whether these bytes are in one pinned block. */
int host_memory_holds(const clsort_sorter *sorter, const char *memory, uint64_t size);

/* Ordinary memory that is kept between calls: for the runs of pieces.h, one block for each
 * array. */
#define KEPT_RUNS 33
struct kept_memory {
    void *memory;
    uint64_t size;
};

/* At least `size` bytes, in huge pages if Linux has them: the first access to small pages takes
 * longer than a sort. Pinned if the tuning says so. NULL if there is no memory. */
void *host_memory_runs(clsort_sorter *sorter, struct kept_memory *runs, uint64_t size);

/* Pins existing memory until it is given back, unless it is pinned already. If the driver refuses,
 * it stays ordinary memory. */
void host_memory_borrow(clsort_sorter *sorter, void *memory, uint64_t size);
void host_memory_give_back(clsort_sorter *sorter, void *memory, uint64_t size);
void host_memory_release_runs(clsort_sorter *sorter);

/* Frees all blocks. */
void host_memory_release(clsort_sorter *sorter);

/* Allocates pinned memory and keeps it mapped. Returns NULL if the driver refuses. And releases
 * it. */
void *pin_allocate(clsort_sorter *sorter, size_t size, cl_mem *mem_ret);
void pin_release(clsort_sorter *sorter, cl_mem mem, void *memory);

#endif
