/* bench_table.c: the tables, as text of at most 100 columns or as Markdown, while they are measured: a
 * line for each sort, or with --ratios one for each algorithm, with a column for each other sort. */
#include "bench.h"

#include "message.h"
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CELL_TEXT = BENCH_SORT_TEXT, WIDTH = 100 };

/* Numbers with about so many digits; one that is missing is "-". */
static const char *cell(double number, int num_digits, char text[CELL_TEXT])
{
    int decimals = number < 0.1 ? num_digits : num_digits - 1;
    for (double power = 10; power <= number && decimals > 0; power *= 10)
        decimals--;
    if (number > 0)
        snprintf(text, CELL_TEXT, "%.*f", decimals, number);
    else
        snprintf(text, CELL_TEXT, "-");
    return text;
}

/* A text as lines of their own that fit, the first and the others behind as many blanks. */
static void print_wrapped(const char *text, int first_indent, int indent)
{
    for (int blanks = first_indent; *text; blanks = indent) {
        const int room = WIDTH - 1 - blanks;
        int end = (int)strlen(text);
        if (end > room) {
            for (end = room; end > 0 && text[end] != ' '; end--)
                continue;
            end = end > 0 ? end : (int)strlen(text);
        }
        printf("#%*s%.*s\n", blanks, "", end, text);
        text += end + (text[end] == ' ');
    }
}

static double rate(const struct bench_row *row, enum bench_clock clock)
{
    const double seconds = row->times[clock].median;
    return seconds > 0 ? 1e-6 * (double)row->count / seconds : 0;
}

const char *bench_sort_text(const struct bench *bench, const struct bench_row *row,
                            char text[BENCH_SORT_TEXT])
{
    const bool is_named = bench->old.sorter && *row->algorithm && strcmp(row->sort, "clsort") != 0;
    const bool has_choice = *row->chosen && strcmp(row->algorithm, row->chosen) != 0;
    if (*row->algorithm)
        snprintf(text, BENCH_SORT_TEXT, "%s%s%s%s%s", is_named ? row->sort : "",
                 is_named ? " " : "", row->algorithm, has_choice ? ":" : "",
                 has_choice ? row->chosen : "");
    else
        snprintf(text, BENCH_SORT_TEXT, "%s", row->sort);
    return text;
}

/* A spread of one run alone is none. */
static const char *percent(double share, int num_runs, char text[CELL_TEXT])
{
    if (num_runs < 2)
        snprintf(text, CELL_TEXT, "-");
    else
        snprintf(text, CELL_TEXT, share < 0.0995 ? "%.1f" : "%.0f", 100 * share);
    return text;
}

/* ---- A line for each sort ------------------------------------------------------------------------ */

/* clang-format off */
enum column { KEY_COUNT, TYPE, DATA, SORT, RUNS, HOST, HOST_SPREAD, DEVICE, DEVICE_SPREAD, RATE, RATIO,
              RATIO_SPREAD, OF_COPY, NOTE, NUM_COLUMNS };

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
    [RATIO]         = {"x",       "x",           5, false},
    [RATIO_SPREAD]  = {"+-%",     "± %",         4, false},
    [OF_COPY]       = {"copy",    "of copy",     4, false},
    [NOTE]          = {"",        "note",        0, true}};
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
                           enum column column, char text[CELL_TEXT])
{
    const struct bench_summary ratio = ratio_of(bench, row);
    const bool has_device = row->times[BENCH_DEVICE].median > 0;
    switch (column) {
    case KEY_COUNT:
        snprintf(text, CELL_TEXT, "%" PRIu64, row->count);
        return text;
    case TYPE:
        return bench_type_text(row->type, text);
    case DATA:
        return bench_distribution_names[row->distribution];
    case SORT:
        return bench_sort_text(bench, row, text);
    case RUNS:
        snprintf(text, CELL_TEXT, "%d", row->num_runs);
        return text;
    case HOST:
        return cell(1e3 * row->times[BENCH_HOST].median, 4, text);
    case HOST_SPREAD:
        return percent(row->times[BENCH_HOST].spread, row->num_runs, text);
    case DEVICE:
        return cell(1e3 * row->times[BENCH_DEVICE].median, 4, text);
    case DEVICE_SPREAD:
        return percent(row->times[BENCH_DEVICE].spread, has_device ? row->num_runs : 0, text);
    case RATE:
        return cell(rate(row, BENCH_HOST), 4, text);
    case RATIO:
        return cell(ratio.median, 3, text);
    case RATIO_SPREAD:
        return percent(ratio.spread, ratio.median > 0 ? row->num_runs : 0, text);
    case OF_COPY:
        snprintf(text, CELL_TEXT,
                 row->copy_share == 0      ? "-"
                 : row->copy_share < 0.095 ? "%.1f%%"
                                           : "%.0f%%",
                 100 * row->copy_share);
        return text;
    default:
        return row->note;
    }
}

static void print_row(const struct bench *bench, const struct bench_row *row)
{
    char text[CELL_TEXT];
    for (int i = 0; i < NUM_COLUMNS; i++) {
        const char *content = cell_of(bench, row, (enum column)i, text);
        if (bench->options.is_markdown)
            printf("%s %s |", i == 0 ? "|" : "", content);
        else if (columns[i].width > 0)
            printf("%s%*s", i > 0 ? " " : "",
                   columns[i].is_left ? -columns[i].width : columns[i].width, content);
    }
    printf("\n");
    if (!bench->options.is_markdown)
        print_wrapped(row->note, 13, 13);
}

static void print_head_row(bool is_markdown)
{
    for (int i = 0; i < NUM_COLUMNS; i++) {
        if (is_markdown)
            printf("%s %s |", i == 0 ? "\n|" : "", columns[i].markdown);
        else if (columns[i].width > 0)
            printf(i == 0 ? "#%*s" : " %*s",
                   columns[i].is_left ? -columns[i].width : columns[i].width - (i == 0),
                   columns[i].text);
    }
    printf("\n");
    for (int i = 0; i < NUM_COLUMNS && is_markdown; i++)
        printf("%s%s|", i == 0 ? "|" : "", columns[i].is_left ? "---" : "---:");
    printf(is_markdown ? "\n" : "");
}

/* ---- --ratios: a line for each algorithm --------------------------------------------------------- */

/* The sorts that an algorithm of this build is compared with: the opponents, and the same algorithm of
 * the other build, which stands for all of its own. */
static int first_other(const struct bench *bench)
{
    return bench->old.sorter ? bench->num_libraries - 1 : bench->num_libraries;
}

static bool has_device_times(const struct bench_opponent *sort)
{
    return sort->memory != BENCH_ON_HOST;
}

static bool any_has_device_times(const struct bench *bench)
{
    bool has_any = false;
    for (int i = first_other(bench); i < bench->num_sorts; i++)
        has_any = has_any || has_device_times(bench->sorts[i]);
    return has_any;
}

/* The columns of ratios: their heads, or with rows those of the algorithm `ours` of an input. */
static void print_ratios(const struct bench *bench, const struct bench_row *rows, int ours)
{
    const bool is_markdown = bench->options.is_markdown;
    const bool has_device = any_has_device_times(bench);
    char text[CELL_TEXT];
    int column = 1;
    for (int i = first_other(bench); i < bench->num_sorts; i++) {
        const int theirs = i < bench->num_libraries ? bench->options.num_algorithms + ours : i;
        for (int clock = BENCH_DEVICE; clock >= BENCH_HOST; clock--) {
            if (clock == BENCH_DEVICE && !has_device_times(bench->sorts[i]))
                continue;
            if (rows)
                cell(bench_ratio(&rows[ours], &rows[theirs], (enum bench_clock)clock).median, 3,
                     text);
            else if (is_markdown)
                snprintf(text, sizeof(text), "x %s%s", bench->sorts[i]->name,
                         !has_device             ? ""
                         : clock == BENCH_DEVICE ? ", device"
                                                 : ", host");
            else
                snprintf(text, sizeof(text), "x%d", column);
            printf(is_markdown ? " %s |" : " %5s", text);
            column++;
        }
    }
}

static void print_ratios_head(const struct bench *bench)
{
    const bool has_device = any_has_device_times(bench);
    if (!bench->options.is_markdown) {
        printf("#%10s %-9s %-9s %-16s%s %8s", "keys", "type", "data", "clsort",
               has_device ? "  dev. M/s" : "", has_device ? "host M/s" : "Mkeys/s");
        print_ratios(bench, NULL, 0);
        printf("\n");
        return;
    }
    printf("\n| keys | type | data | clsort |%s |",
           has_device ? " Mkeys/s, device | Mkeys/s, host" : " Mkeys/s");
    print_ratios(bench, NULL, 0);
    printf(" note |\n|---:|---|---|---|---:|%s", has_device ? "---:|" : "");
    for (int i = first_other(bench); i < bench->num_sorts; i++)
        printf("---:|%s", has_device_times(bench->sorts[i]) ? "---:|" : "");
    printf("---|\n");
}

/* What is to be said of the sorts of an input that have no lines. */
static void print_ratios_notes(const struct bench *bench, const struct bench_row *rows, int ours)
{
    const bool is_markdown = bench->options.is_markdown;
    const char *separator = "";
    for (int i = 0; i < bench->num_sorts; i++) {
        char note[BENCH_NOTE + CELL_TEXT], text[BENCH_SORT_TEXT];
        const bool is_other = i >= bench->options.num_algorithms;
        if (!*rows[i].note || (!is_other && i != ours) ||
            (!is_markdown && is_other && ours + 1 < bench->options.num_algorithms))
            continue;
        snprintf(note, sizeof(note), "%s%s%s%s", is_markdown ? separator : "",
                 is_other ? bench_sort_text(bench, &rows[i], text) : "", is_other ? ": " : "",
                 rows[i].note);
        if (is_markdown)
            printf("%s", note);
        else
            print_wrapped(note, 13, 13);
        separator = "; ";
    }
}

static void print_ratios_row(const struct bench *bench, const struct bench_row *rows, int ours)
{
    const bool is_markdown = bench->options.is_markdown;
    const struct bench_row *row = &rows[ours];
    char cells[4][CELL_TEXT];
    printf(is_markdown ? "| %" PRIu64 " | %s | %s | %s |" : "%11" PRIu64 " %-9s %-9s %-16s",
           row->count, bench_type_text(row->type, cells[0]),
           bench_distribution_names[row->distribution], bench_sort_text(bench, row, cells[1]));
    if (any_has_device_times(bench))
        printf(is_markdown ? " %s |" : "  %8s", cell(rate(row, BENCH_DEVICE), 4, cells[2]));
    printf(is_markdown ? " %s |" : " %8s", cell(rate(row, BENCH_HOST), 4, cells[3]));
    print_ratios(bench, rows, ours);
    printf(is_markdown ? " " : "\n");
    print_ratios_notes(bench, rows, ours);
    printf(is_markdown ? " |\n" : "");
}

/* ---- Both ---------------------------------------------------------------------------------------- */

static void print_fact(const struct bench *bench, const char *text)
{
    if (bench->options.is_markdown)
        printf("- %s\n", text);
    else
        print_wrapped(text, 1, 4);
}

/* The sorts that are compared with, and their columns where they have only numbers. */
static void print_others(const struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    char text[600];
    int column = 1;
    if (bench->old.sorter) {
        snprintf(text, sizeof(text), "old: clsort %s of %s", bench->old.version(),
                 options->against);
        print_fact(bench, text);
    }
    for (int i = bench->num_libraries; i < bench->num_sorts; i++) {
        const struct bench_opponent *sort = bench->sorts[i];
        snprintf(text, sizeof(text), "%s: %s", sort->name, sort->about ? sort->about() : "");
        print_fact(bench, text);
    }
    for (int i = 0; i < bench->num_missing; i++) {
        snprintf(text, sizeof(text), "no %s: %s", bench->missing[i]->name,
                 bench->missing[i]->missing);
        print_fact(bench, text);
    }
    for (int i = first_other(bench);
         i < bench->num_sorts && options->is_ratios && !options->is_markdown; i++) {
        const bool has_device = has_device_times(bench->sorts[i]);
        snprintf(text, sizeof(text),
                 has_device ? "x%d: %s, device time; x%d: host time" : "x%d: %s", column,
                 bench->sorts[i]->name, column + 1);
        column += 1 + has_device;
        print_fact(bench, text);
    }
    print_fact(bench,
               options->is_ratios
                   ? "x: how many times as fast clsort is, the median of the rounds' ratios"
                   : "x: how many times as fast as this sort the first one is (of old: the "
                     "same one), the median of the rounds' ratios, by device time where both "
                     "have it");
}

static void print_times(const struct bench *bench)
{
    const struct first_call *first = &bench->first_call;
    char text[200];
    snprintf(text, sizeof(text), "copy bandwidth %.2f GB/s (read and written)%s",
             bench->copy_rate / 1e9,
             bench->options.is_ratios ? "" : "; 'copy' is a sort's traffic against it");
    print_fact(bench, text);
    if (first->sort > 0) {
        snprintf(text, sizeof(text),
                 "first call: create %.1f ms, compile %.1f ms, first sort %.1f ms, with the "
                 "driver's cache",
                 1e3 * first->create, 1e3 * first->prepare, 1e3 * first->sort);
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
    int length = snprintf(text, sizeof(text), "clsort %s; %d rounds, seed %" PRIu64,
                          clsort_version(), options->repeat, options->seed);
    if (options->index_size)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "; indices of %u bytes",
                           (unsigned)options->index_size);
    if (options->is_stable)
        snprintf(text + length, sizeof(text) - (size_t)length, "; stable");
    print_fact(bench, text);
    print_fact(bench,
               "medians, and +-: half of the distance between the quartiles; host time: from "
               "the call to the end; device time: from before the first to after the last "
               "command");
    print_times(bench);
    if (bench->num_sorts > 1 || bench->num_missing > 0)
        print_others(bench);
    if (options->is_ratios)
        print_ratios_head(bench);
    else
        print_head_row(options->is_markdown);
    fflush(stdout);
}

void bench_print_rows(const struct bench *bench, int first, int end)
{
    const bool is_ratios = bench->options.is_ratios;
    const int num = is_ratios ? bench->options.num_algorithms : end - first;
    progress_clear();
    for (int i = 0; i < num; i++) {
        if (is_ratios)
            print_ratios_row(bench, &bench->rows[first], i);
        else
            print_row(bench, &bench->rows[first + i]);
    }
    fflush(stdout);
}

void bench_print_noise(const struct bench *bench)
{
    const struct bench_row *worst = NULL;
    int num_noisy = 0, num_measured = 0;
    char text[300], type[BENCH_TYPE_TEXT], sort[BENCH_SORT_TEXT];
    for (int i = 0; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        const double spread = row->times[BENCH_HOST].spread;
        num_measured += row->num_runs > 1;
        num_noisy += spread > bench->options.noise;
        if (spread > bench->options.noise && (!worst || spread > worst->times[BENCH_HOST].spread))
            worst = row;
    }
    if (!worst)
        return;
    printf(bench->options.is_markdown ? "\n" : "");
    snprintf(text, sizeof(text),
             "noisy machine: the host times of %d of %d rows vary by more than +-%.3g %%, most by "
             "+-%.0f %% (%s of %" PRIu64 " %s, %s)",
             num_noisy, num_measured, 100 * bench->options.noise,
             100 * worst->times[BENCH_HOST].spread, bench_sort_text(bench, worst, sort),
             worst->count, bench_type_text(worst->type, type),
             bench_distribution_names[worst->distribution]);
    print_fact(bench, text);
    fflush(stdout);
}
