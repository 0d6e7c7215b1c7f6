/* estimate.c: how long one run of a sort takes, before it is run. What ran before tells, by
 * the plan's comparisons and bytes; else what no device exceeds gives a bound from below. */
#include "bench/bench.h"

#include <math.h>
#include <string.h>

/* Comparisons, or 8 bytes moved, a second: by a compute unit of a GPU, of another device, and by
 * the host. */
static const double gpu_rate = 1e11, unit_rate = 2e10, host_rate = 2e10;

/* A run may take this many times as long as by these rates. */
static const double slack = 256;

/* The work of a run, and of which sort it is. */
struct work {
    double compares, bytes;
    int slot;
    const char *refusal;
};

static struct work work_of(const struct bench *bench, int sort, struct bench_type type,
                           const struct bench_input *input)
{
    const struct bench_library *library = &bench->libraries[sort];
    const double count = (double)input->count;
    clsort_plan plan;
    if (sort >= bench->num_libraries)
        return (struct work){.compares = count * log2(count + 1),
                             .slot = CLSORT_NUM_ALGORITHMS + sort};
    const clsort_desc desc = bench_desc(&bench->options, type, library->desc.algorithm, input);
    const clsort_status status =
        library->build->get_plan(library->build->sorter, &desc, &plan, NULL, 0);
    if (status)
        return (struct work){.refusal = library->build->status_text(status)};
    return (struct work){.compares = (double)plan.compares,
                         .bytes = (double)plan.bytes_read + (double)plan.bytes_written,
                         .slot = (int)plan.algorithm};
}

struct bench_estimate bench_estimate(const struct bench *bench, int sort, struct bench_type type,
                                     const struct bench_input *input,
                                     const struct bench_experience *experience)
{
    const struct work work = work_of(bench, sort, type, input);
    const struct device_facts *facts = &bench->device.facts;
    const bool is_on_host = bench->sorts[sort]->memory == BENCH_ON_HOST;
    const double of_unit = strcmp(facts->kind, "GPU") == 0 ? gpu_rate : unit_rate;
    struct bench_estimate made = {.slot = work.slot,
                                  .work = work.compares + work.bytes / 8,
                                  .refusal = work.refusal};
    const struct bench_experience *known = &experience[made.slot];
    made.is_known = known->work > 0;
    if (made.is_known) {
        made.seconds = known->seconds * made.work / known->work;
        return made;
    }
    made.seconds = made.work / (is_on_host ? host_rate : of_unit * facts->compute_units);
    if (bench->copy_rate > 0 && work.bytes / bench->copy_rate > made.seconds)
        made.seconds = work.bytes / bench->copy_rate;
    made.is_vague = slack * made.seconds > bench->options.row_seconds;
    return made;
}

bool bench_allows(const struct bench *bench, const struct bench_estimate *estimate, char *why)
{
    const double allowed = bench->options.row_seconds;
    if (estimate->refusal)
        return bench_refuse(why, estimate->refusal);
    if (estimate->seconds <= allowed)
        return true;
    snprintf(why, BENCH_WHY, "would take %s %.3g s a run; --row-seconds allows %.3g s",
             estimate->is_known ? "about" : "at least", estimate->seconds, allowed);
    return false;
}

/* By the time that the rows of an input take at most, in milliseconds, whatever sorts them. */
uint64_t bench_progress_of(const struct bench_options *options, uint64_t count)
{
    static const double least = 2, of_key = 2e-5;
    const double one = least + of_key * (double)count, most = 3e3 * options->row_seconds;
    const double all = 2 * (1 + (double)options->repeat) * one;
    return (uint64_t)(all < most ? all : most);
}
