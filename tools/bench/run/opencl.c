/* opencl.c: the device's side of the sorts of one input. Input and check are kernels of their own
 * (tools/bench/opponents/input.cl), which share nothing with the library. It sorts keys that are in
 * order before they are checked, merged or searched; the sums over what it leaves prove it right,
 * and do not depend on it. */
#include "bench/bench.h"

#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>

enum { GPU_ITEMS = 1 << 18, CPU_ITEMS = 1024 }; /* work-items of the kernels here */

static const char source_text[] = {
#include "bench_source.inc"
};

void bench_opencl_result(struct bench_opencl *opencl, const char *call, cl_int code)
{
    if (opencl->result <= 0 || code == CL_SUCCESS)
        return;
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_INVALID_BUFFER_SIZE) {
        opencl->result = bench_refuse(opencl->why, "more than the device's memory");
    } else {
        message_of_opencl(call, code);
        opencl->result = -1;
    }
}

void bench_opencl_status(struct bench_opencl *opencl, clsort_status status)
{
    if (opencl->result <= 0)
        return;
    if (status == CLSORT_ERROR_DEVICE_MEMORY)
        opencl->result = bench_refuse(opencl->why, clsort_status_text(status));
    else
        opencl->result = device_succeeded(status, opencl->device->sorter) ? 1 : -1;
}

static cl_command_queue create_queue(struct bench_opencl *opencl,
                                     cl_command_queue_properties properties)
{
    const struct device *device = opencl->device;
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(device->context, device->id, properties, &code);
    bench_opencl_result(opencl, "clCreateCommandQueue", code);
    return queue;
}

static cl_kernel create_kernel(struct bench_opencl *opencl, cl_program program, const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    bench_opencl_result(opencl, "the kernels that make and check the input", code);
    return kernel;
}

bool bench_opencl_open(struct bench_opencl *opencl, const struct device *device)
{
    const char *text = source_text;
    cl_device_type kind = 0;
    *opencl = (struct bench_opencl){.device = device, .result = 1};
    GET_INFO(device->id, TYPE, kind);
    opencl->num_items = kind & CL_DEVICE_TYPE_GPU ? GPU_ITEMS : CPU_ITEMS;
    opencl->queue = create_queue(opencl, 0);
    opencl->profiling_queue = create_queue(opencl, CL_QUEUE_PROFILING_ENABLE);
    cl_program program = clCreateProgramWithSource(device->context, 1, &text, NULL, NULL);
    BENCH_TRY(opencl, clBuildProgram, program, 1, &device->id, "-cl-std=CL1.2", NULL, NULL);
    opencl->fill = create_kernel(opencl, program, "fill");
    opencl->look = create_kernel(opencl, program, "look");
    if (kind & CL_DEVICE_TYPE_GPU)
        opencl->head_start = create_kernel(opencl, program, "head_start");
    clReleaseProgram(program);
    if (opencl->result == 0)
        message("%s", opencl->why);
    return opencl->result > 0;
}

/* OpenCL refuses to release NULL, and does nothing. */
void bench_opencl_close(struct bench_opencl *opencl)
{
    clReleaseKernel(opencl->fill);
    clReleaseKernel(opencl->look);
    clReleaseKernel(opencl->head_start);
    clReleaseCommandQueue(opencl->queue);
    clReleaseCommandQueue(opencl->profiling_queue);
    *opencl = (struct bench_opencl){0};
}

/* Some drivers get the memory only for a buffer's first command; then it might be gone. */
void bench_opencl_create(struct bench_opencl *opencl, enum bench_buffer which, uint64_t size)
{
    const cl_uint zero = 0;
    cl_int code;
    if (opencl->result <= 0 || size == 0)
        return;
    cl_mem buffer = clCreateBuffer(opencl->device->context, CL_MEM_READ_WRITE, size, NULL, &code);
    opencl->buffers[which] = buffer;
    opencl->sizes[which] = size;
    bench_opencl_result(opencl, "clCreateBuffer", code);
    if (opencl->result <= 0 || size < sizeof(zero))
        return;
    code = clEnqueueFillBuffer(opencl->queue, buffer, &zero, sizeof(zero), 0, sizeof(zero), 0, NULL,
                               NULL);
    if (code == CL_SUCCESS)
        code = clFinish(opencl->queue);
    if (code == CL_OUT_OF_RESOURCES)
        code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    bench_opencl_result(opencl, "clEnqueueFillBuffer", code);
}

/* A kernel's argument must be a buffer: the sums stand for one that is not used. */
static void launch(struct bench_opencl *opencl, cl_kernel kernel, const struct bench_input *input,
                   const enum bench_buffer *arguments, cl_uint num_arguments)
{
    BENCH_TRY(opencl, clSetKernelArg, kernel, 0, sizeof(*input), input);
    for (cl_uint i = 0; i < num_arguments; i++) {
        const cl_mem *buffer = &opencl->buffers[arguments[i]];
        BENCH_TRY(opencl, clSetKernelArg, kernel, 1 + i, sizeof(*buffer),
                  *buffer ? buffer : &opencl->buffers[SUMS]);
    }
    BENCH_TRY(opencl, clEnqueueNDRangeKernel, opencl->queue, kernel, 1, NULL, &opencl->num_items,
              NULL, 0, NULL, NULL);
}

struct bench_sums bench_opencl_look(struct bench_opencl *opencl, const struct bench_input *input,
                                    enum bench_buffer keys, enum bench_buffer values)
{
    const enum bench_buffer arguments[] = {keys,    values,  INDICES, KEYS_SOURCE,
                                           QUERIES, OFFSETS, SUMS};
    struct bench_sums sums = {0, 0, 0};
    struct bytes bytes = {0};
    launch(opencl, opencl->look, input, arguments, 7);
    bench_opencl_read(opencl, SUMS, &bytes);
    const struct bench_sums *parts = bytes.data;
    for (size_t i = 0; i < opencl->num_items && opencl->result > 0; i++) {
        sums.disorders += parts[i].disorders;
        sums.hash += parts[i].hash;
        sums.placed += parts[i].placed;
    }
    bytes_free(&bytes);
    return sums;
}

void bench_opencl_fill(struct bench_opencl *opencl, const struct bench_input *input,
                       enum bench_buffer keys)
{
    const enum bench_buffer arguments[] = {keys, VALUES_SOURCE};
    launch(opencl, opencl->fill, input, arguments, 2);
}

void bench_opencl_read(struct bench_opencl *opencl, enum bench_buffer from, struct bytes *bytes)
{
    bytes->size = opencl->sizes[from];
    if (opencl->result > 0 && !bytes_reserve(bytes, bytes->size))
        opencl->result = -1;
    if (bytes->size > 0)
        BENCH_TRY(opencl, clEnqueueReadBuffer, opencl->queue, opencl->buffers[from], CL_TRUE, 0,
                  bytes->size, bytes->data, 0, NULL, NULL);
}

void bench_opencl_write(struct bench_opencl *opencl, enum bench_buffer to, const void *data,
                        size_t size)
{
    if (size > 0)
        BENCH_TRY(opencl, clEnqueueWriteBuffer, opencl->queue, opencl->buffers[to], CL_TRUE, 0,
                  size, data, 0, NULL, NULL);
}

/* ---- Order before the work ------------------------------------------------------------------- */

/* Sorts numbers of a buffer in place, of a whole array or of the input's segments or rows, and
 * proves it. */
static void sort_buffer(struct bench_opencl *opencl, const struct bench_input *input,
                        struct bench_type type, enum bench_buffer keys)
{
    static const struct bench_options plain;
    clsort_sorter *sorter = opencl->device->sorter;
    const clsort_desc desc = bench_desc(&plain, type, CLSORT_AUTO, input);
    const clsort_buffers buffers = {
        .keys = {.mem = opencl->buffers[keys]},
        .offsets = {.mem = desc.offset_size > 0 ? opencl->buffers[OFFSETS] : NULL}};
    const struct bench_sums before = bench_opencl_look(opencl, input, keys, VALUES_SOURCE);
    if (opencl->result > 0)
        bench_opencl_status(opencl,
                            clsort_enqueue(sorter, opencl->queue, &desc, &buffers, 0, NULL, NULL));
    const struct bench_sums after = bench_opencl_look(opencl, input, keys, VALUES_SOURCE);
    clsort_release_scratch(sorter);
    if (opencl->result > 0 && bench_check(input, &before, &after, opencl->why) == BENCH_WRONG) {
        message("the keys cannot be put in order: %s", opencl->why);
        opencl->result = -1;
    }
}

/* The input as keys alone that are sorted. */
static struct bench_input keys_of(const struct bench_input *input, enum bench_work work)
{
    struct bench_input keys = *input;
    keys.work = work;
    keys.side = BENCH_OUTPUT;
    keys.value_size = 0;
    keys.has_places = 0;
    keys.place_size = 0;
    keys.is_stable = 0;
    keys.skip = 0;
    keys.limit = 0;
    keys.row_length = work == BENCH_SEGMENTS ? input->row_length : 0;
    return keys;
}

static void prepare_top(struct bench_opencl *opencl, struct bench_type type)
{
    struct bench_input input = opencl->input;
    const bool is_row = input.num_segments > 0;
    const struct bench_input sorted = keys_of(&input, is_row ? BENCH_SEGMENTS : BENCH_SORT);
    BENCH_TRY(opencl, clEnqueueCopyBuffer, opencl->queue, opencl->buffers[KEYS_SOURCE],
              opencl->buffers[KEYS], 0, 0, opencl->sizes[KEYS_SOURCE], 0, NULL, NULL);
    sort_buffer(opencl, &sorted, type, KEYS);
    input.side = BENCH_EXPECTED;
    opencl->expected = bench_opencl_look(opencl, &input, KEYS, VALUES);
}

static void make_queries(struct bench_opencl *opencl, struct bench_type type, bool is_sorted)
{
    struct bench_input queries = keys_of(&opencl->input, BENCH_SORT);
    queries.count = opencl->input.num_queries;
    queries.seed++;
    bench_opencl_fill(opencl, &queries, QUERIES);
    if (is_sorted)
        sort_buffer(opencl, &queries, type, QUERIES);
    opencl->expected = (struct bench_sums){0, 0, 0};
}

/* Keys in order, and the sums of them and of a right output. */
static void prepare_order(struct bench_opencl *opencl, struct bench_type type)
{
    const bool is_merge = opencl->input.work == BENCH_MERGE;
    const struct bench_input sorted =
        keys_of(&opencl->input, is_merge ? BENCH_SEGMENTS : BENCH_SORT);
    struct bench_input input = opencl->input;
    const cl_mem keys = opencl->buffers[KEYS_SOURCE];
    sort_buffer(opencl, &sorted, type, KEYS_SOURCE);
    /* The last key becomes the first one: a descent if they differ from the one before. */
    if (input.work == BENCH_CHECK && input.count > 1)
        BENCH_TRY(opencl, clEnqueueCopyBuffer, opencl->queue, keys, keys, 0,
                  (input.count - 1) * input.key_size, input.key_size, 0, NULL, NULL);
    input.side = BENCH_INPUT;
    opencl->sums = bench_opencl_look(opencl, &input, KEYS_SOURCE, VALUES_SOURCE);
    opencl->expected = opencl->sums;
    if (input.work == BENCH_CHECK)
        opencl->expected = (struct bench_sums){0, 0, input.count - (opencl->sums.disorders > 0)};
    input.side = BENCH_EXPECTED;
    if (input.work == BENCH_RUNS)
        opencl->expected = bench_opencl_look(opencl, &input, KEYS_SOURCE, VALUES);
}

/* Puts the keys in order where the work asks for it, makes the queries, and takes the sums that a
 * right output has. */
static void prepare(struct bench_opencl *opencl, const struct bench_combination *keys)
{
    const struct bench_shape *shape = keys->shape;
    struct bench_type type = keys->type;
    type.value_size = 0;
    if (opencl->result <= 0 || bench_is_sort(shape->work))
        return;
    if (shape->work == BENCH_TOP)
        prepare_top(opencl, type);
    else
        prepare_order(opencl, type);
    if (shape->work == BENCH_SEARCH)
        make_queries(opencl, type, shape->has_sorted_queries);
}

/* ---- Runs and their checks ------------------------------------------------------------------- */

void bench_opencl_begin(struct bench_opencl *opencl, const struct bench_combination *keys)
{
    const struct bench_input *input = &keys->input;
    const uint64_t num_outputs = bench_num_outputs(input);
    const uint64_t num_places = input->work == BENCH_SEARCH ? input->num_queries : num_outputs;
    const uint64_t num_kept = num_outputs > input->count ? num_outputs : input->count;
    const bool has_segments = input->num_segments > 0;
    const uint64_t sizes[NUM_BUFFERS] = {
        [KEYS_SOURCE] = input->count * input->key_size,
        [VALUES_SOURCE] = input->count * input->value_size,
        [KEYS] = num_kept * input->key_size,
        [VALUES] = num_kept * input->value_size,
        [INDICES] = num_places * (input->index_size + input->place_size),
        [OFFSETS] = has_segments ? (input->num_segments + 1) * sizeof(uint64_t) : 0,
        [QUERIES] = input->num_queries * input->key_size,
        [RESULT] = sizeof(uint64_t),
        [SUMS] = opencl->num_items * sizeof(struct bench_sums)};
    struct bench_input source = *input;
    source.side = BENCH_INPUT;
    opencl->input = *input;
    opencl->result = bench_fits_device(&opencl->device->facts, input, 0, opencl->why);
    for (int i = 0; i < NUM_BUFFERS; i++)
        bench_opencl_create(opencl, (enum bench_buffer)i, sizes[i]);
    if (opencl->result > 0) {
        opencl->offsets = bench_offsets(keys->shape, input);
        opencl->result = opencl->offsets ? 1 : -1;
    }
    bench_opencl_write(opencl, OFFSETS, opencl->offsets, sizes[OFFSETS]);
    bench_opencl_fill(opencl, input, KEYS_SOURCE);
    opencl->sums = bench_opencl_look(opencl, &source, KEYS_SOURCE, VALUES_SOURCE);
    opencl->expected = opencl->sums;
    prepare(opencl, keys);
}

static void release(struct bench_opencl *opencl, enum bench_buffer which)
{
    clReleaseMemObject(opencl->buffers[which]);
    opencl->buffers[which] = NULL;
    opencl->sizes[which] = 0;
}

void bench_opencl_reserve_scratch(struct bench_opencl *opencl, uint64_t size)
{
    const uint64_t before = opencl->sizes[SCRATCH];
    if (size <= before)
        return;
    release(opencl, SCRATCH);
    bench_opencl_create(opencl, SCRATCH, size);
    if (opencl->result != 0)
        return;
    release(opencl, SCRATCH);
    opencl->result = 1;
    bench_opencl_create(opencl, SCRATCH, before);
    if (opencl->result == 0)
        message("the earlier sorts' scratch cannot be allocated again: %s", opencl->why);
    opencl->result = opencl->result > 0 ? 0 : -1;
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
void bench_opencl_refresh(struct bench_opencl *opencl, cl_command_queue queue, bool is_elsewhere)
{
    static const enum bench_buffer outputs[] = {KEYS, VALUES, INDICES, RESULT};
    const bool is_in_place = !is_elsewhere && bench_is_sort((enum bench_work)opencl->input.work);
    const cl_uchar none = 0xff;
    for (int i = 0; i < 4; i++) {
        const cl_mem to = opencl->buffers[outputs[i]];
        const size_t size = opencl->sizes[outputs[i]];
        if (is_in_place && i < 2 && size > 0)
            BENCH_TRY(opencl, clEnqueueCopyBuffer, queue, opencl->buffers[KEYS_SOURCE + i], to, 0,
                      0, size, 0, NULL, NULL);
        else if (size > 0)
            BENCH_TRY(opencl, clEnqueueFillBuffer, queue, to, &none, 1, 0, size, 0, NULL, NULL);
    }
    BENCH_TRY(opencl, clFinish, queue);
}

void bench_opencl_check(struct bench_opencl *opencl, bool is_stable)
{
    struct bench_input input = opencl->input;
    struct bench_sums sums = {0, 0, 0};
    const bool has_result = input.work == BENCH_CHECK || input.work == BENCH_RUNS;
    const bool is_of_source = input.index_size > 0 || input.work == BENCH_SEARCH;
    uint64_t found = 0;
    input.is_stable = is_stable;
    if (has_result)
        BENCH_TRY(opencl, clEnqueueReadBuffer, opencl->queue, opencl->buffers[RESULT], CL_TRUE, 0,
                  sizeof found, &found, 0, NULL, NULL);
    if (input.work == BENCH_RUNS)
        input.count = smaller(found, input.count);
    if (input.work != BENCH_CHECK)
        sums = bench_opencl_look(opencl, &input, is_of_source ? KEYS_SOURCE : KEYS, VALUES);
    if (has_result)
        sums.placed = found;
    if (opencl->result > 0)
        opencl->result = bench_check(&opencl->input, &opencl->expected, &sums, opencl->why);
}

/* A command of its own before and after the sort: the time between is the sort's, with the gaps
 * between its commands. */
static cl_event mark(struct bench_opencl *opencl)
{
    const cl_uint zero = 0;
    cl_event event = NULL;
    BENCH_TRY(opencl, clEnqueueFillBuffer, opencl->profiling_queue, opencl->buffers[SUMS], &zero,
              sizeof(zero), 0, sizeof(zero), 0, NULL, &event);
    return event;
}

/* Without it a GPU would idle between the mark and a short sort, until the host has enqueued the
 * sort. */
static void give_head_start(struct bench_opencl *opencl)
{
    const size_t one = 1;
    const cl_uint rounds = BENCH_HEAD_START;
    BENCH_TRY(opencl, clSetKernelArg, opencl->head_start, 0, sizeof(rounds), &rounds);
    BENCH_TRY(opencl, clSetKernelArg, opencl->head_start, 1, sizeof(cl_mem),
              &opencl->buffers[SUMS]);
    BENCH_TRY(opencl, clEnqueueNDRangeKernel, opencl->profiling_queue, opencl->head_start, 1, NULL,
              &one, &one, 0, NULL, NULL);
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

cl_event bench_opencl_start_clock(struct bench_opencl *opencl)
{
    if (opencl->head_start)
        give_head_start(opencl);
    return mark(opencl);
}

cl_int bench_opencl_stop_clock(struct bench_opencl *opencl, cl_event before, double *seconds_ret)
{
    cl_event after = mark(opencl);
    const cl_int code = clFinish(opencl->profiling_queue);
    const bool has_times = before && after && code == CL_SUCCESS;
    *seconds_ret = has_times ? bench_opencl_seconds(before, CL_PROFILING_COMMAND_END, after,
                                                    CL_PROFILING_COMMAND_START)
                             : 0;
    clReleaseEvent(before);
    clReleaseEvent(after);
    return code;
}
