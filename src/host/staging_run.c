/* staging_run.c: the workers that move chunks between host and device.
 *
 * Each worker has STAGING_DEPTH slots of the ring and a queue for each direction. It gets the next
 * chunk from its flow, alternating the directions while both have chunks, and starts the transfer.
 * Before it reuses a slot, it waits for the slot's transfer. */
#include "base/event.h"
#include "base/threads.h"
#include "host/pool.h"
#include "call/sorter.h"

#include <string.h>

/* Neither is tuning: with fewer chunks a worker is not worth a thread, and slots grow by
 * doubling. */
#define CHUNKS_PER_WORKER 4
#define SMALLEST_SLOT ((uint64_t)64 << 10)

void staging_release_slot(clsort_sorter *sorter, struct staging_slot *slot)
{
    if (slot->mem)
        pin_release(sorter, slot->mem, slot->memory);
    else
        free(slot->memory);
    *slot = (struct staging_slot){0};
}

/* Makes a slot at least min_size bytes large. */
static clsort_status prepare_slot(clsort_sorter *sorter, struct staging_slot *slot,
                                  uint64_t min_size)
{
    if (slot->size >= min_size)
        return CLSORT_OK;
    uint64_t size = SMALLEST_SLOT;
    while (size < min_size)
        size *= 2;
    staging_release_slot(sorter, slot);
    slot->memory = pin_allocate(sorter, (size_t)size, &slot->mem);
    if (!slot->memory)
        slot->memory = malloc((size_t)size);
    if (!slot->memory)
        return error_set(&sorter->error, CLSORT_ERROR_HOST_MEMORY);
    slot->size = (size_t)size;
    return CLSORT_OK;
}

uint32_t staging_num_workers(const clsort_sorter *sorter, uint64_t num_chunks)
{
    const uint64_t most = smaller(sorter->host_threads, STAGING_WORKERS);
    return (uint32_t)larger(smaller(num_chunks / CHUNKS_PER_WORKER, most), 1);
}

/* The state that the workers of one flow share. They record only the first failure, which is read
 * when all have returned. */
struct crew {
    clsort_sorter *sorter;
    struct flow *flow;
    atomic_flag is_busy; /* a worker calls a function of the flow */
    atomic_flag is_recorded;
    atomic_int has_failed;
    clsort_status status;
    const char *call; /* the OpenCL call that failed, or NULL */
    cl_int code;
};

static void record(struct crew *crew, clsort_status status, const char *call, cl_int code)
{
    if (!atomic_flag_test_and_set(&crew->is_recorded)) {
        crew->status = status;
        crew->call = call;
        crew->code = code;
    }
    atomic_store(&crew->has_failed, 1);
}

static void lock_flow(struct crew *crew)
{
    while (atomic_flag_test_and_set(&crew->is_busy))
        host_threads_yield();
}

static void unlock_flow(struct crew *crew)
{
    if (crew->flow->status)
        record(crew, crew->flow->status, NULL, CL_SUCCESS);
    atomic_flag_clear(&crew->is_busy);
}

/* Makes queues and slots before the workers start, so that they make none. */
static clsort_status prepare(struct crew *crew, uint32_t num_workers)
{
    clsort_sorter *sorter = crew->sorter;
    const struct flow *flow = crew->flow;
    struct staging *staging = &sorter->staging;
    for (uint32_t i = 0; i < num_workers; ++i) {
        for (int direction = 0; direction < NUM_DIRECTIONS; ++direction) {
            cl_int code = CL_SUCCESS;
            cl_command_queue *queue = &staging->queues[i][direction];
            if (*queue || !flow->uses[direction])
                continue;
            *queue = clCreateCommandQueue(sorter->context, sorter->device, 0, &code);
            if (!*queue)
                return error_opencl(&sorter->error, "clCreateCommandQueue", code);
        }
        for (uint32_t k = 0; k < STAGING_DEPTH && k < flow->num_staged; ++k) {
            const clsort_status status =
                prepare_slot(sorter, &staging->slots[i][k], flow->chunk_size);
            if (status)
                return status;
        }
    }
    return CLSORT_OK;
}

/* Copies between a chunk of the ring and the host's end of the transfer. */
static int copy(const struct load *load, char *chunk)
{
    const struct host_end *host = &load->transfer->host;
    const uint64_t offset = load->transfer->host_offset + load->offset;
    if (load->transfer->is_pinned)
        return 1;
    if (!host->memory)
        return host->stream.copy(host->stream.context, chunk, offset, load->size) == 0;
    if (load->direction == TO_DEVICE)
        memcpy(chunk, host->memory + offset, load->size);
    else
        memcpy(host->memory + offset, chunk, load->size);
    return 1;
}

static cl_int enqueue(cl_command_queue queue, struct load *load, void *memory)
{
    const struct transfer *transfer = load->transfer;
    const size_t at = (size_t)(transfer->buffer_offset + load->offset);
    const cl_uint num_after = load->after != NULL;
    const cl_event *after = num_after ? &load->after : NULL;
    if (load->direction == TO_DEVICE)
        return clEnqueueWriteBuffer(queue, transfer->buffer, CL_FALSE, at, load->size, memory,
                                    num_after, after, &load->event);
    return clEnqueueReadBuffer(queue, transfer->buffer, CL_FALSE, at, load->size, memory, num_after,
                               after, &load->event);
}

static void begin(struct crew *crew, struct load *load, uint32_t worker, char *chunk)
{
    static const char *const calls[] = {"clEnqueueWriteBuffer", "clEnqueueReadBuffer"};
    const struct transfer *transfer = load->transfer;
    const cl_command_queue queue = crew->sorter->staging.queues[worker][load->direction];
    if (load->direction == TO_DEVICE && !copy(load, chunk)) {
        record(crew, CLSORT_ERROR_STREAM, NULL, CL_SUCCESS);
        load->transfer = NULL;
        return;
    }
    char *memory =
        transfer->is_pinned ? transfer->host.memory + transfer->host_offset + load->offset : chunk;
    cl_int code = enqueue(queue, load, memory);
    if (code) {
        record(crew, CLSORT_ERROR_OPENCL, calls[load->direction], code);
        load->transfer = NULL;
        return;
    }
    code = clFlush(queue);
    if (code)
        record(crew, CLSORT_ERROR_OPENCL, "clFlush", code);
}

/* Waits for the load of a slot. Returns 0 if the slot is empty. */
static int end(struct crew *crew, struct load *load, char *chunk)
{
    if (!load->transfer)
        return 0;
    const cl_int before = load->after ? event_wait(load->after) : CL_SUCCESS;
    const cl_int code = before ? before : event_wait(load->event);
    clReleaseEvent(load->event);
    if (code) {
        record(crew, CLSORT_ERROR_OPENCL, "clWaitForEvents", code);
    } else if (!atomic_load(&crew->has_failed)) {
        if (load->direction == FROM_DEVICE && !copy(load, chunk))
            record(crew, CLSORT_ERROR_STREAM, NULL, CL_SUCCESS);
        lock_flow(crew);
        if (crew->flow->done)
            crew->flow->done(crew->flow, load);
        unlock_flow(crew);
    }
    load->transfer = NULL;
    return 1;
}

/* Gets the next load of direction `first`, or of the other if `first` has none now. */
static enum flow_state next_load(struct crew *crew, enum direction first, struct load *load_ret)
{
    struct flow *flow = crew->flow;
    const enum direction second = (enum direction) !first;
    enum flow_state state = FLOW_END;
    lock_flow(crew);
    if (flow->uses[first])
        state = flow->next(flow, first, load_ret);
    if (state != FLOW_LOAD && flow->uses[second]) {
        const enum flow_state other = flow->next(flow, second, load_ret);
        state = other == FLOW_END ? state : other;
    }
    unlock_flow(crew);
    return state;
}

/* Ends the oldest load of a worker, whose next slot is `at`. Returns 0 if there is none. */
static int end_oldest(struct crew *crew, struct load *loads, struct staging_slot *slots,
                      uint32_t at)
{
    for (uint32_t i = 0; i < STAGING_DEPTH; ++i) {
        const uint32_t k = (at + i) % STAGING_DEPTH;
        if (end(crew, &loads[k], slots[k].memory))
            return 1;
    }
    return 0;
}

static void work(void *argument, uint32_t number)
{
    struct crew *crew = argument;
    struct staging_slot *slots = crew->sorter->staging.slots[number];
    struct load loads[STAGING_DEPTH] = {0};
    uint32_t at = 0;
    enum direction turn = (enum direction)(number % NUM_DIRECTIONS);
    while (!atomic_load(&crew->has_failed)) {
        struct load next = {0};
        const enum flow_state state = next_load(crew, turn, &next);
        if (state == FLOW_END)
            break;
        if (state == FLOW_LATER) {
            if (!end_oldest(crew, loads, slots, at))
                host_threads_yield();
            continue;
        }
        turn = (enum direction) !next.direction;
        end(crew, &loads[at], slots[at].memory);
        if (atomic_load(&crew->has_failed))
            break; /* the slot may still be in use */
        loads[at] = next;
        begin(crew, &loads[at], number, slots[at].memory);
        at = (at + 1) % STAGING_DEPTH;
    }
    while (end_oldest(crew, loads, slots, at))
        ;
}

/* After a failure, waits for all commands that may still use the host's memory. */
static void drain(struct crew *crew, uint32_t num_workers)
{
    for (uint32_t i = 0; i < num_workers; ++i) {
        for (int direction = 0; direction < NUM_DIRECTIONS; ++direction) {
            if (!crew->flow->uses[direction])
                continue;
            const cl_int code = pool_finish(crew->sorter->staging.queues[i][direction]);
            if (code)
                record(crew, CLSORT_ERROR_OPENCL, "clFinish", code);
        }
    }
}

clsort_status staging_run(clsort_sorter *sorter, struct flow *flow)
{
    struct crew crew = {.sorter = sorter,
                        .flow = flow,
                        .is_busy = ATOMIC_FLAG_INIT,
                        .is_recorded = ATOMIC_FLAG_INIT};
    const uint32_t num_workers = staging_num_workers(sorter, flow->num_staged);
    const clsort_status status = prepare(&crew, num_workers);
    if (status)
        return status;
    host_threads_run(num_workers, work, &crew);
    if (!crew.has_failed)
        return CLSORT_OK;
    drain(&crew, num_workers);
    if (crew.call)
        return error_opencl(&sorter->error, crew.call, crew.code);
    /* The flow has recorded its own errors. */
    return crew.status == CLSORT_ERROR_STREAM ? error_set(&sorter->error, crew.status)
                                              : crew.status;
}
