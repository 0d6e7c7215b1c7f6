/* sort_run.c: the device's part of 'clsort sort': memory, transfers and the sort, each timed. */
#include "numbers/sort_job.h"

#include "memory/device_sort.h"
#include "memory/host_sort.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <string.h>

static uint64_t keys_size(const struct sort_job *job)
{
    return job->desc.count * job->elements.size;
}

static uint64_t indices_size(const struct sort_job *job)
{
    return job->desc.count * job->desc.index_size;
}

bool sort_plan(struct sort_job *job)
{
    if (!job->device.sorter)
        return true;
    const clsort_status status =
        clsort_get_plan(job->device.sorter, &job->desc, &job->plan, NULL, 0);
    if (status)
        message_of_status(status, job->device.sorter);
    return !status;
}

bool sort_fits_memory(const struct sort_job *job, uint64_t memory, bool is_streamed)
{
    const struct device_facts *facts = &job->device.facts;
    const uint64_t keys = keys_size(job), indices = indices_size(job);
    if (!job->device.sorter)
        return keys + indices + host_sort_cost(&job->desc) <= memory;
    const uint64_t scratch = job->plan.scratch_size, all = keys + indices + scratch;
    const uint64_t host = job->device.host_size + (facts->is_unified ? all
                                                   : is_streamed     ? 0
                                                                     : keys + indices);
    return keys <= facts->max_alloc && indices <= facts->max_alloc && scratch <= facts->max_alloc &&
           all <= facts->memory && host <= memory;
}

static bool trouble(const char *call, cl_int code)
{
    message_of_opencl(call, code);
    return false;
}

/* A buffer that is the host's memory itself where the device shares it. */
static bool create_buffer(struct sort_job *job, uint64_t size, void *data, cl_mem *buffer_ret)
{
    const bool is_in_place = job->device.facts.is_unified && data;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (is_in_place ? CL_MEM_USE_HOST_PTR : 0);
    cl_int code;
    *buffer_ret =
        clCreateBuffer(job->device.context, flags, (size_t)size, is_in_place ? data : NULL, &code);
    if (code == CL_SUCCESS)
        return true;
    *buffer_ret = NULL;
    return trouble("clCreateBuffer", code);
}

static bool reserve_indices(struct sort_job *job)
{
    if (!bytes_reserve(&job->indices, indices_size(job)))
        return false;
    job->indices.size = indices_size(job);
    return true;
}

static bool transfer_to_device(struct sort_job *job)
{
    const clsort_desc *desc = &job->desc;
    if (desc->index_size > 0 && !reserve_indices(job))
        return false;
    if (!create_buffer(job, keys_size(job), job->keys.data, &job->keys_buffer))
        return false;
    if (desc->index_size > 0 &&
        !create_buffer(job, indices_size(job), job->indices.data, &job->indices_buffer))
        return false;
    if (job->plan.scratch_size > 0 &&
        !create_buffer(job, job->plan.scratch_size, NULL, &job->scratch_buffer))
        return false;
    return job->device.facts.is_unified ||
           device_send(&job->device, job->keys_buffer, job->keys.data, keys_size(job));
}

static bool transfer_to_host(struct sort_job *job)
{
    const bool is_argsort = job->desc.index_size > 0;
    const cl_mem buffer = is_argsort ? job->indices_buffer : job->keys_buffer;
    const struct bytes *to = is_argsort ? &job->indices : &job->keys;
    cl_int code;
    if (!job->device.facts.is_unified)
        return device_receive(&job->device, buffer, to->data, to->size);
    /* Mapped until the buffer is let go of: the bytes are then in the host's array. */
    job->mapped = clEnqueueMapBuffer(job->device.queue, buffer, CL_TRUE, CL_MAP_READ, 0, to->size,
                                     0, NULL, NULL, &code);
    return code == CL_SUCCESS || trouble("clEnqueueMapBuffer", code);
}

static bool sort_on_device(struct sort_job *job)
{
    const clsort_buffers buffers = {.keys = {.mem = job->keys_buffer},
                                    .indices = {.mem = job->indices_buffer},
                                    .scratch = {.mem = job->scratch_buffer}};
    return device_sort(&job->device, &job->desc, &buffers);
}

/* What a kernel allows once it is compiled may change the plan, and with it the scratch. */
static bool compile(struct sort_job *job)
{
    clsort_status status = clsort_prepare(job->device.sorter, &job->desc);
    if (!status)
        status = clsort_get_plan(job->device.sorter, &job->desc, &job->plan, NULL, 0);
    if (status)
        message_of_status(status, job->device.sorter);
    return !status;
}

/* Arrays as they are: on the host where there is no device, segments, whose offsets are checked,
 * and values. */
static bool sort_arrays(struct sort_job *job)
{
    if (job->desc.index_size > 0 && !reserve_indices(job))
        return false;
    if (job->desc.index_size > 0 && job->desc.offset_size > 0) /* those in no segment stay */
        memset(job->indices.data, 0, job->indices.size);
    const clsort_arrays arrays = {.keys = job->keys.data,
                                  .offsets =
                                      job->desc.offset_size > 0 ? job->segments.offsets.data : NULL,
                                  .values_list = job->desc.num_values ? job->values.data : NULL,
                                  .indices = job->desc.index_size > 0 ? job->indices.data : NULL};
    return device_sort_arrays(&job->device, &job->desc, &arrays);
}

/* total: bytes, for the progress; 0 if there is no knowing. */
static bool run_stage(struct sort_job *job, enum sort_stage stage, const char *name, uint64_t total,
                      bool (*run)(struct sort_job *job))
{
    progress_stage(name, total);
    const double start = seconds_now();
    const bool ok = run(job);
    job->seconds[stage] += seconds_now() - start;
    return ok;
}

bool sort_run(struct sort_job *job)
{
    /* There are no buffers of no bytes. */
    if (job->desc.count == 0)
        return true;
    if (!job->device.sorter || job->desc.offset_size > 0 || job->desc.num_values > 0)
        return run_stage(job, STAGE_SORTING, "sorting", 0, sort_arrays);
    const bool is_argsort = job->desc.index_size > 0;
    return run_stage(job, STAGE_COMPILING, "compiling", 0, compile) &&
           run_stage(job, STAGE_TRANSFER, "transferring", keys_size(job), transfer_to_device) &&
           run_stage(job, STAGE_SORTING, "sorting", 0, sort_on_device) &&
           run_stage(job, STAGE_TRANSFER, "transferring",
                     is_argsort ? indices_size(job) : keys_size(job), transfer_to_host);
}

void sort_release(struct sort_job *job)
{
    if (job->mapped) {
        clEnqueueUnmapMemObject(job->device.queue,
                                job->desc.index_size > 0 ? job->indices_buffer : job->keys_buffer,
                                job->mapped, 0, NULL, NULL);
        clFinish(job->device.queue);
        job->mapped = NULL;
    }
    cl_mem *buffers[] = {&job->keys_buffer, &job->indices_buffer, &job->scratch_buffer};
    for (int i = 0; i < 3; i++) {
        if (*buffers[i])
            clReleaseMemObject(*buffers[i]);
        *buffers[i] = NULL;
    }
}
