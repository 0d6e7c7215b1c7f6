/* bench_run.c: the device's side of the runs on one input. Each is given fresh data before its time
 * begins and is checked after it ended. The host's times are taken on a plain queue, the device's on
 * a profiling queue, since profiling costs time of its own. */
#include "bench.h"

#include "message.h"

#include <stdio.h>
#include <stdlib.h>

static bool trouble(const char *call, cl_int code)
{
    message_of_opencl(call, code);
    return false;
}

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *seconds, int num_runs, double *best_ret)
{
    if (num_runs == 0)
        return *best_ret = 0;
    qsort(seconds, (size_t)num_runs, sizeof(*seconds), compare_seconds);
    *best_ret = seconds[0];
    const int middle = num_runs / 2;
    return num_runs % 2 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
}

void bench_run_init(struct bench_run *run, const struct bench *bench, const struct bench_data *data,
                    struct bench_output *output)
{
    const size_t keys = data->keys.size;
    const size_t values = data->values.size;
    *run = (struct bench_run){.bench = bench,
                              .data = data,
                              .output = output,
                              .sizes = {[KEYS_SOURCE] = keys,
                                        [VALUES_SOURCE] = values,
                                        [KEYS] = keys,
                                        [VALUES] = values,
                                        [INDICES] = data->count * bench->options.index_size}};
}

bool bench_run_fits(const struct bench_run *run, uint64_t scratch_size, char *note,
                    size_t note_size)
{
    const struct device_facts *facts = &run->bench->device.facts;
    char need[SIZE_TEXT], have[SIZE_TEXT];
    cl_ulong all = 0;
    for (int i = 0; i < NUM_BUFFERS; i++) {
        const cl_ulong size = i == SCRATCH ? scratch_size : run->sizes[i];
        all += size;
        if (size > facts->max_alloc) {
            snprintf(note, note_size, "needs a buffer of %s, the largest is %s",
                     size_text(size, need), size_text(facts->max_alloc, have));
            return false;
        }
    }
    if (all > facts->memory) {
        snprintf(note, note_size, "needs %s, the device has %s", size_text(all, need),
                 size_text(facts->memory, have));
        return false;
    }
    return true;
}

bool bench_run_create(struct bench_run *run, uint64_t scratch_size)
{
    const struct device *device = &run->bench->device;
    const void *from[NUM_BUFFERS] = {
        [KEYS_SOURCE] = run->data->keys.data, [VALUES_SOURCE] = run->data->values.data};
    run->sizes[SCRATCH] = scratch_size;
    for (int i = 0; i < NUM_BUFFERS; i++) {
        cl_int code;
        if (run->sizes[i] == 0)
            continue;
        run->buffers[i] =
            clCreateBuffer(device->context, CL_MEM_READ_WRITE, run->sizes[i], NULL, &code);
        if (code != CL_SUCCESS)
            return trouble("clCreateBuffer", code);
        if (!from[i])
            continue;
        code = clEnqueueWriteBuffer(device->queue, run->buffers[i], CL_TRUE, 0, run->sizes[i],
                                    from[i], 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return trouble("clEnqueueWriteBuffer", code);
    }
    return true;
}

void bench_run_destroy(struct bench_run *run)
{
    for (int i = 0; i < NUM_BUFFERS; i++) {
        if (run->buffers[i])
            clReleaseMemObject(run->buffers[i]);
    }
}

static bool refresh(struct bench_run *run, cl_command_queue queue)
{
    /* No index: what the last run has left cannot pass for this one's. */
    const cl_uchar none = 0xff;
    cl_int code = clEnqueueCopyBuffer(queue, run->buffers[KEYS_SOURCE], run->buffers[KEYS], 0, 0,
                                      run->sizes[KEYS], 0, NULL, NULL);
    if (code == CL_SUCCESS && run->sizes[VALUES] > 0)
        code = clEnqueueCopyBuffer(queue, run->buffers[VALUES_SOURCE], run->buffers[VALUES], 0, 0,
                                   run->sizes[VALUES], 0, NULL, NULL);
    if (code == CL_SUCCESS && run->sizes[INDICES] > 0)
        code = clEnqueueFillBuffer(queue, run->buffers[INDICES], &none, 1, 0, run->sizes[INDICES],
                                   0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clFinish(queue);
    return code == CL_SUCCESS || trouble("clEnqueueCopyBuffer", code);
}

static bool is_right(struct bench_run *run, const clsort_desc *desc, cl_command_queue queue)
{
    const enum bench_buffer first = desc->index_size ? INDICES : KEYS;
    struct bench_output *output = run->output;
    cl_int code = clEnqueueReadBuffer(queue, run->buffers[first], CL_TRUE, 0, run->sizes[first],
                                      output->keys.data, 0, NULL, NULL);
    if (code == CL_SUCCESS && run->sizes[VALUES] > 0)
        code = clEnqueueReadBuffer(queue, run->buffers[VALUES], CL_TRUE, 0, run->sizes[VALUES],
                                   output->values.data, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return trouble("clEnqueueReadBuffer", code);
    return bench_data_check(run->data, output->keys.data, output->values.data, desc->index_size,
                            clsort_algorithm_name(desc->algorithm));
}

bool bench_run_once(struct bench_run *run, const clsort_desc *desc, uint64_t scratch_size,
                    cl_command_queue queue, double *seconds_ret)
{
    clsort_sorter *sorter = run->bench->device.sorter;
    const clsort_buffers buffers = {.keys = {.mem = run->buffers[KEYS]},
                                    .values = {.mem = run->buffers[VALUES]},
                                    .indices = {.mem = run->buffers[INDICES]},
                                    .scratch = {.mem = scratch_size > 0 ? run->buffers[SCRATCH]
                                                                        : NULL}};
    if (!refresh(run, queue))
        return false;
    const double start = seconds_now();
    const clsort_status status = clsort_enqueue(sorter, queue, desc, &buffers, 0, NULL, NULL);
    const cl_int code = status ? CL_SUCCESS : clFinish(queue);
    *seconds_ret = seconds_now() - start;
    if (status) {
        message_of_status(status, sorter);
        return false;
    }
    if (code != CL_SUCCESS)
        return trouble("clFinish", code);
    return is_right(run, desc, queue);
}

bool bench_run_on_device_clock(struct bench_run *run, const clsort_desc *desc,
                               uint64_t scratch_size, double *seconds, struct bench_row *row)
{
    clsort_sorter *sorter = run->bench->device.sorter;
    double *step_seconds = calloc(row->num_steps + 1, sizeof(*step_seconds));
    if (!step_seconds) {
        message("out of memory");
        return false;
    }
    int num_runs = 0;
    bool ok = true;
    clsort_set_timing(sorter, 1);
    /* One run where the driver reports no times. */
    for (int i = 0; i < row->num_runs && num_runs == i; i++) {
        double unused;
        uint32_t num_steps = 0;
        ok = bench_run_once(run, desc, scratch_size, run->bench->profiling_queue, &unused);
        if (!ok || clsort_get_timing(sorter, step_seconds, row->num_steps, &num_steps) != CLSORT_OK)
            break;
        double sum = 0;
        for (uint32_t step = 0; step < num_steps && step < row->num_steps; step++)
            sum += step_seconds[step];
        if (sum > 0)
            seconds[num_runs++] = sum;
    }
    clsort_set_timing(sorter, 0);
    free(step_seconds);
    if (ok)
        row->device_median = bench_median(seconds, num_runs, &row->device_best);
    return ok;
}
