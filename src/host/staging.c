/* staging.c: the ring of pinned chunks, and the transfers of one call. */
#include "host/staging.h"

#include "host/pin.h"
#include "base/phases.h"
#include "host/pool.h"
#include "call/sorter.h"

#include <stdlib.h>
#include <string.h>

/* Chunks are doubled twice: the second time from as many times the bytes on. */
#define FOURFOLD_AFTER 16

uint64_t staging_chunk_size(const clsort_sorter *sorter, uint64_t size)
{
    const struct host_tuning tuning = tuning_host(&sorter->facts);
    const uint64_t times = size / FOURFOLD_AFTER >= tuning.double_chunk_min ? 4
                           : size >= tuning.double_chunk_min                ? 2
                                                                            : 1;
    const uint64_t tuned = tuning.chunk_bytes * times;
    const uint64_t chunk = tuned < STAGING_CHUNK ? tuned : STAGING_CHUNK;
    return chunk < sorter->facts.chunk_limit ? chunk : sorter->facts.chunk_limit;
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

/* ---- Copies without a transfer -------------------------------------------------------------- */

struct copy {
    const clsort_stream *stream;
    char *memory;
    atomic_int has_failed;
};

static void copy_some(void *argument, size_t begin, size_t end)
{
    struct copy *copy = argument;
    const clsort_stream *stream = copy->stream;
    if (!atomic_load(&copy->has_failed) &&
        stream->copy(stream->context, copy->memory + begin, begin, end - begin))
        atomic_store(&copy->has_failed, 1);
}

int staging_copy(const clsort_stream *stream, char *memory, uint64_t size, uint64_t chunk_size,
                 uint32_t num_threads)
{
    struct copy copy = {.stream = stream, .memory = memory};
    host_parts_run(num_threads, (size_t)size, (size_t)chunk_size, copy_some, &copy);
    return !atomic_load(&copy.has_failed);
}

void staging_release(clsort_sorter *sorter)
{
    struct staging *staging = &sorter->staging;
    for (uint32_t i = 0; i < STAGING_WORKERS; ++i) {
        for (uint32_t k = 0; k < STAGING_DEPTH; ++k)
            staging_release_slot(sorter, &staging->slots[i][k]);
        for (int direction = 0; direction < NUM_DIRECTIONS; ++direction) {
            if (staging->queues[i][direction])
                clReleaseCommandQueue(staging->queues[i][direction]);
            staging->queues[i][direction] = NULL;
        }
    }
}
