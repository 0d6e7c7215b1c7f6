/* staging.h: moves bytes between the host and a device that has memory of its own.
 *
 * Drivers transfer at the link's speed, and while other work goes on, only from and to pinned
 * memory. So the bytes pass through a ring of pinned chunks. Workers, which are host threads, copy
 * one chunk after another. The device transfers a chunk while its worker copies the next
 * (staging_run.c). Memory that is already pinned (pin.h) is transferred directly. A flow
 * decides which chunk a worker gets next: a chunk of one call (staging.c), or of the pieces of a
 * larger sort, in either direction (pieces_run.c). */
#ifndef STAGING_H
#define STAGING_H

#include "clsort/clsort.h"

#define STAGING_WORKERS 16 /* the most workers */
#define STAGING_DEPTH 2    /* slots of a worker: it copies one chunk while another is transferred */
/* The most bytes that a thread copies at once, staged or not. clsort.h promises that no range of a
 * stream is larger, and that the ring has at most one such chunk for each slot. */
#define STAGING_CHUNK ((uint64_t)4 << 20)

enum direction { TO_DEVICE, FROM_DEVICE, NUM_DIRECTIONS };

/* The host's end of a transfer: memory, or a stream if that is NULL. */
struct host_end {
    char *memory;
    clsort_stream stream;
};

/* A transfer of `size` bytes between a buffer and the host, each from its offset on. */
struct transfer {
    cl_mem buffer;
    uint64_t buffer_offset;
    struct host_end host;
    uint64_t host_offset;
    uint64_t size;
    uint64_t first_chunk; /* the chunks of all earlier transfers, from staging_split() */
    uint64_t num_chunks;
    int is_pinned; /* it is one chunk that is transferred directly */
};

/* Transfers of one direction, split into chunks. */
struct batch {
    struct transfer *transfers;
    uint32_t num;
    uint64_t chunk_size;
    uint64_t num_chunks;
    uint64_t num_taken;
    uint64_t num_done;
};

/* A load is a chunk on its way. */
struct load {
    const struct transfer *transfer; /* NULL: none */
    enum direction direction;
    uint64_t offset; /* in the transfer */
    size_t size;
    struct batch *batch;
    cl_event after; /* an event that the transfer waits for, or NULL */
    cl_event event;
};

enum flow_state { FLOW_LOAD, FLOW_LATER, FLOW_END };

/* A flow gives loads to the workers. They call its functions one at a time. */
struct flow {
    /* Fills in the next load of a direction. FLOW_LATER: there is none until other loads are done.
     * FLOW_END: there is none any more. */
    enum flow_state (*next)(struct flow *flow, enum direction direction, struct load *load_ret);
    /* Called when a load has arrived. NULL: it does not matter. */
    void (*done)(struct flow *flow, const struct load *load);
    clsort_status status;     /* set by a function that fails and has recorded the error */
    int uses[NUM_DIRECTIONS]; /* whether the flow has loads of a direction */
    uint64_t num_staged;      /* about how many chunks pass through the ring; 0: all is pinned */
    uint64_t chunk_size;      /* of the largest chunk */
};

/* A slot of the ring: pinned memory, or ordinary memory if the driver refuses that (mem is
 * NULL). */
struct staging_slot {
    cl_mem mem;
    char *memory;
    size_t size;
};

/* The ring. It grows as needed and is kept in the sorter. */
struct staging {
    cl_command_queue queues[STAGING_WORKERS][NUM_DIRECTIONS];
    struct staging_slot slots[STAGING_WORKERS][STAGING_DEPTH];
};

/* Moves bytes and returns when they have arrived. After a failure, no command uses the host's
 * memory any more. */
clsort_status staging_move(clsort_sorter *sorter, enum direction direction,
                           struct transfer *transfers, uint32_t num);

/* Moves a flow's loads until both of its directions have ended. */
clsort_status staging_run(clsort_sorter *sorter, struct flow *flow);

/* Splits the transfers of a batch into chunks. */
void staging_split(const clsort_sorter *sorter, struct batch *batch);

/* Fills in the load of a batch's next chunk. Returns 0 if none is left. */
int staging_next_chunk(struct batch *batch, enum direction direction, struct load *load_ret);

/* The chunk size for transfers of `size` bytes: at most STAGING_CHUNK, whatever the tuning says. */
uint64_t staging_chunk_size(const clsort_sorter *sorter, uint64_t size);

/* The number of workers for num_chunks chunks: at least one, the calling thread. */
uint32_t staging_num_workers(const clsort_sorter *sorter, uint64_t num_chunks);

/* Copies between a stream and memory, in chunks, by several threads. Returns whether all has been
 * copied. */
int staging_copy(const clsort_stream *stream, char *memory, uint64_t size, uint64_t chunk_size,
                 uint32_t num_threads);

/* Releases a slot. */
void staging_release_slot(clsort_sorter *sorter, struct staging_slot *slot);

/* Releases the ring and its queues. */
void staging_release(clsort_sorter *sorter);

#endif
