/* api.c: the public calls that plan, prepare, report and enqueue. */
#include "check/check.h"
#include "program/source.h"
#include "run.h"

clsort_status clsort_scratch_size(clsort_sorter *sorter, const clsort_desc *desc,
                                  uint64_t *scratch_size_ret)
{
    clsort_plan sums;
    if (!scratch_size_ret)
        return CLSORT_ERROR_NULL;
    const clsort_status status = clsort_get_plan(sorter, desc, &sums, NULL, 0);
    if (!status)
        *scratch_size_ret = sums.scratch_size;
    return status;
}

/* Enters the sorter as sorter_enter_with() does, and plans; leaves it again if that fails. */
static clsort_status enter_and_plan(clsort_sorter *sorter, const clsort_desc *desc, int are_given,
                                    struct problem *problem_ret)
{
    clsort_status status = sorter_enter_with(sorter, are_given);
    if (status)
        return status;
    status = sorter_plan(sorter, desc, problem_ret);
    return status ? sorter_leave(sorter, status) : CLSORT_OK;
}

clsort_status clsort_prepare(clsort_sorter *sorter, const clsort_desc *desc)
{
    struct problem problem;
    const clsort_status status = enter_and_plan(sorter, desc, 1, &problem);
    return status ? status : sorter_leave(sorter, sorter_compile(sorter, &problem));
}

clsort_status clsort_get_plan(clsort_sorter *sorter, const clsort_desc *desc, clsort_plan *plan_ret,
                              clsort_step *steps, uint32_t capacity)
{
    struct problem problem;
    const int are_given = plan_ret && (steps || !capacity);
    const clsort_status status = enter_and_plan(sorter, desc, are_given, &problem);
    if (status)
        return status;
    plan_sums(&sorter->plan, plan_ret);
    for (uint32_t i = 0; i < sorter->plan.num_steps && i < capacity; ++i)
        plan_step(&sorter->plan.steps[i], &steps[i]);
    return sorter_leave(sorter, CLSORT_OK);
}

clsort_status clsort_get_plan_roles(clsort_sorter *sorter, const clsort_desc *desc,
                                    clsort_role *roles, uint32_t capacity)
{
    struct problem problem;
    const clsort_status status = enter_and_plan(sorter, desc, roles || !capacity, &problem);
    if (status)
        return status;
    for (uint32_t i = 0; i < sorter->plan.num_steps && i < capacity; ++i)
        roles[i] = sorter->plan.steps[i].role;
    return sorter_leave(sorter, CLSORT_OK);
}

clsort_status clsort_get_plan_text(clsort_sorter *sorter, const clsort_desc *desc, char *text,
                                   size_t size, size_t *size_ret)
{
    struct problem problem;
    const clsort_status status = enter_and_plan(sorter, desc, text || !size, &problem);
    if (status)
        return status;
    const size_t length = plan_text(&sorter->plan, &problem, text, size);
    if (size_ret)
        *size_ret = length + 1;
    return sorter_leave(sorter, CLSORT_OK);
}

static clsort_status check(clsort_sorter *sorter, const struct problem *problem,
                           const clsort_buffers *buffers, uint64_t *scratch_begin_ret)
{
    return error_refuse(&sorter->error, check_buffers(&sorter->facts, problem, buffers,
                                                      plan_scratch_asked(&sorter->plan),
                                                      sorter->context, scratch_begin_ret));
}

static clsort_status enqueue(clsort_sorter *sorter, cl_command_queue queue, const clsort_desc *desc,
                             const clsort_buffers *buffers, cl_uint num_events,
                             const cl_event *events, cl_event *event_ret)
{
    struct problem problem;
    if (!buffers)
        return error_refuse(&sorter->error, refuse(CLSORT_ERROR_NULL, "buffers"));
    clsort_buffers bound = *buffers;
    clsort_status status =
        error_refuse(&sorter->error,
                     check_queue(queue, sorter->context, sorter->device, num_events, events));
    if (!status)
        status = sorter_plan(sorter, desc, &problem);
    if (!status)
        status = check(sorter, &problem, buffers, &bound.scratch.offset);
    const uint64_t scratch_size = sorter->plan.scratch_size;
    if (!status)
        status = sorter_compile(sorter, &problem);
    if (!status && sorter->plan.scratch_size != scratch_size)
        status = check(sorter, &problem, buffers, &bound.scratch.offset);
    return status ? status : run_plan(sorter, queue, &bound, num_events, events, event_ret);
}

clsort_status clsort_enqueue(clsort_sorter *sorter, cl_command_queue queue, const clsort_desc *desc,
                             const clsort_buffers *buffers, cl_uint num_events_in_wait_list,
                             const cl_event *event_wait_list, cl_event *event_ret)
{
    cl_event event = NULL; /* the caller's may be the one that it waits for, too */
    clsort_status status = sorter_enter(sorter);
    if (!status)
        status = sorter_leave(sorter, enqueue(sorter, queue, desc, buffers, num_events_in_wait_list,
                                              event_wait_list, event_ret ? &event : NULL));
    if (event_ret)
        *event_ret = event;
    return status;
}

clsort_status clsort_last_error(clsort_sorter *sorter, clsort_error_info *info_ret)
{
    const clsort_status status = sorter_enter_with(sorter, info_ret != NULL);
    if (status)
        return status;
    const struct error *error = &sorter->error;
    *info_ret = (clsort_error_info){
        .status = error->refusal.status,
        .argument = error->refusal.argument ? error->refusal.argument : "",
        .cl_code = error->cl_code,
        .call = error->call ? error->call : "",
        .build_log = error->build_log ? error->build_log : "",
    };
    return sorter_leave(sorter, CLSORT_OK);
}

clsort_status clsort_get_error_text(clsort_sorter *sorter, char *text, size_t size,
                                    size_t *size_ret)
{
    const clsort_status status = sorter_enter_with(sorter, text || !size);
    if (status)
        return status;
    const size_t length = error_text(&sorter->error, text, size);
    if (size_ret)
        *size_ret = length + 1;
    return sorter_leave(sorter, CLSORT_OK);
}

clsort_status clsort_set_timing(clsort_sorter *sorter, int enabled)
{
    const clsort_status status = sorter_enter(sorter);
    if (status)
        return status;
    sorter->timing = enabled != 0;
    if (!enabled)
        run_forget_timing(sorter);
    return sorter_leave(sorter, CLSORT_OK);
}

static clsort_status read_timing(clsort_sorter *sorter, double *seconds, uint32_t capacity)
{
    if (!sorter->timing || sorter->num_step_events == 0)
        return error_set(&sorter->error, CLSORT_ERROR_NO_TIMING);
    const cl_int code = clWaitForEvents(sorter->num_step_events, sorter->step_events);
    if (code)
        return error_opencl(&sorter->error, "clWaitForEvents", code);
    for (uint32_t i = 0; i < sorter->num_step_events && i < capacity; ++i) {
        cl_ulong start = 0, end = 0;
        if (clGetEventProfilingInfo(sorter->step_events[i], CL_PROFILING_COMMAND_START,
                                    sizeof start, &start, NULL) ||
            clGetEventProfilingInfo(sorter->step_events[i], CL_PROFILING_COMMAND_END, sizeof end,
                                    &end, NULL))
            return error_set(&sorter->error, CLSORT_ERROR_NO_TIMING);
        seconds[i] = (double)(end - start) * 1e-9;
    }
    return CLSORT_OK;
}

clsort_status clsort_get_timing(clsort_sorter *sorter, double *seconds, uint32_t capacity,
                                uint32_t *num_steps_ret)
{
    const int are_given = num_steps_ret && (seconds || !capacity);
    const clsort_status status = sorter_enter_with(sorter, are_given);
    if (status)
        return status;
    *num_steps_ret = sorter->num_step_events;
    return sorter_leave(sorter, read_timing(sorter, seconds, capacity));
}

static clsort_status count_done(clsort_sorter *sorter, uint32_t *num_done_ret)
{
    if (!sorter->timing || sorter->num_step_events == 0)
        return error_set(&sorter->error, CLSORT_ERROR_NO_TIMING);
    for (uint32_t i = 0; i < sorter->num_step_events; ++i) {
        cl_int execution = CL_QUEUED;
        const cl_int code =
            clGetEventInfo(sorter->step_events[i], CL_EVENT_COMMAND_EXECUTION_STATUS,
                           sizeof execution, &execution, NULL);
        if (code)
            return error_opencl(&sorter->error, "clGetEventInfo", code);
        /* A negative one is the code of a step's failure. */
        if (execution < 0)
            return error_opencl(&sorter->error, "clGetEventInfo", execution);
        *num_done_ret += execution == CL_COMPLETE;
    }
    return CLSORT_OK;
}

clsort_status clsort_get_progress(clsort_sorter *sorter, uint32_t *num_done_ret,
                                  uint32_t *num_steps_ret)
{
    const clsort_status status = sorter_enter_with(sorter, num_done_ret && num_steps_ret);
    if (status)
        return status;
    *num_steps_ret = sorter->num_step_events;
    *num_done_ret = 0;
    return sorter_leave(sorter, count_done(sorter, num_done_ret));
}

clsort_status clsort_release_scratch(clsort_sorter *sorter)
{
    const clsort_status status = sorter_enter(sorter);
    if (status)
        return status;
    run_release_scratch(sorter);
    sorter_release_mpi_areas(sorter);
    host_memory_release_runs(sorter);
    staging_release(sorter);
    pool_release(sorter);
    return sorter_leave(sorter, CLSORT_OK);
}

const char *clsort_device_source(void)
{
    static const char name[] = "clsort_device_source.h";
    return source_find(name, sizeof name - 1)->text;
}

clsort_status clsort_get_tuning_text(clsort_sorter *sorter, char *text, size_t size,
                                     size_t *size_ret)
{
    const clsort_status status = sorter_enter_with(sorter, text || !size);
    if (status)
        return status;
    const size_t written = tuning_rows_text(&sorter->facts, text, size);
    if (size_ret)
        *size_ret = written;
    return sorter_leave(sorter, CLSORT_OK);
}
