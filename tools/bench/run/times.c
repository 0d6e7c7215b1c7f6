/* times.c: the median and the spread of several measurements of the same sort; and how long one run
 * takes, before it is run. What ran before tells that, by the plan's comparisons and bytes; else
 * what no device exceeds gives a bound from below. */
#include "bench/bench.h"

#include <math.h>
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

struct bench_summary bench_summarise(const double *runs, int num_runs)
{
    struct bench_summary summary = {0, 0, 0, 0};
    double *sorted = num_runs > 0 ? malloc((size_t)num_runs * sizeof(*sorted)) : NULL;
    if (!sorted)
        return summary;
    memcpy(sorted, runs, (size_t)num_runs * sizeof(*sorted));
    qsort(sorted, (size_t)num_runs, sizeof(*sorted), compare);
    const double quartiles = quantile(sorted, num_runs, 0.75) - quantile(sorted, num_runs, 0.25);
    summary.best = sorted[0];
    summary.median = quantile(sorted, num_runs, 0.5);
    summary.spread = summary.median > 0 ? quartiles / 2 / summary.median : 0;
    summary.high = quantile(sorted, num_runs, 0.99);
    free(sorted);
    return summary;
}

struct bench_summary bench_ratio(const struct bench_row *ours, const struct bench_row *theirs,
                                 enum bench_clock clock)
{
    const int num_runs = ours->num_runs < theirs->num_runs ? ours->num_runs : theirs->num_runs;
    double *ratios = malloc((size_t)num_runs * sizeof(*ratios) + 1);
    int num = 0;
    for (int i = 0; ratios && ours != theirs && i < num_runs; i++) {
        if (ours->runs[clock][i] > 0 && theirs->runs[clock][i] > 0)
            ratios[num++] = theirs->runs[clock][i] / ours->runs[clock][i];
    }
    const struct bench_summary summary = bench_summarise(ratios, num);
    free(ratios);
    return summary;
}

/* ---- Before a run ---------------------------------------------------------------------------- */

/* Comparisons, or 8 bytes moved, a second: by a compute unit of a GPU, of another device, and by
 * the host. */
static const double gpu_rate = 1e11, unit_rate = 2e10, host_rate = 2e10;

/* A run may take this many times as long as by these rates. */
static const double slack = 256;

struct bench_estimate bench_estimate(const struct bench *bench, int sort,
                                     const struct bench_combination *keys)
{
    const double count = (double)keys->input.count;
    struct bench_estimate made = {.slot = CLSORT_NUM_ALGORITHMS + sort,
                                  .work = count * log2(count + 1)};
    double bytes = 0;
    if (sort < bench->num_libraries) {
        const struct bench_library *library = &bench->libraries[sort];
        const struct bench_build *build = library->build;
        const clsort_desc desc =
            bench_desc(&bench->options, keys->type, library->desc.algorithm, &keys->input);
        clsort_plan plan;
        const clsort_status status = build->get_plan(build->sorter, &desc, &plan, NULL, 0);
        if (status)
            return (struct bench_estimate){.refusal = build->status_text(status)};
        bytes = (double)plan.bytes_read + (double)plan.bytes_written;
        made.slot = (int)plan.algorithm;
        made.work = (double)plan.compares + bytes / 8;
    }
    const struct bench_experience *known = &bench->experience[keys->place][made.slot];
    made.is_known = known->work > 0;
    if (made.is_known) {
        made.seconds = known->seconds * made.work / known->work;
        return made;
    }
    const double of_unit = strcmp(bench->device.facts.kind, "GPU") == 0 ? gpu_rate : unit_rate;
    const bool is_on_host = bench->sorts[sort]->memory == BENCH_ON_HOST;
    made.seconds =
        made.work / (is_on_host ? host_rate : of_unit * bench->device.facts.compute_units);
    if (bench->copy_rate > 0)
        made.seconds = fmax(made.seconds, bytes / bench->copy_rate);
    made.is_vague = slack * made.seconds > bench->options.row_seconds;
    return made;
}
