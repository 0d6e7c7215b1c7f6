/* device.c: a rank's own sorts of device buffers. The elements are copied to buffers of the job and
 * sorted there, so the caller's buffers do not change until all ranks have sorted. Only sorted
 * elements pass through the host. */
#include "base/event.h"
#include "job.h"

static int status_of(cl_int code)
{
    return code ? (int)error_opencl(&(struct error){0}, "", code) : CLSORT_OK;
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

/* Waits for a command and releases its event. Returns the code with which it has failed. */
static cl_int wait_for(cl_event event)
{
    const cl_int code = event_wait(event);
    clReleaseEvent(event);
    return code;
}

/* What is done with each of the job's arrays. It is filled with what this rank brings. */
enum command { FILL, READ_SENT, WRITE_RECEIVED, DELIVER };

/* Enqueues a command for one array, or none. */
static cl_int enqueue(const struct job *job, enum command command, const struct moved *moved,
                      cl_event *event_ret)
{
    const cl_command_queue queue = job->request->queue;
    const int is_sent = command == FILL || command == READ_SENT;
    const size_t size = (size_t)(is_sent ? job->count : job->count_wanted) * moved->size;
    const enum buffer_role role = command == FILL ? moved->from : moved->to;
    const clsort_buffer *buffer = buffer_of(job->request->buffers, role);
    if (command == READ_SENT)
        return clEnqueueReadBuffer(queue, moved->mem, CL_FALSE, 0, size, moved->sent, 0, NULL,
                                   event_ret);
    if (command == WRITE_RECEIVED || (command == FILL && role == BUFFER_NONE))
        return clEnqueueWriteBuffer(queue, moved->mem, CL_FALSE, 0, size,
                                    is_sent ? moved->sent : moved->received, 0, NULL, event_ret);
    if (role == BUFFER_NONE)
        return CL_SUCCESS;
    return command == FILL
               ? clEnqueueCopyBuffer(queue, buffer->mem, moved->mem, (size_t)buffer->offset, 0,
                                     size, 0, NULL, event_ret)
               : clEnqueueCopyBuffer(queue, moved->mem, buffer->mem, 0, (size_t)buffer->offset,
                                     size, 0, NULL, event_ret);
}

/* Enqueues a command for each array, and waits for them. clFinish() does not tell that one has
 * failed. */
static int enqueue_all(const struct job *job, enum command command)
{
    cl_event events[MAX_MOVED] = {NULL};
    cl_int code = CL_SUCCESS;
    for (uint32_t i = 0; !code && i < job->num_moved; ++i)
        code = enqueue(job, command, &job->moved[i], &events[i]);
    const cl_int finished = clFinish(job->request->queue);
    code = code ? code : finished;
    for (uint32_t i = 0; i < job->num_moved; ++i) {
        const cl_int failed = events[i] ? wait_for(events[i]) : CL_SUCCESS;
        code = code ? code : failed;
    }
    return status_of(code);
}

/* Sorts the job's buffers in place and waits. The queue may be out of order. */
static int sort(struct job *job, uint64_t count)
{
    clsort_buffer columns[MAX_MEMBERS] = {{0}};
    clsort_buffers buffers = {.columns = job->problem.num_columns ? columns : NULL};
    clsort_desc desc = job->sorted;
    desc.count = count;
    for (uint32_t i = 0; i < job->num_moved; ++i)
        *mem_at(&buffers, job->moved[i].role) = job->moved[i].mem;
    cl_int code = clFinish(job->request->queue);
    if (code)
        return status_of(code);
    cl_event done = NULL;
    const int status =
        (int)clsort_enqueue(job->sorter, job->request->queue, &desc, &buffers, 0, NULL, &done);
    if (status)
        return status;
    return status_of(wait_for(done));
}

int device_sort_sent(struct job *job)
{
    const cl_int code =
        clFinish(job->request->queue); /* the caller's: the copies wait for no event */
    if (code || !job->count)
        return status_of(code);
    int status = enqueue_all(job, FILL);
    if (!status)
        status = sort(job, job->count);
    return status ? status : enqueue_all(job, READ_SENT);
}

int device_sort_received(struct job *job)
{
    if (!job->count_wanted)
        return CLSORT_OK;
    const int status = enqueue_all(job, WRITE_RECEIVED);
    return status || !job->report.sorted_again ? status : sort(job, job->count_wanted);
}

int device_deliver(struct job *job)
{
    return job->count_wanted ? enqueue_all(job, DELIVER) : CLSORT_OK;
}
