/* opencl.c: the device's side of the sorts of one input. Input and check are kernels of their
 * own (tools/bench/opponents/input.cl), which share nothing with the library. */
#include "bench/bench.h"

#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>

enum { GPU_ITEMS = 1 << 18, CPU_ITEMS = 1024 }; /* work-items of the kernels here */

static const char source_text[] = {
#include "bench_source.inc"
};

int bench_opencl_result(const char *call, cl_int code, char *why)
{
    if (code == CL_SUCCESS)
        return 1;
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_INVALID_BUFFER_SIZE)
        return bench_refuse(why, "more than the device's memory");
    message_of_opencl(call, code);
    return -1;
}

int bench_opencl_fail(clsort_status status, clsort_sorter *sorter, char *why)
{
    if (status == CLSORT_ERROR_DEVICE_MEMORY)
        return bench_refuse(why, clsort_status_text(status));
    device_succeeded(status, sorter);
    return -1;
}

static cl_int create_kernels(struct bench_opencl *opencl)
{
    const char *text = source_text;
    cl_int code;
    cl_program program = clCreateProgramWithSource(opencl->device->context, 1, &text, NULL, &code);
    if (code != CL_SUCCESS)
        return code;
    code = clBuildProgram(program, 1, &opencl->device->id, "-cl-std=CL1.2", NULL, NULL);
    if (code == CL_SUCCESS)
        opencl->fill = clCreateKernel(program, "fill", &code);
    if (code == CL_SUCCESS)
        opencl->look = clCreateKernel(program, "look", &code);
    if (code == CL_SUCCESS && opencl->num_items > CPU_ITEMS)
        opencl->head_start = clCreateKernel(program, "head_start", &code);
    clReleaseProgram(program);
    return code;
}

bool bench_opencl_open(struct bench_opencl *opencl, const struct device *device)
{
    cl_device_type kind = 0;
    cl_int code;
    *opencl = (struct bench_opencl){.device = device};
    GET_INFO(device->id, TYPE, kind);
    opencl->num_items = kind & CL_DEVICE_TYPE_GPU ? GPU_ITEMS : CPU_ITEMS;
    opencl->queue = clCreateCommandQueue(device->context, device->id, 0, &code);
    if (code == CL_SUCCESS)
        opencl->profiling_queue =
            clCreateCommandQueue(device->context, device->id, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS) {
        message_of_opencl("clCreateCommandQueue", code);
        return false;
    }
    code = create_kernels(opencl);
    if (code != CL_SUCCESS)
        message_of_opencl("the kernels that make and check the input", code);
    return code == CL_SUCCESS;
}

void bench_opencl_close(struct bench_opencl *opencl)
{
    if (opencl->fill)
        clReleaseKernel(opencl->fill);
    if (opencl->look)
        clReleaseKernel(opencl->look);
    if (opencl->head_start)
        clReleaseKernel(opencl->head_start);
    if (opencl->queue)
        clReleaseCommandQueue(opencl->queue);
    if (opencl->profiling_queue)
        clReleaseCommandQueue(opencl->profiling_queue);
    *opencl = (struct bench_opencl){0};
}

/* Some drivers get the memory only for a buffer's first command; then it might be gone. */
static int create(struct bench_opencl *opencl, enum bench_buffer which, uint64_t size, char *why)
{
    const cl_uint zero = 0;
    const cl_command_queue queue = opencl->queue;
    cl_int code;
    if (size == 0)
        return 1;
    cl_mem buffer = clCreateBuffer(opencl->device->context, CL_MEM_READ_WRITE, size, NULL, &code);
    if (code != CL_SUCCESS)
        return bench_opencl_result("clCreateBuffer", code, why);
    opencl->buffers[which] = buffer;
    opencl->sizes[which] = size;
    if (size < sizeof(zero))
        return 1;
    code = clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, sizeof(zero), 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clFinish(queue);
    if (code == CL_OUT_OF_RESOURCES)
        code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return bench_opencl_result("clEnqueueFillBuffer", code, why);
}

/* A kernel's argument must be a buffer: the sums stand for one that is not used. */
static cl_int launch(struct bench_opencl *opencl, cl_kernel kernel, const struct bench_input *input,
                     const enum bench_buffer *arguments, cl_uint num_arguments)
{
    cl_int code = clSetKernelArg(kernel, 0, sizeof(*input), input);
    for (cl_uint i = 0; i < num_arguments && code == CL_SUCCESS; i++) {
        const cl_mem *buffer = &opencl->buffers[arguments[i]];
        code = clSetKernelArg(kernel, 1 + i, sizeof(*buffer),
                              *buffer ? buffer : &opencl->buffers[SUMS]);
    }
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(opencl->queue, kernel, 1, NULL, &opencl->num_items, NULL, 0,
                                      NULL, NULL);
    return code;
}

int bench_opencl_look(struct bench_opencl *opencl, const struct bench_input *input,
                      enum bench_buffer keys, enum bench_buffer values, struct bench_sums *sums_ret,
                      char *why)
{
    const enum bench_buffer arguments[] = {keys,    values,  INDICES, KEYS_SOURCE,
                                           QUERIES, OFFSETS, SUMS};
    struct bench_sums *parts = malloc(opencl->num_items * sizeof(*parts));
    *sums_ret = (struct bench_sums){0, 0, 0};
    cl_int code = parts ? launch(opencl, opencl->look, input, arguments, 7) : CL_OUT_OF_HOST_MEMORY;
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(opencl->queue, opencl->buffers[SUMS], CL_TRUE, 0,
                                   opencl->num_items * sizeof(*parts), parts, 0, NULL, NULL);
    for (size_t i = 0; i < opencl->num_items && code == CL_SUCCESS; i++) {
        sums_ret->disorders += parts[i].disorders;
        sums_ret->hash += parts[i].hash;
        sums_ret->placed += parts[i].placed;
    }
    free(parts);
    return bench_opencl_result("the kernel that checks", code, why);
}

int bench_opencl_fill(struct bench_opencl *opencl, const struct bench_input *input,
                      enum bench_buffer keys, char *why)
{
    const enum bench_buffer arguments[] = {keys, VALUES_SOURCE};
    return bench_opencl_result("the kernel that makes the input",
                               launch(opencl, opencl->fill, input, arguments, 2), why);
}

int bench_opencl_read(struct bench_opencl *opencl, enum bench_buffer from, struct bytes *bytes,
                      char *why)
{
    const size_t size = opencl->sizes[from];
    bytes->size = size;
    if (!bytes_reserve(bytes, size))
        return -1;
    const cl_int code = size > 0 ? clEnqueueReadBuffer(opencl->queue, opencl->buffers[from],
                                                       CL_TRUE, 0, size, bytes->data, 0, NULL, NULL)
                                 : CL_SUCCESS;
    return bench_opencl_result("clEnqueueReadBuffer", code, why);
}

int bench_opencl_write(struct bench_opencl *opencl, enum bench_buffer to, const void *data,
                       size_t size, char *why)
{
    const cl_int code = size > 0 ? clEnqueueWriteBuffer(opencl->queue, opencl->buffers[to], CL_TRUE,
                                                        0, size, data, 0, NULL, NULL)
                                 : CL_SUCCESS;
    return bench_opencl_result("clEnqueueWriteBuffer", code, why);
}

/* The sums of the input. */
static int look_at_input(struct bench_opencl *opencl, char *why)
{
    struct bench_input input = opencl->input;
    input.side = BENCH_INPUT;
    const int result =
        bench_opencl_look(opencl, &input, KEYS_SOURCE, VALUES_SOURCE, &opencl->sums, why);
    opencl->expected = opencl->sums;
    return result;
}

/* Makes and writes where the input's segments begin, and the end. */
static int write_segments(struct bench_opencl *opencl, const struct bench_shape *shape, char *why)
{
    opencl->offsets = bench_offsets(shape, &opencl->input);
    return opencl->offsets
               ? bench_opencl_write(opencl, OFFSETS, opencl->offsets, opencl->sizes[OFFSETS], why)
               : bench_opencl_result("malloc", CL_OUT_OF_HOST_MEMORY, why);
}

int bench_opencl_begin(struct bench_opencl *opencl, const struct bench_input *input,
                       struct bench_type type, const struct bench_shape *shape, char *why)
{
    const uint64_t keys = input->count * input->key_size;
    const uint64_t values = input->count * input->value_size;
    const uint64_t num_outputs = bench_num_outputs(input);
    const uint64_t num_places = input->work == BENCH_SEARCH ? input->num_queries : num_outputs;
    const uint64_t num_kept = num_outputs > input->count ? num_outputs : input->count;
    const bool has_segments = input->num_segments > 0;
    const uint64_t sizes[NUM_BUFFERS] = {
        [KEYS_SOURCE] = keys,
        [VALUES_SOURCE] = values,
        [KEYS] = num_kept * input->key_size,
        [VALUES] = num_kept * input->value_size,
        [INDICES] = num_places * (input->index_size + input->place_size),
        [OFFSETS] = has_segments ? (input->num_segments + 1) * sizeof(uint64_t) : 0,
        [QUERIES] = input->num_queries * input->key_size,
        [RESULT] = sizeof(uint64_t),
        [SUMS] = opencl->num_items * sizeof(struct bench_sums)};
    opencl->input = *input;
    if (!bench_fits_device(&opencl->device->facts, input, 0, why))
        return 0;
    int result = 1;
    for (int i = 0; i < NUM_BUFFERS && result > 0; i++)
        result = create(opencl, (enum bench_buffer)i, sizes[i], why);
    if (result > 0)
        result = write_segments(opencl, shape, why);
    if (result > 0)
        result = bench_opencl_fill(opencl, input, KEYS_SOURCE, why);
    if (result > 0)
        result = look_at_input(opencl, why);
    return result > 0 ? bench_opencl_prepare(opencl, type, shape, why) : result;
}

static void release(struct bench_opencl *opencl, enum bench_buffer which)
{
    if (opencl->buffers[which])
        clReleaseMemObject(opencl->buffers[which]);
    opencl->buffers[which] = NULL;
    opencl->sizes[which] = 0;
}

int bench_opencl_reserve_scratch(struct bench_opencl *opencl, uint64_t size, char *why)
{
    const uint64_t before = opencl->sizes[SCRATCH];
    char again[BENCH_WHY];
    if (size <= before)
        return 1;
    release(opencl, SCRATCH);
    int result = create(opencl, SCRATCH, size, why);
    if (result != 0)
        return result;
    release(opencl, SCRATCH);
    result = create(opencl, SCRATCH, before, again);
    if (result == 0)
        message("the earlier sorts' scratch cannot be allocated again: %s", again);
    return result > 0 ? 0 : -1;
}

void bench_opencl_end(struct bench_opencl *opencl)
{
    for (int i = 0; i < NUM_BUFFERS; i++)
        release(opencl, (enum bench_buffer)i);
    free(opencl->offsets);
    opencl->offsets = NULL;
}

/* In place the input is copied. Elsewhere there are no numbers that are an output: neither what
 * the last run has left nor an input in order can pass for this one's. */
int bench_opencl_refresh(struct bench_opencl *opencl, cl_command_queue queue, bool is_elsewhere,
                         char *why)
{
    static const enum bench_buffer outputs[] = {KEYS, VALUES, INDICES, RESULT};
    const bool is_in_place = !is_elsewhere && bench_is_sort((enum bench_work)opencl->input.work);
    const cl_uchar none = 0xff;
    cl_int code = CL_SUCCESS;
    for (int i = 0; i < 4 && code == CL_SUCCESS; i++) {
        const enum bench_buffer to = outputs[i];
        const size_t size = opencl->sizes[to];
        if (is_in_place && i < 2 && size > 0)
            code = clEnqueueCopyBuffer(queue, opencl->buffers[KEYS_SOURCE + i], opencl->buffers[to],
                                       0, 0, size, 0, NULL, NULL);
        else if (size > 0)
            code =
                clEnqueueFillBuffer(queue, opencl->buffers[to], &none, 1, 0, size, 0, NULL, NULL);
    }
    if (code == CL_SUCCESS)
        code = clFinish(queue);
    return bench_opencl_result("clEnqueueCopyBuffer", code, why);
}

int bench_opencl_check(struct bench_opencl *opencl, bool is_stable, char *why)
{
    struct bench_input input = opencl->input;
    struct bench_sums sums = {0, 0, 0};
    const bool has_result = input.work == BENCH_CHECK || input.work == BENCH_RUNS;
    const bool is_of_source = input.index_size > 0 || input.work == BENCH_SEARCH;
    uint64_t found = 0;
    input.is_stable = is_stable;
    int result = 1;
    if (has_result)
        result =
            bench_opencl_result("clEnqueueReadBuffer",
                                clEnqueueReadBuffer(opencl->queue, opencl->buffers[RESULT], CL_TRUE,
                                                    0, sizeof found, &found, 0, NULL, NULL),
                                why);
    if (input.work == BENCH_RUNS)
        input.count = found < input.count ? found : input.count;
    if (result > 0 && input.work != BENCH_CHECK)
        result = bench_opencl_look(opencl, &input, is_of_source ? KEYS_SOURCE : KEYS, VALUES, &sums,
                                   why);
    if (has_result)
        sums.placed = found;
    return result > 0 ? bench_check(&opencl->input, &opencl->expected, &sums, why) : result;
}

/* A command of its own before and after the sort: the time between is the sort's, with the gaps
 * between its commands. */
static cl_int mark(struct bench_opencl *opencl, cl_event *event_ret)
{
    const cl_uint zero = 0;
    return clEnqueueFillBuffer(opencl->profiling_queue, opencl->buffers[SUMS], &zero, sizeof(zero),
                               0, sizeof(zero), 0, NULL, event_ret);
}

/* Without it a GPU would idle between the mark and a short sort, until the host has enqueued the
 * sort. */
static cl_int give_head_start(struct bench_opencl *opencl)
{
    const size_t one = 1;
    const cl_uint rounds = BENCH_HEAD_START;
    cl_int code = clSetKernelArg(opencl->head_start, 0, sizeof(rounds), &rounds);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(opencl->head_start, 1, sizeof(opencl->buffers[SUMS]),
                              &opencl->buffers[SUMS]);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(opencl->profiling_queue, opencl->head_start, 1, NULL, &one,
                                      &one, 0, NULL, NULL);
    return code;
}

double bench_opencl_seconds(cl_event first, cl_profiling_info from, cl_event last,
                            cl_profiling_info to)
{
    cl_ulong start = 0, end = 0;
    if (clGetEventProfilingInfo(first, from, sizeof(start), &start, NULL) ||
        clGetEventProfilingInfo(last, to, sizeof(end), &end, NULL))
        return 0;
    return start > 0 && end > start ? 1e-9 * (double)(end - start) : 0;
}

cl_int bench_opencl_start_clock(struct bench_opencl *opencl, cl_event *before_ret)
{
    const cl_int code = opencl->head_start ? give_head_start(opencl) : CL_SUCCESS;
    *before_ret = NULL;
    return code == CL_SUCCESS ? mark(opencl, before_ret) : code;
}

cl_int bench_opencl_stop_clock(struct bench_opencl *opencl, cl_event before, double *seconds_ret)
{
    cl_event after = NULL;
    cl_int code = mark(opencl, &after);
    const cl_int finished = clFinish(opencl->profiling_queue);
    code = code == CL_SUCCESS ? finished : code;
    *seconds_ret = code != CL_SUCCESS ? 0
                                      : bench_opencl_seconds(before, CL_PROFILING_COMMAND_END,
                                                             after, CL_PROFILING_COMMAND_START);
    clReleaseEvent(before);
    if (after)
        clReleaseEvent(after);
    return code;
}
