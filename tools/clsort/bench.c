/* bench.c: 'clsort bench': the combinations, one input behind the other. */
#include "bench.h"

#include "command.h"
#include "message.h"
#include "options.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>

static bool open_bench(struct bench *bench)
{
    if (!bench_open_timed(&bench->options, &bench->device, &bench->opencl, &bench->first_call))
        return false;
    bench_build_own(&bench->own);
    bench->own.sorter = bench->device.sorter;
    return bench_load_sorts(bench) && bench_has_room(bench) && bench_measure_copy(bench);
}

static void close_bench(struct bench *bench)
{
    bench_opencl_close(&bench->opencl);
    if (bench->old.sorter)
        bench->old.destroy(bench->old.sorter);
    device_close(&bench->device);
    for (int i = 0; i < bench->num_rows; i++)
        free(bench->rows[i].runs[0]);
    free(bench->rows);
}

/* What a row's ratio is to: of another build the same algorithm of this one, else the first
 * sort. */
static int base_of(const struct bench *bench, int sort)
{
    const int num = bench->options.num_algorithms;
    return sort >= num && sort < bench->num_libraries ? sort - num : 0;
}

struct bench_row *bench_add_row(struct bench *bench, const struct bench_input *input,
                                struct bench_type type, int sort)
{
    double *runs = calloc((size_t)bench->options.repeat, BENCH_NUM_CLOCKS * sizeof(*runs));
    if (runs && bench->num_rows == bench->capacity) {
        const int capacity = bench->capacity ? 2 * bench->capacity : 64;
        struct bench_row *rows = realloc(bench->rows, (size_t)capacity * sizeof(*rows));
        bench->rows = rows ? rows : bench->rows;
        bench->capacity = rows ? capacity : bench->capacity;
    }
    if (!runs || bench->num_rows == bench->capacity) {
        free(runs);
        message("out of memory");
        return NULL;
    }
    const bool is_library = sort < bench->num_libraries;
    struct bench_row *row = &bench->rows[bench->num_rows++];
    *row = (struct bench_row){
        .count = input->count,
        .type = type,
        .distribution = (enum bench_distribution)input->distribution,
        .sort = bench->sorts[sort]->name,
        .algorithm = is_library ? clsort_algorithm_name(bench->libraries[sort].desc.algorithm) : "",
        .chosen = "",
        .base = bench->num_rows - 1 - sort + base_of(bench, sort),
        .runs = {runs, runs + bench->options.repeat}};
    return row;
}

/* Which input number i of all combinations is. */
static struct bench_input input_of(const struct bench_options *options, int i,
                                   struct bench_type *type_ret)
{
    const int distribution = i / options->num_counts % options->num_distributions;
    *type_ret = options->types[i / (options->num_distributions * options->num_counts)];
    struct bench_input input =
        bench_input_make(*type_ret, options->counts[i % options->num_counts],
                         options->distributions[distribution], options->seed);
    input.index_size = options->index_size;
    input.segment_length = options->segment_length;
    input.has_places = options->is_stable && input.value_size > 0 && input.value_size % 4 == 0 &&
                       input.count <= UINT32_MAX;
    input.is_stable = input.has_places;
    return input;
}

static bool run_all(struct bench *bench)
{
    static struct bench_experience experience[MAX_LIST][CLSORT_NUM_ALGORITHMS];
    const struct bench_options *options = &bench->options;
    const int num_inputs = options->num_types * options->num_distributions * options->num_counts;
    /* A sort's runs of an input: one that is not counted, and the rounds. */
    const uint64_t num_runs = (uint64_t)bench->num_sorts * (1 + options->repeat);
    progress_stage("measuring", (uint64_t)num_inputs * num_runs);
    for (int i = 0; i < num_inputs; i++) {
        struct bench_type type;
        const struct bench_input input = input_of(options, i, &type);
        if (!bench_measure(bench, &input, type, experience[i / (num_inputs / options->num_types)]))
            return false;
        /* Nobody reads on: the end of the program says so. */
        if (ferror(stdout))
            return false;
        progress_done(((uint64_t)i + 1) * num_runs);
    }
    return true;
}

/* For --report. */
static bool print_plans(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    const int num_inputs = options->num_types * options->num_distributions * options->num_counts;
    bool ok = true;
    progress_end();
    for (int i = 0; i < num_inputs && options->is_report && ok; i++) {
        struct bench_type type;
        const struct bench_input input = input_of(options, i, &type);
        ok = bench_print_steps(bench, &input, type);
    }
    return ok;
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
    static struct bench bench;
    int status;
    if (!bench_parse(argc, argv, &bench.options, &status))
        return status;
    if (bench.options.is_first_call)
        return bench_first_call(&bench.options);
    if (bench.options.plot && !bench_plot_is_possible(&bench.options))
        return EXIT_TROUBLE;

    bool ok = open_bench(&bench);
    if (ok) {
        bench_print_head(&bench);
        ok = run_all(&bench) && print_plans(&bench);
        if (ok)
            bench_print_end(&bench);
        ok = ok && write_files(&bench);
    }
    progress_end();
    close_bench(&bench);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
