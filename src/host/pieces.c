/* pieces.c: splits a sort into pieces, and handles the failure of one. */
#include "host/pieces.h"

#include "check/check.h"

#include <stdlib.h>
#include <string.h>

/* Leaves a tenth of the device's memory to the driver and to other programs. */
static uint64_t usable_memory(const struct device_facts *facts)
{
    return facts->memory - facts->memory / 10;
}

int pieces_fit(clsort_sorter *sorter, const struct problem *problem, uint64_t *need_ret)
{
    const struct device_facts *facts = &sorter->facts;
    uint64_t need = sorter->plan.scratch_size, largest = need;
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH; ++role) {
        const uint64_t size = check_size(problem, role);
        need += size;
        largest = size > largest ? size : largest;
    }
    const uint64_t usable = usable_memory(facts);
    *need_ret = need;
    pool_trim(sorter, need < usable ? usable - need : 0);
    return problem_is_whole(problem) || (need <= usable && largest <= facts->max_alloc);
}

/* ---- What is transferred -------------------------------------------------------------------- */

/* A source of indices: the elements of each array are numbered from 0. */
struct numbering {
    uint32_t size;
    uint64_t count;
};

static int copy_numbers(void *context, void *bytes, uint64_t offset, size_t size)
{
    const struct numbering *numbering = context;
    const uint64_t first = offset / numbering->size;
    for (uint64_t i = 0; i < size / numbering->size; ++i) {
        const uint64_t number = (first + i) % numbering->count;
        if (numbering->size == 8)
            ((uint64_t *)bytes)[i] = number;
        else
            ((uint32_t *)bytes)[i] = (uint32_t)number;
    }
    return 0;
}

static void add_lanes(struct pieces *pieces, struct numbering *numbering)
{
    const struct host_job *job = pieces->job;
    const struct problem *problem = job->problem;
    struct moved_array moved[MAX_MOVED_ARRAYS];
    const uint32_t num = problem_moved(problem, moved);
    for (uint32_t i = 0; i < num; ++i) {
        const enum buffer_role role = moved[i].from;
        pieces->lanes[pieces->num_lanes++] = (struct lane){
            .role = role,
            .size = moved[i].size,
            .is_key = role != BUFFER_VALUES && !role_is_in(role, BUFFER_LISTED),
            .has_sink = !problem->in_place || !problem->index_size,
            .source = host_end_of(job, role, job->source),
            .sink = host_end_of(job, problem_out(problem, role), job->sink),
        };
    }
    if (!problem->index_size)
        return;
    *numbering = (struct numbering){problem->index_size, problem->count};
    struct lane *lane = &pieces->lanes[pieces->num_lanes++];
    *lane = (struct lane){.role = BUFFER_VALUES, .size = problem->index_size, .has_sink = 1};
    lane->source.stream = (clsort_stream){copy_numbers, numbering};
    lane->sink = host_end_of(job, BUFFER_INDICES, NULL);
}

/* ---- The size of pieces --------------------------------------------------------------------- */

static int is_in_place(const struct host_job *job)
{
    return job->problem->in_place && !job->problem->index_size && !job->source;
}

static uint64_t bytes_of(const struct pieces *pieces)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < pieces->num_lanes; ++i)
        size += pieces->lanes[i].size;
    return size;
}

/* Whether pieces of `num` elements fit on a device: all sets of buffers and the scratch of one
 * sort. */
static int piece_fits(const struct pieces *pieces, clsort_sorter *sorter, uint64_t num,
                      uint64_t memory)
{
    const clsort_desc desc = pieces_desc(pieces, num);
    struct problem problem;
    for (uint32_t i = 0; i < pieces->num_lanes; ++i) {
        if (num > sorter->facts.max_alloc / pieces->lanes[i].size)
            return 0;
    }
    const uint64_t bytes = bytes_of(pieces) * POOL_SETS;
    return num <= memory / bytes && !sorter_plan(sorter, &desc, &problem) &&
           sorter->plan.scratch_size <= sorter->facts.max_alloc &&
           sorter->plan.scratch_size <= memory - num * bytes;
}

/* Returns a multiple of `unit` elements that fits on a device, close to the largest; 0 if none
 * fits. */
static uint64_t piece_size_for(const struct pieces *pieces, clsort_sorter *sorter, uint64_t unit,
                               uint64_t memory)
{
    const uint64_t bytes = bytes_of(pieces);
    memory = smaller(memory, usable_memory(&sorter->facts));
    const struct host_tuning tuning = tuning_host(&sorter->facts);
    uint64_t even_num = ceil_div(pieces->count, (uint64_t)tuning.pieces * pieces->job->num_sorters);
    even_num = larger(even_num, tuning.piece_min / bytes);
    if (even_num < unit && !is_in_place(pieces->job))
        even_num = unit; /* a whole array is sorted once; in place that takes runs for all arrays */
    const uint64_t max_num =
        smaller(smaller(memory / bytes / (POOL_SETS + 1), even_num), pieces->count);
    for (uint64_t units = max_num / unit; units; units -= units / 8 + 1) {
        if (piece_fits(pieces, sorter, units * unit, memory))
            return units * unit;
    }
    return 0;
}

/* The size that fits on all devices, since any of them may take a piece. */
static uint64_t piece_size(const struct pieces *pieces, uint64_t unit, uint64_t memory)
{
    uint64_t smallest = UINT64_MAX;
    for (uint32_t i = 0; i < pieces->job->num_sorters; ++i)
        smallest = smaller(smallest, piece_size_for(pieces, pieces->job->sorters[i], unit, memory));
    return smallest;
}

static void set_runs(struct pieces *pieces, uint64_t size)
{
    pieces->run_size = size;
    pieces->num_runs = ceil_div(pieces->count, size);
}

static void set_parts(struct pieces *pieces, uint64_t size)
{
    pieces->part_size = size;
    pieces->num_parts = ceil_div(pieces->count, size);
}

/* ---- Back from the runs --------------------------------------------------------------------- */

static int put_bytes(void *array, void *bytes, uint64_t offset, size_t size)
{
    memcpy((char *)array + offset, bytes, size);
    return 0;
}

/* Copies the runs, which have every element, to the array or, in order, to the sink. */
static clsort_status put_back(const struct pieces *pieces)
{
    const struct host_job *job = pieces->job;
    for (uint32_t i = 0; i < pieces->num_lanes; ++i) {
        const struct lane *lane = &pieces->lanes[i];
        char *const array = lane->sink.memory;
        clsort_stream to = lane->sink.stream;
        if (array)
            to = (clsort_stream){put_bytes, array + pieces->base * lane->size};
        if (!staging_copy(&to, lane->runs, pieces->count * lane->size, STAGING_CHUNK,
                          array ? job->sorter->host_threads : 1))
            return error_set(&job->sorter->error, CLSORT_ERROR_STREAM);
    }
    return CLSORT_OK;
}

/* ---- The passes ----------------------------------------------------------------------------- */

/* Releases all buffers: pieces take all the memory of a device, so none are kept. */
static void release_buffers(const struct host_job *job)
{
    for (uint32_t i = 0; i < job->num_sorters; ++i)
        pool_release_buffers(job->sorters[i]);
}

/* Prepares a second try with half the device memory, if the first one failed for lack of it. */
static clsort_status again(const struct pieces *pieces, clsort_status status)
{
    if (status == CLSORT_ERROR_DEVICE_MEMORY)
        release_buffers(pieces->job);
    return status;
}

static uint64_t half(uint64_t size, uint64_t unit)
{
    const uint64_t units = size / unit / 2;
    return units ? units * unit : size;
}

/* Goes on with array i. Between streams each array has runs of its own: the sink, which may be the
 * source, gets nothing before the source has given all. */
static void set_array(struct pieces *pieces, uint64_t i)
{
    pieces->base = i * pieces->array_count;
    for (uint32_t k = 0; k < pieces->num_lanes; ++k) {
        const uint64_t at = pieces->job->source ? pieces->base * pieces->lanes[k].size : 0;
        pieces->lanes[k].runs = (char *)pieces->kept[k].memory + at;
    }
}

/* Sorts pieces of arrays into runs. */
static clsort_status sort_runs(struct pieces *pieces, uint64_t first, uint64_t num, uint64_t size)
{
    clsort_status status = CLSORT_OK;
    set_runs(pieces, size);
    for (uint64_t i = first; i < first + num && !status; ++i) {
        set_array(pieces, i);
        status = pieces_run(pieces, PASS_RUNS);
    }
    return status;
}

/* Sorts array i from its runs: splits, parts. An array in place is unchanged until the first part
 * comes back. */
static clsort_status sort_parts(struct pieces *pieces, uint64_t i, uint64_t size)
{
    set_array(pieces, i);
    set_parts(pieces, size);
    clsort_status status = pieces_split(pieces);
    if (status)
        return status;
    status = again(pieces, pieces_run(pieces, PASS_PARTS));
    if (status == CLSORT_ERROR_DEVICE_MEMORY) {
        set_parts(pieces, half(size, 1));
        status = pieces_split(pieces);
        if (!status)
            status = pieces_run(pieces, PASS_PARTS);
    }
    if (status && is_in_place(pieces->job))
        put_back(pieces);
    return status;
}

/* Sorts arrays from `first` on, all of whose runs there is room for. */
static clsort_status sort_arrays(struct pieces *pieces, uint64_t first, uint64_t num, uint64_t size)
{
    clsort_status status = again(pieces, sort_runs(pieces, first, num, size));
    if (status == CLSORT_ERROR_DEVICE_MEMORY) {
        size = half(size, 1);
        status = sort_runs(pieces, first, num, size);
    }
    for (uint64_t i = first; i < first + num && !status; ++i)
        status = sort_parts(pieces, i, size);
    return status;
}

/* Whether whole arrays are sorted into runs first: in place, so that no failure leaves a piece half
 * written, and between streams, as set_array() says. */
static int groups_have_runs(const struct host_job *job)
{
    return is_in_place(job) || job->source;
}

/* Sorts whole arrays, a few at a time. */
static clsort_status sort_groups(struct pieces *pieces, uint64_t size)
{
    const enum pass_kind kind = groups_have_runs(pieces->job) ? PASS_RUNS : PASS_GROUPS;
    set_runs(pieces, size);
    clsort_status status = again(pieces, pieces_run(pieces, kind));
    if (status == CLSORT_ERROR_DEVICE_MEMORY) {
        set_runs(pieces, half(size, pieces->array_count));
        status = pieces_run(pieces, kind);
    }
    if (status || kind == PASS_GROUPS)
        return status;
    return put_back(pieces);
}

_Static_assert(KEPT_RUNS == MAX_LANES, "each lane has its own");

/* Allocates the runs for all elements that pass 1 sorts at once, or that come from a stream. */
static clsort_status make_runs(struct pieces *pieces)
{
    const struct host_job *job = pieces->job;
    const uint64_t num = job->source ? num_elements(job->problem) : pieces->count;
    if (pieces->is_grouped && !groups_have_runs(job))
        return CLSORT_OK;
    for (uint32_t i = 0; i < pieces->num_lanes; ++i) {
        struct lane *lane = &pieces->lanes[i];
        lane->runs = host_memory_runs(job->sorter, &pieces->kept[i], num * lane->size);
        if (!lane->runs)
            return error_set(&job->sorter->error, CLSORT_ERROR_HOST_MEMORY);
    }
    return CLSORT_OK;
}

/* No piece fits: a device has too little memory, or the host had none to plan with. */
static clsort_status refuse_pieces(const struct host_job *job)
{
    for (uint32_t i = 0; i < job->num_sorters; ++i) {
        if (job->sorters[i]->error.refusal.status == CLSORT_ERROR_HOST_MEMORY)
            return CLSORT_ERROR_HOST_MEMORY;
    }
    return error_set(&job->sorter->error, CLSORT_ERROR_DEVICE_MEMORY);
}

static clsort_status sort_all(struct pieces *pieces, uint64_t memory)
{
    const uint64_t num_arrays = pieces->job->problem->num_arrays;
    pieces->count = pieces->array_count * num_arrays;
    pieces->is_grouped = num_arrays > 1;
    uint64_t size = pieces->is_grouped ? piece_size(pieces, pieces->array_count, memory) : 0;
    if (!size) {
        pieces->is_grouped = 0;
        pieces->count = pieces->array_count;
        size = piece_size(pieces, 1, memory);
    }
    if (!size)
        return refuse_pieces(pieces->job);
    /* As many pieces, of about the same size each. */
    const uint64_t unit = pieces->is_grouped ? pieces->array_count : 1;
    const uint64_t num_units = pieces->count / unit;
    size = ceil_div(num_units, ceil_div(num_units, size / unit)) * unit;
    clsort_status status = make_runs(pieces);
    if (pieces->is_grouped)
        return status ? status : sort_groups(pieces, size);
    const uint64_t num_at_once = pieces->job->source ? num_arrays : 1;
    for (uint64_t i = 0; i < num_arrays && !status; i += num_at_once)
        status = sort_arrays(pieces, i, num_at_once, size);
    return status;
}

clsort_status pieces_sort(const struct host_job *job, uint64_t memory)
{
    struct pieces pieces = {.job = job, .array_count = job->problem->count};
    struct numbering numbering;
    if (num_elements(job->problem) > job->most_in_pieces)
        return error_set(&job->sorter->error, CLSORT_ERROR_DEVICE_MEMORY);
    /* Take the runs from the sorter, which sorts samples in the meantime. */
    memcpy(pieces.kept, job->sorter->runs, sizeof pieces.kept);
    memset(job->sorter->runs, 0, sizeof pieces.kept);
    release_buffers(job);
    add_lanes(&pieces, &numbering);
    const clsort_status status = sort_all(&pieces, memory);
    release_buffers(job);
    host_memory_release_runs(job->sorter);
    memcpy(job->sorter->runs, pieces.kept, sizeof pieces.kept);
    free(pieces.splits);
    return status;
}
