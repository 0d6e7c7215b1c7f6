/* bench_ratios.c: the table of --ratios: a line for each algorithm of this build, with its rate and how
 * many times as fast it is as each other sort. What is the same in all lines has no column. */
#include "bench.h"

#include "message.h"

#include <stdio.h>
#include <string.h>

struct column {
    enum { TYPE, KEY_COUNT, DATA, SORT, RATE, RATIO } what;
    int other;              /* of a ratio: its place among the bench's sorts */
    enum bench_clock clock; /* of a ratio and the rate */
    bool is_of_two;         /* of a ratio: both clocks have a column */
};

static const int widths[] = {
    [TYPE] = -10, [KEY_COUNT] = 12, [DATA] = -9, [SORT] = -16, [RATE] = 8, [RATIO] = 6};
enum { MAX_COLUMNS = 5 + 2 * MAX_SORTS, MAX_WIDTH = 100 };

/* The sorts that an algorithm is compared with: the opponents, and the same algorithm of the other
 * build, for which that build's last one stands. */
static int first_other(const struct bench *bench)
{
    return bench->old.sorter ? bench->num_libraries - 1 : bench->num_libraries;
}

static bool has_device_times(const struct bench_opponent *sort)
{
    return sort->memory != BENCH_ON_HOST;
}

static int columns_of(const struct bench *bench, struct column columns[MAX_COLUMNS])
{
    const struct bench_options *options = &bench->options;
    enum bench_clock clock = BENCH_HOST;
    bool has_data = false;
    int num = 0;
    for (int i = 0; i < options->num_distributions; i++)
        has_data = has_data || options->distributions[i] != BENCH_RANDOM;
    for (int i = first_other(bench); i < bench->num_sorts; i++)
        clock = has_device_times(bench->sorts[i]) ? BENCH_DEVICE : clock;
    columns[num++].what = TYPE;
    columns[num++].what = KEY_COUNT;
    if (has_data)
        columns[num++].what = DATA;
    if (options->num_algorithms > 1)
        columns[num++].what = SORT;
    columns[num++] = (struct column){.what = RATE, .clock = clock};
    for (int i = first_other(bench); i < bench->num_sorts; i++) {
        const bool has_both = has_device_times(bench->sorts[i]);
        if (has_both)
            columns[num++] = (struct column){RATIO, i, BENCH_DEVICE, true};
        columns[num++] = (struct column){RATIO, i, BENCH_HOST, has_both};
    }
    return num;
}

/* number: of the ratio among all of them. */
static const char *head_of(const struct bench *bench, const struct column *column, int number,
                           char text[BENCH_CELL])
{
    static const char *const names[] = {
        [TYPE] = "type", [KEY_COUNT] = "keys", [DATA] = "data", [SORT] = "algorithm"};
    if (column->what == RATE)
        return column->clock == BENCH_DEVICE ? "Gkeys/s" : "Mkeys/s";
    if (column->what != RATIO)
        return names[column->what];
    if (!bench->options.is_markdown)
        snprintf(text, BENCH_CELL, "x%d", number);
    else
        snprintf(text, BENCH_CELL, "× %s%s", bench->sorts[column->other]->name,
                 !column->is_of_two              ? ""
                 : column->clock == BENCH_DEVICE ? ", device"
                                                 : ", host");
    return text;
}

/* rows: of one input; ours: the algorithm among them. */
static const char *cell_of(const struct bench *bench, const struct column *column,
                           const struct bench_row *rows, int ours, char text[BENCH_CELL])
{
    const struct bench_row *row = &rows[ours];
    const bool is_old = column->other < bench->num_libraries;
    const int theirs = is_old ? bench->options.num_algorithms + ours : column->other;
    switch (column->what) {
    case TYPE:
        return bench_type_text(row->type, text);
    case KEY_COUNT:
        return bench_keys_text(row->count, bench->options.is_markdown, text);
    case DATA:
        return bench_distribution_names[row->distribution];
    case SORT:
        return bench_sort_text(bench, row, text);
    case RATE:
        return bench_cell((column->clock == BENCH_DEVICE ? 1e-9 : 1e-6) *
                              bench_rate(row, column->clock),
                          3, text);
    default:
        return bench_cell(bench_ratio(row, &rows[theirs], column->clock).median, 3, text);
    }
}

static void print_cell(const struct bench *bench, const struct column *column, const char *content)
{
    if (bench->options.is_markdown)
        printf(" %s |", content);
    else
        printf(" %*s", widths[column->what], content);
}

bool bench_has_room(const struct bench *bench)
{
    struct column columns[MAX_COLUMNS];
    const int num = columns_of(bench, columns);
    int width = 0;
    for (int i = 0; i < num; i++)
        width += 1 + (widths[columns[i].what] < 0 ? -1 : 1) * widths[columns[i].what];
    if (!bench->options.is_ratios || bench->options.is_markdown || width <= MAX_WIDTH)
        return true;
    message("--ratios has no room for so many sorts; choose some with --vs, or have --markdown");
    return false;
}

void bench_print_ratios_head(const struct bench *bench)
{
    struct column columns[MAX_COLUMNS];
    const int num = columns_of(bench, columns);
    const bool is_markdown = bench->options.is_markdown;
    char text[BENCH_CELL], name[600];
    int number = 0;
    for (int i = 0; i < num && !is_markdown; i++) {
        if (columns[i].what != RATIO)
            continue;
        snprintf(name, sizeof(name), "x%d: %s%s", ++number, bench->sorts[columns[i].other]->name,
                 !columns[i].is_of_two              ? ""
                 : columns[i].clock == BENCH_DEVICE ? ", device time"
                                                    : ", host time");
        bench_print_fact(bench, name);
    }
    number = 0;
    printf(is_markdown ? "\n|" : "#");
    for (int i = 0; i < num; i++) {
        const char *head = head_of(bench, &columns[i], number += columns[i].what == RATIO, text);
        if (i == 0 && !is_markdown)
            printf("%*s", widths[TYPE], head);
        else
            print_cell(bench, &columns[i], head);
    }
    printf(is_markdown ? "\n|" : "\n");
    for (int i = 0; i < num && is_markdown; i++)
        printf(widths[columns[i].what] < 0 ? "---|" : "---:|");
    printf(is_markdown ? "\n" : "");
}

void bench_print_ratios(const struct bench *bench, const struct bench_row *rows, int ours)
{
    struct column columns[MAX_COLUMNS];
    const int num = columns_of(bench, columns);
    const int num_ours = bench->options.num_algorithms;
    char text[BENCH_CELL], line[BENCH_ROW_TEXT + BENCH_NOTE];
    printf(bench->options.is_markdown ? "|" : "");
    for (int i = 0; i < num; i++)
        print_cell(bench, &columns[i], cell_of(bench, &columns[i], rows, ours, text));
    printf("\n");
    /* Those that have no line of their own behind the last that has one. */
    for (int i = 0; i < bench->num_sorts && !bench->options.is_markdown; i++) {
        if (!*rows[i].note || (i != ours && (i < num_ours || ours < num_ours - 1)))
            continue;
        snprintf(line, sizeof(line), "%s: %s", bench_sort_text(bench, &rows[i], text),
                 rows[i].note);
        bench_print_wrapped(line, 13, 13);
    }
}
