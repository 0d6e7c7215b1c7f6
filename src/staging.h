/* staging.h: bytes between the host and a device that has memory of its own.
 *
 * Drivers transfer at the link's speed, and while other work goes on, only from and to pinned memory. So
 * the bytes pass through a ring of pinned chunks. Workers, which are threads of the host, take one chunk
 * after another, copy it and leave its transfer to the device while they copy the next (staging_run.c).
 * Memory that is pinned already (host_memory.h) is transferred as it is. What a worker takes next, a flow
 * decides: the two directions of one call (staging.c), or the pieces of a larger sort (pieces_run.c). */
#ifndef STAGING_H
#define STAGING_H

#include "clsort/clsort.h"

#define STAGING_WORKERS 16 /* at most */
#define STAGING_DEPTH 2 /* chunks of a worker: one is copied while the other is transferred */
#define STAGING_CHUNK ((uint64_t)4 << 20) /* bytes that a thread copies at once if none are staged */

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
    uint64_t first_chunk; /* staging_cut()'s: chunks of the transfers before */
    uint64_t num_chunks;
    int is_pinned; /* one chunk, transferred from where it lies */
};

/* Transfers of one direction, cut into chunks. */
struct batch {
    struct transfer *transfers;
    uint32_t num;
    uint64_t chunk_size;
    uint64_t num_chunks;
    uint64_t num_taken;
    uint64_t num_done;
};

/* A chunk on its way. */
struct load {
    const struct transfer *transfer; /* NULL: none */
    enum direction direction;
    uint64_t offset; /* in the transfer */
    size_t size;
    struct batch *batch;
    cl_event after; /* the transfer waits for it; NULL: for nothing */
    cl_event event;
};

enum flow_state { FLOW_LOAD, FLOW_LATER, FLOW_END };

/* What workers share: one worker at a time is in either function. */
struct flow {
    /* Fills in a load of a direction; or says that there is none until other loads are done, or none at all. */
    enum flow_state (*next)(struct flow *flow, enum direction direction, struct load *load_ret);
    /* A load has arrived. */
    void (*done)(struct flow *flow, const struct load *load);
    clsort_status status;     /* set by either if it fails; the error is recorded then */
    int uses[NUM_DIRECTIONS]; /* whether there are loads of a direction */
    uint64_t num_staged;      /* chunks that pass through the ring, about; 0: all is pinned */
    uint64_t chunk_size;      /* of the largest of them */
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

/* The same for whatever a flow names, until both of its directions have ended. */
clsort_status staging_run(clsort_sorter *sorter, struct flow *flow);

/* Cuts a batch's transfers into chunks. */
void staging_cut(const clsort_sorter *sorter, struct batch *batch);

/* Fills in the load of a batch's next chunk; 0 if all are taken. */
int staging_take(struct batch *batch, enum direction direction, struct load *load_ret);

/* The size of chunks for so many bytes. */
uint64_t staging_chunk_size(const clsort_sorter *sorter, uint64_t size);

/* The workers for so many chunks: at least one, the caller. */
uint32_t staging_num_workers(const clsort_sorter *sorter, uint64_t num_chunks);

/* Copies between a stream and memory that the host has mapped, by all workers. */
clsort_status staging_copy_mapped(clsort_sorter *sorter, const clsort_stream *stream, char *memory,
                                  uint64_t size);

/* A slot of at least this size. */
clsort_status staging_prepare_slot(clsort_sorter *sorter, struct staging_slot *slot, uint64_t size);

/* Lets go of the ring and its queues. */
void staging_release(clsort_sorter *sorter);

/* Pinned memory, mapped for good: the pointer, or NULL if the driver refuses. And back. */
void *staging_pin(clsort_sorter *sorter, size_t size, cl_mem *mem_ret);
void staging_unpin(clsort_sorter *sorter, cl_mem mem, void *memory);

#endif
