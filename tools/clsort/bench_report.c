/* bench_report.c: the table, as text or Markdown, while it is measured; CSV and JSON at the end. */
#include "bench.h"

#include "json.h"
#include "message.h"
#include "output.h"
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_fact(const struct bench *bench, const char *text)
{
    printf("%s%s\n", bench->options.is_markdown ? "- " : "# ", text);
}

static void print_head_row(const struct bench *bench)
{
    const bool has_cpu = bench->options.has_cpu;
    if (bench->options.is_markdown)
        printf("\n| keys | type | data | algorithm | runs | host best, ms | host median, ms "
               "| device best, ms | device median, ms | Mkeys/s | of copy |%s note |\n"
               "|---:|---|---|---|---:|---:|---:|---:|---:|---:|---:|%s---|\n",
               has_cpu ? " x qsort | x std::sort |" : "", has_cpu ? "---:|---:|" : "");
    else
        printf("#%10s %-4s %-8s %-14s %4s %10s %10s %10s %10s %9s %7s%s\n"
               "#%10s %-4s %-8s %-14s %4s %10s %10s %10s %10s %9s %7s%s\n",
               "keys", "type", "data", "algorithm", "runs", "host", "host", "device", "device",
               "Mkeys/s", "of copy", has_cpu ? "      x      x" : "", "", "", "", "", "", "best ms",
               "median ms", "best ms", "median ms", "", "", has_cpu ? "  qsort   std::" : "");
}

void bench_print_head(const struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    const struct device_facts *facts = &bench->device.facts;
    char text[1200];
    progress_clear();
    snprintf(text, sizeof(text), "device %s (%s), driver %s, %s", facts->name, facts->platform,
             facts->driver, facts->version);
    print_fact(bench, text);
    int length = snprintf(text, sizeof(text), "clsort %s; %d runs, seed %" PRIu64, clsort_version(),
                          options->repeat, options->seed);
    if (options->value_size)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "; values of %u bytes",
                           (unsigned)options->value_size);
    if (options->index_size)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "; indices of %u bytes",
                           (unsigned)options->index_size);
    if (options->is_stable)
        snprintf(text + length, sizeof(text) - (size_t)length, "; stable");
    print_fact(bench, text);
    snprintf(text, sizeof(text),
             "copy bandwidth %.2f GB/s (read and written); 'of copy' is a sort's traffic against "
             "it",
             bench->copy_rate / 1e9);
    print_fact(bench, text);
    const struct first_call *first = &bench->first_call;
    if (first->sort > 0) {
        snprintf(text, sizeof(text),
                 "first call: create %.1f ms, compile %.1f ms, first sort %.1f ms (with whatever "
                 "the driver had cached; see --first-call)",
                 1e3 * first->create, 1e3 * first->prepare, 1e3 * first->sort);
        print_fact(bench, text);
    }
    print_head_row(bench);
    fflush(stdout);
}

/* Numbers that may be missing. */
enum { CELL_TEXT = 24 };
static const char *cell(double number, int decimals, const char *unit, char text[CELL_TEXT])
{
    if (number > 0)
        snprintf(text, CELL_TEXT, "%.*f%s", decimals, number, unit);
    else
        snprintf(text, CELL_TEXT, "-");
    return text;
}

static double keys_per_second(const struct bench_row *row)
{
    return row->host_median > 0 ? (double)row->count / row->host_median : 0;
}

/* "auto" together with what it chose. */
static void algorithm_text(const struct bench_row *row, char *text, size_t size)
{
    if (*row->chosen && strcmp(row->method, row->chosen) != 0)
        snprintf(text, size, "%s:%s", row->method, row->chosen);
    else
        snprintf(text, size, "%s", row->method);
}

void bench_print_row(const struct bench *bench, const struct bench_row *row)
{
    char algorithm[64];
    algorithm_text(row, algorithm, sizeof(algorithm));
    char cells[8][CELL_TEXT];
    progress_clear();
    printf(bench->options.is_markdown
               ? "| %" PRIu64 " | %s | %s | %s | %d | %s | %s | %s | %s | %s | %s |"
               : "%11" PRIu64 " %-4s %-8s %-14s %4d %10s %10s %10s %10s %9s %7s",
           row->count, clsort_type_name(row->type), distribution_names[row->distribution],
           algorithm, row->num_runs, cell(1e3 * row->host_best, 3, "", cells[0]),
           cell(1e3 * row->host_median, 3, "", cells[1]),
           cell(1e3 * row->device_best, 3, "", cells[2]),
           cell(1e3 * row->device_median, 3, "", cells[3]),
           cell(1e-6 * keys_per_second(row), 2, "", cells[4]),
           cell(100 * row->copy_share, 1, "%", cells[5]));
    if (bench->options.has_cpu)
        printf(bench->options.is_markdown ? " %s | %s |" : " %6s %6s",
               cell(row->times_qsort, 2, "", cells[6]), cell(row->times_std_sort, 2, "", cells[7]));
    if (bench->options.is_markdown)
        printf(" %s |\n", row->note);
    else
        printf("%s%s\n", *row->note ? "  " : "", row->note);
    fflush(stdout);
}

/* RFC 4180: quotes are doubled. */
static void print_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void print_csv(const struct bench *bench, FILE *file)
{
    const struct bench_options *options = &bench->options;
    const struct device_facts *facts = &bench->device.facts;
    fputs("keys,type,data,algorithm,chosen,value_size,index_size,stable,runs,host_best_s,"
          "host_median_s,device_best_s,device_median_s,keys_per_s,bytes_moved,steps,copy_share,"
          "times_qsort,times_std_sort,seed,copy_bytes_per_s,note,device,platform,driver,opencl,"
          "clsort\n",
          file);
    for (int i = 0; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        fprintf(file, "%" PRIu64 ",%s,%s,%s,%s,%u,%u,%d,%d,", row->count,
                clsort_type_name(row->type), distribution_names[row->distribution], row->method,
                row->chosen, (unsigned)options->value_size, (unsigned)options->index_size,
                (int)options->is_stable, row->num_runs);
        const double numbers[] = {row->host_best, row->host_median, row->device_best,
                                  row->device_median, keys_per_second(row)};
        for (int j = 0; j < 5; j++) {
            if (numbers[j] > 0)
                fprintf(file, "%.9g", numbers[j]);
            fputc(',', file);
        }
        fprintf(file, "%" PRIu64 ",%u,", row->bytes_moved, (unsigned)row->num_steps);
        const double ratios[] = {row->copy_share, row->times_qsort, row->times_std_sort};
        for (int j = 0; j < 3; j++) {
            if (ratios[j] > 0)
                fprintf(file, "%.6g", ratios[j]);
            fputc(',', file);
        }
        fprintf(file, "%" PRIu64 ",%.9g,", options->seed, bench->copy_rate);
        const char *texts[] = {row->note,     facts->name,    facts->platform,
                               facts->driver, facts->version, clsort_version()};
        for (int j = 0; j < 6; j++) {
            print_quoted(file, texts[j]);
            fputc(j < 5 ? ',' : '\n', file);
        }
    }
}

static void add_number(cJSON *object, const char *name, double number)
{
    if (number > 0)
        cJSON_AddNumberToObject(object, name, number);
    else
        cJSON_AddNullToObject(object, name);
}

static bool print_json(const struct bench *bench, const struct bench_row *row, FILE *file)
{
    const struct bench_options *options = &bench->options;
    cJSON *object = cJSON_CreateObject();
    json_add_u64(object, "keys", row->count);
    cJSON_AddStringToObject(object, "type", clsort_type_name(row->type));
    cJSON_AddStringToObject(object, "data", distribution_names[row->distribution]);
    cJSON_AddStringToObject(object, "algorithm", row->method);
    cJSON_AddStringToObject(object, "chosen", row->chosen);
    json_add_u64(object, "value_size", options->value_size);
    json_add_u64(object, "index_size", options->index_size);
    cJSON_AddBoolToObject(object, "stable", options->is_stable);
    json_add_u64(object, "runs", (uint64_t)row->num_runs);
    add_number(object, "host_best_s", row->host_best);
    add_number(object, "host_median_s", row->host_median);
    add_number(object, "device_best_s", row->device_best);
    add_number(object, "device_median_s", row->device_median);
    add_number(object, "keys_per_s", keys_per_second(row));
    json_add_u64(object, "bytes_moved", row->bytes_moved);
    json_add_u64(object, "steps", row->num_steps);
    add_number(object, "copy_share", row->copy_share);
    add_number(object, "times_qsort", row->times_qsort);
    add_number(object, "times_std_sort", row->times_std_sort);
    json_add_u64(object, "seed", options->seed);
    cJSON_AddNumberToObject(object, "copy_bytes_per_s", bench->copy_rate);
    cJSON_AddStringToObject(object, "note", row->note);
    json_add_device(object, &bench->device.facts);
    cJSON_AddStringToObject(object, "clsort", clsort_version());
    return json_print_line(file, object);
}

/* Collects the text before the file is touched. */
static bool write_report(const struct bench *bench, const char *path, bool is_json)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    bool ok = file != NULL;
    if (ok && !is_json)
        print_csv(bench, file);
    for (int i = 0; ok && is_json && i < bench->num_rows; i++)
        ok = print_json(bench, &bench->rows[i], file);
    if (!file || fclose(file) != 0) {
        message("out of memory");
        ok = false;
    }
    ok = ok && output_write_file(path, text, size);
    free(text);
    return ok;
}

bool bench_write_csv(const struct bench *bench)
{
    return write_report(bench, bench->options.csv, false);
}

bool bench_write_json(const struct bench *bench)
{
    return write_report(bench, bench->options.json, true);
}
