/* bench_open.c: the device, and the first sort of this process. */
#include "bench.h"

#include "message.h"
#include "progress.h"

/* The first algorithm and count of the lists that go together. */
static bool choose(const struct bench_options *options, const struct device *device,
                   const struct bench_shape *shape, clsort_desc *desc, struct bench_input *input)
{
    const struct bench_type type = options->types[0];
    for (int i = 0; i < options->num_algorithms * options->num_counts; i++) {
        const clsort_algorithm algorithm = options->algorithms[i / options->num_counts];
        const uint64_t count = options->counts[i % options->num_counts];
        clsort_plan plan;
        char note[BENCH_NOTE];
        *input = bench_input_make(type, count, BENCH_RANDOM, options->seed);
        if (!bench_shape_input(&device->facts, shape, options->index_size, input, note))
            continue;
        *desc = bench_desc(options, type, algorithm, input);
        if (clsort_get_plan(device->sorter, desc, &plan, NULL, 0) == CLSORT_OK &&
            bench_fits_device(&device->facts, input, plan.scratch_size, note))
            return true;
    }
    return false;
}

static bool sort_once(const struct bench_opencl *opencl, const clsort_desc *desc,
                      double *seconds_ret)
{
    const struct device *device = opencl->device;
    const clsort_buffers buffers = bench_buffers(opencl, desc);
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

static bool prepare_and_sort(struct bench_opencl *opencl, const clsort_desc *desc,
                             const struct bench_input *input, const struct bench_shape *shape,
                             struct first_call *times_ret)
{
    char why[BENCH_WHY];
    const double start = seconds_now();
    const clsort_status status = clsort_prepare(opencl->device->sorter, desc);
    times_ret->prepare = seconds_now() - start;
    if (status) {
        message_of_status(status, opencl->device->sorter);
        return false;
    }
    const int result = bench_opencl_begin(opencl, input, shape, why);
    if (result == 0)
        message("the first sort: %s", why);
    const bool ok = result > 0 && bench_opencl_refresh(opencl, opencl->device->queue, why) > 0 &&
                    sort_once(opencl, desc, &times_ret->sort);
    bench_opencl_end(opencl);
    return ok;
}

bool bench_open_timed(const struct bench_options *options, struct device *device,
                      struct bench_opencl *opencl, struct first_call *times_ret)
{
    progress_stage("the first sort", 0);
    *times_ret = (struct first_call){0};
    const double start = seconds_now();
    if (!device_open(device, options->device))
        return false;
    times_ret->create = seconds_now() - start;

    /* Keys in order are the library's, which would have sorted before. */
    static const struct bench_shape plain;
    const enum bench_work work = options->shapes[0].work;
    const struct bench_shape *shape =
        work == BENCH_SORT || work == BENCH_SEGMENTS ? &options->shapes[0] : &plain;
    clsort_desc desc;
    struct bench_input input;
    if (!bench_opencl_open(opencl, device))
        return false;
    if (!choose(options, device, shape, &desc, &input))
        return true;
    times_ret->count = input.count;
    times_ret->algorithm = desc.algorithm;
    return prepare_and_sort(opencl, &desc, &input, shape, times_ret);
}
