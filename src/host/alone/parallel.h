/* parallel.h: sorts of numbers by vectors and several threads. */
#ifndef HOST_PARALLEL_H
#define HOST_PARALLEL_H

#include "host/alone/items.h"

/* Numbers that are made before they are sorted, and become something else behind that. Each range
 * is prepared once, and finished once. */
struct host_numbers {
    const struct host_vectors *vectors;
    void *numbers;
    size_t count;
    void (*prepare)(void *argument, size_t begin, size_t end); /* NULL: they are there */
    void (*finish)(void *argument, size_t begin, size_t end);  /* NULL: nothing is left */
    void *argument;
};

/* Bytes that are worth threads: with two, 2^15 u32 took 1.9 times as long as with one, 2^16 1.4,
 * 2^18 as long, 2^19 0.83, 2^20 0.7. A thread may begin on its caller's core. */
#define HOST_SHARED_MIN ((size_t)1 << 20)

/* Sorts numbers by the calling thread and up to num_threads - 1 others. */
void host_parallel_sort(const struct host_numbers *numbers, uint32_t num_threads);

/* Sorts numbers so far that those from `first` on, before `end`, are where they belong, and nothing
 * else is promised. They are there, and nothing is left. */
void host_select(const struct host_vectors *vectors, void *numbers, size_t count, size_t first,
                 size_t end);

#endif
