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

/* Commands in the job's queue. clFinish() does not tell that one has failed. */
struct commands {
    cl_event events[MAX_MOVED];
    cl_uint num;
    cl_int code; /* of the first that was refused */
};

static void add(struct commands *commands, cl_int code)
{
    if (code)
        commands->code = code;
    else
        ++commands->num;
}

/* Waits for a command and releases its event. Returns the code with which it has failed. */
static cl_int wait_for(cl_event event)
{
    const cl_int code = event_wait(event);
    clReleaseEvent(event);
    return code;
}

/* Waits for the queue and the commands. Returns the code of the first failure. */
static cl_int finish(cl_command_queue queue, struct commands *commands)
{
    const cl_int finished = clFinish(queue);
    cl_int code = commands->code ? commands->code : finished;
    for (cl_uint i = 0; i < commands->num; ++i) {
        const cl_int failed = wait_for(commands->events[i]);
        code = code ? code : failed;
    }
    return code;
}

/* Copies `count` elements from the caller's buffer to the job's, or back. */
static cl_int copy(struct job *job, const struct moved *moved, enum buffer_role role,
                   uint64_t count, int is_back, cl_event *event_ret)
{
    const clsort_buffer *buffer = buffer_of(job->request->buffers, role);
    const size_t size = (size_t)count * moved->size, offset = (size_t)buffer->offset;
    return is_back ? clEnqueueCopyBuffer(job->request->queue, moved->mem, buffer->mem, 0, offset,
                                         size, 0, NULL, event_ret)
                   : clEnqueueCopyBuffer(job->request->queue, buffer->mem, moved->mem, offset, 0,
                                         size, 0, NULL, event_ret);
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
    return status_of(wait_for(done));
}

/* Copies what this rank brings to the job's buffers. */
static cl_int fill(struct job *job)
{
    const cl_command_queue queue = job->request->queue;
    struct commands commands = {.num = 0};
    for (uint32_t i = 0; !commands.code && i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        const size_t size = (size_t)job->count * moved->size;
        cl_event *event_ret = &commands.events[i];
        add(&commands, moved->from == BUFFER_NONE
                           ? clEnqueueWriteBuffer(queue, moved->mem, CL_FALSE, 0, size, moved->sent,
                                                  0, NULL, event_ret)
                           : copy(job, moved, moved->from, job->count, 0, event_ret));
    }
    return finish(queue, &commands);
}

int device_sort_sent(struct job *job)
{
    const cl_command_queue queue = job->request->queue;
    cl_int code = clFinish(queue); /* the caller's commands: the copies wait for no event */
    if (code || !job->count)
        return status_of(code);
    code = fill(job);
    const int status = code ? status_of(code) : sort(job, job->count);
    if (status)
        return status;
    struct commands reads = {.num = 0};
    for (uint32_t i = 0; !reads.code && i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        add(&reads,
            clEnqueueReadBuffer(queue, moved->mem, CL_FALSE, 0, (size_t)job->count * moved->size,
                                moved->sent, 0, NULL, &reads.events[i]));
    }
    return status_of(finish(queue, &reads));
}

int device_sort_received(struct job *job)
{
    const cl_command_queue queue = job->request->queue;
    struct commands writes = {.num = 0};
    if (!job->count_wanted)
        return CLSORT_OK;
    for (uint32_t i = 0; !writes.code && i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        add(&writes, clEnqueueWriteBuffer(queue, moved->mem, CL_FALSE, 0,
                                          (size_t)job->count_wanted * moved->size, moved->received,
                                          0, NULL, &writes.events[i]));
    }
    const cl_int code = finish(queue, &writes);
    if (code)
        return status_of(code);
    return job->report.sorted_again ? sort(job, job->count_wanted) : CLSORT_OK;
}

int device_deliver(struct job *job)
{
    struct commands copies = {.num = 0};
    for (uint32_t i = 0; !copies.code && job->count_wanted && i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        if (moved->to != BUFFER_NONE)
            add(&copies,
                copy(job, moved, moved->to, job->count_wanted, 1, &copies.events[copies.num]));
    }
    return status_of(finish(job->request->queue, &copies));
}
