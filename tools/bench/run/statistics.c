/* statistics.c: the median and the spread of several measurements of the same sort. */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile of sorted numbers, interpolated between neighbours. */
static double quantile(const double *sorted, int num, double part)
{
    const double place = part * (num - 1);
    const int below = (int)place;
    const int above = below + 1 < num ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

double bench_median(double *seconds, int num_runs, double *best_ret)
{
    if (num_runs == 0)
        return *best_ret = 0;
    qsort(seconds, (size_t)num_runs, sizeof(*seconds), compare);
    *best_ret = seconds[0];
    return quantile(seconds, num_runs, 0.5);
}

struct bench_summary bench_summarise(const double *runs, int num_runs)
{
    struct bench_summary summary = {0, 0, 0, 0};
    double *sorted = malloc((size_t)num_runs * sizeof(*sorted) + 1);
    if (!sorted || num_runs == 0) {
        free(sorted);
        return summary;
    }
    memcpy(sorted, runs, (size_t)num_runs * sizeof(*sorted));
    summary.median = bench_median(sorted, num_runs, &summary.best);
    if (summary.median > 0)
        summary.spread = (quantile(sorted, num_runs, 0.75) - quantile(sorted, num_runs, 0.25)) / 2 /
                         summary.median;
    summary.high = quantile(sorted, num_runs, 0.99);
    free(sorted);
    return summary;
}

struct bench_summary bench_ratio(const struct bench_row *ours, const struct bench_row *theirs,
                                 enum bench_clock clock)
{
    struct bench_summary summary = {0, 0, 0, 0};
    const int num_runs = ours->num_runs < theirs->num_runs ? ours->num_runs : theirs->num_runs;
    double *ratios = malloc((size_t)num_runs * sizeof(*ratios) + 1);
    int num = 0;
    for (int i = 0; ratios && i < num_runs; i++) {
        if (ours->runs[clock][i] > 0 && theirs->runs[clock][i] > 0)
            ratios[num++] = theirs->runs[clock][i] / ours->runs[clock][i];
    }
    if (ratios && num > 0)
        summary = bench_summarise(ratios, num);
    free(ratios);
    return summary;
}
