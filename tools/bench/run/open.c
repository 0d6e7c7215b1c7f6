/* open.c: the device, and the first sort of this process. */
#include "bench/bench.h"

#include "cli/message.h"
#include "cli/progress.h"
#include "io/bytes.h"
#include "io/calls.h"

#include <sys/stat.h>

/* A first sort of more keys would take longer than the first row may. */
enum { FIRST_KEYS = 1 << 14 };

/* As many keys of a count as are sorted first: in whole rows, and of --first-call all. */
static uint64_t first_keys(const struct bench_options *options, const struct bench_shape *shape,
                           uint64_t count)
{
    if (options->is_first_call || count <= FIRST_KEYS)
        return count;
    return shape->layout == BENCH_ROWS ? FIRST_KEYS - FIRST_KEYS % shape->length : FIRST_KEYS;
}

/* The i-th combination of an algorithm and a count; false, and why says why, where they do not go
 * together. */
static bool combine(const struct bench_options *options, const struct device *device,
                    const struct bench_shape *shape, int i, clsort_desc *desc,
                    struct bench_input *input, char why[BENCH_WHY])
{
    const struct bench_type type = options->types[0];
    const uint64_t count = first_keys(options, shape, options->counts[i % options->num_counts]);
    clsort_plan plan;
    if (count == 0)
        return bench_refuse(why, "a row has too many keys for a first sort");
    *input = bench_input_make(type, count, BENCH_RANDOM, options->seed);
    if (!bench_shape_input(&device->facts, shape, options->index_size, input, why))
        return false;
    *desc = bench_desc(options, type, options->algorithms[i / options->num_counts], input);
    const clsort_status status = clsort_get_plan(device->sorter, desc, &plan, NULL, 0);
    return status ? bench_refuse(why, clsort_status_text(status))
                  : bench_fits_device(&device->facts, input, plan.scratch_size, why);
}

/* The first combination of the lists that can be sorted, or of --first-call the first one. */
static bool choose(const struct bench_options *options, const struct device *device,
                   const struct bench_shape *shape, clsort_desc *desc, struct bench_input *input)
{
    const int num = options->is_first_call ? 1 : options->num_algorithms * options->num_counts;
    char why[BENCH_WHY];
    for (int i = 0; i < num; i++) {
        if (combine(options, device, shape, i, desc, input, why))
            return true;
    }
    if (options->is_first_call)
        message("the first of each list do not go together: %s", why);
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
    if (code != CL_SUCCESS)
        message_of_opencl("clFinish", code);
    return device_succeeded(status, device->sorter) && code == CL_SUCCESS;
}

/* Gives the sorter what an earlier process has compiled. */
static bool load_programs(clsort_sorter *sorter, int file)
{
    struct bytes bytes = {0};
    struct stat status;
    uint32_t num = 0;
    bool ok = fstat(file, &status) == 0 && bytes_reserve(&bytes, (uint64_t)status.st_size) &&
              call_read_at(file, bytes.data, (size_t)status.st_size, 0) == status.st_size;
    ok = ok && !clsort_load_programs(sorter, bytes.data, (size_t)status.st_size, &num) && num > 0;
    bytes_free(&bytes);
    if (!ok)
        message("the programs that an earlier process has compiled cannot be loaded");
    return ok;
}

static bool prepare_and_sort(const struct bench_options *options, struct bench_opencl *opencl,
                             const clsort_desc *desc, const struct bench_input *input,
                             const struct bench_shape *shape, struct first_call *times_ret)
{
    char why[BENCH_WHY];
    const double start = seconds_now();
    if (options->programs && !load_programs(opencl->device->sorter, options->programs))
        return false;
    const clsort_status status = clsort_prepare(opencl->device->sorter, desc);
    times_ret->prepare = seconds_now() - start;
    if (!device_succeeded(status, opencl->device->sorter))
        return false;
    int result = bench_opencl_begin(opencl, input, options->types[0], shape, why);
    if (result > 0)
        result = bench_opencl_refresh(opencl, opencl->device->queue, desc->out_of_place != 0, why);
    if (result == 0)
        message("the first sort: %s", why);
    const bool ok = result > 0 && sort_once(opencl, desc, &times_ret->sort);
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
        return !options->is_first_call;
    times_ret->count = input.count;
    times_ret->algorithm = desc.algorithm;
    return prepare_and_sort(options, opencl, &desc, &input, shape, times_ret);
}
