/* run.c: the loop that turns steps into launches. */
#include "run.h"

#include "check/check.h"

#include <stdlib.h>
#include <string.h>

void run_forget_timing(clsort_sorter *sorter)
{
    for (uint32_t i = 0; i < sorter->num_step_events; ++i)
        clReleaseEvent(sorter->step_events[i]);
    sorter->num_step_events = 0;
}

void run_release_scratch(clsort_sorter *sorter)
{
    if (sorter->scratch_user)
        clReleaseEvent(sorter->scratch_user);
    if (sorter->scratch)
        clReleaseMemObject(sorter->scratch); /* lives until enqueued commands have finished */
    sorter->scratch_user = NULL;
    sorter->scratch = NULL;
    sorter->scratch_size = 0;
}

/* Forgets the last user of the scratch if it has finished. If it failed because an event in its
 * wait list did, the next sort must not wait for it and gets new scratch. */
static void forget_finished_user(clsort_sorter *sorter)
{
    cl_int execution = CL_QUEUED;
    if (!sorter->scratch_user ||
        clGetEventInfo(sorter->scratch_user, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof execution,
                       &execution, NULL))
        return;
    if (execution < 0) {
        run_release_scratch(sorter);
    } else if (execution == CL_COMPLETE) {
        clReleaseEvent(sorter->scratch_user);
        sorter->scratch_user = NULL;
    }
}

clsort_status run_reserve_scratch(clsort_sorter *sorter)
{
    const uint64_t size = sorter->plan.scratch_size;
    forget_finished_user(sorter);
    if (sorter->scratch_size >= size)
        return CLSORT_OK;
    run_release_scratch(sorter);
    if (size > SIZE_MAX)
        return error_set(&sorter->error, CLSORT_ERROR_DEVICE_MEMORY);
    cl_int code = CL_SUCCESS;
    sorter->scratch = clCreateBuffer(sorter->context, CL_MEM_READ_WRITE, (size_t)size, NULL, &code);
    if (!sorter->scratch)
        return error_opencl(&sorter->error, "clCreateBuffer", code);
    sorter->scratch_size = size;
    return CLSORT_OK;
}

/* The buffer of a role in this run. */
static clsort_buffer bind_role(const clsort_sorter *sorter, const clsort_buffers *buffers,
                               enum buffer_role role)
{
    clsort_buffer buffer = *buffer_of(buffers, role == BUFFER_NONE ? BUFFER_KEYS : role);
    if (!buffer.mem && role == BUFFER_SCRATCH)
        buffer = (clsort_buffer){sorter->scratch, 0};
    else if (!buffer.mem && role == BUFFER_KEYS_OUT)
        buffer = buffers->keys;
    else if (!buffer.mem && role == BUFFER_VALUES_OUT)
        buffer = buffers->values;
    else if (!buffer.mem && role_is_in(role, BUFFER_LISTED_OUT))
        buffer = buffers->values_list[role - BUFFER_LISTED_OUT];
    return buffer;
}

static clsort_status set_arguments(clsort_sorter *sorter, cl_kernel kernel, const struct step *step,
                                   const clsort_buffers *buffers)
{
    union step_params params = step->params;
    for (uint32_t i = 0; i < step->num_buffers; ++i) {
        const clsort_buffer buffer = bind_role(sorter, buffers, step->buffers[i].role);
        params.offsets[i] = buffer.offset + step->buffers[i].offset;
        const cl_int code = clSetKernelArg(kernel, 1 + i, sizeof buffer.mem, &buffer.mem);
        if (code)
            return error_opencl(&sorter->error, "clSetKernelArg", code);
    }
    const cl_int code = clSetKernelArg(kernel, 0, step->params_size, &params);
    return code ? error_opencl(&sorter->error, "clSetKernelArg", code) : CLSORT_OK;
}

static clsort_status enqueue_step(clsort_sorter *sorter, cl_command_queue queue,
                                  const struct step *step, const clsort_buffers *buffers,
                                  cl_uint num_events, const cl_event *events, cl_event *event_ret)
{
    const struct kernel_entry *entry = NULL;
    clsort_status status = program_kernel(&sorter->programs, step->kernel, &step->variant, &entry);
    if (!status)
        status = set_arguments(sorter, entry->kernel, step, buffers);
    if (status)
        return status;
    const size_t group_size = step->variant.group_size;
    if (step->num_groups > SIZE_MAX / group_size)
        return error_set(&sorter->error, CLSORT_ERROR_DEVICE_MEMORY);
    const size_t size = (size_t)step->num_groups * group_size;
    const cl_int code = clEnqueueNDRangeKernel(queue, entry->kernel, 1, NULL, &size, &group_size,
                                               num_events, events, event_ret);
    return code ? error_opencl(&sorter->error, "clEnqueueNDRangeKernel", code) : CLSORT_OK;
}

/* The caller's wait list, and the end of the last sort that uses the library's scratch. */
static clsort_status extend_wait_list(clsort_sorter *sorter, cl_uint num_events,
                                      const cl_event *events, cl_event **list_ret, cl_uint *num_ret)
{
    cl_event *list = malloc((num_events + 1) * sizeof *list);
    if (!list)
        return error_set(&sorter->error, CLSORT_ERROR_HOST_MEMORY);
    if (num_events)
        memcpy(list, events, num_events * sizeof *list);
    list[num_events] = sorter->scratch_user;
    *list_ret = list;
    *num_ret = num_events + 1;
    return CLSORT_OK;
}

static clsort_status keep_step_events(clsort_sorter *sorter)
{
    run_forget_timing(sorter);
    const uint32_t needed = sorter->plan.num_steps;
    if (!sorter->timing || !needed)
        return CLSORT_OK;
    cl_event *grown = realloc(sorter->step_events, needed * sizeof *grown);
    if (!grown)
        return error_set(&sorter->error, CLSORT_ERROR_HOST_MEMORY);
    sorter->step_events = grown;
    return CLSORT_OK;
}

/* Enqueues all steps in order. In an out-of-order queue every step waits for the previous one. */
static clsort_status enqueue_steps(clsort_sorter *sorter, cl_command_queue queue,
                                   const clsort_buffers *buffers, cl_uint num_events,
                                   const cl_event *events, cl_event *last_ret)
{
    cl_command_queue_properties properties = 0;
    const cl_int code =
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    if (code)
        return error_opencl(&sorter->error, "clGetCommandQueueInfo", code);
    const int in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const uint32_t num_steps = sorter->plan.num_steps;
    cl_event previous = NULL;
    clsort_status status = CLSORT_OK;
    for (uint32_t i = 0; i < num_steps && !status; ++i) {
        const int last = i + 1 == num_steps;
        const int wants_event = sorter->timing || (last ? last_ret != NULL : !in_order);
        cl_event event = NULL;
        const cl_uint num_waits = i == 0 ? num_events : previous && !in_order ? 1 : 0;
        const cl_event *waits = num_waits == 0 ? NULL : i == 0 ? events : &previous;
        status = enqueue_step(sorter, queue, &sorter->plan.steps[i], buffers, num_waits, waits,
                              wants_event ? &event : NULL);
        if (previous)
            clReleaseEvent(previous);
        previous = event;
        if (event && sorter->timing) {
            clRetainEvent(event);
            sorter->step_events[sorter->num_step_events++] = event;
        }
    }
    if (!status && last_ret)
        *last_ret = previous;
    else if (previous)
        clReleaseEvent(previous);
    return status;
}

clsort_status run_plan(clsort_sorter *sorter, cl_command_queue queue, const clsort_buffers *buffers,
                       cl_uint num_events, const cl_event *events, cl_event *event_ret)
{
    const struct plan *plan = &sorter->plan;
    clsort_status status = keep_step_events(sorter);
    if (status)
        return status;
    if (plan->num_steps == 0) {
        if (!event_ret)
            return CLSORT_OK;
        const cl_int code = clEnqueueMarkerWithWaitList(queue, num_events, events, event_ret);
        return code ? error_opencl(&sorter->error, "clEnqueueMarkerWithWaitList", code) : CLSORT_OK;
    }
    const int owns_scratch = plan->scratch_size > 0 && !buffers->scratch.mem;
    cl_event *list = NULL;
    if (owns_scratch) {
        status = run_reserve_scratch(sorter);
        if (!status && sorter->scratch_user) {
            status = extend_wait_list(sorter, num_events, events, &list, &num_events);
            events = list;
        }
    }
    cl_event last = NULL;
    if (!status)
        status = enqueue_steps(sorter, queue, buffers, num_events, events,
                               owns_scratch || event_ret ? &last : NULL);
    free(list);
    if (status) {
        /* Steps enqueued before the failure may still use the scratch, so the next sort gets new
         * scratch. */
        if (owns_scratch)
            run_release_scratch(sorter);
        return status;
    }
    if (owns_scratch) {
        if (sorter->scratch_user)
            clReleaseEvent(sorter->scratch_user);
        clRetainEvent(last);
        sorter->scratch_user = last;
        /* A sort in another queue may wait for this one, which must be flushed for that. By then
         * this queue may be gone, so flush it now. */
        clFlush(queue);
    } else if (sorter->timing) {
        clFlush(queue); /* else a program that asks for progress alone could wait for ever */
    }
    if (event_ret)
        *event_ret = last;
    else if (last)
        clReleaseEvent(last);
    return CLSORT_OK;
}
