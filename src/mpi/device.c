/* device.c: a rank's own sorts of device buffers. The elements are copied to buffers of the job and
 * sorted there, so the caller's buffers do not change until all ranks have sorted. Only sorted
 * elements pass through the host. */
#include "job.h"

static int status_of(cl_int code)
{
    if (code == CL_SUCCESS)
        return CLSORT_OK;
    if (code == CL_OUT_OF_HOST_MEMORY)
        return CLSORT_ERROR_HOST_MEMORY;
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
                   code == CL_INVALID_BUFFER_SIZE
               ? CLSORT_ERROR_DEVICE_MEMORY
               : CLSORT_ERROR_OPENCL;
}

int device_open(struct job *job)
{
    const uint64_t count = job->count > job->count_wanted ? job->count : job->count_wanted;
    cl_int code = CL_SUCCESS;
    for (uint32_t i = 0; !code && count && i < job->num_moved; ++i)
        job->moved[i].mem = clCreateBuffer(clsort_context(job->sorter), CL_MEM_READ_WRITE,
                                           (size_t)count * job->moved[i].size, NULL, &code);
    return status_of(code);
}

void device_close(struct job *job)
{
    for (uint32_t i = 0; i < job->num_moved; ++i) {
        if (job->moved[i].mem)
            clReleaseMemObject(job->moved[i].mem);
    }
}

/* Copies `count` elements from the caller's buffer to the job's, or back. */
static cl_int copy(struct job *job, const struct moved *moved, enum buffer_role role,
                   uint64_t count, int is_back)
{
    const clsort_buffer *buffer = buffer_of(job->request->buffers, role);
    const size_t size = (size_t)count * moved->size, offset = (size_t)buffer->offset;
    return is_back ? clEnqueueCopyBuffer(job->request->queue, moved->mem, buffer->mem, 0, offset,
                                         size, 0, NULL, NULL)
                   : clEnqueueCopyBuffer(job->request->queue, buffer->mem, moved->mem, offset, 0,
                                         size, 0, NULL, NULL);
}

/* Sorts the job's buffers in place and waits. The queue may be out of order. */
static int sort(struct job *job, uint64_t count)
{
    clsort_buffer columns[MAX_MEMBERS] = {{0}};
    clsort_buffers buffers = {.columns = job->problem.num_columns ? columns : NULL};
    clsort_desc desc = job->sorted;
    desc.count = count;
    for (uint32_t i = 0; i < job->num_moved; ++i) {
        const clsort_buffer buffer = {.mem = job->moved[i].mem};
        if (job->moved[i].role == BUFFER_KEYS)
            buffers.keys = buffer;
        else if (job->moved[i].role == BUFFER_VALUES)
            buffers.values = buffer;
        else
            columns[job->moved[i].role - BUFFER_COLUMN] = buffer;
    }
    cl_int code = clFinish(job->request->queue);
    if (code)
        return status_of(code);
    cl_event done = NULL;
    const int status =
        (int)clsort_enqueue(job->sorter, job->request->queue, &desc, &buffers, 0, NULL, &done);
    if (status)
        return status;
    code = clWaitForEvents(1, &done);
    clReleaseEvent(done);
    return status_of(code);
}

int device_sort_sent(struct job *job)
{
    const cl_command_queue queue = job->request->queue;
    cl_int code = clFinish(queue); /* the caller's commands: the copies wait for no event */
    if (!job->count)
        return status_of(code);
    for (uint32_t i = 0; !code && i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        const size_t size = (size_t)job->count * moved->size;
        code = moved->from == BUFFER_NONE ? clEnqueueWriteBuffer(queue, moved->mem, CL_FALSE, 0,
                                                                 size, moved->sent, 0, NULL, NULL)
                                          : copy(job, moved, moved->from, job->count, 0);
    }
    int status = status_of(code);
    if (!status)
        status = sort(job, job->count);
    for (uint32_t i = 0; !status && i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        status = status_of(clEnqueueReadBuffer(queue, moved->mem, CL_FALSE, 0,
                                               (size_t)job->count * moved->size, moved->sent, 0,
                                               NULL, NULL));
    }
    code = clFinish(queue);
    return status ? status : status_of(code);
}

int device_sort_received(struct job *job)
{
    const cl_command_queue queue = job->request->queue;
    cl_int code = CL_SUCCESS;
    if (!job->count_wanted)
        return CLSORT_OK;
    for (uint32_t i = 0; !code && i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        code = clEnqueueWriteBuffer(queue, moved->mem, CL_FALSE, 0,
                                    (size_t)job->count_wanted * moved->size, moved->received, 0,
                                    NULL, NULL);
    }
    const cl_int finished = clFinish(queue);
    code = code ? code : finished;
    if (code)
        return status_of(code);
    return job->report.sorted_again ? sort(job, job->count_wanted) : CLSORT_OK;
}

int device_deliver(struct job *job)
{
    cl_int code = CL_SUCCESS;
    for (uint32_t i = 0; !code && job->count_wanted && i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        if (moved->to != BUFFER_NONE)
            code = copy(job, moved, moved->to, job->count_wanted, 1);
    }
    const cl_int finished = clFinish(job->request->queue);
    return status_of(code ? code : finished);
}
