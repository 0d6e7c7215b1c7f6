/* run.c: the device's part of 'clsort sort --lines'. */
#include "lines/job.h"

#include "memory/device_sort.h"
#include "memory/host_memory.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <inttypes.h>

/* Longer than most lines, so there are rather more kernels than fewer. */
enum { USUAL_LINE = 40 };

/* An array of the host and the device's buffer for it. */
struct lines_array {
    struct bytes *host;
    uint64_t size;
    bool is_read, is_written; /* by the host */
    clsort_buffer *to;
};

enum { NUM_ARRAYS = 4 };

static bool trouble(const char *call, cl_int code)
{
    message_of_opencl(call, code);
    return false;
}

static bool status_trouble(const struct lines_job *job, clsort_status status)
{
    message_of_status(status, job->job.device.sorter);
    return false;
}

void lines_compile_early(struct lines_job *job, uint64_t size)
{
    /* What does not work out now is told when it is needed. */
    clsort_desc desc = job->job.desc;
    const uint64_t count = size / USUAL_LINE + 1;
    const clsort_strings strings = {.num_bytes = size < UINT32_MAX ? size : UINT32_MAX,
                                    .offset_size = 4};
    desc.strings = &strings;
    desc.count = count < UINT32_MAX ? count : UINT32_MAX;
    const double start = seconds_now();
    clsort_prepare(job->job.device.sorter, &desc);
    job->job.seconds[STAGE_COMPILING] += seconds_now() - start;
}

/* What a kernel allows once it is compiled may change the plan, and with it the scratch. */
static bool compile(struct lines_job *job)
{
    clsort_status status = clsort_prepare(job->job.device.sorter, &job->job.desc);
    if (!status)
        status = clsort_get_plan(job->job.device.sorter, &job->job.desc, &job->job.plan, NULL, 0);
    return !status || status_trouble(job, status);
}

static void list_arrays(struct lines_job *job, clsort_buffers *buffers,
                        struct lines_array arrays[NUM_ARRAYS])
{
    const clsort_desc *desc = &job->job.desc;
    struct lines *lines = &job->lines;
    const struct lines_array all[NUM_ARRAYS] = {
        {&lines->text, lines->text.size, false, true, &buffers->keys},
        {&lines->starts, lines->starts.size, false, true, &buffers->offsets},
        {&job->job.indices, desc->count * desc->index_size, true, false, &buffers->indices},
        {&job->scratch, job->job.plan.scratch_size, false, false, &buffers->scratch},
    };
    for (int i = 0; i < NUM_ARRAYS; i++)
        arrays[i] = all[i];
}

static bool fits(const struct lines_job *job, const struct lines_array arrays[NUM_ARRAYS])
{
    const struct device_facts *facts = &job->job.device.facts;
    char need[SIZE_TEXT], have[SIZE_TEXT];
    uint64_t all = 0, more = 0;
    for (int i = 0; i < NUM_ARRAYS; i++) {
        all += arrays[i].size;
        more += arrays[i].host->data ? 0 : arrays[i].size;
        if (arrays[i].size > facts->max_alloc) {
            message("%" PRIu64
                    " lines do not fit: they need %s in one buffer, and the device allows "
                    "%s",
                    job->lines.count, size_text(arrays[i].size, need),
                    size_text(facts->max_alloc, have));
            return false;
        }
    }
    const uint64_t available = host_memory_available();
    if (all <= facts->memory && more <= available)
        return true;
    const bool is_device = all > facts->memory;
    message("%" PRIu64 " lines do not fit: they need %s %s, and it has %s", job->lines.count,
            size_text(is_device ? all : more, need),
            is_device ? "on the device" : "more of the host's memory",
            size_text(is_device ? facts->memory : available, have));
    return false;
}

/* A device that shares the host's memory works on the arrays themselves. */
static bool send(struct lines_job *job, struct lines_array arrays[NUM_ARRAYS])
{
    const struct device *device = &job->job.device;
    const bool is_shared = device->facts.is_unified;
    for (int i = 0; i < NUM_ARRAYS; i++) {
        struct lines_array *array = &arrays[i];
        cl_int code = CL_SUCCESS;
        if (array->size == 0)
            continue;
        if ((is_shared || array->is_read) && !bytes_reserve(array->host, array->size))
            return false;
        array->host->size = (size_t)array->size;
        const cl_mem_flags flags = CL_MEM_READ_WRITE | (is_shared ? CL_MEM_USE_HOST_PTR : 0);
        array->to->mem = clCreateBuffer(device->context, flags, (size_t)array->size,
                                        is_shared ? array->host->data : NULL, &code);
        if (code != CL_SUCCESS)
            return trouble("clCreateBuffer", code);
        if (!is_shared && array->is_written &&
            !device_send(device, array->to->mem, array->host->data, array->size))
            return false;
    }
    return true;
}

static bool receive(struct lines_job *job, const struct lines_array arrays[NUM_ARRAYS])
{
    const struct device *device = &job->job.device;
    for (int i = 0; i < NUM_ARRAYS; i++) {
        const struct lines_array *array = &arrays[i];
        cl_int code = CL_SUCCESS;
        if (!array->is_read || array->size == 0)
            continue;
        if (!device->facts.is_unified) {
            if (!device_receive(device, array->to->mem, array->host->data, array->size))
                return false;
            continue;
        }
        /* Mapping makes the device's writes visible in the array. */
        void *mapped = clEnqueueMapBuffer(device->queue, array->to->mem, CL_TRUE, CL_MAP_READ, 0,
                                          (size_t)array->size, 0, NULL, NULL, &code);
        if (code == CL_SUCCESS)
            code = clEnqueueUnmapMemObject(device->queue, array->to->mem, mapped, 0, NULL, NULL);
        if (code != CL_SUCCESS || (code = clFinish(device->queue)) != CL_SUCCESS)
            return trouble("clEnqueueMapBuffer", code);
    }
    return true;
}

bool lines_run(struct lines_job *job)
{
    double *seconds = job->job.seconds;
    clsort_buffers buffers = {0};
    struct lines_array arrays[NUM_ARRAYS];
    double start = seconds_now();
    progress_stage("compiling", 0);
    if (!compile(job))
        return false;
    seconds[STAGE_COMPILING] += seconds_now() - start;

    start = seconds_now();
    progress_stage("transferring", job->lines.text.size + job->lines.starts.size);
    list_arrays(job, &buffers, arrays);
    bool ok = fits(job, arrays) && send(job, arrays);
    seconds[STAGE_TRANSFER] = seconds_now() - start;
    if (ok) {
        start = seconds_now();
        progress_stage("sorting", 0);
        ok = device_sort(&job->job.device, &job->job.desc, &buffers);
        seconds[STAGE_SORTING] = seconds_now() - start;
    }
    if (ok) {
        start = seconds_now();
        progress_stage("transferring", job->job.desc.count * job->job.desc.index_size);
        ok = receive(job, arrays);
        seconds[STAGE_TRANSFER] += seconds_now() - start;
    }
    for (int i = 0; i < NUM_ARRAYS; i++) {
        if (arrays[i].to->mem)
            clReleaseMemObject(arrays[i].to->mem);
    }
    return ok;
}
