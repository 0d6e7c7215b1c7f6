/* in_core.c: sorts host arrays on the device all at once. If host and device share memory, it makes
 * buffers over the arrays. Otherwise it stages the bytes to buffers that the sorter keeps. */
#include "host/in_core.h"

#include "check/check.h"
#include "base/event.h"
#include "run.h"

/* Whether some places of an output are not written and stay as they were. */
static int keeps_places(const struct problem *problem, enum buffer_role role)
{
    return problem->segment_offset_size && check_writes(problem, role) &&
           (role == BUFFER_INDICES || problem_has_places(problem));
}

void binding_begin(struct binding *binding)
{
    const clsort_buffer *listed = binding->listed;
    *binding = (struct binding){
        .buffers = {.columns = listed,
                    .columns_out = &listed[BUFFER_COLUMN_OUT - BUFFER_COLUMN],
                    .values_list = &listed[BUFFER_LISTED - BUFFER_COLUMN],
                    .values_list_out = &listed[BUFFER_LISTED_OUT - BUFFER_COLUMN],
                    .query_columns = &listed[BUFFER_QUERY_COLUMN - BUFFER_COLUMN]},
    };
}

/* Sorts the binding's buffers and waits. */
static clsort_status sort(const struct host_job *job, cl_command_queue queue,
                          const struct binding *binding)
{
    cl_event sorted = NULL;
    const clsort_status status =
        sorter_enqueue_own(job->sorter, queue, job->desc, &binding->buffers, &sorted);
    if (status)
        return status;
    const cl_int code = event_wait(sorted);
    clReleaseEvent(sorted);
    return code ? error_opencl(&job->sorter->error, "clWaitForEvents", code) : CLSORT_OK;
}

/* Waits for the queue. A failure before it, the status, is the one that counts. */
static clsort_status finish(const struct host_job *job, cl_command_queue queue,
                            clsort_status status)
{
    const cl_int code = pool_finish(queue);
    return status || !code ? status : error_opencl(&job->sorter->error, "clFinish", code);
}

/* ---- Memory of the device's own ------------------------------------------------------------- */

struct host_end host_end_of(const struct host_job *job, enum buffer_role role,
                            const clsort_stream *stream)
{
    return stream ? (struct host_end){.stream = *stream}
                  : (struct host_end){.memory = array_of(job->arrays, role)};
}

static clsort_status keep_buffers(const struct host_job *job, struct binding *binding)
{
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH; ++role) {
        const uint64_t size = check_size(job->problem, role);
        const clsort_status status =
            size ? pool_buffer(job->sorter, 0, role, size, mem_at(&binding->buffers, role))
                 : CLSORT_OK;
        if (status)
            return status;
    }
    return CLSORT_OK;
}

/* Lists the transfers of one direction. Returns their number. */
static uint32_t list_transfers(const struct host_job *job, struct binding *binding,
                               enum direction direction, struct transfer *transfers)
{
    uint32_t num = 0;
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH; ++role) {
        const int moves = direction == FROM_DEVICE
                              ? check_writes(job->problem, role)
                              : role_is_source(role) || role == BUFFER_OFFSETS ||
                                    keeps_places(job->problem, role);
        const uint64_t size = check_size(job->problem, role);
        if (moves && size)
            transfers[num++] = (struct transfer){
                .buffer = *mem_at(&binding->buffers, role),
                .host = host_end_of(job, role, direction == TO_DEVICE ? job->source : job->sink),
                .size = size,
            };
    }
    return num;
}

/* The bytes of the rearranged strings, by their last offset. The buffer may have more. */
static uint64_t strings_size(const struct problem *problem, const clsort_arrays *arrays)
{
    const clsort_strings *strings = &problem->strings;
    uint64_t end = UINT64_MAX;
    if (strings->offset_size)
        end = offset_at(arrays->offsets_out, strings->offset_size, problem->count);
    if (strings->offset_size == 4 && end == UINT32_MAX)
        end = UINT64_MAX; /* offsets saturate there */
    return smaller(end, strings->num_bytes);
}

/* Receives the result. The bytes of strings, the first of all outputs, come last, when their number
 * is known. */
static clsort_status receive(const struct host_job *job, struct binding *binding)
{
    struct transfer transfers[BUFFER_SCRATCH];
    const uint32_t num = list_transfers(job, binding, FROM_DEVICE, transfers);
    const uint32_t has_bytes = job->problem->is_strings && binding->buffers.keys_out.mem;
    const clsort_status status =
        staging_move(job->sorter, FROM_DEVICE, transfers + has_bytes, num - has_bytes);
    if (status || !has_bytes)
        return status;
    transfers[0].size = strings_size(job->problem, job->arrays);
    return staging_move(job->sorter, FROM_DEVICE, transfers, 1);
}

static clsort_status sort_staged(const struct host_job *job, cl_command_queue queue,
                                 int *is_lost_ret)
{
    struct binding binding;
    struct transfer transfers[BUFFER_SCRATCH];
    binding_begin(&binding);
    clsort_status status = keep_buffers(job, &binding);
    if (!status) {
        const uint32_t num = list_transfers(job, &binding, TO_DEVICE, transfers);
        status = staging_move(job->sorter, TO_DEVICE, transfers, num);
    }
    if (!status)
        status = finish(job, queue, sort(job, queue, &binding)); /* also if a step failed */
    if (status)
        return status;
    *is_lost_ret = 1;
    return receive(job, &binding);
}

/* ---- Memory that host and device share ------------------------------------------------------ */

/* Makes a buffer over each array, or one for the stream's keys. */
static clsort_status make_buffers(const struct host_job *job, struct binding *binding)
{
    const cl_mem_flags place = job->source ? CL_MEM_ALLOC_HOST_PTR : CL_MEM_USE_HOST_PTR;
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH; ++role) {
        const size_t size = (size_t)check_size(job->problem, role);
        if (size == 0)
            continue;
        cl_int code = CL_SUCCESS;
        const cl_mem_flags access =
            check_writes(job->problem, role) ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
        const cl_mem mem = clCreateBuffer(job->sorter->context, access | place, size,
                                          array_of(job->arrays, role), &code);
        if (!mem)
            return error_opencl(&job->sorter->error, "clCreateBuffer", code);
        *mem_at(&binding->buffers, role) = mem;
    }
    return CLSORT_OK;
}

/* Maps a buffer, copies its bytes from or to a stream if there is one, and unmaps it. After that,
 * the array under the buffer has what the device wrote. */
static clsort_status visit(const struct host_job *job, cl_command_queue queue, cl_mem mem,
                           uint64_t size, cl_map_flags flags, const clsort_stream *stream)
{
    struct error *error = &job->sorter->error;
    cl_int code = CL_SUCCESS;
    clsort_status status = CLSORT_OK;
    void *mapped =
        clEnqueueMapBuffer(queue, mem, CL_TRUE, flags, 0, (size_t)size, 0, NULL, NULL, &code);
    if (code)
        return error_opencl(error, "clEnqueueMapBuffer", code);
    const uint64_t chunk = staging_chunk_size(job->sorter, size);
    const uint32_t num_threads = staging_num_workers(job->sorter, ceil_div(size, chunk));
    if (stream && !staging_copy(stream, mapped, size, chunk, num_threads))
        status = error_set(error, CLSORT_ERROR_STREAM);
    code = clEnqueueUnmapMemObject(queue, mem, mapped, 0, NULL, NULL);
    return code ? error_opencl(error, "clEnqueueUnmapMemObject", code) : status;
}

static clsort_status show_outputs(const struct host_job *job, struct binding *binding,
                                  cl_command_queue queue)
{
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH; ++role) {
        const cl_mem mem = *mem_at(&binding->buffers, role);
        if (!mem || !check_writes(job->problem, role))
            continue;
        const clsort_status status =
            visit(job, queue, mem, check_size(job->problem, role), CL_MAP_READ, job->sink);
        if (status)
            return status;
    }
    return CLSORT_OK;
}

/* The arrays may have changed once steps that write to them are enqueued. */
static clsort_status sort_shared(const struct host_job *job, cl_command_queue queue,
                                 int *is_lost_ret)
{
    struct binding binding;
    binding_begin(&binding);
    clsort_status status = make_buffers(job, &binding);
    if (!status && job->source)
        status = visit(job, queue, binding.buffers.keys.mem, check_size(job->problem, BUFFER_KEYS),
                       CL_MAP_WRITE, job->source);
    if (!status)
        status = run_reserve_scratch(job->sorter);
    if (!status) {
        *is_lost_ret = 1;
        status = sort(job, queue, &binding);
    }
    if (!status)
        status = show_outputs(job, &binding, queue);
    status = finish(job, queue, status); /* enqueued commands may use the arrays */
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH; ++role) {
        const cl_mem mem = *mem_at(&binding.buffers, role);
        if (mem)
            clReleaseMemObject(mem);
    }
    return status;
}

clsort_status in_core_sort(const struct host_job *job, int *is_lost_ret)
{
    const int is_shared = job->sorter->facts.unified_memory;
    cl_command_queue queue = NULL;
    *is_lost_ret = 0;
    const clsort_status status = pool_queue(job->sorter, &queue);
    if (status)
        return status;
    return is_shared ? sort_shared(job, queue, is_lost_ret) : sort_staged(job, queue, is_lost_ret);
}
