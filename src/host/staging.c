/* staging.c: the ring of pinned chunks, and the transfers of one call. */
#include "host/staging.h"

#include "host/pin.h"
#include "base/phases.h"
#include "call/sorter.h"

/* Chunks are doubled twice: the second time from as many times the bytes on. */
#define FOURFOLD_AFTER 16

uint64_t staging_chunk_size(const clsort_sorter *sorter, uint64_t size)
{
    const struct host_tuning tuning = tuning_host(&sorter->facts);
    const uint64_t times = size / FOURFOLD_AFTER >= tuning.double_chunk_min ? 4
                           : size >= tuning.double_chunk_min                ? 2
                                                                            : 1;
    return smaller(smaller(tuning.chunk_bytes * times, STAGING_CHUNK), sorter->facts.chunk_limit);
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
    struct batch batch;
};

static enum flow_state next(struct flow *flow, enum direction direction, struct load *load_ret)
{
    struct move *move = (struct move *)flow;
    return staging_next_chunk(&move->batch, direction, load_ret) ? FLOW_LOAD : FLOW_END;
}

clsort_status staging_move(clsort_sorter *sorter, enum direction direction,
                           struct transfer *transfers, uint32_t num)
{
    struct move move = {.flow = {.next = next}, .batch = {.transfers = transfers, .num = num}};
    uint64_t size = 0; /* of what is staged */
    for (uint32_t i = 0; i < num; ++i)
        size += is_pinned(sorter, &transfers[i]) ? 0 : transfers[i].size;
    move.flow.chunk_size = move.batch.chunk_size = staging_chunk_size(sorter, size);
    staging_split(sorter, &move.batch);
    move.flow.uses[direction] = num > 0;
    move.flow.num_staged = size > 0 ? move.batch.num_chunks : 0;
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
