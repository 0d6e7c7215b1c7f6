/* bench_table.c: the table of a line for each sort of an input, as text of at most 100 columns or as
 * Markdown. */
#include "bench.h"

#include "progress.h"

#include <stdio.h>

/* clang-format off */
enum column { KEY_COUNT, TYPE, DATA, SORT, RUNS, HOST, HOST_SPREAD, DEVICE, DEVICE_SPREAD, RATE, RATIO,
              RATIO_SPREAD, OF_COPY, NUM_COLUMNS };

/* width 0: not in the text. */
static const struct {
    const char *text, *markdown;
    int width;
    bool is_left;
} columns[NUM_COLUMNS] = {
    [KEY_COUNT]     = {"keys",    "keys",       11, false},
    [TYPE]          = {"type",    "type",        9, true},
    [DATA]          = {"data",    "data",        9, true},
    [SORT]          = {"sort",    "sort",       16, true},
    [RUNS]          = {"",        "runs",        0, false},
    [HOST]          = {"host ms", "host, ms",    8, false},
    [HOST_SPREAD]   = {"+-%",     "± %",         4, false},
    [DEVICE]        = {"dev. ms", "device, ms",  8, false},
    [DEVICE_SPREAD] = {"+-%",     "± %",         4, false},
    [RATE]          = {"Mkeys/s", "Mkeys/s",     7, false},
    [RATIO]         = {"x",       "×",           5, false},
    [RATIO_SPREAD]  = {"+-%",     "± %",         4, false},
    [OF_COPY]       = {"copy",    "of copy",     4, false}};
/* clang-format on */

/* The ratio of a row to the one it is compared with, by the device's clock where both have it. */
static struct bench_summary ratio_of(const struct bench *bench, const struct bench_row *row)
{
    const struct bench_row *base = &bench->rows[row->base];
    const bool is_on_device =
        base->times[BENCH_DEVICE].median > 0 && row->times[BENCH_DEVICE].median > 0;
    return base == row ? (struct bench_summary){0, 0, 0}
                       : bench_ratio(base, row, is_on_device ? BENCH_DEVICE : BENCH_HOST);
}

static const char *cell_of(const struct bench *bench, const struct bench_row *row,
                           enum column column, char text[BENCH_CELL])
{
    const struct bench_summary ratio = ratio_of(bench, row);
    const struct bench_summary *host = &row->times[BENCH_HOST];
    const struct bench_summary *device = &row->times[BENCH_DEVICE];
    const bool has_spread = row->num_runs > 1;
    switch (column) {
    case KEY_COUNT:
        return bench_keys_text(row->count, bench->options.is_markdown, text);
    case TYPE:
        return bench_type_text(row->type, text);
    case DATA:
        return bench_distribution_names[row->distribution];
    case SORT:
        return bench_sort_text(bench, row, text);
    case RUNS:
        snprintf(text, BENCH_CELL, "%d", row->num_runs);
        return text;
    case HOST:
        return bench_cell(1e3 * host->median, 4, text);
    case HOST_SPREAD:
        return bench_percent(host->spread, has_spread, "", text);
    case DEVICE:
        return bench_cell(1e3 * device->median, 4, text);
    case DEVICE_SPREAD:
        return bench_percent(device->spread, has_spread && device->median > 0, "", text);
    case RATE:
        return bench_cell(1e-6 * bench_rate(row, BENCH_HOST), 4, text);
    case RATIO:
        return bench_cell(ratio.median, 3, text);
    case RATIO_SPREAD:
        return bench_percent(ratio.spread, has_spread && ratio.median > 0, "", text);
    default:
        return bench_percent(row->copy_share, row->copy_share > 0, "%", text);
    }
}

static void print_row(const struct bench *bench, const struct bench_row *row)
{
    char text[BENCH_CELL];
    for (int i = 0; i < NUM_COLUMNS; i++) {
        const int width = columns[i].is_left ? -columns[i].width : columns[i].width;
        const char *content = cell_of(bench, row, (enum column)i, text);
        if (bench->options.is_markdown)
            printf("%s %s |", i == 0 ? "|" : "", content);
        else if (width != 0)
            printf("%s%*s", i > 0 ? " " : "", width, content);
    }
    printf("\n");
    if (!bench->options.is_markdown)
        bench_print_wrapped(row->note, 13, 13);
}

void bench_print_table_head(const struct bench *bench)
{
    const bool is_markdown = bench->options.is_markdown;
    for (int i = 0; i < NUM_COLUMNS; i++) {
        const int width = columns[i].is_left ? -columns[i].width : columns[i].width - (i == 0);
        if (is_markdown)
            printf("%s %s |", i == 0 ? "\n|" : "", columns[i].markdown);
        else if (width != 0)
            printf("%s%*s", i == 0 ? "#" : " ", width, columns[i].text);
    }
    printf("\n");
    for (int i = 0; i < NUM_COLUMNS && is_markdown; i++)
        printf("%s%s|", i == 0 ? "|" : "", columns[i].is_left ? "---" : "---:");
    printf(is_markdown ? "\n" : "");
}

void bench_print_rows(const struct bench *bench, int first, int end)
{
    const bool is_ratios = bench->options.is_ratios;
    const int num = is_ratios ? bench->options.num_algorithms : end - first;
    progress_clear();
    for (int i = 0; i < num; i++) {
        if (is_ratios)
            bench_print_ratios(bench, &bench->rows[first], i);
        else
            print_row(bench, &bench->rows[first + i]);
    }
    fflush(stdout);
}
