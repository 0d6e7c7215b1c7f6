/* host.c: sorting arrays on the host: small ones by the calling thread, others by buffers,
 * transfers or none, and clsort_enqueue() between. */
#include "check.h"
#include "host_sort.h"
#include "run.h"
#include "sorter.h"
#include "tuning_file.h"

/* The buffers of one host sort, by role. */
struct transfer {
    clsort_sorter *sorter;
    cl_command_queue queue;
    const clsort_arrays *arrays;
    const struct problem *problem;
    clsort_buffers buffers; /* whose lists are the next two */
    clsort_buffer columns[MAX_MEMBERS];
    clsort_buffer columns_out[MAX_MEMBERS];
};

static int is_input(enum buffer_role role)
{
    return role == BUFFER_KEYS || role == BUFFER_VALUES || role == BUFFER_OFFSETS ||
           (role >= BUFFER_COLUMN && role < BUFFER_COLUMN_OUT);
}

static int is_output(const struct problem *problem, enum buffer_role role)
{
    return !is_input(role) || (problem->in_place && !problem->index_size);
}

static cl_mem *slot_of(struct transfer *transfer, enum buffer_role role)
{
    clsort_buffers *buffers = &transfer->buffers;
    if (role >= BUFFER_COLUMN_OUT)
        return &transfer->columns_out[role - BUFFER_COLUMN_OUT].mem;
    if (role >= BUFFER_COLUMN)
        return &transfer->columns[role - BUFFER_COLUMN].mem;
    cl_mem *const members[] = {
        [BUFFER_KEYS] = &buffers->keys.mem,
        [BUFFER_KEYS_OUT] = &buffers->keys_out.mem,
        [BUFFER_VALUES] = &buffers->values.mem,
        [BUFFER_VALUES_OUT] = &buffers->values_out.mem,
        [BUFFER_INDICES] = &buffers->indices.mem,
        [BUFFER_OFFSETS] = &buffers->offsets.mem,
        [BUFFER_OFFSETS_OUT] = &buffers->offsets_out.mem,
    };
    return members[role];
}

/* A buffer for every array; over the array itself where memory is shared. */
static clsort_status send(struct transfer *transfer)
{
    struct error *error = &transfer->sorter->error;
    const int shared = transfer->sorter->facts.unified_memory;
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH; ++role) {
        const size_t size = (size_t)check_size(transfer->problem, role);
        if (size == 0)
            continue;
        void *array = array_of(transfer->arrays, role);
        cl_int code = CL_SUCCESS;
        const cl_mem_flags access =
            is_output(transfer->problem, role) ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
        const cl_mem_flags flags = access | (shared ? CL_MEM_USE_HOST_PTR : 0);
        const cl_mem mem =
            clCreateBuffer(transfer->sorter->context, flags, size, shared ? array : NULL, &code);
        if (!mem)
            return error_opencl(error, "clCreateBuffer", code);
        *slot_of(transfer, role) = mem;
        if (!shared && is_input(role)) {
            /* Not blocking: the array stays until the sort is read back. */
            code =
                clEnqueueWriteBuffer(transfer->queue, mem, CL_FALSE, 0, size, array, 0, NULL, NULL);
            if (code)
                return error_opencl(error, "clEnqueueWriteBuffer", code);
        }
    }
    return CLSORT_OK;
}

static clsort_status receive(struct transfer *transfer)
{
    struct error *error = &transfer->sorter->error;
    const int shared = transfer->sorter->facts.unified_memory;
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH; ++role) {
        const size_t size = (size_t)check_size(transfer->problem, role);
        const cl_mem mem = *slot_of(transfer, role);
        if (!mem || !is_output(transfer->problem, role))
            continue;
        if (!shared) {
            const cl_int code =
                clEnqueueReadBuffer(transfer->queue, mem, CL_FALSE, 0, size,
                                    array_of(transfer->arrays, role), 0, NULL, NULL);
            if (code)
                return error_opencl(error, "clEnqueueReadBuffer", code);
            continue;
        }
        /* Mapping makes the device's writes visible in the array. */
        cl_int code = CL_SUCCESS;
        void *mapped = clEnqueueMapBuffer(transfer->queue, mem, CL_TRUE, CL_MAP_READ, 0, size, 0,
                                          NULL, NULL, &code);
        if (code)
            return error_opencl(error, "clEnqueueMapBuffer", code);
        code = clEnqueueUnmapMemObject(transfer->queue, mem, mapped, 0, NULL, NULL);
        if (code)
            return error_opencl(error, "clEnqueueUnmapMemObject", code);
    }
    const cl_int code = clFinish(transfer->queue);
    return code ? error_opencl(error, "clFinish", code) : CLSORT_OK;
}

/* By the device. */
static clsort_status sort_there(clsort_sorter *sorter, const clsort_desc *desc,
                                const clsort_arrays *arrays)
{
    struct problem problem;
    int replanned = 0;
    clsort_status status = sorter_plan(sorter, desc, &problem);
    if (!status)
        status = error_refuse(&sorter->error, check_arrays(&problem, arrays));
    if (!status)
        status = sorter_compile(sorter, &problem, &replanned); /* before any transfer */
    if (status || sorter->plan.num_steps == 0)
        return status;

    cl_int code = CL_SUCCESS;
    struct transfer transfer = {.sorter = sorter, .arrays = arrays, .problem = &problem};
    transfer.buffers.columns = problem.num_columns ? transfer.columns : NULL;
    transfer.buffers.columns_out =
        problem.num_columns && !problem.in_place ? transfer.columns_out : NULL;
    transfer.queue = clCreateCommandQueue(sorter->context, sorter->device, 0, &code);
    if (!transfer.queue)
        return error_opencl(&sorter->error, "clCreateCommandQueue", code);
    status = send(&transfer);
    if (!status)
        status = sorter_enqueue(sorter, transfer.queue, desc, &transfer.buffers, 0, NULL, NULL);
    if (!status)
        status = receive(&transfer);
    if (status)
        clFinish(transfer.queue); /* what was enqueued may still use the arrays */
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH; ++role) {
        const cl_mem mem = *slot_of(&transfer, role);
        if (mem)
            clReleaseMemObject(mem);
    }
    clReleaseCommandQueue(transfer.queue);
    return status;
}

/* Small arrays by the calling thread. *done_ret: they are sorted. */
static struct refusal sort_here(const struct device_facts *facts, const clsort_desc *desc,
                                const clsort_arrays *arrays, int *done_ret)
{
    struct problem problem;
    *done_ret = 0;
    struct refusal refusal = check_desc(desc, &problem);
    if (refusal.status || !host_sort_takes(facts, &problem))
        return refusal;
    refusal = check_arrays(&problem, arrays);
    if (!refusal.status)
        *done_ret = host_sort(&problem, arrays);
    return refusal;
}

/* The same without a sorter. */
static clsort_status sort_alone(const clsort_desc *desc, const clsort_arrays *arrays, int *done_ret)
{
    struct device_facts facts = device_none();
    struct tuning_rows rows;
    *done_ret = 0;
    clsort_status status = tuning_file_read(NULL, &rows);
    if (status)
        return status;
    facts.tuning_rows = &rows;
    status = sort_here(&facts, desc, arrays, done_ret).status;
    tuning_rows_finish(&rows);
    return status;
}

static clsort_status sort_entered(clsort_sorter *sorter, const clsort_desc *desc,
                                  const clsort_arrays *arrays)
{
    int done = 0;
    const clsort_status status =
        error_refuse(&sorter->error, sort_here(&sorter->facts, desc, arrays, &done));
    if (status)
        return status;
    if (!done)
        return sort_there(sorter, desc, arrays);
    run_forget_timing(sorter); /* it is another sort's */
    return CLSORT_OK;
}

clsort_status clsort_sort(clsort_sorter *sorter, const clsort_desc *desc,
                          const clsort_arrays *arrays)
{
    if (!desc || !arrays)
        return CLSORT_ERROR_NULL;
    clsort_sorter *own = NULL;
    clsort_status status = CLSORT_OK;
    if (!sorter) {
        int done = 0;
        status = sort_alone(desc, arrays, &done);
        if (status || done)
            return status;
        status = clsort_create(NULL, NULL, &own);
        sorter = own;
    }
    if (!status)
        status = sorter_enter(sorter);
    if (!status) {
        status = sort_entered(sorter, desc, arrays);
        sorter_leave(sorter);
    }
    clsort_destroy(own);
    return status;
}
