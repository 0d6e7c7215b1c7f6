/* sorter.c: makes and destroys sorters, plans, and compiles. */
#include "call/sorter.h"

#include "check/check.h"
#include "run.h"
#include "tuning/file.h"

#include <stdlib.h>

#define MAX_CONTEXT_DEVICES 256

static int is_listed(cl_device_id device, const cl_device_id *devices, uint32_t num_devices)
{
    for (uint32_t i = 0; i < num_devices; ++i) {
        if (devices[i] == device)
            return 1;
    }
    return 0;
}

/* Whether a device that a context does not list is a sub-device that belongs to it. Some drivers
 * (PoCL 3.1) list the device that it was made of. The context then takes queues for it. */
static int is_part(cl_context context, cl_device_id device, const cl_device_id *devices,
                   uint32_t num_devices)
{
    cl_device_id whole = device;
    while (whole && !is_listed(whole, devices, num_devices)) {
        cl_device_id parent = NULL;
        if (clGetDeviceInfo(whole, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL))
            return 0;
        whole = parent;
    }
    cl_int code = CL_SUCCESS;
    const cl_command_queue queue = whole ? clCreateCommandQueue(context, device, 0, &code) : NULL;
    if (queue)
        clReleaseCommandQueue(queue);
    return queue != NULL;
}

/* Chooses the device in a context: the one asked for, if it is there, or the best. */
static clsort_status device_in_context(cl_context context, cl_device_id requested,
                                       cl_device_id *device_ret)
{
    cl_device_id devices[MAX_CONTEXT_DEVICES];
    size_t size = 0;
    if (clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, &size))
        return CLSORT_ERROR_WRONG_CONTEXT;
    const uint32_t num_devices = (uint32_t)(size / sizeof *devices);
    if (!requested) {
        *device_ret = device_best(devices, num_devices);
        return *device_ret ? CLSORT_OK : CLSORT_ERROR_DEVICE_UNSUPPORTED;
    }
    *device_ret = requested;
    return is_listed(requested, devices, num_devices) ||
                   is_part(context, requested, devices, num_devices)
               ? CLSORT_OK
               : CLSORT_ERROR_WRONG_CONTEXT;
}

clsort_status clsort_create(cl_context context, cl_device_id device, clsort_sorter **sorter_ret)
{
    if (!sorter_ret)
        return CLSORT_ERROR_NULL;
    *sorter_ret = NULL;
    clsort_status status = CLSORT_OK;
    if (context)
        status = device_in_context(context, device, &device);
    else if (!device)
        status = clsort_find_device(NULL, &device);
    struct device_facts facts;
    if (!status)
        status = device_query(device, &facts);
    clsort_sorter *sorter = status ? NULL : calloc(1, sizeof *sorter);
    if (!sorter)
        return status ? status : CLSORT_ERROR_HOST_MEMORY;
    sorter->device = device;
    sorter->facts = facts;
    sorter->facts.tuning_table = tuning_find(tuning_devices, facts.class, device);
    sorter->facts.tuning_rows = &sorter->tuning_rows;
    atomic_flag_clear(&sorter->busy);
    status = tuning_file_read(device, &sorter->tuning_rows);
    cl_int code = CL_SUCCESS;
    if (!status && context)
        code = clRetainContext(context);
    else if (!status)
        context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (code)
        status = error_opencl(&sorter->error, "clCreateContext", code);
    if (status) {
        tuning_rows_finish(&sorter->tuning_rows);
        free(sorter);
        return status;
    }
    sorter->context = context;
    sorter->programs =
        (struct program_cache){.context = context, .device = device, .error = &sorter->error};
    clRetainDevice(device); /* a sub-device: the context may hold its parent alone */
    *sorter_ret = sorter;
    return CLSORT_OK;
}

void sorter_release_mpi_areas(clsort_sorter *sorter)
{
    for (size_t i = 0; i < sizeof sorter->mpi_areas / sizeof *sorter->mpi_areas; ++i) {
        free(sorter->mpi_areas[i].memory);
        sorter->mpi_areas[i] = (struct kept_memory){0};
    }
}

void clsort_destroy(clsort_sorter *sorter)
{
    if (!sorter)
        return;
    run_forget_timing(sorter);
    free(sorter->step_events);
    run_release_scratch(sorter);
    sorter_release_mpi_areas(sorter);
    host_memory_release_runs(sorter);
    host_memory_release(sorter);
    staging_release(sorter);
    pool_release(sorter);
    program_finish(&sorter->programs);
    plan_finish(&sorter->plan);
    free(sorter->record_text.bytes);
    error_finish(&sorter->error);
    tuning_rows_finish(&sorter->tuning_rows);
    clReleaseContext(sorter->context);
    clReleaseDevice(sorter->device);
    free(sorter);
}

cl_context clsort_context(const clsort_sorter *sorter)
{
    return sorter ? sorter->context : NULL;
}

cl_device_id clsort_device(const clsort_sorter *sorter)
{
    return sorter ? sorter->device : NULL;
}

clsort_status clsort_set_host_threads(clsort_sorter *sorter, uint32_t num_threads)
{
    const clsort_status status = sorter_enter(sorter);
    if (status)
        return status;
    sorter->host_threads = num_threads < STAGING_WORKERS ? num_threads : STAGING_WORKERS;
    return sorter_leave(sorter, CLSORT_OK);
}

/* Builds the programs of the plan's steps from `first` on, together. */
static clsort_status build_programs(clsort_sorter *sorter, uint32_t first)
{
    const uint32_t num = sorter->plan.num_steps - first;
    struct kernel_wanted *wanted = malloc(num * sizeof *wanted);
    if (!wanted)
        return error_set(&sorter->error, CLSORT_ERROR_HOST_MEMORY);
    for (uint32_t i = 0; i < num; ++i) {
        const struct step *step = &sorter->plan.steps[first + i];
        wanted[i] = (struct kernel_wanted){step->kernel, &step->variant};
    }
    const clsort_status status =
        program_prepare(&sorter->programs, wanted, num, tuning_host(&sorter->facts).build_threads);
    free(wanted);
    return status;
}

/* Compiles the plan's kernels. *limit_ret: the smallest group size that a kernel allows. */
static clsort_status compile(clsort_sorter *sorter, size_t *limit_ret)
{
    int are_built = 0;
    *limit_ret = sorter->facts.max_group_size;
    for (uint32_t i = 0; i < sorter->plan.num_steps; ++i) {
        const struct step *step = &sorter->plan.steps[i];
        const struct kernel_entry *entry =
            program_find(&sorter->programs, step->kernel, &step->variant);
        clsort_status status = CLSORT_OK;
        if (!entry && !are_built)
            status = build_programs(sorter, i);
        are_built |= !entry;
        if (!entry && !status)
            status = program_kernel(&sorter->programs, step->kernel, &step->variant, &entry);
        if (status)
            return status;
        if (sorter->facts.reports_kernel_limit &&
            entry->max_group_size < step->variant.group_size && entry->max_group_size < *limit_ret)
            *limit_ret = entry->max_group_size;
    }
    return CLSORT_OK;
}

clsort_status sorter_plan(clsort_sorter *sorter, const clsort_desc *desc,
                          struct problem *problem_ret)
{
    const struct refusal refusal = check_desc(desc, problem_ret);
    if (refusal.status)
        return error_refuse(&sorter->error, refusal);
    clsort_field fields[MAX_MEMBERS];
    clsort_record packed;
    const int is_packed = plan_packed_record(problem_ret, fields, &packed);
    if (desc->record || is_packed) {
        const char *text = record_write(is_packed ? &packed : desc->record, &sorter->record_text);
        problem_ret->record_text = text ? program_text(&sorter->programs, text) : 0;
        if (!problem_ret->record_text)
            return error_set(&sorter->error, CLSORT_ERROR_HOST_MEMORY);
    }
    const clsort_status status = plan_make(&sorter->facts, problem_ret, &sorter->plan);
    const int is_algorithm = status == CLSORT_ERROR_ALGORITHM_COUNT;
    return error_refuse(&sorter->error, refuse(status, is_algorithm ? "desc.algorithm" : ""));
}

clsort_status sorter_compile(clsort_sorter *sorter, const struct problem *problem)
{
    for (;;) { /* each round but the last halves max_group_size */
        size_t limit = 0;
        clsort_status status = compile(sorter, &limit);
        if (status || limit >= sorter->facts.max_group_size || sorter->facts.max_group_size == 1)
            return status;
        while (sorter->facts.max_group_size > limit && sorter->facts.max_group_size > 1)
            sorter->facts.max_group_size /= 2;
        status = plan_make(&sorter->facts, problem, &sorter->plan);
        if (status)
            return error_set(&sorter->error, status);
    }
}

clsort_status sorter_enqueue_own(clsort_sorter *sorter, cl_command_queue queue,
                                 const clsort_desc *desc, const clsort_buffers *buffers,
                                 cl_event *event_ret)
{
    struct problem problem;
    clsort_status status = sorter_plan(sorter, desc, &problem);
    if (!status)
        status = sorter_compile(sorter, &problem);
    return status ? status : run_plan(sorter, queue, buffers, 0, NULL, event_ret);
}
