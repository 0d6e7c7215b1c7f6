/* bench_rounds.c: all that is measured on one input. Its sorts take turns, a run each a round, so that
 * what slows the machine down for a while slows them all down; a ratio is the median of the rounds'
 * ratios. The times of the device follow, since they need a queue of their own. */
#include "bench.h"

#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A shorter run is mostly launches, and does not tell what a larger one would take. */
static const double telling_seconds = 1e-3;

/* What an opponent sorts before it is measured: some threads and code are only there then. */
enum { WARM_UP_COUNT = 4096 };

struct contestant {
    const struct opponent *opponent; /* NULL: the library */
    clsort_desc desc;
    clsort_plan plan;
    int row; /* its place among the bench's; -1 for one that is not measured */
    bool is_done;
    double total;
    double *seconds; /* of each run */
};

enum { MAX_CONTESTANTS = NUM_OPPONENTS + MAX_LIST };

struct contest {
    struct bench *bench;
    const struct bench_data *data;
    struct bench_run run;
    struct bench_output output;
    struct bytes items;
    uint64_t scratch_size; /* the largest */
    int num_contestants;
    struct contestant contestants[MAX_CONTESTANTS];
};

/* Says in the row's note why an algorithm is not measured, unless it is. */
static bool is_possible(struct contest *contest, struct contestant *contestant,
                        const struct bench_experience *experience, struct bench_row *row)
{
    const struct bench *bench = contest->bench;
    const clsort_status status =
        clsort_get_plan(bench->device.sorter, &contestant->desc, &contestant->plan, NULL, 0);
    if (status) {
        snprintf(row->note, sizeof(row->note), "%s", clsort_status_text(status));
        return false;
    }
    const clsort_plan *plan = &contestant->plan;
    row->chosen = clsort_algorithm_name(plan->algorithm);
    row->num_steps = plan->num_steps;
    row->bytes_moved = plan->bytes_read + plan->bytes_written;
    if (!bench_run_fits(&contest->run, plan->scratch_size, row->note, sizeof(row->note)))
        return false;
    const struct bench_experience *known = &experience[plan->algorithm];
    const double expected =
        known->compares > 0 ? known->seconds * (double)plan->compares / known->compares : 0;
    if (expected > bench->options.row_seconds)
        snprintf(row->note, sizeof(row->note),
                 "would take about %.3g s a run; --row-seconds allows %.3g s", expected,
                 bench->options.row_seconds);
    return expected <= bench->options.row_seconds;
}

/* Adds the row of one contestant, and the contestant if it can be measured. */
static bool enter(struct contest *contest, const struct opponent *opponent,
                  clsort_algorithm algorithm, enum distribution distribution,
                  const struct bench_experience *experience)
{
    struct bench *bench = contest->bench;
    const struct bench_data *data = contest->data;
    const struct bench_type type = {data->type, data->value_size};
    struct bench_row *row =
        bench_add_row(bench, type, data->count, distribution,
                      opponent ? opponent->name : clsort_algorithm_name(algorithm));
    struct contestant *contestant = &contest->contestants[contest->num_contestants];
    if (!row)
        return false;
    row->is_opponent = opponent != NULL;
    *contestant =
        (struct contestant){.opponent = opponent,
                            .desc = bench_desc(&bench->options, type, algorithm, data->count),
                            .row = bench->num_rows - 1};
    if (opponent ? !bench_cpu_sorts(opponent, data, row->note, sizeof(row->note))
                 : !is_possible(contest, contestant, experience, row))
        return true;
    contestant->seconds = calloc((size_t)bench->options.repeat, sizeof(*contestant->seconds));
    if (!contestant->seconds) {
        message("out of memory");
        return false;
    }
    contest->num_contestants++;
    return true;
}

static bool enter_all(struct contest *contest, enum distribution distribution,
                      const struct bench_experience *experience)
{
    const struct bench_options *options = &contest->bench->options;
    bool ok = true;
    for (int i = 0; i < NUM_OPPONENTS && options->has_opponents && ok; i++)
        ok = !opponents[i].sort ||
             enter(contest, &opponents[i], CLSORT_AUTO, distribution, experience);
    for (int i = 0; i < options->num_algorithms && ok; i++)
        ok = enter(contest, NULL, options->algorithms[i], distribution, experience);
    return ok;
}

static void add_note(struct bench_row *row, const char *name, const char *text)
{
    const size_t length = strlen(row->note);
    snprintf(row->note + length, sizeof(row->note) - length, "%s%s%s%s", length > 0 ? "; " : "",
             name, *name ? ": " : "", text);
}

/* An opponent whose output is wrong is out: its row says why and, as the ratios' rows are the
 * library's alone, those do. */
static void put_out(struct contest *contest, struct contestant *contestant, const char *fault)
{
    struct bench *bench = contest->bench;
    contestant->is_done = true;
    bench->rows[contestant->row].num_runs = 0;
    add_note(&bench->rows[contestant->row], "", fault);
    for (int i = 0; i < contest->num_contestants && bench->options.is_ratios; i++) {
        if (!contest->contestants[i].opponent)
            add_note(&bench->rows[contest->contestants[i].row], contestant->opponent->name, fault);
    }
}

/* One sort; an opponent may be put out by it. */
static bool run_once(struct contest *contest, struct contestant *contestant, double *seconds_ret)
{
    const char *fault = NULL;
    const bool ok =
        contestant->opponent
            ? bench_cpu_once(contestant->opponent, contest->data, &contest->items, &contest->output,
                             seconds_ret, &fault)
            : bench_run_once(&contest->run, &contestant->desc, contestant->plan.scratch_size,
                             contest->bench->device.queue, seconds_ret);
    if (ok && fault)
        put_out(contest, contestant, fault);
    return ok;
}

/* Compiles all kernels. What one allows then may change every plan, and with it the scratch. */
static bool prepare_all(struct contest *contest)
{
    clsort_sorter *sorter = contest->bench->device.sorter;
    clsort_status status = CLSORT_OK;
    for (int i = 0; i < contest->num_contestants && !status; i++)
        if (!contest->contestants[i].opponent)
            status = clsort_prepare(sorter, &contest->contestants[i].desc);
    for (int i = 0; i < contest->num_contestants && !status; i++) {
        struct contestant *contestant = &contest->contestants[i];
        if (contestant->opponent)
            continue;
        status = clsort_get_plan(sorter, &contestant->desc, &contestant->plan, NULL, 0);
        if (contestant->plan.scratch_size > contest->scratch_size)
            contest->scratch_size = contestant->plan.scratch_size;
    }
    if (status)
        message_of_status(status, sorter);
    return !status;
}

/* Not counted: some drivers make a kernel's code only as it is run. */
static bool warm_up(struct contest *contest, struct contestant *contestant)
{
    double unused;
    if (contestant->opponent) {
        struct bench_data few = *contest->data;
        few.count = few.count < WARM_UP_COUNT ? few.count : WARM_UP_COUNT;
        return bench_cpu_warm_up(contestant->opponent, &few, &contest->items, &contest->output);
    }
    return run_once(contest, contestant, &unused);
}

static bool run_round(struct contest *contest, int round)
{
    const double row_seconds = contest->bench->options.row_seconds;
    for (int i = 0; i < contest->num_contestants; i++) {
        struct contestant *contestant = &contest->contestants[i];
        if (contestant->is_done)
            continue;
        double last;
        if (!run_once(contest, contestant, &last))
            return false;
        if (contestant->is_done)
            continue;
        contestant->seconds[round] = last;
        contestant->total += last;
        contest->bench->rows[contestant->row].num_runs++;
        contestant->is_done = contestant->total + last >= row_seconds;
    }
    return true;
}

/* The median over the rounds in which both have run. */
static double ratio(const struct contest *contest, const struct contestant *ours,
                    const struct contestant *theirs, double *ratios)
{
    const int our_runs = contest->bench->rows[ours->row].num_runs;
    const int their_runs = contest->bench->rows[theirs->row].num_runs;
    const int num_runs = our_runs < their_runs ? our_runs : their_runs;
    for (int i = 0; i < num_runs; i++)
        ratios[i] = ours->seconds[i] > 0 ? theirs->seconds[i] / ours->seconds[i] : 0;
    double unused;
    return bench_median(ratios, num_runs, &unused);
}

/* From the runs, which are sorted at last, to the rows. */
static bool evaluate(struct contest *contest)
{
    struct bench_row *rows = contest->bench->rows;
    double *ratios = calloc((size_t)contest->bench->options.repeat, sizeof(*ratios));
    if (!ratios) {
        message("out of memory");
        return false;
    }
    for (int i = 0; i < contest->num_contestants; i++) {
        const struct contestant *ours = &contest->contestants[i];
        for (int j = 0; j < contest->num_contestants && !ours->opponent; j++) {
            const struct contestant *theirs = &contest->contestants[j];
            if (theirs->opponent)
                rows[ours->row].times[theirs->opponent - opponents] =
                    ratio(contest, ours, theirs, ratios);
        }
    }
    free(ratios);
    for (int i = 0; i < contest->num_contestants; i++) {
        const struct contestant *contestant = &contest->contestants[i];
        struct bench_row *row = &rows[contestant->row];
        row->host_median = bench_median(contestant->seconds, row->num_runs, &row->host_best);
    }
    return true;
}

static bool run_on_device_clock(struct contest *contest, struct contestant *contestant)
{
    const struct bench *bench = contest->bench;
    struct bench_row *row = &bench->rows[contestant->row];
    if (!bench_run_on_device_clock(&contest->run, &contestant->desc, contestant->plan.scratch_size,
                                   contestant->seconds, row))
        return false;
    const double seconds = row->device_median > 0 ? row->device_median : row->host_median;
    if (bench->copy_rate > 0 && seconds > 0)
        row->copy_share = (double)row->bytes_moved / seconds / bench->copy_rate;
    return true;
}

static bool run_all(struct contest *contest, struct bench_experience *experience)
{
    const struct bench *bench = contest->bench;
    bool ok = prepare_all(contest) && bench_run_create(&contest->run, contest->scratch_size);
    for (int i = 0; i < contest->num_contestants && ok; i++)
        ok = warm_up(contest, &contest->contestants[i]);
    for (int round = 0; round < bench->options.repeat && ok; round++)
        ok = run_round(contest, round);
    ok = ok && evaluate(contest);
    for (int i = 0; i < contest->num_contestants && ok; i++) {
        struct contestant *contestant = &contest->contestants[i];
        if (contestant->opponent)
            continue;
        ok = run_on_device_clock(contest, contestant);
        const double seconds = bench->rows[contestant->row].host_best;
        if (ok && seconds >= telling_seconds)
            experience[contestant->plan.algorithm] =
                (struct bench_experience){seconds, (double)contestant->plan.compares};
    }
    bench_run_destroy(&contest->run);
    return ok;
}

bool bench_measure(struct bench *bench, const struct bench_data *data,
                   enum distribution distribution,
                   struct bench_experience experience[CLSORT_NUM_ALGORITHMS])
{
    struct contest contest = {.bench = bench, .data = data};
    const int first_row = bench->num_rows;
    const uint64_t index_bytes = data->count * bench->options.index_size;
    bench_run_init(&contest.run, bench, data, &contest.output);
    bool ok =
        bytes_reserve(&contest.output.keys, index_bytes > 0 ? index_bytes : data->keys.size) &&
        bytes_reserve(&contest.output.values, data->values.size) &&
        enter_all(&contest, distribution, experience);
    if (contest.num_contestants > 0)
        ok = ok && run_all(&contest, experience);
    for (int i = first_row; i < bench->num_rows && ok; i++)
        bench_print_row(bench, &bench->rows[i]);

    for (int i = 0; i < contest.num_contestants; i++)
        free(contest.contestants[i].seconds);
    bytes_free(&contest.output.keys);
    bytes_free(&contest.output.values);
    bytes_free(&contest.items);
    return ok;
}
