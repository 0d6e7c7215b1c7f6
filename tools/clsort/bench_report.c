/* bench_report.c: the rows as CSV and JSON, at the end. */
#include "bench.h"

#include "json.h"
#include "message.h"
#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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
          "host_median_s,device_best_s,device_median_s,keys_per_s,bytes_moved,steps,"
          "copy_share,",
          file);
    for (int j = 0; j < NUM_OPPONENTS; j++)
        fprintf(file, "%s,", opponents[j].column);
    fputs("seed,copy_bytes_per_s,note,device,platform,driver,opencl,clsort\n", file);
    for (int i = 0; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        fprintf(file, "%" PRIu64 ",%s,%s,%s,%s,%u,%u,%d,%d,", row->count,
                clsort_type_name(row->type.key), distribution_names[row->distribution], row->method,
                row->chosen, (unsigned)row->type.value_size, (unsigned)options->index_size,
                (int)options->is_stable, row->num_runs);
        const double numbers[] = {row->host_best, row->host_median, row->device_best,
                                  row->device_median, bench_keys_per_second(row)};
        for (int j = 0; j < 5; j++) {
            if (numbers[j] > 0)
                fprintf(file, "%.9g", numbers[j]);
            fputc(',', file);
        }
        fprintf(file, "%" PRIu64 ",%u,", row->bytes_moved, (unsigned)row->num_steps);
        for (int j = 0; j <= NUM_OPPONENTS; j++) {
            const double number = j == 0 ? row->copy_share : row->times[j - 1];
            if (number > 0)
                fprintf(file, "%.6g", number);
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
    cJSON_AddStringToObject(object, "type", clsort_type_name(row->type.key));
    cJSON_AddStringToObject(object, "data", distribution_names[row->distribution]);
    cJSON_AddStringToObject(object, "algorithm", row->method);
    cJSON_AddStringToObject(object, "chosen", row->chosen);
    json_add_u64(object, "value_size", row->type.value_size);
    json_add_u64(object, "index_size", options->index_size);
    cJSON_AddBoolToObject(object, "stable", options->is_stable);
    json_add_u64(object, "runs", (uint64_t)row->num_runs);
    add_number(object, "host_best_s", row->host_best);
    add_number(object, "host_median_s", row->host_median);
    add_number(object, "device_best_s", row->device_best);
    add_number(object, "device_median_s", row->device_median);
    add_number(object, "keys_per_s", bench_keys_per_second(row));
    json_add_u64(object, "bytes_moved", row->bytes_moved);
    json_add_u64(object, "steps", row->num_steps);
    add_number(object, "copy_share", row->copy_share);
    for (int j = 0; j < NUM_OPPONENTS; j++)
        add_number(object, opponents[j].column, row->times[j]);
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
