/* pool.h: what clsort_sort() needs on the device and keeps in the sorter: a queue and buffers. */
#ifndef POOL_H
#define POOL_H

#include "clsort/clsort.h"
#include "plan.h"

#define POOL_SETS 3 /* of buffers: pieces.h */

struct pool_buffer {
    cl_mem mem;
    uint64_t size;
};

struct pool {
    cl_command_queue queue;
    struct pool_buffer buffers[POOL_SETS][BUFFER_SCRATCH];
};

/* The queue that host sorts run in. */
clsort_status pool_queue(clsort_sorter *sorter, cl_command_queue *queue_ret);

/* Waits for all that is in a queue: once more if that fails, since it may use the host's memory. */
cl_int pool_finish(cl_command_queue queue);

/* A buffer of at least `size` bytes for a role of a set. No command may use the set. */
clsort_status pool_buffer(clsort_sorter *sorter, uint32_t set, enum buffer_role role, uint64_t size,
                          cl_mem *mem_ret);

/* Lets go of the buffers, and of the library's own scratch. */
void pool_release_buffers(clsort_sorter *sorter);

/* The same if they have more than that many bytes. */
void pool_trim(clsort_sorter *sorter, uint64_t most);

/* Lets go of all of it. */
void pool_release(clsort_sorter *sorter);

#endif
