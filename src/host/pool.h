/* pool.h: the queue and the buffers that clsort_sort() keeps in the sorter. */
#ifndef POOL_H
#define POOL_H

#include "clsort/clsort.h"
#include "plan/plan.h"

#define POOL_SETS 3 /* of buffers: pieces.h */

struct pool_buffer {
    cl_mem mem;
    uint64_t size;
};

struct pool {
    cl_command_queue queue;
    struct pool_buffer buffers[POOL_SETS][BUFFER_SCRATCH];
};

/* The queue in which sorts of host arrays run. */
clsort_status pool_queue(clsort_sorter *sorter, cl_command_queue *queue_ret);

/* Waits for all commands of a queue. If that fails, waits once more, since commands may use the
 * host's memory. */
cl_int pool_finish(cl_command_queue queue);

/* A buffer of at least `size` bytes for a role of a set. No command may use the set. */
clsort_status pool_buffer(clsort_sorter *sorter, uint32_t set, enum buffer_role role, uint64_t size,
                          cl_mem *mem_ret);

/* Releases the buffers and the library's own scratch. */
void pool_release_buffers(clsort_sorter *sorter);

/* Releases them if they have more than max_size bytes. */
void pool_trim(clsort_sorter *sorter, uint64_t max_size);

/* Releases the buffers, the scratch and the queue. */
void pool_release(clsort_sorter *sorter);

#endif
