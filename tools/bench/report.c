/* report.c: the rows as CSV and JSON, at the end. Both have the same members by the same
 * names. */
#include "bench/bench.h"

#include "cli/json.h"
#include "cli/message.h"
#include "io/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* One that is 0 is not there. */
static void add_number(struct json *json, const char *name, double number)
{
    json_number(json, name, number > 0 ? number : NAN);
}

static void add_runs(struct json *json, const char *name, const double *runs, int num_runs)
{
    json_open(json, name, '[');
    for (int i = 0; i < num_runs; i++)
        json_number(json, NULL, runs[i]);
    json_close(json, ']');
}

static void add_times(struct json *json, const struct bench_row *row)
{
    static const char *const names[BENCH_NUM_CLOCKS][5] = {
        {"host_best_s", "host_median_s", "host_spread", "host_ratio", "host_ratio_spread"},
        {"device_best_s", "device_median_s", "device_spread", "device_ratio",
         "device_ratio_spread"}};
    for (int clock = 0; clock < BENCH_NUM_CLOCKS; clock++) {
        const struct bench_summary *time = &row->times[clock];
        const struct bench_summary ratio = bench_ratio(row->base, row, (enum bench_clock)clock);
        const double numbers[] = {time->best, time->median, time->spread, ratio.median,
                                  ratio.spread};
        for (int i = 0; i < 5; i++)
            add_number(json, names[clock][i], numbers[i]);
    }
}

static void print_row(const struct bench *bench, const struct bench_row *row, enum json_form form,
                      FILE *file)
{
    const struct bench_options *options = &bench->options;
    const struct device_facts *facts = &bench->device.facts;
    char shape[BENCH_SHAPE_TEXT];
    struct json own, *const json = &own;
    json_begin_as(json, form);
    json_count(json, "keys", row->keys->input.count);
    json_text(json, "type", bench_key_text(row->keys->type));
    json_text(json, "data", bench_distribution_names[row->keys->input.distribution]);
    json_text(json, "sort", row->opponent->name);
    json_text(json, "algorithm", row->algorithm);
    json_text(json, "chosen", row->chosen);
    json_count(json, "value_size", row->keys->type.value_size);
    json_count(json, "index_size", options->index_size);
    json_flag(json, "stable", options->is_stable);
    json_flag(json, "out_of_place", options->is_out_of_place);
    json_count(json, "runs", (uint64_t)row->num_runs);
    add_times(json, row);
    add_number(json, "enqueue_median_s", row->times[BENCH_CALL].median);
    add_number(json, "enqueue_99th_percentile_s", row->times[BENCH_CALL].high);
    add_number(json, "keys_per_s", bench_rate(row, BENCH_HOST));
    json_count(json, "bytes_moved", row->bytes_moved);
    json_count(json, "steps", row->num_steps);
    add_number(json, "copy_share", row->copy_share);
    json_count(json, "seed", options->seed);
    add_number(json, "copy_bytes_per_s", bench->copy_rate);
    add_runs(json, "host_runs_s", row->runs[BENCH_HOST], row->num_runs);
    add_runs(json, "device_runs_s", row->runs[BENCH_DEVICE], row->num_runs);
    json_text(json, "note", row->note);
    json_text(json, "device", facts->name);
    json_text(json, "platform", facts->platform);
    json_text(json, "driver", facts->driver);
    json_text(json, "opencl", facts->version);
    json_text(json, "clsort", clsort_version());
    json_text(json, "kernels", row->kernels);
    json_text(json, "operation", bench_operation_name(row->keys->shape));
    json_text(json, "shape", bench_shape_text(row->keys->shape, shape));
    json_count(json, "limit", row->keys->shape->limit);
    json_count(json, "queries", row->keys->input.num_queries);
    json_end(json, file);
}

/* Collects the text before the file is touched. */
void bench_write_report(const struct bench *bench, const char *path, bool is_json)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        die("out of memory");
    if (!is_json)
        print_row(bench, &bench->rows[0], JSON_AS_CSV_NAMES, file);
    for (int i = 0; i < bench->num_rows; i++)
        if (!bench->rows[i].does_else)
            print_row(bench, &bench->rows[i], is_json ? JSON_AS_JSON : JSON_AS_CSV, file);
    if (fclose(file) != 0)
        die("out of memory");
    output_write_file(path, text, size);
    free(text);
}
