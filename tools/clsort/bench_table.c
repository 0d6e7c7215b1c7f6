/* bench_table.c: the table, as text or Markdown, while it is measured. */
#include "bench.h"

#include "message.h"
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

const char *bench_type_text(struct bench_type type, char text[BENCH_TYPE_TEXT])
{
    const char *key = clsort_type_name(type.key);
    const uint32_t size = type.value_size;
    if (size == 0)
        snprintf(text, BENCH_TYPE_TEXT, "%s", key);
    else if (size == 4 || size == 8)
        snprintf(text, BENCH_TYPE_TEXT, "%s+u%u", key, 8 * (unsigned)size);
    else
        snprintf(text, BENCH_TYPE_TEXT, "%s+%u", key, (unsigned)size);
    return text;
}

const char *bench_method_text(const struct bench_row *row, char *text, size_t size)
{
    if (*row->chosen && strcmp(row->method, row->chosen) != 0)
        snprintf(text, size, "%s:%s", row->method, row->chosen);
    else
        snprintf(text, size, "%s", row->method);
    return text;
}

double bench_keys_per_second(const struct bench_row *row)
{
    return row->host_median > 0 ? (double)row->count / row->host_median : 0;
}

/* The columns of the opponents that there are: the heads, or the row's ratios if it is not NULL. */
static void print_ratios(const struct bench *bench, const struct bench_row *row, bool is_markdown)
{
    char text[CELL_TEXT];
    for (int i = 0; i < NUM_OPPONENTS && bench->options.has_opponents; i++) {
        if (opponents[i].sort)
            printf(is_markdown ? " %s%s |" : " %s%6s", !row && is_markdown ? "x " : "",
                   row           ? cell(row->times[i], row->times[i] < 0.1 ? 4 : 2, "", text)
                   : is_markdown ? opponents[i].name
                                 : opponents[i].label);
    }
}

static void print_head_rows(const struct bench *bench)
{
    const bool is_ratios = bench->options.is_ratios;
    if (!bench->options.is_markdown) {
        if (is_ratios)
            printf("#%10s %-7s %-8s %-14s %9s", "keys", "type", "data", "clsort", "Mkeys/s");
        else
            printf("#%10s %-7s %-8s %-14s %4s %10s %10s %10s %10s %9s %7s\n"
                   "#%10s %-7s %-8s %-14s %4s %10s %10s %10s %10s %9s %7s",
                   "keys", "type", "data", "algorithm", "runs", "host", "host", "device", "device",
                   "Mkeys/s", "of copy", "", "", "", "", "", "best ms", "median ms", "best ms",
                   "median ms", "", bench->options.has_opponents ? "x" : "");
        print_ratios(bench, NULL, false);
        printf("\n");
        return;
    }
    printf(is_ratios
               ? "\n| keys | type | data | clsort | Mkeys/s |"
               : "\n| keys | type | data | algorithm | runs | host best, ms | host median, ms "
                 "| device best, ms | device median, ms | Mkeys/s | of copy |");
    print_ratios(bench, NULL, true);
    printf(is_ratios ? " note |\n|---:|---|---|---|---:|"
                     : " note |\n|---:|---|---|---|---:|---:|---:|---:|---:|---:|---:|");
    for (int i = 0; i < NUM_OPPONENTS && bench->options.has_opponents; i++)
        printf("%s", opponents[i].sort ? "---:|" : "");
    printf("---|\n");
}

static void print_fact(const struct bench *bench, const char *text)
{
    printf("%s%s\n", bench->options.is_markdown ? "- " : "# ", text);
}

static void print_opponents(const struct bench *bench)
{
    char text[200];
    snprintf(text, sizeof(text),
             "x: how many times as fast as the host's sorts (std::sort(par) on %ld threads, the "
             "others on one), in turns, the median of the runs' ratios",
             sysconf(_SC_NPROCESSORS_ONLN));
    print_fact(bench, text);
    for (int i = 0; i < NUM_OPPONENTS; i++) {
        if (opponents[i].sort)
            continue;
        snprintf(text, sizeof(text), "no %s: %s", opponents[i].name, opponents[i].missing);
        print_fact(bench, text);
    }
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
    if (options->index_size)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "; indices of %u bytes",
                           (unsigned)options->index_size);
    if (options->is_stable)
        snprintf(text + length, sizeof(text) - (size_t)length, "; stable");
    print_fact(bench, text);
    snprintf(text, sizeof(text), "copy bandwidth %.2f GB/s (read and written)%s",
             bench->copy_rate / 1e9,
             options->is_ratios ? "" : "; 'of copy' is a sort's traffic against it");
    print_fact(bench, text);
    const struct first_call *first = &bench->first_call;
    if (first->sort > 0) {
        snprintf(text, sizeof(text),
                 "first call: create %.1f ms, compile %.1f ms, first sort %.1f ms (with whatever "
                 "the driver had cached; see --first-call)",
                 1e3 * first->create, 1e3 * first->prepare, 1e3 * first->sort);
        print_fact(bench, text);
    }
    if (options->has_opponents)
        print_opponents(bench);
    print_head_rows(bench);
    fflush(stdout);
}

void bench_print_row(const struct bench *bench, const struct bench_row *row)
{
    const bool is_markdown = bench->options.is_markdown;
    char method[64], type[BENCH_TYPE_TEXT], cells[6][CELL_TEXT];
    if (bench->options.is_ratios && row->is_opponent)
        return;
    progress_clear();
    printf(is_markdown ? "| %" PRIu64 " | %s | %s | %s |" : "%11" PRIu64 " %-7s %-8s %-14s",
           row->count, bench_type_text(row->type, type), distribution_names[row->distribution],
           bench_method_text(row, method, sizeof(method)));
    cell(1e-6 * bench_keys_per_second(row), 2, "", cells[4]);
    if (bench->options.is_ratios)
        printf(is_markdown ? " %s |" : " %9s", cells[4]);
    else
        printf(is_markdown ? " %d | %s | %s | %s | %s | %s | %s |"
                           : " %4d %10s %10s %10s %10s %9s %7s",
               row->num_runs, cell(1e3 * row->host_best, 3, "", cells[0]),
               cell(1e3 * row->host_median, 3, "", cells[1]),
               cell(1e3 * row->device_best, 3, "", cells[2]),
               cell(1e3 * row->device_median, 3, "", cells[3]), cells[4],
               cell(100 * row->copy_share, 1, "%", cells[5]));
    print_ratios(bench, row, is_markdown);
    printf(is_markdown ? " %s%s |\n" : "%s%s\n", !is_markdown && *row->note ? "  " : "", row->note);
    fflush(stdout);
}
