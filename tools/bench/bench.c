/* bench.c: 'clsort bench': the combinations, one input behind the other. */
#include "bench/bench.h"

#include "cli/command.h"
#include "cli/message.h"
#include "cli/options.h"
#include "io/output.h"
#include "io/paths.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>

/* Larger than every cache of today's devices; smaller where memory is short, and for rows that are
 * too small to come near the bandwidth. */
enum { COPY_SIZE = 256 << 20, LEAST_COPY_SIZE = 4 << 20, COPIES_OF_A_ROW = 64, NUM_COPIES = 5 };

static cl_ulong copy_size(const struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    const struct device_facts *facts = &bench->device.facts;
    cl_ulong size = LEAST_COPY_SIZE;
    for (int i = 0; i < options->num[LIST_COUNTS]; i++) {
        const uint64_t row = options->counts[i] * COPIES_OF_A_ROW * sizeof(cl_uint);
        size = row > size ? smaller(row, COPY_SIZE) : size;
    }
    return smaller(smaller(size, facts->max_alloc), facts->memory / 8);
}

/* Seconds of a copy of one buffer to another; 0 after a message. */
static double copy_once(struct bench_opencl *opencl)
{
    cl_event event;
    const double start = seconds_now();
    cl_int code =
        clEnqueueCopyBuffer(opencl->profiling_queue, opencl->buffers[KEYS_SOURCE],
                            opencl->buffers[KEYS], 0, 0, opencl->sizes[KEYS], 0, NULL, &event);
    if (code == CL_SUCCESS)
        code = clWaitForEvents(1, &event);
    if (code != CL_SUCCESS) {
        message_of_opencl("clEnqueueCopyBuffer", code);
        opencl->result = -1;
        return 0;
    }
    const double on_host = seconds_now() - start;
    const double on_device =
        bench_opencl_seconds(event, CL_PROFILING_COMMAND_START, event, CL_PROFILING_COMMAND_END);
    clReleaseEvent(event);
    return on_device > 0 ? on_device : on_host;
}

/* The bandwidth of clEnqueueCopyBuffer(), to hold a sort's traffic against. */
static bool measure_copy(struct bench *bench)
{
    struct bench_opencl *opencl = &bench->opencl;
    const cl_ulong size = copy_size(bench);
    double best = 0;
    progress_stage("measuring the copy bandwidth", 0);
    bench_opencl_create(opencl, KEYS_SOURCE, size);
    bench_opencl_create(opencl, KEYS, size);

    /* Pages that were never written may not be there, and are then copied faster than memory. */
    const cl_uchar pattern = 0x5a;
    BENCH_TRY(opencl, clEnqueueFillBuffer, opencl->profiling_queue, opencl->buffers[KEYS_SOURCE],
              &pattern, 1, 0, size, 0, NULL, NULL);
    for (int i = 0; i <= NUM_COPIES && opencl->result > 0; i++) {
        const double seconds = copy_once(opencl);
        if (i > 0 && (best == 0 || seconds < best))
            best = seconds;
    }
    bench_opencl_end(opencl);
    if (opencl->result == 0)
        message("the copy bandwidth cannot be measured: %s", opencl->why);
    bench->copy_rate = best > 0 ? 2 * (double)size / best : 0;
    return opencl->result > 0;
}

struct bench_combination bench_combine(const struct bench_options *options,
                                       const struct device_facts *facts, int i)
{
    const int count = i % options->num[LIST_COUNTS];
    const int distribution = i / options->num[LIST_COUNTS] % options->num[LIST_DISTRIBUTIONS];
    const int place = i / (options->num[LIST_COUNTS] * options->num[LIST_DISTRIBUTIONS]);
    struct bench_combination made = {.place = place,
                                     .type = options->types[place / options->num_shapes],
                                     .shape = &options->shapes[place % options->num_shapes]};
    struct bench_input *input = &made.input;
    *input = bench_input_make(made.type, options->counts[count],
                              options->distributions[distribution], options->seed);
    const bool is_told = options->is_stable || made.shape->work == BENCH_TOP;
    input->has_places = is_told && input->value_size > 0 && input->value_size % 4 == 0 &&
                        input->count <= UINT32_MAX;
    input->is_stable = options->is_stable && input->has_places;
    if (bench_shape_input(facts, made.shape, options->index_size, input, made.note))
        *made.note = '\0';
    return made;
}

static bool open_bench(struct bench *bench)
{
    if (!device_open(&bench->device, bench->options.device) ||
        !bench_opencl_open(&bench->opencl, &bench->device))
        return false;
    bench_build_own(&bench->own);
    bench->own.sorter = bench->device.sorter;
    if (!bench_load_sorts(bench) || !bench_has_room(bench) || !measure_copy(bench))
        return false;
    const struct bench_options *options = &bench->options;
    const int num = options->num[LIST_TYPES] * options->num_shapes *
                    options->num[LIST_DISTRIBUTIONS] * options->num[LIST_COUNTS];
    const size_t num_rows = (size_t)num * (size_t)bench->num_sorts;
    bench->combinations = zeroed((size_t)num, sizeof(*bench->combinations));
    bench->rows = zeroed(num_rows, sizeof(*bench->rows));
    bench->runs = zeroed(num_rows * options->repeat, BENCH_NUM_TIMES * sizeof(*bench->runs));
    for (int i = 0; bench->combinations && i < num; i++)
        bench->combinations[i] = bench_combine(options, &bench->device.facts, i);
    bench->num_combinations = num;
    return bench->combinations && bench->rows && bench->runs;
}

static void close_bench(struct bench *bench)
{
    bench_opencl_close(&bench->opencl);
    if (bench->old.sorter)
        bench->old.destroy(bench->old.sorter);
    device_close(&bench->device);
    free(bench->runs);
    free(bench->rows);
    free(bench->combinations);
}

/* What a sort of that many keys counts in the progress: by the time that the rows of an input take
 * at most, in milliseconds, whatever sorts them. */
static uint64_t progress_of(const struct bench_options *options, uint64_t count)
{
    static const double least = 2, of_key = 2e-5;
    const double one = least + of_key * (double)count, most = 3e3 * options->row_seconds;
    const double all = 2 * (1 + (double)options->repeat) * one;
    return (uint64_t)(all < most ? all : most);
}

static bool run_all(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    uint64_t total = 0;
    for (int i = 0; i < bench->num_combinations; i++)
        total += progress_of(options, bench->combinations[i].input.count);
    progress_stage("measuring", total);
    for (int i = 0; i < bench->num_combinations; i++) {
        const struct bench_combination *keys = &bench->combinations[i];
        bench->progress_size = progress_of(options, keys->input.count);
        /* If nobody reads the output any more, the end of the program says so. */
        if (!bench_measure(bench, keys) || ferror(stdout))
            return false;
        bench->progress_begin += bench->progress_size;
        progress_done(bench->progress_begin);
    }
    return true;
}

int bench_command(int argc, char **argv, bool is_developers)
{
    static struct bench bench;
    const struct bench_options *options = &bench.options;
    const int status = bench_parse(argc, argv, is_developers, &bench.options);
    if (status != GO_ON)
        return status;
    if (options->is_first_call)
        return bench_first_call(options);
    if (options->csv && options->json && path_is_same_output(options->csv, options->json)) {
        message("--csv and --json %s: both go to the same file; each needs its own", options->json);
        return EXIT_TROUBLE;
    }

    output_try(options->csv);
    output_try(options->json);
    bool ok = open_bench(&bench);
    if (ok) {
        bench_print_head(&bench);
        ok = run_all(&bench) && bench_print_plans(&bench);
        if (ok)
            bench_print_end(&bench);
        if (ok && options->csv)
            bench_write_report(&bench, options->csv, false);
        if (ok && options->json)
            bench_write_report(&bench, options->json, true);
    }
    progress_end();
    close_bench(&bench);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}

int command_bench(int argc, char **argv)
{
    return bench_command(argc, argv, false);
}
