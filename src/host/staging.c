/* staging.c: the ring of pinned chunks, and the transfers of one call. */
#include "host/staging.h"

#include "host/pin.h"
#include "base/threads.h"
#include "host/pool.h"
#include "call/sorter.h"

#include <stdlib.h>
#include <string.h>

/* Neither is tuning: with fewer chunks a worker is not worth a thread, and slots grow by
 * doubling. */
#define CHUNKS_PER_WORKER 4
#define SMALLEST_SLOT ((uint64_t)64 << 10)

static void *pin(clsort_sorter *sorter, cl_command_queue queue, size_t size, cl_mem *mem_ret)
{
    cl_int code = CL_SUCCESS;
    *mem_ret = clCreateBuffer(sorter->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size,
                              NULL, &code);
    if (!*mem_ret)
        return NULL;
    void *memory = clEnqueueMapBuffer(queue, *mem_ret, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size,
                                      0, NULL, NULL, &code);
    if (!memory) {
        clReleaseMemObject(*mem_ret);
        *mem_ret = NULL;
    }
    return memory;
}

void *staging_pin(clsort_sorter *sorter, size_t size, cl_mem *mem_ret)
{
    cl_command_queue queue = NULL;
    *mem_ret = NULL;
    return pool_queue(sorter, &queue) ? NULL : pin(sorter, queue, size, mem_ret);
}

void staging_unpin(clsort_sorter *sorter, cl_mem mem, void *memory)
{
    cl_command_queue queue = NULL;
    if (!pool_queue(sorter, &queue))
        clEnqueueUnmapMemObject(queue, mem, memory, 0, NULL, NULL);
    clReleaseMemObject(mem);
}

static void release_slot(clsort_sorter *sorter, struct staging_slot *slot)
{
    if (slot->mem)
        staging_unpin(sorter, slot->mem, slot->memory);
    else
        free(slot->memory);
    *slot = (struct staging_slot){0};
}

clsort_status staging_prepare_slot(clsort_sorter *sorter, struct staging_slot *slot,
                                   uint64_t min_size)
{
    if (slot->size >= min_size)
        return CLSORT_OK;
    uint64_t size = SMALLEST_SLOT;
    while (size < min_size)
        size *= 2;
    release_slot(sorter, slot);
    slot->memory = staging_pin(sorter, (size_t)size, &slot->mem);
    if (!slot->memory)
        slot->memory = malloc((size_t)size);
    if (!slot->memory)
        return error_set(&sorter->error, CLSORT_ERROR_HOST_MEMORY);
    slot->size = (size_t)size;
    return CLSORT_OK;
}

uint64_t staging_chunk_size(const clsort_sorter *sorter, uint64_t size)
{
    const struct host_tuning tuning = tuning_host(&sorter->facts);
    const uint64_t tuned = tuning.chunk_bytes * (size >= tuning.fourfold_chunk_min ? 4
                                                 : size >= tuning.double_chunk_min ? 2
                                                                                   : 1);
    const uint64_t chunk = tuned < STAGING_CHUNK ? tuned : STAGING_CHUNK;
    return chunk < sorter->facts.chunk_limit ? chunk : sorter->facts.chunk_limit;
}

uint32_t staging_num_workers(const clsort_sorter *sorter, uint64_t num_chunks)
{
    uint64_t num = num_chunks / CHUNKS_PER_WORKER;
    num = num < sorter->host_threads ? num : sorter->host_threads;
    num = num < STAGING_WORKERS ? num : STAGING_WORKERS;
    return num ? (uint32_t)num : 1;
}

static int is_pinned(const clsort_sorter *sorter, const struct transfer *transfer)
{
    const char *memory = transfer->host.memory;
    return memory && host_memory_holds(sorter, memory + transfer->host_offset, transfer->size);
}

void staging_split(const clsort_sorter *sorter, struct batch *batch)
{
    batch->num_chunks = batch->num_taken = batch->num_done = 0;
    for (uint32_t i = 0; i < batch->num; ++i) {
        struct transfer *transfer = &batch->transfers[i];
        transfer->is_pinned = is_pinned(sorter, transfer);
        transfer->first_chunk = batch->num_chunks;
        transfer->num_chunks =
            transfer->is_pinned ? transfer->size > 0 : ceil_div(transfer->size, batch->chunk_size);
        batch->num_chunks += transfer->num_chunks;
    }
}

int staging_next_chunk(struct batch *batch, enum direction direction, struct load *load_ret)
{
    if (batch->num_taken == batch->num_chunks)
        return 0;
    const uint64_t chunk = batch->num_taken++;
    const struct transfer *transfer = batch->transfers;
    while (chunk - transfer->first_chunk >= transfer->num_chunks)
        ++transfer;
    const uint64_t size = transfer->is_pinned ? transfer->size : batch->chunk_size;
    const uint64_t offset = (chunk - transfer->first_chunk) * size;
    const uint64_t rest = transfer->size - offset;
    *load_ret = (struct load){.transfer = transfer,
                              .direction = direction,
                              .offset = offset,
                              .size = (size_t)(rest < size ? rest : size),
                              .batch = batch};
    return 1;
}

/* ---- The transfers of one call -------------------------------------------------------------- */

struct move {
    struct flow flow;
    struct batch batches[NUM_DIRECTIONS];
};

static enum flow_state next(struct flow *flow, enum direction direction, struct load *load_ret)
{
    struct move *move = (struct move *)flow;
    return staging_next_chunk(&move->batches[direction], direction, load_ret) ? FLOW_LOAD
                                                                              : FLOW_END;
}

static void done(struct flow *flow, const struct load *load)
{
    (void)flow;
    (void)load;
}

static uint64_t staged_size(const clsort_sorter *sorter, const struct batch *batch)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < batch->num; ++i)
        size += is_pinned(sorter, &batch->transfers[i]) ? 0 : batch->transfers[i].size;
    return size;
}

clsort_status staging_move(clsort_sorter *sorter, struct transfer *to_device,
                           uint32_t num_to_device, struct transfer *from_device,
                           uint32_t num_from_device)
{
    struct move move = {
        .flow = {.next = next, .done = done},
        .batches = {[TO_DEVICE] = {.transfers = to_device, .num = num_to_device},
                    [FROM_DEVICE] = {.transfers = from_device, .num = num_from_device}},
    };
    const uint64_t size = staged_size(sorter, &move.batches[TO_DEVICE]) +
                          staged_size(sorter, &move.batches[FROM_DEVICE]);
    move.flow.chunk_size = staging_chunk_size(sorter, size);
    for (int direction = 0; direction < NUM_DIRECTIONS; ++direction) {
        struct batch *batch = &move.batches[direction];
        batch->chunk_size = move.flow.chunk_size;
        staging_split(sorter, batch);
        move.flow.uses[direction] = batch->num > 0;
        if (size > 0)
            move.flow.num_staged += batch->num_chunks;
    }
    return staging_run(sorter, &move.flow);
}

/* ---- Memory that device and host share ------------------------------------------------------ */

struct mapped_copy {
    const clsort_stream *stream;
    char *memory;
    uint64_t size, chunk_size;
    _Atomic uint64_t next;
    atomic_int has_failed;
};

static void copy_mapped(void *argument, uint32_t number)
{
    struct mapped_copy *all = argument;
    (void)number;
    while (!atomic_load(&all->has_failed)) {
        const uint64_t offset = atomic_fetch_add(&all->next, 1) * all->chunk_size;
        if (offset >= all->size)
            return;
        const uint64_t rest = all->size - offset;
        const size_t size = (size_t)(rest < all->chunk_size ? rest : all->chunk_size);
        if (all->stream->copy(all->stream->context, all->memory + offset, offset, size))
            atomic_store(&all->has_failed, 1);
    }
}

clsort_status staging_copy_mapped(clsort_sorter *sorter, const clsort_stream *stream, char *memory,
                                  uint64_t size)
{
    struct mapped_copy all = {.stream = stream, .memory = memory, .size = size};
    all.chunk_size = staging_chunk_size(sorter, size);
    host_threads_run(staging_num_workers(sorter, ceil_div(size, all.chunk_size)), copy_mapped,
                     &all);
    return all.has_failed ? error_set(&sorter->error, CLSORT_ERROR_STREAM) : CLSORT_OK;
}

void staging_release(clsort_sorter *sorter)
{
    struct staging *staging = &sorter->staging;
    for (uint32_t i = 0; i < STAGING_WORKERS; ++i) {
        for (uint32_t k = 0; k < STAGING_DEPTH; ++k)
            release_slot(sorter, &staging->slots[i][k]);
        for (int direction = 0; direction < NUM_DIRECTIONS; ++direction) {
            if (staging->queues[i][direction])
                clReleaseCommandQueue(staging->queues[i][direction]);
            staging->queues[i][direction] = NULL;
        }
    }
}
