/* bench.c: 'clsort bench': the combinations, one row behind the other. */
#include "bench.h"

#include "command.h"
#include "message.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>

/* The last measured row of each algorithm and type, to tell what a larger one would take. A shorter
 * one is mostly launches, and tells nothing. */
static const double telling_seconds = 1e-3;
struct experience {
    double seconds;
    double compares;
};

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

static struct bench_row *add_row(struct bench *bench, clsort_type type, uint64_t count,
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

static bool run_opponents(struct bench *bench, const struct bench_data *data,
                          enum distribution distribution, double medians[2])
{
    static const char *const names[] = {"qsort", "std::sort"};
    for (int i = 0; i < 2; i++) {
        struct bench_row *row = add_row(bench, data->type, data->count, distribution, names[i]);
        if (!row ||
            !(i == 0 ? bench_run_qsort(bench, data, row) : bench_run_std_sort(bench, data, row)))
            return false;
        medians[i] = row->host_median;
        bench_print_row(bench, row);
    }
    return true;
}

static bool run_algorithm(struct bench *bench, const struct bench_data *data,
                          enum distribution distribution, clsort_algorithm algorithm,
                          const double opponents[2], struct experience *experience)
{
    struct bench_row *row =
        add_row(bench, data->type, data->count, distribution, clsort_algorithm_name(algorithm));
    if (!row)
        return false;
    const clsort_desc desc = bench_desc(&bench->options, data->type, algorithm, data->count);
    clsort_plan plan;
    const clsort_status status = clsort_get_plan(bench->device.sorter, &desc, &plan, NULL, 0);
    if (status) {
        snprintf(row->note, sizeof(row->note), "%s", clsort_status_text(status));
        bench_print_row(bench, row);
        return true;
    }
    struct experience *known = &experience[plan.algorithm];
    const double expected =
        known->compares > 0 ? known->seconds * (double)plan.compares / known->compares : 0;
    if (!bench_run_row(bench, data, &desc, &plan, expected, row))
        return false;
    if (row->host_best >= telling_seconds)
        *known = (struct experience){row->host_best, (double)plan.compares};
    if (row->host_best > 0) {
        row->times_qsort = opponents[0] / row->host_median;
        row->times_std_sort = opponents[1] / row->host_median;
    }
    bench_print_row(bench, row);
    return true;
}

/* Rows for data that cannot be had, with the reason. */
static bool skip_data(struct bench *bench, clsort_type type, enum distribution distribution,
                      uint64_t count, const char *note)
{
    for (int i = 0; i < bench->options.num_algorithms; i++) {
        const char *name = clsort_algorithm_name(bench->options.algorithms[i]);
        struct bench_row *row = add_row(bench, type, count, distribution, name);
        if (!row)
            return false;
        snprintf(row->note, sizeof(row->note), "%s", note);
        bench_print_row(bench, row);
    }
    return true;
}

/* All that is measured on the same data. */
static bool run_data(struct bench *bench, clsort_type type, enum distribution distribution,
                     uint64_t count, struct experience *experience)
{
    const struct bench_options *options = &bench->options;
    struct bench_data data;
    char note[sizeof(bench->rows->note)];
    if (!bench_data_fits(&bench->device.facts, type, count, options->value_size, note,
                         sizeof(note)))
        return skip_data(bench, type, distribution, count, note);
    if (!bench_data_make(&data, type, distribution, count, options->value_size, options->seed))
        return false;
    double opponents[2] = {0, 0};
    bool ok = !options->has_cpu || run_opponents(bench, &data, distribution, opponents);
    for (int i = 0; i < options->num_algorithms && ok; i++)
        ok = run_algorithm(bench, &data, distribution, options->algorithms[i], opponents,
                           experience);
    bench_data_free(&data);
    return ok;
}

static bool run_all(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    const int num_data = options->num_types * options->num_distributions * options->num_counts;
    progress_stage("measuring", (uint64_t)num_data);
    for (int i = 0; i < num_data; i++) {
        const clsort_type type =
            options->types[i / (options->num_distributions * options->num_counts)];
        const enum distribution distribution =
            options->distributions[i / options->num_counts % options->num_distributions];
        static struct experience experience[CLSORT_NUM_TYPES][CLSORT_NUM_ALGORITHMS];
        if (!run_data(bench, type, distribution, options->counts[i % options->num_counts],
                      experience[type]))
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
