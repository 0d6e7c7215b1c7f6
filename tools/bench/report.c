/* report.c: the rows as CSV and JSON, at the end. Both have the same members by the same
 * names. */
#include "bench/bench.h"

#include "cli/json.h"
#include "cli/message.h"
#include "io/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where members go: the names into CSV's first line, the values into its others, both into JSON. */
struct report {
    enum { CSV_NAMES, CSV_VALUES, JSON } what;
    FILE *file;
    struct json *json;
    int num_members;
};

/* Before each member: CSV's separator. */
static bool begin(struct report *report, const char *name)
{
    if (report->what != JSON && report->num_members++ > 0)
        fputc(',', report->file);
    if (report->what == CSV_NAMES)
        fputs(name, report->file);
    return report->what == CSV_VALUES;
}

/* RFC 4180: quotes are doubled. */
static void print_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++)
        fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', file);
}

/* A word has no quotes in CSV unless it needs them, as an opponent's name may. */
enum form { TEXT, WORD };
static void add_text(struct report *report, const char *name, const char *text, enum form form)
{
    const bool is_value = begin(report, name);
    if (is_value && form == WORD && !strpbrk(text, ",\"\r\n"))
        fputs(text, report->file);
    else if (is_value)
        print_quoted(report->file, text);
    else if (report->what == JSON)
        json_text(report->json, name, text);
}

static void add_count(struct report *report, const char *name, uint64_t count)
{
    if (begin(report, name))
        fprintf(report->file, "%" PRIu64, count);
    else if (report->what == JSON)
        json_count(report->json, name, count);
}

static void add_flag(struct report *report, const char *name, bool is_set)
{
    if (begin(report, name))
        fputc(is_set ? '1' : '0', report->file);
    else if (report->what == JSON)
        json_flag(report->json, name, is_set);
}

/* One that is 0 is not there. */
static void add_number(struct report *report, const char *name, double number)
{
    if (begin(report, name) && number > 0)
        fprintf(report->file, "%.9g", number);
    else if (report->what == JSON)
        json_number(report->json, name, number > 0 ? number : NAN);
}

/* In CSV separated by blanks. */
static void add_runs(struct report *report, const char *name, const double *runs, int num_runs)
{
    const bool is_csv = begin(report, name);
    if (report->what == JSON)
        json_open(report->json, name, '[');
    for (int i = 0; i < num_runs; i++) {
        if (is_csv)
            fprintf(report->file, "%s%.9g", i > 0 ? " " : "", runs[i]);
        else if (report->what == JSON)
            json_number(report->json, NULL, runs[i]);
    }
    if (report->what == JSON)
        json_close(report->json, ']');
}

static void add_times(struct report *report, const struct bench *bench, const struct bench_row *row)
{
    static const char *const names[BENCH_NUM_CLOCKS][5] = {
        {"host_best_s", "host_median_s", "host_spread", "host_ratio", "host_ratio_spread"},
        {"device_best_s", "device_median_s", "device_spread", "device_ratio",
         "device_ratio_spread"}};
    const struct bench_row *base = &bench->rows[row->base];
    for (int clock = 0; clock < BENCH_NUM_CLOCKS; clock++) {
        const struct bench_summary *time = &row->times[clock];
        struct bench_summary ratio = {0, 0, 0, 0};
        if (base != row)
            ratio = bench_ratio(base, row, (enum bench_clock)clock);
        const double numbers[] = {time->best, time->median, time->spread, ratio.median,
                                  ratio.spread};
        for (int i = 0; i < 5; i++)
            add_number(report, names[clock][i], numbers[i]);
    }
}

static void add_row(struct report *report, const struct bench *bench, const struct bench_row *row)
{
    const struct bench_options *options = &bench->options;
    const struct device_facts *facts = &bench->device.facts;
    char shape[BENCH_SHAPE_TEXT];
    add_count(report, "keys", row->count);
    add_text(report, "type", bench_key_text(row->type), WORD);
    add_text(report, "data", bench_distribution_names[row->distribution], WORD);
    add_text(report, "sort", row->sort, WORD);
    add_text(report, "algorithm", row->algorithm, WORD);
    add_text(report, "chosen", row->chosen, WORD);
    add_count(report, "value_size", row->type.value_size);
    add_count(report, "index_size", options->index_size);
    add_flag(report, "stable", options->is_stable);
    add_flag(report, "out_of_place", options->is_out_of_place);
    add_count(report, "runs", (uint64_t)row->num_runs);
    add_times(report, bench, row);
    add_number(report, "enqueue_median_s", row->enqueue.median);
    add_number(report, "enqueue_99th_percentile_s", row->enqueue.high);
    add_number(report, "keys_per_s", bench_rate(row, BENCH_HOST));
    add_count(report, "bytes_moved", row->bytes_moved);
    add_count(report, "steps", row->num_steps);
    add_number(report, "copy_share", row->copy_share);
    add_count(report, "seed", options->seed);
    add_number(report, "copy_bytes_per_s", bench->copy_rate);
    add_runs(report, "host_runs_s", row->runs[BENCH_HOST], row->num_runs);
    add_runs(report, "device_runs_s", row->runs[BENCH_DEVICE], row->num_runs);
    add_text(report, "note", row->note, TEXT);
    add_text(report, "device", facts->name, TEXT);
    add_text(report, "platform", facts->platform, TEXT);
    add_text(report, "driver", facts->driver, TEXT);
    add_text(report, "opencl", facts->version, TEXT);
    add_text(report, "clsort", clsort_version(), TEXT);
    add_text(report, "kernels", row->kernels, TEXT);
    add_text(report, "operation", bench_operation_name(&row->shape), WORD);
    add_text(report, "shape", bench_shape_text(&row->shape, shape), TEXT);
    add_count(report, "limit", row->shape.limit);
    add_count(report, "queries", row->num_queries);
}

static void print_csv(const struct bench *bench, FILE *file)
{
    for (int i = -1; i < bench->num_rows; i++) {
        if (i >= 0 && bench->rows[i].does_else)
            continue;
        struct report report = {.what = i < 0 ? CSV_NAMES : CSV_VALUES, .file = file};
        add_row(&report, bench, &bench->rows[i < 0 ? 0 : i]);
        fputc('\n', file);
    }
}

static bool print_json(const struct bench *bench, const struct bench_row *row, FILE *file)
{
    struct json json;
    struct report report = {.what = JSON, .json = &json};
    json_begin(&json);
    add_row(&report, bench, row);
    return json_end(&json, file);
}

/* Collects the text before the file is touched. */
bool bench_write_report(const struct bench *bench, const char *path, bool is_json)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    bool ok = file != NULL;
    if (ok && !is_json)
        print_csv(bench, file);
    for (int i = 0; ok && is_json && i < bench->num_rows; i++)
        ok = bench->rows[i].does_else || print_json(bench, &bench->rows[i], file);
    if (!file || fclose(file) != 0) {
        message("out of memory");
        ok = false;
    }
    ok = ok && output_write_file(path, text, size);
    free(text);
    return ok;
}
