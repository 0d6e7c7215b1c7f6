/* head.c: what stands above and below the tables. */
#include "bench/bench.h"

#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The sorts that are compared with. */
static void print_others(const struct bench *bench)
{
    if (bench->old.sorter)
        bench_print_fact(bench, "old: clsort %s of %s", bench->old.version(),
                         bench->options.against);
    for (int i = bench->num_libraries; i < bench->num_sorts; i++) {
        const struct bench_opponent *sort = bench->sorts[i];
        bench_print_fact(bench, "%s: %s", sort->name, sort->about ? sort->about() : "");
    }
    for (int i = 0; i < bench->num_missing; i++)
        bench_print_fact(bench, "no %s: %s", bench->missing[i]->name, bench->missing[i]->missing);
    if (bench->options.is_ratios)
        bench_print_fact(bench,
                         "x: how many times as fast clsort is, the median of the rounds' ratios");
    else
        bench_print_fact(
            bench, "x: this row's time divided by that of the first sort (of old: of the same "
                   "sort), the median of the rounds' ratios, by device time where both have it");
}

static void print_times(const struct bench *bench)
{
    const struct first_call *first = &bench->first_call;
    bench_print_fact(bench, "copy bandwidth %.2f GB/s (read and written)%s", bench->copy_rate / 1e9,
                     bench->options.is_ratios ? "" : "; 'copy' is a sort's traffic against it");
    if (first->sort > 0)
        bench_print_fact(bench,
                         "first call: create %.1f ms, compile %.1f ms, first sort, of %" PRIu64
                         " keys, %.1f ms, with the driver's cache",
                         1e3 * first->create, 1e3 * first->prepare, first->count,
                         1e3 * first->sort);
}

static void print_table_head(const struct bench *bench)
{
    bench_print_fact(bench,
                     "medians, and +-: half of the distance between the quartiles; host time: "
                     "from the call to the end; device time: from before the first to after "
                     "the last command");
    print_times(bench);
    if (bench->num_sorts > 1 || bench->num_missing > 0)
        print_others(bench);
    bench_print_table_head(bench);
}

void bench_print_head(const struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    const struct device_facts *facts = &bench->device.facts;
    char indices[32] = "";
    progress_clear();
    if (options->is_report && !options->is_markdown)
        puts("```text");
    bench_print_fact(bench, "device %s (%s), driver %s, %s", facts->name, facts->platform,
                     facts->driver, facts->version);
    if (options->is_report)
        bench_print_machine(bench);
    if (options->index_size)
        snprintf(indices, sizeof(indices), "; indices of %u bytes", (unsigned)options->index_size);
    bench_print_fact(bench, "clsort %s; %" PRIu64 " rounds, seed %" PRIu64 "%s%s%s",
                     clsort_version(), options->repeat, options->seed, indices,
                     options->is_stable ? "; stable" : "",
                     options->is_out_of_place ? "; out of place" : "");
    if (options->sweep > 0)
        bench->extra->print_sweep_head(bench);
    else
        print_table_head(bench);
    fflush(stdout);
}

/* Whether a row before has the same sort and note. */
static bool is_told(const struct bench *bench, int i)
{
    const struct bench_row *row = &bench->rows[i];
    for (int before = 0; before < i; before++) {
        if (strcmp(bench->rows[before].sort, row->sort) == 0 &&
            strcmp(bench->rows[before].algorithm, row->algorithm) == 0 &&
            strcmp(bench->rows[before].note, row->note) == 0)
            return true;
    }
    return false;
}

/* Markdown's rows have no room for notes. */
static void print_notes(const struct bench *bench)
{
    char text[BENCH_ROW_TEXT];
    for (int i = 0; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        if (*row->note && !is_told(bench, i))
            bench_print_fact(bench, "%s: %s", bench_row_text(bench, row, text), row->note);
    }
}

static void print_noise(const struct bench *bench)
{
    const struct bench_row *worst = NULL;
    int num_noisy = 0, num_measured = 0;
    char name[BENCH_ROW_TEXT];
    for (int i = 0; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        const double spread = row->times[BENCH_HOST].spread;
        num_measured += row->num_runs > 1;
        num_noisy += 100 * spread > bench->options.noise;
        if (100 * spread > bench->options.noise &&
            (!worst || spread > worst->times[BENCH_HOST].spread))
            worst = row;
    }
    if (worst)
        bench_print_fact(bench,
                         "noisy machine: the host times of %d of %d rows vary by more than "
                         "+-%.3g %%, most by +-%.0f %% (%s)",
                         num_noisy, num_measured, bench->options.noise,
                         100 * worst->times[BENCH_HOST].spread, bench_row_text(bench, worst, name));
}

void bench_print_end(const struct bench *bench)
{
    if (bench->options.is_markdown) {
        printf("\n");
        print_notes(bench);
    }
    if (bench->options.sweep == 0)
        print_noise(bench);
    if (bench->options.is_report && !bench->options.is_markdown)
        puts("```");
    fflush(stdout);
}
