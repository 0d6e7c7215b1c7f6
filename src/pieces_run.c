/* pieces_run.c: a pass as a conveyor of three sets of buffers. In each step one piece goes to the device, the
 * one before it is sorted, and the one before that comes back. */
#include "pieces.h"

#include "host_threads.h"

#include <stdlib.h>

#define NOTHING UINT64_MAX

struct pass {
    const struct pieces *pieces;
    enum pass_kind kind;
    uint64_t piece_size;
    uint64_t num_pieces;
    _Atomic uint64_t next; /* piece to be taken */
    atomic_int has_failed;
    _Atomic int status; /* of the first device that failed */
};

/* One device at work on a pass. */
struct conveyor {
    struct pass *pass;
    clsort_sorter *sorter;
    cl_command_queue queue;
    struct transfer *transfers[NUM_DIRECTIONS];
};

static uint64_t size_of(const struct pass *pass, uint64_t piece)
{
    const uint64_t rest = pass->pieces->count - piece * pass->piece_size;
    return rest < pass->piece_size ? rest : pass->piece_size;
}

static uint64_t take(struct pass *pass)
{
    if (atomic_load(&pass->has_failed) || atomic_load(&pass->next) >= pass->num_pieces)
        return NOTHING;
    const uint64_t piece = atomic_fetch_add(&pass->next, 1);
    return piece < pass->num_pieces ? piece : NOTHING;
}

/* Where a lane's piece lies in one stretch: in the source or the sink, or in the runs. */
static struct transfer stretch(const struct pieces *pieces, const struct lane *lane,
                               const struct host_end *end, uint64_t begin, uint64_t count)
{
    const struct host_end runs = {.memory = lane->runs};
    return (struct transfer){.host = end ? *end : runs,
                             .host_offset = ((end ? pieces->base : 0) + begin) * lane->size,
                             .size = count * lane->size};
}

/* A part's ranges of all runs, one behind another. */
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

/* The transfers of a piece; how many there are. */
static clsort_status list(const struct conveyor *conveyor, enum direction direction, uint64_t piece,
                          uint32_t set, uint32_t *num_ret)
{
    const struct pass *pass = conveyor->pass;
    const struct pieces *pieces = pass->pieces;
    struct transfer *transfers = conveyor->transfers[direction];
    *num_ret = 0;
    for (uint32_t i = 0; piece != NOTHING && i < pieces->num_lanes; ++i) {
        const struct lane *lane = &pieces->lanes[i];
        cl_mem buffer = NULL;
        const clsort_status status =
            pool_buffer(conveyor->sorter, set, lane->role, pass->piece_size * lane->size, &buffer);
        if (status)
            return status;
        if (direction == TO_DEVICE && pass->kind == PASS_PARTS) {
            *num_ret += list_ranges(pieces, lane, piece, buffer, transfers + *num_ret);
            continue;
        }
        const struct host_end *end = direction == TO_DEVICE    ? &lane->source
                                     : pass->kind == PASS_RUNS ? NULL
                                                               : &lane->sink;
        if (end == &lane->sink && !lane->has_sink)
            continue;
        struct transfer *transfer = &transfers[(*num_ret)++];
        *transfer = stretch(pieces, lane, end, piece * pass->piece_size, size_of(pass, piece));
        transfer->buffer = buffer;
    }
    return CLSORT_OK;
}

static clsort_status start_sort(const struct conveyor *conveyor, uint64_t piece, uint32_t set)
{
    const struct pieces *pieces = conveyor->pass->pieces;
    const clsort_desc desc = pieces_desc(pieces, size_of(conveyor->pass, piece));
    const struct pool_buffer *pool = conveyor->sorter->pool.buffers[set];
    clsort_buffer columns[MAX_MEMBERS] = {{NULL, 0}};
    for (uint32_t i = 0; i < desc.num_columns; ++i)
        columns[i].mem = pool[BUFFER_COLUMN + i].mem;
    const clsort_buffers buffers = {
        .keys.mem = desc.num_columns ? NULL : pool[BUFFER_KEYS].mem,
        .columns = desc.num_columns ? columns : NULL,
        .values.mem = desc.value_size ? pool[BUFFER_VALUES].mem : NULL,
    };
    const clsort_status status =
        sorter_enqueue_own(conveyor->sorter, conveyor->queue, &desc, &buffers);
    if (!status)
        clFlush(conveyor->queue);
    return status;
}

/* One step: three pieces, each in its set, or NOTHING. */
static clsort_status step(const struct conveyor *conveyor, const uint64_t *pieces,
                          const uint32_t *sets)
{
    struct error *error = &conveyor->sorter->error;
    uint32_t num_up = 0, num_down = 0;
    clsort_status status = list(conveyor, TO_DEVICE, pieces[0], sets[0], &num_up);
    if (!status)
        status = list(conveyor, FROM_DEVICE, pieces[2], sets[2], &num_down);
    if (!status && pieces[1] != NOTHING)
        status = start_sort(conveyor, pieces[1], sets[1]);
    if (!status)
        status = staging_move(conveyor->sorter, conveyor->transfers[TO_DEVICE], num_up,
                              conveyor->transfers[FROM_DEVICE], num_down);
    const cl_int code = pool_finish(conveyor->queue);
    return status || !code ? status : error_opencl(error, "clFinish", code);
}

/* A device takes pieces until there are none. */
static clsort_status convey(struct conveyor *conveyor)
{
    struct pass *pass = conveyor->pass;
    uint64_t pieces[POOL_SETS] = {take(pass), NOTHING, NOTHING};
    uint32_t sets[POOL_SETS] = {0, 1, 2};
    while (pieces[0] != NOTHING || pieces[1] != NOTHING || pieces[2] != NOTHING) {
        const clsort_status status = step(conveyor, pieces, sets);
        if (status)
            return status;
        const uint32_t free_set = sets[2];
        for (int i = 2; i > 0; --i) {
            pieces[i] = pieces[i - 1];
            sets[i] = sets[i - 1];
        }
        pieces[0] = take(pass);
        sets[0] = free_set;
    }
    return CLSORT_OK;
}

/* With room for the transfers of a piece each way. */
static clsort_status run_device(struct pass *pass, clsort_sorter *sorter)
{
    struct conveyor conveyor = {.pass = pass, .sorter = sorter};
    const uint64_t ranges = pass->kind == PASS_PARTS ? pass->pieces->num_runs : 1;
    struct transfer *transfers =
        malloc((size_t)(pass->pieces->num_lanes * (ranges + 1)) * sizeof *transfers);
    if (!transfers)
        return error_set(&sorter->error, CLSORT_ERROR_HOST_MEMORY);
    conveyor.transfers[FROM_DEVICE] = transfers;
    conveyor.transfers[TO_DEVICE] = transfers + pass->pieces->num_lanes;
    clsort_status status = pool_queue(sorter, &conveyor.queue);
    if (!status)
        status = convey(&conveyor);
    free(transfers);
    return status;
}

/* Runs device `number`. Each device but the first has a thread of its own. */
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

/* Compiles for all devices, so that their threads do not. */
static clsort_status prepare(const struct pass *pass)
{
    const struct host_job *job = pass->pieces->job;
    const clsort_desc desc = pieces_desc(pass->pieces, size_of(pass, 0));
    for (uint32_t i = 0; i < job->num_sorters; ++i) {
        struct problem problem;
        int replanned = 0;
        clsort_status status = sorter_plan(job->sorters[i], &desc, &problem);
        if (!status)
            status = sorter_compile(job->sorters[i], &problem, &replanned);
        if (status)
            return status;
    }
    return CLSORT_OK;
}

clsort_status pieces_run(const struct pieces *pieces, enum pass_kind kind)
{
    struct pass pass = {.pieces = pieces, .kind = kind};
    pass.piece_size = kind == PASS_PARTS ? pieces->part_size : pieces->run_size;
    pass.num_pieces = kind == PASS_PARTS ? pieces->num_parts : pieces->num_runs;
    const uint32_t num = pieces->job->num_sorters;
    const clsort_status status = prepare(&pass);
    if (status)
        return status;
    host_threads_run(num < MAX_HOST_THREADS ? num : MAX_HOST_THREADS, run_number, &pass);
    return (clsort_status)pass.status;
}
