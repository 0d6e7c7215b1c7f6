/* table.c: the table, as text of at most 100 columns or as Markdown: a line for each sort
 * of an input, or with --ratios one for each algorithm of this build, which has a column for
 * each other sort and none for what is the same in all lines. */
#include "bench/bench.h"

#include "cli/message.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
enum what {
    TYPE, KEY_COUNT, DATA, SHAPE, SORT, RUNS, TIME, SPREAD, RATE, RATIO, RATIO_SPREAD, OF_COPY,
    LAUNCHES, CALL, CALL_HIGH
};

/* The heads of the host's and the device's columns; NULL: not in the text. */
static const struct {
    const char *text[BENCH_NUM_CLOCKS], *markdown[BENCH_NUM_CLOCKS];
    int width;
    bool is_left;
} whats[] = {
    [TYPE]         = {{"type", "type"},       {"type", "type"},           9, true},
    [KEY_COUNT]    = {{"keys", "keys"},       {"keys", "keys"},          10, false},
    [DATA]         = {{"data", "data"},       {"data", "data"},           9, true},
    [SHAPE]        = {{"what", "what"},       {"what", "what"},          22, true},
    [SORT]         = {{"sort", "sort"},       {"sort", "sort"},          16, true},
    [RUNS]         = {{NULL, NULL},           {"runs", "runs"},           0, false},
    [TIME]         = {{"host ms", "dev. ms"}, {"host, ms", "device, ms"}, 8, false},
    [SPREAD]       = {{"+-%", "+-%"},         {"± %", "± %"},             4, false},
    [RATE]         = {{"Mkeys/s", "Gkeys/s"}, {"Mkeys/s", "Gkeys/s"},     7, false},
    [RATIO]        = {{"x", "x"},             {"×", "×"},                 5, false},
    [RATIO_SPREAD] = {{"+-%", "+-%"},         {"± %", "± %"},             4, false},
    [OF_COPY]      = {{"copy", "copy"},       {"of copy", "of copy"},     4, false},
    [LAUNCHES]     = {{"launches", NULL},     {"launches", NULL},         8, false},
    [CALL]         = {{"us, median", NULL},   {"median, µs", NULL},      10, false},
    [CALL_HIGH]    = {{"us, 99%", NULL},      {"99th percentile, µs", NULL}, 10, false}};
/* clang-format on */

enum { MAX_COLUMNS = 7 + 2 * MAX_SORTS, MAX_WIDTH = 100 };
struct column {
    enum what what;
    enum bench_clock clock;
    int other; /* of a ratio of --ratios: the other sort's place among the bench's */
};

/* All but --ratios; the last three are of --enqueue. */
static const struct column long_table[] = {{.what = TYPE},
                                           {.what = KEY_COUNT},
                                           {.what = DATA},
                                           {.what = SHAPE},
                                           {.what = SORT},
                                           {.what = RUNS},
                                           {.what = TIME},
                                           {.what = SPREAD},
                                           {.what = TIME, .clock = BENCH_DEVICE},
                                           {.what = SPREAD, .clock = BENCH_DEVICE},
                                           {.what = RATE},
                                           {.what = RATIO},
                                           {.what = RATIO_SPREAD},
                                           {.what = OF_COPY},
                                           {.what = LAUNCHES},
                                           {.what = CALL},
                                           {.what = CALL_HIGH}};
enum { LONG_TABLE = sizeof(long_table) / sizeof(long_table[0]) };

/* ---- --ratios -------------------------------------------------------------------------------- */

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

/* In the text, where there is no room, what is done stands above its rows. */
static int long_columns(const struct bench *bench, struct column columns[MAX_COLUMNS])
{
    const bool has_shape = bench->options.is_markdown && !bench_is_plain(&bench->options);
    int num = 0;
    for (int i = 0; i < LONG_TABLE; i++) {
        const enum what what = long_table[i].what;
        if (what == SHAPE ? has_shape
                          : what <= RUNS || (what >= LAUNCHES) == bench->options.is_enqueue)
            columns[num++] = long_table[i];
    }
    return num;
}

static int columns_of(const struct bench *bench, struct column columns[MAX_COLUMNS])
{
    const struct bench_options *options = &bench->options;
    enum bench_clock clock = BENCH_HOST;
    bool has_data = false;
    int num = 0;
    if (!options->is_ratios)
        return long_columns(bench, columns);
    for (int i = 0; i < options->num_distributions; i++)
        has_data = has_data || options->distributions[i] != BENCH_RANDOM;
    for (int i = first_other(bench); i < bench->num_sorts; i++)
        clock = has_device_times(bench->sorts[i]) ? BENCH_DEVICE : clock;
    columns[num++] = (struct column){.what = TYPE};
    columns[num++] = (struct column){.what = KEY_COUNT};
    if (has_data)
        columns[num++] = (struct column){.what = DATA};
    if (!bench_is_plain(options))
        columns[num++] = (struct column){.what = SHAPE};
    if (options->num_algorithms > 1)
        columns[num++] = (struct column){.what = SORT};
    columns[num++] = (struct column){.what = RATE, .clock = clock};
    for (int i = first_other(bench); i < bench->num_sorts; i++) {
        if (has_device_times(bench->sorts[i]))
            columns[num++] = (struct column){RATIO, BENCH_DEVICE, i};
        columns[num++] = (struct column){RATIO, BENCH_HOST, i};
    }
    return num;
}

/* "cub-radix, device". */
static void name_other(const struct bench *bench, const struct column *column, const char *before,
                       char text[BENCH_CELL])
{
    const struct bench_opponent *other = bench->sorts[column->other];
    snprintf(text, BENCH_CELL, "%s%s%s", before, other->name,
             !has_device_times(other)        ? ""
             : column->clock == BENCH_DEVICE ? ", device"
                                             : ", host");
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* rows: of one input; i: the line's among them. A row is compared with its base, by the device's
 * clock where both have it, or with another sort. */
static struct bench_summary ratio_of(const struct bench *bench, const struct bench_row *rows, int i,
                                     const struct column *column)
{
    const struct bench_row *row = &rows[i], *base = &bench->rows[row->base];
    const bool is_on_device =
        base->times[BENCH_DEVICE].median > 0 && row->times[BENCH_DEVICE].median > 0;
    const bool is_old = column->other < bench->num_libraries;
    if (bench->options.is_ratios)
        return bench_ratio(row, &rows[is_old ? bench->options.num_algorithms + i : column->other],
                           column->clock);
    return base == row ? (struct bench_summary){0, 0, 0, 0}
                       : bench_ratio(base, row, is_on_device ? BENCH_DEVICE : BENCH_HOST);
}

static const char *cell_of(const struct bench *bench, const struct bench_row *rows, int i,
                           const struct column *column, char text[BENCH_CELL])
{
    const struct bench_row *row = &rows[i];
    const struct bench_summary *time = &row->times[column->clock];
    const bool has_ratio = column->what == RATIO || column->what == RATIO_SPREAD;
    const struct bench_summary ratio =
        has_ratio ? ratio_of(bench, rows, i, column) : (struct bench_summary){0, 0, 0, 0};
    const bool is_giga = column->clock == BENCH_DEVICE;
    switch (column->what) {
    case TYPE:
        return bench_type_text(row->type, text);
    case KEY_COUNT:
        return bench_keys_text(row->count, bench->options.is_markdown, text);
    case DATA:
        return bench_distribution_names[row->distribution];
    case SHAPE:
        return bench_shape_text(&row->shape, text);
    case SORT:
        return bench_sort_text(bench, row, text);
    case RUNS:
        snprintf(text, BENCH_CELL, "%d", row->num_runs);
        return text;
    case TIME:
        return bench_cell(1e3 * time->median, 4, text);
    case SPREAD:
        return bench_percent(time->spread, row->num_runs > 1 && time->median > 0, "", text);
    case RATE:
        return bench_cell((is_giga ? 1e-9 : 1e-6) * bench_rate(row, column->clock), 3, text);
    case RATIO:
        return bench_cell(ratio.median, 3, text);
    case RATIO_SPREAD:
        return bench_percent(ratio.spread, row->num_runs > 1 && ratio.median > 0, "", text);
    case LAUNCHES:
        snprintf(text, BENCH_CELL, "%" PRIu32, row->num_steps);
        return text;
    case CALL:
        return bench_cell(1e6 * row->times[BENCH_CALL].median, 3, text);
    case CALL_HIGH:
        return bench_cell(1e6 * row->times[BENCH_CALL].high, 3, text);
    default:
        return bench_percent(row->copy_share, row->copy_share > 0, "%", text);
    }
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void print_cell(const struct bench *bench, enum what what, const char *content)
{
    const int width = whats[what].is_left ? -whats[what].width : whats[what].width;
    if (bench->options.is_markdown)
        printf(" %s |", content);
    else if (width != 0)
        printf(" %*s", width, content);
}

bool bench_has_room(const struct bench *bench)
{
    struct column columns[MAX_COLUMNS];
    const int num = columns_of(bench, columns);
    int width = 0;
    for (int i = 0; i < num; i++)
        width += whats[columns[i].what].width > 0 ? 1 + whats[columns[i].what].width : 0;
    if (bench->options.is_markdown || width <= MAX_WIDTH)
        return true;
    message("--ratios has no room for so many sorts; choose some with --vs, or have --markdown");
    return false;
}

void bench_print_table_head(const struct bench *bench)
{
    struct column columns[MAX_COLUMNS];
    const int num = columns_of(bench, columns);
    const bool is_markdown = bench->options.is_markdown;
    char head[BENCH_CELL], number[16];
    for (int i = 0, ratio = 0; i < num && bench->options.is_ratios && !is_markdown; i++) {
        if (columns[i].what != RATIO)
            continue;
        snprintf(number, sizeof(number), "x%d: ", ++ratio);
        name_other(bench, &columns[i], number, head);
        bench_print_fact(bench, "%s", head);
    }
    printf(is_markdown ? "\n|" : "#");
    for (int i = 0, ratio = 0; i < num; i++) {
        const bool is_numbered = bench->options.is_ratios && columns[i].what == RATIO;
        const char *const *heads =
            is_markdown ? whats[columns[i].what].markdown : whats[columns[i].what].text;
        snprintf(head, sizeof(head), "%s", heads[columns[i].clock] ? heads[columns[i].clock] : "");
        if (is_numbered && is_markdown)
            name_other(bench, &columns[i], "× ", head);
        else if (is_numbered)
            snprintf(head, sizeof(head), "x%d", ++ratio);
        if (i == 0 && !is_markdown)
            printf("%-*s", whats[TYPE].width, head);
        else
            print_cell(bench, columns[i].what, head);
    }
    printf(is_markdown ? "\n|" : "\n");
    for (int i = 0; i < num && is_markdown; i++)
        printf(whats[columns[i].what].is_left ? "---|" : "---:|");
    printf(is_markdown ? "\n" : "");
}

/* Where no column says it, and the input before was for something else. */
void bench_print_shape(const struct bench *bench, int first)
{
    const struct bench_options *options = &bench->options;
    const struct bench_row *row = &bench->rows[first];
    char text[BENCH_SHAPE_TEXT], last[BENCH_SHAPE_TEXT] = "";
    bench_shape_text(&row->shape, text);
    if (row > bench->rows)
        bench_shape_text(&row[-1].shape, last);
    if (!options->is_ratios && !options->is_markdown && strcmp(text, last) != 0)
        printf("# %s\n", *text ? text : "sort");
}

/* Behind the line of a row, or with the name behind the last line where it has none. */
static void print_note(const struct bench *bench, const struct bench_row *row, bool has_line)
{
    char text[BENCH_CELL + BENCH_NOTE], sort[BENCH_CELL];
    snprintf(text, sizeof(text), "%s%s%s", has_line ? "" : bench_sort_text(bench, row, sort),
             has_line ? "" : ": ", row->note);
    if (*row->note && !bench->options.is_markdown)
        bench_print_wrapped(text, 13, 13);
}

void bench_print_row(const struct bench *bench, int first, int row)
{
    const bool has_line = !bench->options.is_ratios || row - first < bench->options.num_algorithms;
    struct column columns[MAX_COLUMNS];
    const int num = has_line ? columns_of(bench, columns) : 0;
    char text[BENCH_CELL];
    if (bench->rows[row].does_else)
        return;
    progress_clear();
    printf(has_line && bench->options.is_markdown ? "|" : "");
    for (int i = 0; i < num; i++)
        print_cell(bench, columns[i].what,
                   cell_of(bench, &bench->rows[first], row - first, &columns[i], text));
    printf(has_line ? "\n" : "");
    print_note(bench, &bench->rows[row], has_line);
    fflush(stdout);
}
