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

/* The columns of all tables but --ratios, in their order; the last three are of --enqueue. */
enum what {
    TYPE, KEY_COUNT, DATA, SHAPE, SORT, RUNS, TIME, SPREAD, DEVICE_TIME, DEVICE_SPREAD, RATE, RATIO,
    RATIO_SPREAD, OF_COPY, LAUNCHES, CALL, CALL_HIGH, NUM_COLUMNS, DEVICE_RATE = NUM_COLUMNS
};

/* Their heads, and their widths in the text, which leaves out one of no width. */
static const struct {
    const char *text, *markdown;
    int width;
    bool is_left;
} whats[] = {
    [TYPE]          = {"type",       "type",                 9, true},
    [KEY_COUNT]     = {"keys",       "keys",                10, false},
    [DATA]          = {"data",       "data",                 9, true},
    [SHAPE]         = {"what",       "what",                22, true},
    [SORT]          = {"sort",       "sort",                16, true},
    [RUNS]          = {"",           "runs",                 0, false},
    [TIME]          = {"host ms",    "host, ms",             8, false},
    [SPREAD]        = {"+-%",        "± %",                  4, false},
    [DEVICE_TIME]   = {"dev. ms",    "device, ms",           8, false},
    [DEVICE_SPREAD] = {"+-%",        "± %",                  4, false},
    [RATE]          = {"Mkeys/s",    "Mkeys/s",              7, false},
    [DEVICE_RATE]   = {"Gkeys/s",    "Gkeys/s",              7, false},
    [RATIO]         = {"x",          "×",                    5, false},
    [RATIO_SPREAD]  = {"+-%",        "± %",                  4, false},
    [OF_COPY]       = {"copy",       "of copy",              4, false},
    [LAUNCHES]      = {"launches",   "launches",             8, false},
    [CALL]          = {"us, median", "median, µs",          10, false},
    [CALL_HIGH]     = {"us, 99%",    "99th percentile, µs", 10, false}};
/* clang-format on */

enum { MAX_COLUMNS = NUM_COLUMNS + 2 * MAX_SORTS, MAX_WIDTH = 100 };
struct column {
    enum what what;
    int other;              /* of a ratio of --ratios: the other sort's place among the bench's, */
    enum bench_clock clock; /* and by which times */
};

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
    const bool has_shape = bench->options.is_markdown && bench->options.does_more;
    int num = 0;
    for (int what = 0; what < NUM_COLUMNS; what++) {
        if (what == SHAPE ? has_shape
                          : what <= RUNS || (what >= LAUNCHES) == bench->options.is_enqueue)
            columns[num++] = (struct column){.what = (enum what)what};
    }
    return num;
}

static int columns_of(const struct bench *bench, struct column columns[MAX_COLUMNS])
{
    const struct bench_options *options = &bench->options;
    enum what rate = RATE;
    bool has_data = false;
    int num = 0;
    if (!options->is_ratios)
        return long_columns(bench, columns);
    for (int i = 0; i < options->num[LIST_DISTRIBUTIONS]; i++)
        has_data = has_data || options->distributions[i] != BENCH_RANDOM;
    for (int i = first_other(bench); i < bench->num_sorts; i++)
        rate = has_device_times(bench->sorts[i]) ? DEVICE_RATE : rate;
    columns[num++] = (struct column){.what = TYPE};
    columns[num++] = (struct column){.what = KEY_COUNT};
    if (has_data)
        columns[num++] = (struct column){.what = DATA};
    if (options->does_more)
        columns[num++] = (struct column){.what = SHAPE};
    if (options->num[LIST_ALGORITHMS] > 1)
        columns[num++] = (struct column){.what = SORT};
    columns[num++] = (struct column){.what = rate};
    for (int i = first_other(bench); i < bench->num_sorts; i++) {
        if (has_device_times(bench->sorts[i]))
            columns[num++] = (struct column){RATIO, i, BENCH_DEVICE};
        columns[num++] = (struct column){RATIO, i, BENCH_HOST};
    }
    return num;
}

/* "cub-radix, device". */
static void name_other(const struct bench *bench, const struct column *column, const char *before,
                       char text[BENCH_CELL])
{
    const struct bench_opponent *other = bench->sorts[column->other];
    const char *clock = column->clock == BENCH_DEVICE ? ", device" : ", host";
    snprintf(text, BENCH_CELL, "%s%s%s", before, other->name, has_device_times(other) ? clock : "");
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* rows: of one input; i: the line's among them. A row is compared with its base, by the device's
 * clock where both have it, or with another sort. */
static struct bench_summary ratio_of(const struct bench *bench, const struct bench_row *rows, int i,
                                     const struct column *column)
{
    const struct bench_row *row = &rows[i], *base = row->base;
    const bool is_on_device =
        base->times[BENCH_DEVICE].median > 0 && row->times[BENCH_DEVICE].median > 0;
    const int old = bench->options.num[LIST_ALGORITHMS] + i;
    const int other = column->other < bench->num_libraries ? old : column->other;
    if (bench->options.is_ratios)
        return bench_ratio(row, &rows[other], column->clock);
    return bench_ratio(base, row, is_on_device ? BENCH_DEVICE : BENCH_HOST);
}

/* A share in percent, "-" for one that is not there. */
static const char *percent(double share, bool is_there, const char *unit, char text[BENCH_CELL])
{
    if (is_there)
        snprintf(text, BENCH_CELL, share < 0.095 ? "%.1f%s" : "%.0f%s", 100 * share, unit);
    else
        snprintf(text, BENCH_CELL, "-");
    return text;
}

static const char *cell_of(const struct bench *bench, const struct bench_row *rows, int i,
                           const struct column *column, char text[BENCH_CELL])
{
    const struct bench_row *row = &rows[i];
    const enum what what = column->what;
    const struct bench_summary *time =
        &row->times[what == DEVICE_TIME || what == DEVICE_SPREAD ? BENCH_DEVICE : BENCH_HOST];
    struct bench_summary ratio;
    switch (what) {
    case TYPE:
        return bench_type_text(row->keys->type, text);
    case KEY_COUNT:
        return bench_keys_text(row->keys->input.count, bench->options.is_markdown, text);
    case DATA:
        return bench_distribution_names[row->keys->input.distribution];
    case SHAPE:
        return bench_shape_text(row->keys->shape, text);
    case SORT:
        return bench_sort_text(bench, row, text);
    case RUNS:
        snprintf(text, BENCH_CELL, "%d", row->num_runs);
        return text;
    case TIME:
    case DEVICE_TIME:
        return bench_cell(1e3 * time->median, 4, text);
    case SPREAD:
    case DEVICE_SPREAD:
        return percent(time->spread, row->num_runs > 1 && time->median > 0, "", text);
    case RATE:
        return bench_cell(1e-6 * bench_rate(row, BENCH_HOST), 3, text);
    case DEVICE_RATE:
        return bench_cell(1e-9 * bench_rate(row, BENCH_DEVICE), 3, text);
    case RATIO:
        return bench_cell(ratio_of(bench, rows, i, column).median, 3, text);
    case RATIO_SPREAD:
        ratio = ratio_of(bench, rows, i, column);
        return percent(ratio.spread, row->num_runs > 1 && ratio.median > 0, "", text);
    case LAUNCHES:
        snprintf(text, BENCH_CELL, "%" PRIu32, row->num_steps);
        return text;
    case CALL:
        return bench_cell(1e6 * row->times[BENCH_CALL].median, 3, text);
    case CALL_HIGH:
        return bench_cell(1e6 * row->times[BENCH_CALL].high, 3, text);
    default:
        return percent(row->copy_share, row->copy_share > 0, "%", text);
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
    char heads[MAX_COLUMNS][BENCH_CELL], name[BENCH_CELL], before[16];
    for (int i = 0, ratio = 0; i < num; i++) {
        const bool is_other = bench->options.is_ratios && columns[i].what == RATIO;
        snprintf(heads[i], BENCH_CELL, "%s",
                 is_markdown ? whats[columns[i].what].markdown : whats[columns[i].what].text);
        if (is_other && is_markdown)
            name_other(bench, &columns[i], "× ", heads[i]);
        if (!is_other || is_markdown)
            continue;
        snprintf(heads[i], BENCH_CELL, "x%d", ++ratio);
        snprintf(before, sizeof(before), "x%d: ", ratio);
        name_other(bench, &columns[i], before, name);
        bench_print_fact(bench, "%s", name);
    }
    printf(is_markdown ? "\n|" : "#");
    for (int i = 0; i < num; i++) {
        if (i == 0 && !is_markdown)
            printf("%-*s", whats[TYPE].width, heads[i]);
        else
            print_cell(bench, columns[i].what, heads[i]);
    }
    printf(is_markdown ? "\n|" : "\n");
    for (int i = 0; i < num && is_markdown; i++)
        printf(whats[columns[i].what].is_left ? "---|" : "---:|");
    printf(is_markdown ? "\n" : "");
}

/* Where no column says it, and the input before was for something else. */
void bench_print_shape(const struct bench *bench, const struct bench_combination *keys)
{
    const struct bench_options *options = &bench->options;
    char text[BENCH_SHAPE_TEXT], last[BENCH_SHAPE_TEXT] = "";
    bench_shape_text(keys->shape, text);
    if (keys > bench->combinations)
        bench_shape_text(keys[-1].shape, last);
    if (options->is_ratios || options->is_markdown || strcmp(text, last) == 0)
        return;
    progress_clear();
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

void bench_print_row(const struct bench *bench, const struct bench_row *rows, int i)
{
    const bool has_line = !bench->options.is_ratios || i < bench->options.num[LIST_ALGORITHMS];
    struct column columns[MAX_COLUMNS];
    const int num = has_line ? columns_of(bench, columns) : 0;
    char text[BENCH_CELL];
    if (rows[i].does_else)
        return;
    progress_clear();
    printf(has_line && bench->options.is_markdown ? "|" : "");
    for (int c = 0; c < num; c++)
        print_cell(bench, columns[c].what, cell_of(bench, rows, i, &columns[c], text));
    printf(has_line ? "\n" : "");
    print_note(bench, &rows[i], has_line);
    fflush(stdout);
}
