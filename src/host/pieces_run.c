/* pieces_run.c: runs a pass as a conveyor of three sets of buffers. While one piece goes to the
 * device, the previous one is sorted and the one before that comes back. The workers continue from
 * piece to piece without waiting for each other. A set is filled again as soon as its last chunk
 * has arrived. */
#include "host/pieces.h"

#include "check/check.h"
#include "host/pin.h"
#include "base/threads.h"

#include <stdlib.h>

clsort_desc pieces_desc(const struct pieces *pieces, uint64_t num_elements_wanted)
{
    clsort_desc desc = *pieces->job->desc;
    desc.limit = 0; /* it is the count, or 0: all are wanted */
    desc.count = pieces->is_grouped ? pieces->array_count : num_elements_wanted;
    desc.num_arrays = num_elements_wanted / desc.count;
    desc.out_of_place = 0;
    if (desc.index_size) {
        desc.value_size = desc.index_size;
        desc.index_size = 0;
        desc.stable = 1;
    }
    return desc;
}

#define NOTHING UINT64_MAX

struct pass {
    const struct pieces *pieces;
    enum pass_kind kind;
    uint64_t piece_size;
    uint64_t num_pieces;
    _Atomic uint64_t next; /* the next piece to claim */
    atomic_int has_failed;
    _Atomic int status; /* of the first device that failed */
};

/* The state of a set of buffers. */
enum stage { IDLE, GOING_UP, COMING_DOWN };

/* A set of buffers, and the piece that is in it. */
struct set {
    enum stage stage;
    uint64_t piece;
    cl_event sorted; /* the end of the sort, while the piece comes back */
    struct batch batches[NUM_DIRECTIONS];
};

/* One device's work on a pass: the flow of its workers. */
struct conveyor {
    struct flow flow;
    struct pass *pass;
    clsort_sorter *sorter;
    cl_command_queue queue;
    struct set sets[POOL_SETS];
    uint32_t at[NUM_DIRECTIONS]; /* the set with the next chunk */
    int has_all;                 /* no piece is left to claim */
};

static uint64_t size_of(const struct pass *pass, uint64_t piece)
{
    return smaller(pass->pieces->count - piece * pass->piece_size, pass->piece_size);
}

/* Claims the next piece of the pass for this device. */
static uint64_t claim_piece(struct pass *pass)
{
    if (atomic_load(&pass->has_failed) || atomic_load(&pass->next) >= pass->num_pieces)
        return NOTHING;
    const uint64_t piece = atomic_fetch_add(&pass->next, 1);
    return piece < pass->num_pieces ? piece : NOTHING;
}

/* The host's end of a lane's transfer in one stretch: in the source or the sink, or in the runs. */
static struct transfer stretch(const struct pieces *pieces, const struct lane *lane,
                               const struct host_end *end, uint64_t begin, uint64_t count)
{
    const struct host_end runs = {.memory = lane->runs};
    return (struct transfer){.host = end ? *end : runs,
                             .host_offset = ((end ? pieces->base : 0) + begin) * lane->size,
                             .size = count * lane->size};
}

/* Lists a part's ranges of all runs, one after another. */
static uint32_t list_ranges(const struct pieces *pieces, const struct lane *lane, uint64_t part,
                            cl_mem buffer, struct transfer *transfers)
{
    const uint64_t *from = pieces->splits + part * pieces->num_runs;
    const uint64_t *to = from + pieces->num_runs;
    uint64_t offset = 0;
    uint32_t num = 0;
    for (uint64_t run = 0; run < pieces->num_runs; ++run) {
        if (from[run] == to[run])
            continue;
        transfers[num] =
            stretch(pieces, lane, NULL, run * pieces->run_size + from[run], to[run] - from[run]);
        transfers[num].buffer = buffer;
        transfers[num].buffer_offset = offset;
        offset += transfers[num++].size;
    }
    return num;
}

/* Lists the transfers of a set's piece. */
static clsort_status list(const struct conveyor *conveyor, enum direction direction,
                          struct set *set)
{
    const struct pass *pass = conveyor->pass;
    const struct pieces *pieces = pass->pieces;
    struct batch *batch = &set->batches[direction];
    batch->num = 0;
    for (uint32_t i = 0; i < pieces->num_lanes; ++i) {
        const struct lane *lane = &pieces->lanes[i];
        cl_mem buffer = NULL;
        const clsort_status status =
            pool_buffer(conveyor->sorter, (uint32_t)(set - conveyor->sets), lane->role,
                        pass->piece_size * lane->size, &buffer);
        if (status)
            return status;
        if (direction == TO_DEVICE && pass->kind == PASS_PARTS) {
            batch->num +=
                list_ranges(pieces, lane, set->piece, buffer, batch->transfers + batch->num);
            continue;
        }
        const struct host_end *end = direction == TO_DEVICE    ? &lane->source
                                     : pass->kind == PASS_RUNS ? NULL
                                                               : &lane->sink;
        if (end == &lane->sink && !lane->has_sink)
            continue;
        struct transfer *transfer = &batch->transfers[batch->num++];
        *transfer =
            stretch(pieces, lane, end, set->piece * pass->piece_size, size_of(pass, set->piece));
        transfer->buffer = buffer;
    }
    staging_split(conveyor->sorter, batch);
    return CLSORT_OK;
}

/* Enqueues the sort of a piece that has arrived. Its way back waits for the sort on the device. */
static clsort_status start_sort(struct conveyor *conveyor, struct set *set)
{
    const struct pieces *pieces = conveyor->pass->pieces;
    const clsort_desc desc = pieces_desc(pieces, size_of(conveyor->pass, set->piece));
    const struct pool_buffer *pool = conveyor->sorter->pool.buffers[set - conveyor->sets];
    struct binding binding;
    binding_begin(&binding);
    for (uint32_t i = 0; i < pieces->num_lanes; ++i)
        *mem_at(&binding.buffers, pieces->lanes[i].role) = pool[pieces->lanes[i].role].mem;
    const clsort_status status = sorter_enqueue_own(conveyor->sorter, conveyor->queue, &desc,
                                                    &binding.buffers, &set->sorted);
    if (status)
        return status;
    clFlush(conveyor->queue);
    set->stage = COMING_DOWN;
    return list(conveyor, FROM_DEVICE, set);
}

static void empty(struct set *set)
{
    if (set->sorted)
        clReleaseEvent(set->sorted);
    set->sorted = NULL;
    set->stage = IDLE;
}

/* Puts the next piece of the pass into an idle set, if there is one. */
static clsort_status fill(struct conveyor *conveyor, struct set *set)
{
    set->piece = claim_piece(conveyor->pass);
    conveyor->has_all = set->piece == NOTHING;
    if (conveyor->has_all)
        return CLSORT_OK;
    set->stage = GOING_UP;
    return list(conveyor, TO_DEVICE, set);
}

/* Sets take turns in both directions: the chunks of a set follow those of the previous set. */
static enum flow_state next(struct flow *flow, enum direction direction, struct load *load_ret)
{
    static const enum stage stages[] = {[TO_DEVICE] = GOING_UP, [FROM_DEVICE] = COMING_DOWN};
    struct conveyor *conveyor = (struct conveyor *)flow;
    struct set *set = &conveyor->sets[conveyor->at[direction]];
    struct batch *batch = &set->batches[direction];
    if (set->stage == IDLE && direction == TO_DEVICE && !conveyor->has_all)
        flow->status = fill(conveyor, set);
    if (flow->status || (set->stage == IDLE && conveyor->has_all))
        return FLOW_END;
    if (set->stage != stages[direction] || !staging_next_chunk(batch, direction, load_ret))
        return FLOW_LATER;
    load_ret->after = direction == FROM_DEVICE ? set->sorted : NULL;
    if (batch->num_taken == batch->num_chunks)
        conveyor->at[direction] = (conveyor->at[direction] + 1) % POOL_SETS;
    return FLOW_LOAD;
}

/* The last chunk to arrive on the device starts the sort. The last to come back empties the set. */
static void done(struct flow *flow, const struct load *load)
{
    struct conveyor *conveyor = (struct conveyor *)flow;
    for (uint32_t i = 0; i < POOL_SETS; ++i) {
        struct set *set = &conveyor->sets[i];
        if (load->batch != &set->batches[load->direction])
            continue;
        if (++load->batch->num_done < load->batch->num_chunks)
            return;
        if (load->direction == TO_DEVICE)
            flow->status = start_sort(conveyor, set);
        else
            empty(set);
    }
}

static clsort_status convey(struct conveyor *conveyor)
{
    clsort_sorter *sorter = conveyor->sorter;
    clsort_status status = pool_queue(sorter, &conveyor->queue);
    if (status)
        return status;
    status = staging_run(sorter, &conveyor->flow);
    const cl_int code = pool_finish(conveyor->queue);
    for (uint32_t i = 0; i < POOL_SETS; ++i)
        empty(&conveyor->sets[i]);
    return status || !code ? status : error_opencl(&sorter->error, "clFinish", code);
}

/* Bytes that pass through the ring in both directions: those of memory that is not pinned. */
static uint64_t staged_size(const struct pass *pass, const clsort_sorter *sorter)
{
    const struct pieces *pieces = pass->pieces;
    uint64_t size = 0;
    for (uint32_t i = 0; i < pieces->num_lanes; ++i) {
        const struct lane *lane = &pieces->lanes[i];
        const uint64_t bytes = pieces->count * lane->size;
        const uint64_t base = pieces->base * lane->size;
        const char *source = lane->source.memory ? lane->source.memory + base : NULL;
        const char *sink = lane->sink.memory ? lane->sink.memory + base : NULL;
        const char *up = pass->kind == PASS_PARTS ? lane->runs : source;
        const char *down = pass->kind == PASS_RUNS ? lane->runs : sink;
        size += up && host_memory_holds(sorter, up, bytes) ? 0 : bytes;
        size += down && host_memory_holds(sorter, down, bytes) ? 0 : bytes;
    }
    return size;
}

/* Runs the pass on one device. Each set has transfers for a piece in both directions. */
static clsort_status run_device(struct pass *pass, clsort_sorter *sorter)
{
    const struct pieces *pieces = pass->pieces;
    struct conveyor conveyor = {.flow = {.next = next, .done = done, .uses = {1, 1}},
                                .pass = pass,
                                .sorter = sorter};
    const uint64_t size = staged_size(pass, sorter);
    conveyor.flow.chunk_size = staging_chunk_size(sorter, size);
    conveyor.flow.num_staged =
        size ? ceil_div(size, conveyor.flow.chunk_size) + NUM_DIRECTIONS * pass->num_pieces : 0;
    const uint64_t num[NUM_DIRECTIONS] = {
        [TO_DEVICE] = pieces->num_lanes * (pass->kind == PASS_PARTS ? pieces->num_runs : 1),
        [FROM_DEVICE] = pieces->num_lanes};
    struct transfer *transfers =
        malloc((size_t)(POOL_SETS * (num[TO_DEVICE] + num[FROM_DEVICE])) * sizeof *transfers);
    if (!transfers)
        return error_set(&sorter->error, CLSORT_ERROR_HOST_MEMORY);
    struct transfer *at = transfers;
    for (uint32_t i = 0; i < POOL_SETS * NUM_DIRECTIONS; ++i) {
        struct batch *batch = &conveyor.sets[i / NUM_DIRECTIONS].batches[i % NUM_DIRECTIONS];
        batch->transfers = at;
        batch->chunk_size = conveyor.flow.chunk_size;
        at += num[i % NUM_DIRECTIONS];
    }
    const clsort_status status = convey(&conveyor);
    free(transfers);
    return status;
}

/* Runs the pass on device `number`. Each device except the first has a thread of its own. */
static void run_number(void *argument, uint32_t number)
{
    struct pass *pass = argument;
    const clsort_status status = run_device(pass, pass->pieces->job->sorters[number]);
    if (!status)
        return;
    int none = CLSORT_OK;
    atomic_compare_exchange_strong(&pass->status, &none, (int)status);
    atomic_store(&pass->has_failed, 1);
}

/* Compiles what pieces need, for all devices, before threads start. The last piece may be shorter
 * than the others and take another route. */
static clsort_status prepare(const struct pass *pass)
{
    const struct host_job *job = pass->pieces->job;
    clsort_status status = CLSORT_OK;
    for (uint32_t i = 0; i < 2 * job->num_sorters && !status; ++i) {
        const uint64_t piece = i < job->num_sorters ? pass->num_pieces - 1 : 0;
        const clsort_desc desc = pieces_desc(pass->pieces, size_of(pass, piece));
        clsort_sorter *sorter = job->sorters[i % job->num_sorters];
        struct problem problem;
        status = sorter_plan(sorter, &desc, &problem);
        if (!status)
            status = sorter_compile(sorter, &problem);
    }
    return status;
}

clsort_status pieces_run(const struct pieces *pieces, enum pass_kind kind)
{
    struct pass pass = {.pieces = pieces, .kind = kind};
    pass.piece_size = kind == PASS_PARTS ? pieces->part_size : pieces->run_size;
    pass.num_pieces = kind == PASS_PARTS ? pieces->num_parts : pieces->num_runs;
    const clsort_status status = prepare(&pass);
    if (status)
        return status;
    host_threads_run(pieces->job->num_sorters, run_number, &pass);
    return (clsort_status)pass.status;
}
