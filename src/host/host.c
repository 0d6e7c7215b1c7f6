/* host.c: sorts arrays of the host: small ones by its own threads, others on the device. */
#include "check/check.h"
#include "base/names.h"
#include "host/alone/sort.h"
#include "base/threads.h"
#include "host/in_core.h"
#include "host/pieces.h"
#include "run.h"
#include "call/sorter.h"
#include "tuning/file.h"

#include <stdlib.h>

#define MAX_SORTERS MAX_HOST_THREADS /* that take part: a thread each */

/* A call to sort arrays, or one array from a stream to another, is a job without the sorter, what
 * it has planned, and sort_samples(). Only clsort_sort_many() has sorters. */

/* The member by which problem_has_places(). */
static const char *asks_places(const struct problem *problem)
{
    return problem->skip ? "desc.skip" : problem->limit ? "desc.limit" : "desc.index_size";
}

/* Checks the request's arrays or streams. */
static struct refusal check_request(const struct host_job *request, const struct problem *problem)
{
    if (!request->source)
        return check_arrays(problem, request->arrays);
    if (problem_has_places(problem))
        return refuse(CLSORT_ERROR_UNSUPPORTED, asks_places(problem));
    for (enum buffer_role role = BUFFER_NONE; role < BUFFER_SCRATCH; ++role) {
        if (role != BUFFER_KEYS && check_expects(problem, role))
            return refuse(CLSORT_ERROR_BUFFER_MISSING, check_buffer_name(role));
    }
    return check_size(problem, BUFFER_KEYS) > SIZE_MAX ? refuse(CLSORT_ERROR_COUNT, "desc.count")
                                                       : accepted();
}

static clsort_status sort_samples(clsort_sorter *sorter, const clsort_desc *desc,
                                  const clsort_arrays *arrays, uint64_t most_in_pieces);

/* Sorts all at once. If the device has too little free memory, sorts in pieces that take half of
 * it. */
static clsort_status sort_at_once(const struct host_job *job, uint64_t need)
{
    clsort_sorter *sorter = job->sorter;
    int is_lost = 0;
    clsort_status status = sorter_compile(sorter, job->problem); /* before any transfer */
    if (!status)
        status = in_core_sort(job, &is_lost);
    if (status != CLSORT_ERROR_DEVICE_MEMORY || is_lost || problem_is_whole(job->problem) ||
        problem_has_places(job->problem))
        return status;
    return pieces_sort(job, need / 2);
}

/* Whether a sorter transfers ordinary memory faster if it pins the memory for the call than through
 * the ring. */
static int pins(const clsort_sorter *sorter, uint64_t size)
{
    const struct host_tuning tuning = tuning_host(&sorter->facts);
    return !sorter->facts.unified_memory && size >= tuning.pin_min &&
           sorter->host_threads <= tuning.pin_threads;
}

/* Pins the arrays of a job for each sorter that pins them, or gives them back. */
static void visit_arrays(const struct host_job *job,
                         void (*visit)(clsort_sorter *sorter, void *memory, uint64_t size))
{
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH && !job->source; ++role) {
        const uint64_t size = check_size(job->problem, role);
        for (uint32_t i = 0; size && i < job->num_sorters; ++i) {
            if (pins(job->sorters[i], size))
                visit(job->sorters[i], array_of(job->arrays, role), size);
        }
    }
}

/* Sets aside what failed last with each sorter. */
static void hide_errors(const struct host_job *job, struct error before[MAX_SORTERS])
{
    for (uint32_t i = 0; i < job->num_sorters; ++i) {
        before[i] = job->sorters[i]->error;
        job->sorters[i]->error = (struct error){0};
    }
}

/* A failure of the call stays with the sorters that it met. */
static void show_errors(const struct host_job *job, struct error before[MAX_SORTERS],
                        clsort_status status)
{
    for (uint32_t i = 0; i < job->num_sorters; ++i) {
        struct error *error = &job->sorters[i]->error;
        if (status && error->refusal.status) {
            error_finish(&before[i]);
        } else {
            error_finish(error);
            *error = before[i];
        }
    }
}

/* Sorts all at once or in pieces. If this succeeds after a failure, the last error stays as it
 * was. */
static clsort_status sort_sized(const struct host_job *job)
{
    struct error *error = &job->sorter->error, before[MAX_SORTERS];
    uint64_t need = 0;
    hide_errors(job, before);
    const int fits = pieces_fit(job->sorter, job->problem, &need);
    const int is_shared_out =
        job->num_sorters > 1 &&
        need - job->sorter->plan.scratch_size >= tuning_host(&job->sorter->facts).many_min &&
        !problem_is_whole(job->problem) && !problem_has_places(job->problem);
    visit_arrays(job, host_memory_borrow);
    clsort_status status;
    if (fits && !is_shared_out)
        status = sort_at_once(job, need);
    else if (problem_has_places(job->problem)) /* pieces have no part of the order */
        status = error_refuse(error, refuse(CLSORT_ERROR_UNSUPPORTED, asks_places(job->problem)));
    else
        status = pieces_sort(job, UINT64_MAX);
    visit_arrays(job, host_memory_give_back);
    show_errors(job, before, status);
    return status;
}

/* Sorts on the device. */
static clsort_status sort_there(clsort_sorter *sorter, const struct host_job *request)
{
    struct problem problem;
    clsort_status status = sorter_plan(sorter, request->desc, &problem);
    if (!status)
        status = error_refuse(&sorter->error, check_request(request, &problem));
    if (status || num_elements(&problem) == 0 || (sorter->plan.num_steps == 0 && !request->source))
        return status;
    struct host_job job = *request;
    job.sorter = sorter;
    job.problem = &problem;
    job.sort_samples = sort_samples;
    if (!job.sorters) {
        job.sorters = &sorter;
        job.num_sorters = 1;
    }
    return sort_sized(&job);
}

/* Sorts by threads of the host from the source to the sink, by way of an array. If there is no
 * memory for the array, *done_ret stays 0. */
static struct refusal stream_here(const struct problem *problem, const struct host_job *request,
                                  uint32_t num_threads, int *done_ret)
{
    const size_t size = (size_t)check_size(problem, BUFFER_KEYS);
    if (size == 0) {
        *done_ret = 1;
        return accepted();
    }
    const clsort_arrays arrays = {.keys = malloc(size)};
    struct refusal refusal = accepted();
    if (!arrays.keys)
        return refusal;
    if (!staging_copy(request->source, arrays.keys, size, STAGING_CHUNK, num_threads)) {
        refusal = refuse(CLSORT_ERROR_STREAM, "source");
    } else if (host_sort(problem, &arrays, num_threads)) {
        *done_ret = 1;
        if (!staging_copy(request->sink, arrays.keys, size, STAGING_CHUNK, num_threads))
            refusal = refuse(CLSORT_ERROR_STREAM, "sink");
    }
    free(arrays.keys);
    return refusal;
}

/* Sorts arrays that the host sorts by itself. *done_ret: whether they are sorted. */
static struct refusal sort_here(const struct device_facts *facts, uint32_t num_threads,
                                const struct host_job *request, int *done_ret)
{
    struct problem problem;
    *done_ret = 0;
    struct refusal refusal = check_desc(request->desc, &problem);
    if (!refusal.status && problem.operation != CLSORT_OPERATION_SORT)
        refusal = refuse(CLSORT_ERROR_UNSUPPORTED, "desc.operation");
    if (refusal.status || !host_sort_takes(facts, &problem, num_threads))
        return refusal;
    refusal = check_request(request, &problem);
    if (!refusal.status && request->source)
        return stream_here(&problem, request, num_threads, done_ret);
    if (!refusal.status)
        *done_ret = host_sort(&problem, request->arrays, num_threads);
    return refusal;
}

/* sort_here() without a sorter. */
static clsort_status sort_alone(const struct host_job *request, int *done_ret)
{
    struct device_facts facts;
    struct tuning_rows rows;
    *done_ret = 0;
    clsort_status status = device_none(&facts);
    if (!status)
        status = tuning_file_read(NULL, &rows);
    if (status)
        return status;
    facts.tuning_rows = &rows;
    status = sort_here(&facts, 1, request, done_ret).status;
    tuning_rows_finish(&rows);
    return status;
}

static clsort_status sort_entered(clsort_sorter *sorter, const struct host_job *request)
{
    int done = 0;
    clsort_status status =
        error_refuse(&sorter->error,
                     sort_here(&sorter->facts, sorter->host_threads, request, &done));
    if (!status && !done)
        status = sort_there(sorter, request);
    /* What was kept is an earlier sort's, or a part's of this one. */
    run_forget_timing(sorter);
    for (uint32_t i = 0; i < request->num_sorters; ++i)
        run_forget_timing(request->sorters[i]);
    return status;
}

static clsort_status sort_samples(clsort_sorter *sorter, const clsort_desc *desc,
                                  const clsort_arrays *arrays, uint64_t most_in_pieces)
{
    return sort_entered(sorter, &(struct host_job){.desc = desc,
                                                   .arrays = arrays,
                                                   .most_in_pieces = most_in_pieces});
}

/* Sorts with the caller's sorter, or with one of its own if this takes a device. */
static clsort_status sort_request(clsort_sorter *sorter, const struct host_job *request)
{
    clsort_sorter *own = NULL;
    clsort_status status = CLSORT_OK;
    if (!sorter) {
        int done = 0;
        status = sort_alone(request, &done);
        if (status || done)
            return status;
        status = clsort_create(NULL, NULL, &own);
        sorter = own;
    }
    if (!status)
        status = sorter_enter(sorter);
    if (!status)
        status = sorter_leave(sorter, sort_entered(sorter, request));
    clsort_destroy(own);
    return status;
}

/* Refuses a call before anything else is looked at. sorter may be NULL. */
static clsort_status refuse_call(clsort_sorter *sorter, struct refusal refusal)
{
    const clsort_status status = sorter ? sorter_enter(sorter) : refusal.status;
    return status ? status : sorter_leave(sorter, error_refuse(&sorter->error, refusal));
}

clsort_status clsort_sort(clsort_sorter *sorter, const clsort_desc *desc,
                          const clsort_arrays *arrays)
{
    if (!desc || !arrays)
        return refuse_call(sorter, refuse(CLSORT_ERROR_NULL, desc ? "arrays" : "desc"));
    return sort_request(
        sorter, &(struct host_job){.desc = desc, .arrays = arrays, .most_in_pieces = UINT64_MAX});
}

clsort_status clsort_sort_many(clsort_sorter *const *sorters, uint32_t num_sorters,
                               const clsort_desc *desc, const clsort_arrays *arrays)
{
    clsort_status status = CLSORT_OK;
    uint32_t num_entered = 0;
    if (!sorters || !num_sorters)
        return CLSORT_ERROR_NULL;
    for (uint32_t i = 0; i < num_sorters; ++i) {
        if (!sorters[i])
            return CLSORT_ERROR_NULL;
    }
    if (!desc || !arrays)
        return refuse_call(sorters[0], refuse(CLSORT_ERROR_NULL, desc ? "arrays" : "desc"));
    while (num_entered < num_sorters && !status) {
        status = sorter_enter(sorters[num_entered]);
        num_entered += !status;
    }
    const struct host_job request = {.desc = desc,
                                     .arrays = arrays,
                                     .sorters = sorters,
                                     .num_sorters = (uint32_t)smaller(num_entered, MAX_SORTERS),
                                     .most_in_pieces = UINT64_MAX};
    if (!status)
        status = sort_entered(sorters[0], &request);
    while (num_entered)
        sorter_leave(sorters[--num_entered], status);
    return status;
}

clsort_status clsort_sort_through(clsort_sorter *sorter, const clsort_desc *desc,
                                  const clsort_stream *source, const clsort_stream *sink)
{
    static const clsort_arrays none = CLSORT_ZERO;
    const int has_source = source && source->copy, has_sink = sink && sink->copy;
    if (!desc || !has_source || !has_sink)
        return refuse_call(sorter, refuse(CLSORT_ERROR_NULL, !desc         ? "desc"
                                                             : !has_source ? "source"
                                                                           : "sink"));
    if (desc->strings) /* before other mistakes: streams have no place for their offsets */
        return refuse_call(sorter, refuse(CLSORT_ERROR_BUFFER_MISSING, "desc.strings"));
    clsort_desc in_place = *desc;
    in_place.out_of_place = 0;
    return sort_request(sorter, &(struct host_job){.desc = &in_place,
                                                   .arrays = &none,
                                                   .source = source,
                                                   .sink = sink,
                                                   .most_in_pieces = UINT64_MAX});
}

int clsort_sorts_on_host(const clsort_sorter *sorter, const clsort_desc *desc)
{
    struct device_facts facts = {0};
    struct tuning_rows rows;
    struct problem problem;
    if (!desc || (!sorter && (device_none(&facts) || tuning_file_read(NULL, &rows))))
        return 0;
    facts.tuning_rows = &rows;
    const int result = !check_desc(desc, &problem).status &&
                       host_sort_takes(sorter ? &sorter->facts : &facts, &problem,
                                       sorter ? sorter->host_threads : 1);
    if (!sorter)
        tuning_rows_finish(&rows);
    return result;
}
