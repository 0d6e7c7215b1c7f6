/* bench_run.c: one row: the same sort some times on a plain queue for the host's times, and some
 * times on a profiling queue for the device's, since profiling costs time of its own. Each run is
 * given fresh data before its time begins and is checked after it ended. */
#include "bench.h"

#include "message.h"
#include "verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum buffer { KEYS_SOURCE, VALUES_SOURCE, KEYS, VALUES, INDICES, SCRATCH, NUM_BUFFERS };

struct run {
    const struct bench *bench;
    const struct bench_data *data;
    const clsort_desc *desc;
    cl_mem buffers[NUM_BUFFERS];
    size_t sizes[NUM_BUFFERS];
    struct bytes output; /* keys or indices */
    struct bytes output_values;
};

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

/* Whether the row's buffers fit, with the reason where not. */
static bool fits(const struct run *run, char *note, size_t note_size)
{
    const struct device_facts *facts = &run->bench->device.facts;
    char need[SIZE_TEXT], have[SIZE_TEXT];
    cl_ulong all = 0;
    for (int i = 0; i < NUM_BUFFERS; i++) {
        all += run->sizes[i];
        if (run->sizes[i] > facts->max_alloc) {
            snprintf(note, note_size, "needs a buffer of %s, the largest is %s",
                     size_text(run->sizes[i], need), size_text(facts->max_alloc, have));
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

static bool create(struct run *run)
{
    const struct device *device = &run->bench->device;
    const void *from[NUM_BUFFERS] = {
        [KEYS_SOURCE] = run->data->keys.data, [VALUES_SOURCE] = run->data->values.data};
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
    run->output.size = run->desc->index_size ? run->sizes[INDICES] : run->sizes[KEYS];
    run->output_values.size = run->sizes[VALUES];
    return bytes_reserve(&run->output, run->output.size) &&
           bytes_reserve(&run->output_values, run->output_values.size);
}

static void destroy(struct run *run)
{
    for (int i = 0; i < NUM_BUFFERS; i++) {
        if (run->buffers[i])
            clReleaseMemObject(run->buffers[i]);
    }
    bytes_free(&run->output);
    bytes_free(&run->output_values);
}

static bool refresh(struct run *run, cl_command_queue queue)
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

static bool is_right(struct run *run, cl_command_queue queue)
{
    const clsort_desc *desc = run->desc;
    const struct bench_data *data = run->data;
    cl_int code =
        clEnqueueReadBuffer(queue, run->buffers[desc->index_size ? INDICES : KEYS], CL_TRUE, 0,
                            run->output.size, run->output.data, 0, NULL, NULL);
    if (code == CL_SUCCESS && run->sizes[VALUES] > 0)
        code = clEnqueueReadBuffer(queue, run->buffers[VALUES], CL_TRUE, 0, run->sizes[VALUES],
                                   run->output_values.data, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return trouble("clEnqueueReadBuffer", code);

    const char *wrong = NULL;
    uint64_t position;
    if (desc->index_size > 0) {
        if (!verify_indices(desc->type, desc->order, data->keys.data, run->output.data,
                            desc->index_size, desc->count, &position))
            wrong = "the indices are wrong";
    } else if (find_disorder(desc->type, desc->order, run->output.data, desc->count) !=
               desc->count) {
        wrong = "the output is not in order";
    } else if (multiset_hash(run->output.data, clsort_type_size(desc->type),
                             run->output_values.data, desc->value_size,
                             desc->count) != data->hash) {
        wrong = "the output is not a permutation of the input";
    }
    if (wrong)
        message("%s on %" PRIu64 " keys of %s: %s", clsort_algorithm_name(desc->algorithm),
                desc->count, clsort_type_name(desc->type), wrong);
    return !wrong;
}

static bool run_once(struct run *run, cl_command_queue queue, double *seconds_ret)
{
    const clsort_buffers buffers = {.keys = {.mem = run->buffers[KEYS]},
                                    .values = {.mem = run->buffers[VALUES]},
                                    .indices = {.mem = run->buffers[INDICES]},
                                    .scratch = {.mem = run->buffers[SCRATCH]}};
    if (!refresh(run, queue))
        return false;
    const double start = seconds_now();
    const clsort_status status =
        clsort_enqueue(run->bench->device.sorter, queue, run->desc, &buffers, 0, NULL, NULL);
    const cl_int code = status ? CL_SUCCESS : clFinish(queue);
    *seconds_ret = seconds_now() - start;
    if (status) {
        message_of_status(status, run->bench->device.sorter);
        return false;
    }
    if (code != CL_SUCCESS)
        return trouble("clFinish", code);
    return is_right(run, queue);
}

/* The first run warms up and is not counted: some drivers compile only then. */
static bool run_on_host_clock(struct run *run, double *seconds, struct bench_row *row)
{
    const struct bench_options *options = &run->bench->options;
    double last;
    double total = 0;
    if (!run_once(run, run->bench->device.queue, &last))
        return false;
    do {
        if (!run_once(run, run->bench->device.queue, &last))
            return false;
        seconds[row->num_runs++] = last;
        total += last;
    } while (row->num_runs < options->repeat && total + last < options->row_seconds);
    row->host_median = bench_median(seconds, row->num_runs, &row->host_best);
    return true;
}

/* As many runs as on the host's clock, or one where the driver reports no times. */
static bool run_on_device_clock(struct run *run, double *seconds, double *step_seconds,
                                struct bench_row *row)
{
    clsort_sorter *sorter = run->bench->device.sorter;
    int num_runs = 0;
    bool ok = true;
    clsort_set_timing(sorter, 1);
    for (int i = 0; i < row->num_runs && ok && num_runs == i; i++) {
        double unused;
        uint32_t num_steps = 0;
        ok = run_once(run, run->bench->profiling_queue, &unused);
        if (!ok || clsort_get_timing(sorter, step_seconds, row->num_steps, &num_steps) != CLSORT_OK)
            break;
        double sum = 0;
        for (uint32_t step = 0; step < num_steps && step < row->num_steps; step++)
            sum += step_seconds[step];
        if (sum > 0)
            seconds[num_runs++] = sum;
    }
    clsort_set_timing(sorter, 0);
    if (ok)
        row->device_median = bench_median(seconds, num_runs, &row->device_best);
    return ok;
}

static bool measure(struct run *run, struct bench_row *row)
{
    double *seconds = calloc((size_t)run->bench->options.repeat, sizeof(*seconds));
    double *step_seconds = calloc(row->num_steps + 1, sizeof(*step_seconds));
    bool ok = seconds && step_seconds;
    if (!ok)
        message("out of memory");
    ok = ok && create(run) && run_on_host_clock(run, seconds, row) &&
         run_on_device_clock(run, seconds, step_seconds, row);
    free(seconds);
    free(step_seconds);
    destroy(run);
    return ok;
}

bool bench_run_row(struct bench *bench, const struct bench_data *data, const clsort_desc *desc,
                   const clsort_plan *plan, double expected, struct bench_row *row)
{
    row->chosen = clsort_algorithm_name(plan->algorithm);
    row->num_steps = plan->num_steps;
    row->bytes_moved = plan->bytes_read + plan->bytes_written;
    const size_t keys = data->keys.size;
    const size_t values = data->values.size;
    struct run run = {.bench = bench,
                      .data = data,
                      .desc = desc,
                      .sizes = {[KEYS_SOURCE] = keys,
                                [VALUES_SOURCE] = values,
                                [KEYS] = keys,
                                [VALUES] = values,
                                [INDICES] = desc->count * desc->index_size,
                                [SCRATCH] = plan->scratch_size}};
    if (!fits(&run, row->note, sizeof(row->note)))
        return true;
    if (expected > bench->options.row_seconds) {
        snprintf(row->note, sizeof(row->note),
                 "would take about %.3g s a run; --row-seconds allows %.3g s", expected,
                 bench->options.row_seconds);
        return true;
    }

    clsort_status status = clsort_prepare(bench->device.sorter, desc);
    if (status) {
        message_of_status(status, bench->device.sorter);
        return false;
    }
    if (!measure(&run, row))
        return false;
    const double seconds = row->device_median > 0 ? row->device_median : row->host_median;
    if (bench->copy_rate > 0 && seconds > 0)
        row->copy_share = (double)row->bytes_moved / seconds / bench->copy_rate;
    return true;
}
