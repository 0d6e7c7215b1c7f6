/* staging.c: bytes between host and device through a ring of pinned chunks. */
#include "staging.h"

#include "host_memory.h"
#include "host_threads.h"
#include "pool.h"
#include "sorter.h"

#include <stdlib.h>
#include <string.h>

#define CHUNKS_PER_WORKER 4
#define SMALLEST_SLOT ((uint64_t)64 << 10)

/* The transfers of one direction. */
struct batch {
    struct transfer *transfers;
    uint32_t num;
    uint64_t num_chunks;
    _Atomic uint64_t next; /* chunk to be taken */
};

/* What the workers share. The failure is the first one's, read when all have returned. */
struct move {
    clsort_sorter *sorter;
    struct batch batches[NUM_DIRECTIONS];
    uint64_t chunk_size;
    atomic_flag is_told;
    atomic_int has_failed;
    clsort_status status;
    const char *call;
    cl_int code;
};

/* A chunk on its way. */
struct load {
    const struct transfer *transfer; /* NULL: none */
    enum direction direction;
    uint64_t offset; /* in the transfer */
    size_t size;
    cl_event event;
};

static void tell(struct move *move, clsort_status status, const char *call, cl_int code)
{
    if (!atomic_flag_test_and_set(&move->is_told)) {
        move->status = status;
        move->call = call;
        move->code = code;
    }
    atomic_store(&move->has_failed, 1);
}

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

/* A slot of at least this size. */
static clsort_status prepare_slot(clsort_sorter *sorter, struct staging_slot *slot, uint64_t wanted)
{
    if (slot->size >= wanted)
        return CLSORT_OK;
    uint64_t size = SMALLEST_SLOT;
    while (size < wanted)
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

/* What the workers need, made before they start, so that they make none. */
static clsort_status prepare_workers(struct move *move, uint32_t num_workers)
{
    clsort_sorter *sorter = move->sorter;
    struct staging *staging = &sorter->staging;
    for (uint32_t i = 0; i < num_workers; ++i) {
        for (int direction = 0; direction < NUM_DIRECTIONS; ++direction) {
            cl_int code = CL_SUCCESS;
            cl_command_queue *queue = &staging->queues[i][direction];
            if (*queue || !move->batches[direction].num)
                continue;
            *queue = clCreateCommandQueue(sorter->context, sorter->device, 0, &code);
            if (!*queue)
                return error_opencl(&sorter->error, "clCreateCommandQueue", code);
        }
        const uint64_t num_chunks = move->batches[0].num_chunks + move->batches[1].num_chunks;
        for (uint32_t k = 0; k < STAGING_DEPTH && k < num_chunks; ++k) {
            const clsort_status status =
                prepare_slot(sorter, &staging->slots[i][k], move->chunk_size);
            if (status)
                return status;
        }
    }
    return CLSORT_OK;
}

/* The next chunk of a direction; 0 if there is none. */
static int take_of(struct move *move, enum direction direction, struct load *load)
{
    struct batch *batch = &move->batches[direction];
    if (atomic_load(&batch->next) >= batch->num_chunks)
        return 0;
    const uint64_t chunk = atomic_fetch_add(&batch->next, 1);
    for (uint32_t i = 0; i < batch->num; ++i) {
        const struct transfer *transfer = &batch->transfers[i];
        if (chunk - transfer->first_chunk >= transfer->num_chunks)
            continue;
        const uint64_t offset = (chunk - transfer->first_chunk) * move->chunk_size;
        const uint64_t rest = transfer->size - offset;
        load->transfer = transfer;
        load->direction = direction;
        load->offset = offset;
        load->size = (size_t)(rest < move->chunk_size ? rest : move->chunk_size);
        return 1;
    }
    return 0;
}

/* Between a chunk and the host's end of it. */
static int copy(const struct load *load, char *chunk)
{
    const struct host_end *host = &load->transfer->host;
    const uint64_t offset = load->transfer->host_offset + load->offset;
    if (!host->memory)
        return host->stream.copy(host->stream.context, chunk, offset, load->size) == 0;
    if (load->direction == TO_DEVICE)
        memcpy(chunk, host->memory + offset, load->size);
    else
        memcpy(host->memory + offset, chunk, load->size);
    return 1;
}

static cl_int enqueue(cl_command_queue queue, const struct transfer *transfer,
                      enum direction direction, uint64_t offset, size_t size, void *memory,
                      cl_event *event_ret)
{
    const size_t at = (size_t)(transfer->buffer_offset + offset);
    if (direction == TO_DEVICE)
        return clEnqueueWriteBuffer(queue, transfer->buffer, CL_FALSE, at, size, memory, 0, NULL,
                                    event_ret);
    return clEnqueueReadBuffer(queue, transfer->buffer, CL_FALSE, at, size, memory, 0, NULL,
                               event_ret);
}

static const char *const call_names[] = {"clEnqueueWriteBuffer", "clEnqueueReadBuffer"};

static void begin(struct move *move, struct load *load, uint32_t worker, char *chunk)
{
    const cl_command_queue queue = move->sorter->staging.queues[worker][load->direction];
    if (load->direction == TO_DEVICE && !copy(load, chunk)) {
        tell(move, CLSORT_ERROR_STREAM, NULL, CL_SUCCESS);
        load->transfer = NULL;
        return;
    }
    cl_int code = enqueue(queue, load->transfer, load->direction, load->offset, load->size, chunk,
                          &load->event);
    if (code) {
        tell(move, CLSORT_ERROR_OPENCL, call_names[load->direction], code);
        load->transfer = NULL;
        return;
    }
    code = clFlush(queue);
    if (code)
        tell(move, CLSORT_ERROR_OPENCL, "clFlush", code);
}

static void end(struct move *move, struct load *load, char *chunk)
{
    if (!load->transfer)
        return;
    const cl_int code = clWaitForEvents(1, &load->event);
    clReleaseEvent(load->event);
    if (code)
        tell(move, CLSORT_ERROR_OPENCL, "clWaitForEvents", code);
    else if (load->direction == FROM_DEVICE && !atomic_load(&move->has_failed) &&
             !copy(load, chunk))
        tell(move, CLSORT_ERROR_STREAM, NULL, CL_SUCCESS);
    load->transfer = NULL;
}

/* A worker: the directions in turns as long as both have chunks. */
static void work(void *argument, uint32_t number)
{
    struct move *move = argument;
    struct staging_slot *slots = move->sorter->staging.slots[number];
    struct load loads[STAGING_DEPTH] = {0};
    uint32_t at = 0;
    int turn = (int)(number % NUM_DIRECTIONS);
    while (!atomic_load(&move->has_failed)) {
        struct load next = {0};
        if (!take_of(move, (enum direction)turn, &next) &&
            !take_of(move, (enum direction) !turn, &next))
            break;
        turn = !next.direction;
        end(move, &loads[at], slots[at].memory);
        if (atomic_load(&move->has_failed))
            break; /* the slot may still be in use */
        loads[at] = next;
        begin(move, &loads[at], number, slots[at].memory);
        at = (at + 1) % STAGING_DEPTH;
    }
    for (uint32_t i = 0; i < STAGING_DEPTH; ++i) {
        const uint32_t k = (at + i) % STAGING_DEPTH;
        end(move, &loads[k], slots[k].memory);
    }
}

/* Large chunks cost less each; small ones begin and end sooner. Measured on an H200 with 8 threads. */
static uint64_t chunk_size_of(const clsort_sorter *sorter, uint64_t size)
{
    static const struct {
        uint64_t from, chunk; /* MiB */
    } sizes[] = {{512, 4}, {32, 2}, {0, 1}};
    uint32_t i = 0;
    while (size >> 20 < sizes[i].from)
        ++i;
    const uint64_t chunk = sizes[i].chunk << 20;
    return chunk < sorter->facts.chunk_limit ? chunk : sorter->facts.chunk_limit;
}

static uint32_t num_workers_of(const clsort_sorter *sorter, uint64_t num_chunks)
{
    uint64_t num = num_chunks / CHUNKS_PER_WORKER;
    num = num < sorter->host_threads ? num : sorter->host_threads;
    num = num < STAGING_WORKERS ? num : STAGING_WORKERS;
    return num ? (uint32_t)num : 1;
}

static int is_direct(const clsort_sorter *sorter, const struct transfer *transfer)
{
    const char *memory = transfer->host.memory;
    return memory && host_memory_holds(sorter, memory + transfer->host_offset, transfer->size);
}

/* Cuts transfers into chunks; what is pinned already has none. */
static void cut(struct move *move, enum direction direction)
{
    struct batch *batch = &move->batches[direction];
    for (uint32_t i = 0; i < batch->num; ++i) {
        struct transfer *transfer = &batch->transfers[i];
        const int direct = is_direct(move->sorter, transfer);
        transfer->first_chunk = batch->num_chunks;
        transfer->num_chunks = direct ? 0 : ceil_div(transfer->size, move->chunk_size);
        batch->num_chunks += transfer->num_chunks;
    }
}

/* Starts the transfers of pinned memory. */
static void begin_direct(struct move *move, enum direction direction)
{
    const struct batch *batch = &move->batches[direction];
    const cl_command_queue queue = move->sorter->staging.queues[0][direction];
    for (uint32_t i = 0; i < batch->num && !move->has_failed; ++i) {
        const struct transfer *transfer = &batch->transfers[i];
        if (transfer->num_chunks || !transfer->size)
            continue;
        const cl_int code = enqueue(queue, transfer, direction, 0, (size_t)transfer->size,
                                    transfer->host.memory + transfer->host_offset, NULL);
        if (code)
            tell(move, CLSORT_ERROR_OPENCL, call_names[direction], code);
    }
    if (batch->num)
        clFlush(queue);
}

/* Waits for what the workers have not waited for: transfers of pinned memory, and all after a failure. */
static void finish(struct move *move, uint32_t num_workers)
{
    for (uint32_t i = 0; i < (move->has_failed ? num_workers : 1); ++i) {
        for (int direction = 0; direction < NUM_DIRECTIONS; ++direction) {
            if (!move->batches[direction].num)
                continue;
            const cl_int code = pool_finish(move->sorter->staging.queues[i][direction]);
            if (code)
                tell(move, CLSORT_ERROR_OPENCL, "clFinish", code);
        }
    }
}

static clsort_status result(const struct move *move)
{
    struct error *error = &move->sorter->error;
    if (!move->status)
        return CLSORT_OK;
    return move->call ? error_opencl(error, move->call, move->code)
                      : error_set(error, move->status);
}

clsort_status staging_move(clsort_sorter *sorter, struct transfer *to_device,
                           uint32_t num_to_device, struct transfer *from_device,
                           uint32_t num_from_device)
{
    struct move move = {
        .sorter = sorter,
        .batches = {[TO_DEVICE] = {.transfers = to_device, .num = num_to_device},
                    [FROM_DEVICE] = {.transfers = from_device, .num = num_from_device}},
        .is_told = ATOMIC_FLAG_INIT,
    };
    uint64_t size = 0;
    for (uint32_t i = 0; i < num_to_device; ++i)
        size += to_device[i].size;
    for (uint32_t i = 0; i < num_from_device; ++i)
        size += from_device[i].size;
    move.chunk_size = chunk_size_of(sorter, size);
    cut(&move, TO_DEVICE);
    cut(&move, FROM_DEVICE);
    const uint64_t num_chunks =
        move.batches[TO_DEVICE].num_chunks + move.batches[FROM_DEVICE].num_chunks;
    const uint32_t num_workers = num_workers_of(sorter, num_chunks);
    const clsort_status status = prepare_workers(&move, num_workers);
    if (status)
        return status;
    begin_direct(&move, TO_DEVICE);
    begin_direct(&move, FROM_DEVICE);
    host_threads_run(num_workers, work, &move);
    finish(&move, num_workers);
    return result(&move);
}

/* ---- Memory that device and host share ------------------------------------------------------------ */

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
    all.chunk_size = chunk_size_of(sorter, size);
    host_threads_run(num_workers_of(sorter, ceil_div(size, all.chunk_size)), copy_mapped, &all);
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
