/* bench.c: 'clsort bench': the combinations, one row behind the other. */
#include "bench.h"

#include "command.h"
#include "message.h"
#include "options.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>

static bool open_bench(struct bench *bench)
{
    if (!bench_open_timed(&bench->options, &bench->device, &bench->first_call))
        return false;
    cl_int code;
    bench->profiling_queue = clCreateCommandQueue(bench->device.context, bench->device.id,
                                                  CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS) {
        bench->profiling_queue = NULL;
        message_of_opencl("clCreateCommandQueue", code);
        return false;
    }
    return bench_measure_copy(bench);
}

static void close_bench(struct bench *bench)
{
    if (bench->profiling_queue)
        clReleaseCommandQueue(bench->profiling_queue);
    device_close(&bench->device);
    free(bench->rows);
}

struct bench_row *bench_add_row(struct bench *bench, struct bench_type type, uint64_t count,
                                enum distribution distribution, const char *method)
{
    if (bench->num_rows == bench->capacity) {
        const int capacity = bench->capacity ? 2 * bench->capacity : 64;
        struct bench_row *rows = realloc(bench->rows, (size_t)capacity * sizeof(*rows));
        if (!rows) {
            message("out of memory");
            return NULL;
        }
        bench->rows = rows;
        bench->capacity = capacity;
    }
    struct bench_row *row = &bench->rows[bench->num_rows++];
    *row = (struct bench_row){
        .count = count, .type = type, .distribution = distribution, .method = method, .chosen = ""};
    return row;
}

/* Rows for data that cannot be had, with the reason. */
static bool skip_data(struct bench *bench, struct bench_type type, enum distribution distribution,
                      uint64_t count, const char *note)
{
    for (int i = 0; i < bench->options.num_algorithms; i++) {
        const char *name = clsort_algorithm_name(bench->options.algorithms[i]);
        struct bench_row *row = bench_add_row(bench, type, count, distribution, name);
        if (!row)
            return false;
        snprintf(row->note, sizeof(row->note), "%s", note);
        bench_print_row(bench, row);
    }
    return true;
}

/* All that is measured on the same data. */
static bool run_data(struct bench *bench, struct bench_type type, enum distribution distribution,
                     uint64_t count, struct bench_experience *experience)
{
    const struct bench_options *options = &bench->options;
    /* Pairs are joined for the opponents. */
    const int num_copies = options->has_opponents && type.value_size > 0 ? 2 : 1;
    struct bench_data data;
    char note[sizeof(bench->rows->note)];
    if (!bench_data_fits(&bench->device.facts, type.key, count, type.value_size, num_copies, note,
                         sizeof(note)))
        return skip_data(bench, type, distribution, count, note);
    if (!bench_data_make(&data, type.key, distribution, count, type.value_size, options->seed))
        return false;
    const bool ok = bench_measure(bench, &data, distribution, experience);
    bench_data_free(&data);
    return ok;
}

static bool run_all(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    const int num_data = options->num_types * options->num_distributions * options->num_counts;
    progress_stage("measuring", (uint64_t)num_data);
    for (int i = 0; i < num_data; i++) {
        const int type = i / (options->num_distributions * options->num_counts);
        const enum distribution distribution =
            options->distributions[i / options->num_counts % options->num_distributions];
        static struct bench_experience experience[MAX_LIST][CLSORT_NUM_ALGORITHMS];
        if (!run_data(bench, options->types[type], distribution,
                      options->counts[i % options->num_counts], experience[type]))
            return false;
        /* Nobody reads on: the end of the program says so. */
        if (ferror(stdout))
            return false;
        progress_done((uint64_t)i + 1);
    }
    return true;
}

static bool write_files(const struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    return (!options->csv || bench_write_csv(bench)) &&
           (!options->json || bench_write_json(bench)) &&
           (!options->plot || bench_write_plot(bench));
}

int command_bench(int argc, char **argv)
{
    struct bench bench = {0};
    const int parsed = bench_parse(argc, argv, &bench.options);
    if (parsed != 0)
        return parsed - 1;
    if (bench.options.is_first_call_child)
        return bench_first_call_child(&bench.options);
    if (bench.options.is_first_call)
        return bench_first_call(&bench.options);
    if (!has_check("'clsort bench', which checks every output,"))
        return EXIT_TROUBLE;
    if (bench.options.plot && !bench_plot_is_possible())
        return EXIT_TROUBLE;

    bool ok = open_bench(&bench);
    if (ok) {
        bench_print_head(&bench);
        ok = run_all(&bench);
        progress_end();
        ok = ok && write_files(&bench);
    }
    progress_end();
    close_bench(&bench);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
