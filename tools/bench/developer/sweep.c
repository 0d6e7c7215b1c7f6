/* sweep.c: which rows of 'clsort-bench --sweep' stand out beside their neighbours. */
#include "bench/developer/developer.h"

#include <stdlib.h>
#include <string.h>

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
           time->median - outlier->expected > BENCH_LEAST_SECONDS;
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
