/* sweep.c: which rows of 'clsort-bench --sweep' stand out beside their neighbours. They are
 * measured again, and those that do so twice are printed. */
#include "bench/developer/developer.h"

#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Launches alone vary by about as much: a smaller difference is none. */
#define LEAST_SECONDS 5e-6

/* What two rows differ in. */
enum { COUNT = 1, LENGTH = 2, DATA = 4, ELSE = 8 };

/* The members of a shape that have lists. */
static unsigned difference(const struct bench_row *a, const struct bench_row *b)
{
    const struct bench_shape *shape = &a->shape, *other = &b->shape;
    const bool is_same_type = a->type.key == b->type.key && a->type.form == b->type.form &&
                              a->type.value_size == b->type.value_size;
    const bool is_same_work = shape->work == other->work && shape->layout == other->layout &&
                              shape->limit == other->limit &&
                              shape->has_sorted_queries == other->has_sorted_queries;
    if (!is_same_type || !is_same_work || strcmp(a->algorithm, b->algorithm) != 0)
        return ELSE;
    return (a->count != b->count ? COUNT : 0U) | (shape->length != other->length ? LENGTH : 0U) |
           (a->distribution != b->distribution ? DATA : 0U);
}

/* What the other is to the row, or BENCH_NUM_NEIGHBOURS. */
static enum bench_neighbour neighbour_of(const struct bench_row *row, const struct bench_row *other)
{
    switch (difference(row, other)) {
    case COUNT:
        return other->count < row->count ? BENCH_FEWER : BENCH_MORE;
    case LENGTH:
        return other->shape.length < row->shape.length ? BENCH_SHORTER : BENCH_LONGER;
    case DATA:
        return other->distribution == BENCH_RANDOM ? BENCH_AT_RANDOM : BENCH_NUM_NEIGHBOURS;
    default:
        return BENCH_NUM_NEIGHBOURS;
    }
}

static uint64_t between(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

/* How far it is to a neighbour, of two of the same kind. */
static uint64_t distance(const struct bench_row *row, const struct bench_row *other)
{
    return between(row->count, other->count) + between(row->shape.length, other->shape.length);
}

/* The nearest measured neighbour of each kind, or -1. */
static void find_neighbours(const struct bench_row *rows, int num_rows, int row,
                            int nearest[BENCH_NUM_NEIGHBOURS])
{
    for (int i = 0; i < BENCH_NUM_NEIGHBOURS; i++)
        nearest[i] = -1;
    for (int i = 0; i < num_rows; i++) {
        const enum bench_neighbour neighbour = neighbour_of(&rows[row], &rows[i]);
        if (rows[i].num_runs == 0 || neighbour == BENCH_NUM_NEIGHBOURS)
            continue;
        const int last = nearest[neighbour];
        if (last < 0 || distance(&rows[row], &rows[i]) < distance(&rows[row], &rows[last]))
            nearest[neighbour] = i;
    }
}

/* By the device's clock where both have it. */
static struct bench_outlier compare(const struct bench_row *rows, int row, int other,
                                    enum bench_neighbour neighbour)
{
    const struct bench_row *a = &rows[row], *b = &rows[other];
    const bool is_on_device =
        a->times[BENCH_DEVICE].median > 0 && b->times[BENCH_DEVICE].median > 0;
    const enum bench_clock clock = is_on_device ? BENCH_DEVICE : BENCH_HOST;
    const double scale = neighbour == BENCH_FEWER ? (double)a->count / (double)b->count : 1;
    const double expected = scale * b->times[clock].median;
    return (struct bench_outlier){row,   other,    neighbour,
                                  clock, expected, a->times[clock].median / expected};
}

static bool stands_out(const struct bench_row *rows, const struct bench_outlier *outlier,
                       double factor)
{
    const struct bench_summary *time = &rows[outlier->row].times[outlier->clock];
    const struct bench_summary *other = &rows[outlier->other].times[outlier->clock];
    const double best = outlier->expected / other->median * other->best;
    return outlier->ratio > factor && time->best > factor * best &&
           time->median - outlier->expected > LEAST_SECONDS;
}

static int compare_outliers(const void *a, const void *b)
{
    const struct bench_outlier *x = a, *y = b;
    if (x->ratio != y->ratio)
        return x->ratio < y->ratio ? 1 : -1;
    return x->row - y->row;
}

int bench_find_outliers(const struct bench_row *rows, int num_rows, double factor,
                        struct bench_outlier *outliers)
{
    int num = 0, nearest[BENCH_NUM_NEIGHBOURS];
    for (int row = 0; row < num_rows; row++) {
        struct bench_outlier worst = {.ratio = 0};
        find_neighbours(rows, num_rows, row, nearest);
        for (int i = 0; i < BENCH_NUM_NEIGHBOURS; i++) {
            if (nearest[i] < 0)
                continue;
            const struct bench_outlier found =
                compare(rows, row, nearest[i], (enum bench_neighbour)i);
            if (found.ratio > worst.ratio && stands_out(rows, &found, factor))
                worst = found;
        }
        if (worst.ratio > 0)
            outliers[num++] = worst;
    }
    qsort(outliers, (size_t)num, sizeof(*outliers), compare_outliers);
    return num;
}

void bench_print_sweep_head(const struct bench *bench)
{
    bench_print_fact(
        bench,
        "below, worst first: rows that take more than %g times what a neighbour suggests, and "
        "%g us more, also when both are measured again; medians of the device's time, or of "
        "the host's where the driver tells none",
        bench->options.sweep, 1e6 * LEAST_SECONDS);
}

/* Measures the neighbour and the row again, one behind the other. False after a message. */
static bool look_again(struct bench *bench, const struct bench_outlier *outlier,
                       bool *stands_out_ret)
{
    const int first = bench->num_rows, num_sorts = bench->num_sorts;
    const int rows[2] = {outlier->other, outlier->row};
    struct bench_row pair[2];
    struct bench_outlier found[2];
    *stands_out_ret = false;
    for (int i = 0; i < 2; i++) {
        if (!bench_measure_again(bench, rows[i] / num_sorts))
            return false;
    }
    for (int i = 0; i < 2; i++)
        pair[i] = bench->rows[first + i * num_sorts + rows[i] % num_sorts];
    for (int i = bench_find_outliers(pair, 2, bench->options.sweep, found); i > 0; i--)
        *stands_out_ret = *stands_out_ret || found[i - 1].row == 1;
    bench->num_rows = first; /* what is measured again is in no report */
    return true;
}

/* The neighbour in a few words. */
static const char *neighbour_text(const struct bench_row *other, enum bench_neighbour neighbour,
                                  char text[BENCH_ROW_TEXT])
{
    static const char *const behind[BENCH_NUM_NEIGHBOURS] = {"", ", which are more",
                                                             ", which are shorter",
                                                             ", which are longer", ""};
    char keys[BENCH_CELL], shape[BENCH_SHAPE_TEXT];
    if (neighbour == BENCH_AT_RANDOM)
        snprintf(text, BENCH_ROW_TEXT, "random keys");
    else if (neighbour == BENCH_SHORTER || neighbour == BENCH_LONGER)
        snprintf(text, BENCH_ROW_TEXT, "%s%s", bench_shape_text(&other->shape, shape),
                 behind[neighbour]);
    else
        snprintf(text, BENCH_ROW_TEXT, "%s keys%s", bench_keys_text(other->count, false, keys),
                 behind[neighbour]);
    return text;
}

static void print_outlier(const struct bench *bench, const struct bench_outlier *outlier)
{
    const struct bench_row *row = &bench->rows[outlier->row];
    const struct bench_row *other = &bench->rows[outlier->other];
    const double seconds[] = {row->times[outlier->clock].median,
                              other->times[outlier->clock].median, outlier->expected};
    char name[BENCH_ROW_TEXT], neighbour[BENCH_ROW_TEXT], sort[BENCH_CELL], times[3][BENCH_CELL];
    for (int i = 0; i < 3; i++)
        bench_cell(1e3 * seconds[i], 4, times[i]);
    progress_clear();
    printf("%6.2f %s\n", outlier->ratio, bench_row_text(bench, row, name));
    printf("       %s ms; %s: %s ms by %s", times[0],
           neighbour_text(other, outlier->neighbour, neighbour), times[1],
           bench_sort_text(bench, other, sort));
    if (outlier->neighbour == BENCH_FEWER)
        printf(", at whose rate it would be %s ms", times[2]);
    printf("\n");
    fflush(stdout);
}

static void print_sum(const struct bench *bench, int num_found, int num_once)
{
    char once[40] = "", missing[100] = "";
    int num_measured = 0;
    for (int i = 0; i < bench->num_rows; i++)
        num_measured += bench->rows[i].num_runs > 0;
    const int num_missing = bench->num_rows - num_measured;
    if (num_once > 0)
        snprintf(once, sizeof(once), "; only the first time: %d", num_once);
    if (num_missing > 0)
        snprintf(missing, sizeof(missing),
                 "; not measured: %d, for reasons that --csv and --json tell", num_missing);
    bench_print_fact(bench, "rows measured: %d; standing out: %d%s%s", num_measured, num_found,
                     once, missing);
}

bool bench_print_outliers(struct bench *bench)
{
    struct bench_outlier *outliers = zeroed((size_t)bench->num_rows + 1, sizeof(*outliers));
    if (!outliers)
        return false;
    const int num =
        bench_find_outliers(bench->rows, bench->num_rows, bench->options.sweep, outliers);
    int num_found = 0;
    bool ok = true;
    bench->progress_size = 1000; /* of each that is measured again */
    progress_stage("measuring again", (uint64_t)num * bench->progress_size);
    for (int i = 0; i < num && ok; i++) {
        bool stands_out;
        bench->progress_begin = (uint64_t)i * bench->progress_size;
        ok = look_again(bench, &outliers[i], &stands_out);
        if (ok && stands_out)
            print_outlier(bench, &outliers[i]);
        num_found += ok && stands_out;
    }
    progress_end();
    if (ok)
        print_sum(bench, num_found, num - num_found);
    free(outliers);
    return ok;
}
