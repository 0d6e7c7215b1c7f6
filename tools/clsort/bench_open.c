/* bench_open.c: the device, and the first sort of this process. */
#include "bench.h"

#include "message.h"
#include "progress.h"

static bool first_sort(const struct device *device, const clsort_desc *desc, cl_mem keys,
                       cl_mem values, cl_mem indices, double *seconds_ret)
{
    const clsort_buffers buffers = {.keys = {.mem = keys},
                                    .values = {.mem = values},
                                    .indices = {.mem = indices}};
    const double start = seconds_now();
    const clsort_status status =
        clsort_enqueue(device->sorter, device->queue, desc, &buffers, 0, NULL, NULL);
    const cl_int code = status ? CL_SUCCESS : clFinish(device->queue);
    *seconds_ret = seconds_now() - start;
    if (status)
        message_of_status(status, device->sorter);
    else if (code != CL_SUCCESS)
        message_of_opencl("clFinish", code);
    return !status && code == CL_SUCCESS;
}

static bool sort_once(const struct device *device, const clsort_desc *desc,
                      const struct bench_data *data, double *seconds_ret)
{
    const size_t sizes[] = {data->keys.size, data->values.size, desc->count * desc->index_size};
    void *const from[] = {data->keys.data, data->values.data, NULL};
    cl_mem buffers[3] = {NULL, NULL, NULL};
    cl_int code = CL_SUCCESS;
    for (int i = 0; i < 3 && code == CL_SUCCESS; i++) {
        if (sizes[i] > 0)
            buffers[i] = clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizes[i], NULL, &code);
        if (sizes[i] > 0 && from[i] && code == CL_SUCCESS)
            code = clEnqueueWriteBuffer(device->queue, buffers[i], CL_TRUE, 0, sizes[i], from[i], 0,
                                        NULL, NULL);
    }
    if (code != CL_SUCCESS)
        message_of_opencl("clEnqueueWriteBuffer", code);
    const bool ok = code == CL_SUCCESS &&
                    first_sort(device, desc, buffers[0], buffers[1], buffers[2], seconds_ret);
    for (int i = 0; i < 3; i++) {
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    }
    return ok;
}

/* The first algorithm and count of the lists that go together. */
static bool choose(const struct bench_options *options, const struct device *device,
                   clsort_desc *desc, struct bench_input *input)
{
    const struct bench_type type = options->types[0];
    for (int i = 0; i < options->num_algorithms * options->num_counts; i++) {
        const clsort_algorithm algorithm = options->algorithms[i / options->num_counts];
        const uint64_t count = options->counts[i % options->num_counts];
        clsort_plan plan;
        char note[BENCH_NOTE];
        *desc = bench_desc(options, type, algorithm, count);
        *input = bench_input_make(type, count, BENCH_RANDOM, options->seed);
        input->index_size = desc->index_size;
        if (clsort_get_plan(device->sorter, desc, &plan, NULL, 0) == CLSORT_OK &&
            bench_fits_device(&device->facts, input, plan.scratch_size, note) &&
            bench_fits_host(input, 1, note))
            return true;
    }
    return false;
}

static bool prepare_and_sort(const struct device *device, const clsort_desc *desc,
                             const struct bench_input *input, struct first_call *times_ret)
{
    struct bench_data data;
    if (!bench_data_make(&data, input))
        return false;
    const double start = seconds_now();
    const clsort_status status = clsort_prepare(device->sorter, desc);
    times_ret->prepare = seconds_now() - start;
    if (status)
        message_of_status(status, device->sorter);
    const bool ok = !status && sort_once(device, desc, &data, &times_ret->sort);
    bench_data_free(&data);
    return ok;
}

bool bench_open_timed(const struct bench_options *options, struct device *device,
                      struct first_call *times_ret)
{
    progress_stage("the first sort", 0);
    *times_ret = (struct first_call){0};
    const double start = seconds_now();
    if (!device_open(device, options->device))
        return false;
    times_ret->create = seconds_now() - start;

    clsort_desc desc;
    struct bench_input input;
    if (!choose(options, device, &desc, &input) ||
        prepare_and_sort(device, &desc, &input, times_ret))
        return true;
    device_close(device);
    return false;
}
