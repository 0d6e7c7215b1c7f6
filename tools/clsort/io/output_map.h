/* output_map.h: a new file in memory (tmpfs), written through a mapping. write() would be one
 * thread at a time, and making the file's pages takes longer than filling them, so threads make
 * them ahead. */
#ifndef CLSORT_TOOL_OUTPUT_MAP_H
#define CLSORT_TOOL_OUTPUT_MAP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OUTPUT_MAP_THREADS = 8 }; /* at most */

struct output_map {
    char *memory; /* NULL: there is none */
    uint64_t size;
    atomic_uint_fast64_t next; /* pages before are made, or being made */
    atomic_bool is_ending;
    uint32_t num_threads;
    pthread_t threads[OUTPUT_MAP_THREADS];
};

/* Gives an empty file its size, if it lies in memory, and begins to make its pages. Else nothing
 * changes. */
void output_map_open(struct output_map *map, int fd, uint64_t size);

/* Writes at a place, from any thread. False: there is no such mapping, or no page to be had for
 * it, and what write() says about it counts. */
bool output_map_write(struct output_map *map, const void *data, uint64_t offset, size_t size);

/* Fine for one that is zero. */
void output_map_close(struct output_map *map);

#endif
