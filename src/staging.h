/* staging.h: bytes between the host and a device that has memory of its own.
 *
 * Drivers transfer at the link's speed, and while other work goes on, only from and to pinned memory. So
 * the bytes pass through a ring of pinned chunks: workers, which are threads of the host, take one chunk
 * after another, copy it and leave its transfer to the device, while they copy the next. Memory that is
 * pinned already (host_memory.h) is transferred as it is. */
#ifndef STAGING_H
#define STAGING_H

#include "clsort/clsort.h"

#define STAGING_WORKERS 16 /* at most */
#define STAGING_DEPTH 2    /* chunks of a worker: one is copied while the other is transferred */
#define STAGING_CHUNK ((uint64_t)4 << 20) /* bytes of a chunk, at most */

enum direction { TO_DEVICE, FROM_DEVICE, NUM_DIRECTIONS };

/* One end of a transfer on the host: memory, or a stream where that is NULL. */
struct host_end {
    char *memory;
    clsort_stream stream;
};

/* size bytes between a buffer and the host, each from its offset on. */
struct transfer {
    cl_mem buffer;
    uint64_t buffer_offset;
    struct host_end host;
    uint64_t host_offset;
    uint64_t size;
    uint64_t first_chunk; /* staging.c's: chunks of the transfers before */
    uint64_t num_chunks;
};

/* Pinned memory, or ordinary memory where the driver refuses it (mem is NULL). */
struct staging_slot {
    cl_mem mem;
    char *memory;
    size_t size;
};

/* The ring, made as it is needed and kept in the sorter. */
struct staging {
    cl_command_queue queues[STAGING_WORKERS][NUM_DIRECTIONS];
    struct staging_slot slots[STAGING_WORKERS][STAGING_DEPTH];
};

/* Moves bytes both ways at once and returns when they are there. After a failure no command uses the
 * host's memory any more. */
clsort_status staging_move(clsort_sorter *sorter, struct transfer *to_device,
                           uint32_t num_to_device, struct transfer *from_device,
                           uint32_t num_from_device);

/* Copies between a stream and memory that the host has mapped, by all workers. */
clsort_status staging_copy_mapped(clsort_sorter *sorter, const clsort_stream *stream, char *memory,
                                  uint64_t size);

/* Lets go of the ring and its queues. */
void staging_release(clsort_sorter *sorter);

/* Pinned memory, mapped for good: the pointer, or NULL if the driver refuses. And back. */
void *staging_pin(clsort_sorter *sorter, size_t size, cl_mem *mem_ret);
void staging_unpin(clsort_sorter *sorter, cl_mem mem, void *memory);

#endif
