/* bench_rounds.c: all sorts of one input. They take turns, a run on each clock in each round, so
 * that what slows the machine down for a while slows them all down; a ratio is the median of the
 * rounds' ratios. */
#include "bench.h"

#include "message.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>

/* A shorter run is mostly launches, and does not tell what a larger one would take. */
static const double telling_seconds = 1e-3;

struct contestant {
    struct bench_opponent *opponent;
    int sort; /* its place among the bench's */
    int row;
    bool is_library;
    bool is_in;   /* takes part still; it is finished when it goes out */
    bool is_done; /* has run long enough */
    double total;
};

struct contest {
    struct bench *bench;
    const struct bench_input *input;
    struct bench_input unstable; /* the same for sorts that are not stable */
    struct bench_type type;
    const struct bench_shape *shape;
    struct bench_experience *experience;
    struct bench_host host;
    struct bench_task tasks[2]; /* for sorts that are not stable, and for those that are */
    struct contestant contestants[MAX_SORTS];
};

static struct bench_row *row_of(const struct contest *contest, const struct contestant *contestant)
{
    return &contest->bench->rows[contestant->row];
}

static void put_out(struct contest *contest, struct contestant *contestant, const char *why)
{
    struct bench_row *row = row_of(contest, contestant);
    row->num_runs = 0;
    snprintf(row->note, sizeof(row->note), "%s", why);
    contestant->is_in = false;
    if (contestant->opponent->finish)
        contestant->opponent->finish(contestant->opponent);
}

/* What came of one call: false to end the program. An own library's wrong output ends it too. */
static bool take(struct contest *contest, struct contestant *contestant, int result,
                 const char *why)
{
    char type[BENCH_TYPE_TEXT];
    const struct bench_library *library = (struct bench_library *)contestant->opponent;
    if (result == BENCH_WRONG && contestant->is_library && library->is_own) {
        message("%s on %llu keys of %s: %s", clsort_algorithm_name(library->desc.algorithm),
                (unsigned long long)contest->input->count, bench_type_text(contest->type, type),
                why);
        return false;
    }
    if (result == 0 || result == BENCH_WRONG)
        put_out(contest, contestant, why);
    return result != -1;
}

/* An opponent that makes its own input has to make this one. */
static int prepare_own(struct contest *contest, struct bench_opponent *opponent,
                       const struct bench_task *task, char *why)
{
    struct bench_sums sums;
    if (opponent->prepare(opponent, task, why) <= 0 || opponent->look(opponent, 0, &sums, why) <= 0)
        return 0;
    return bench_check_input(&contest->bench->opencl.sums, &sums, why);
}

static int prepare_on_host(struct contest *contest, struct bench_opponent *opponent,
                           struct bench_task *task, char *why)
{
    struct bench_host *host = &contest->host;
    if (!host->items.data) {
        const int result = bench_host_begin(host, &contest->bench->opencl, why);
        if (result <= 0)
            return result;
    }
    task->items = host->items.data;
    task->out = host->out.data;
    return opponent->prepare(opponent, task, why) > 0;
}

/* One sort by an opponent with memory of its own, on one clock, and the check of its output. */
static int run_own(struct contest *contest, struct bench_opponent *opponent,
                   const struct bench_task *task, struct bench_times *times, char *why)
{
    struct bench_sums sums;
    if (opponent->run(opponent, times, why) <= 0)
        return 0;
    if (task->input->work == BENCH_CHECK)
        sums = (struct bench_sums){0, 0, contest->host.result};
    else if (opponent->look(opponent, 1, &sums, why) <= 0)
        return 0;
    return bench_check(task->input, &contest->bench->opencl.expected, &sums, why);
}

static int run_once(struct contest *contest, struct contestant *contestant,
                    struct bench_times *times, char *why)
{
    struct bench_opponent *opponent = contestant->opponent;
    struct bench_task *task = &contest->tasks[opponent->is_stable != 0];
    struct bench_times by_device = {0, 0};
    *times = (struct bench_times){0, 0};
    if (opponent->memory == BENCH_ON_OPENCL)
        return bench_opencl_run(&contest->bench->opencl, opponent, task,
                                contestant->is_library && contest->bench->options.is_out_of_place,
                                times, why);
    if (opponent->memory == BENCH_ON_HOST)
        return bench_host_run(&contest->host, opponent, times, why);
    task->is_by_device = 0;
    int result = run_own(contest, opponent, task, times, why);
    task->is_by_device = 1;
    if (result > 0)
        result = run_own(contest, opponent, task, &by_device, why);
    times->device = by_device.device;
    return result;
}

/* Keys in order, for the first that needs them. */
static int take_order(struct contest *contest, char *why)
{
    struct bench_opencl *opencl = &contest->bench->opencl;
    struct bench_host *host = &contest->host;
    if (contest->shape->work < BENCH_CHECK || host->keys.data)
        return 1;
    int result = bench_opencl_read(opencl, KEYS_SOURCE, &host->keys, why);
    if (result > 0)
        result = bench_opencl_read(opencl, QUERIES, &host->queries, why);
    for (int i = 0; i < 2; i++) {
        contest->tasks[i].keys_in_order = host->keys.data;
        contest->tasks[i].queries = host->queries.data;
    }
    return result;
}

/* Prepares a sort and runs it once, uncounted: some drivers make a kernel's code only as it is
 * run, and some threads and pages of the host are only there then. */
static int prepare(struct contest *contest, struct contestant *contestant, char *why)
{
    struct bench_opponent *opponent = contestant->opponent;
    struct bench_task *task = &contest->tasks[opponent->is_stable != 0];
    struct bench_times unused;
    int result = contestant->is_library ? 1 : take_order(contest, why);
    if (result <= 0)
        return result;
    if (opponent->memory == BENCH_ON_HOST)
        result = prepare_on_host(contest, opponent, task, why);
    else if (opponent->memory == BENCH_OF_ITS_OWN)
        result = prepare_own(contest, opponent, task, why);
    else
        result = opponent->prepare(opponent, task, why);
    return result > 0 ? run_once(contest, contestant, &unused, why) : result;
}

/* Adds the row of a sort, and prepares it. */
static bool enter(struct contest *contest, int sort)
{
    struct bench *bench = contest->bench;
    struct contestant *contestant = &contest->contestants[sort];
    char why[BENCH_WHY] = "";
    struct bench_row *row =
        bench_add_row(bench, contest->input, contest->type, contest->shape, sort);
    if (!row)
        return false;
    *contestant = (struct contestant){.opponent = bench->sorts[sort],
                                      .sort = sort,
                                      .row = bench->num_rows - 1,
                                      .is_library = sort < bench->num_libraries,
                                      .is_in = true};
    row->does_else = !bench_does(contestant->opponent, contest->shape->work);
    contestant->is_in = !row->does_else;
    if (row->does_else)
        return true;
    struct bench_library *library = &bench->libraries[sort];
    if (contestant->is_library) {
        library->type = contest->type;
        library->experience = contest->experience;
        library->plan = (clsort_plan){0};
    }
    const int result = prepare(contest, contestant, why);
    if (contestant->is_library && library->plan.num_steps > 0) {
        row->chosen = library->build->algorithm_name(library->plan.algorithm);
        row->num_steps = library->plan.num_steps;
        row->bytes_moved = library->plan.bytes_read + library->plan.bytes_written;
    }
    return take(contest, contestant, result, why);
}

/* Each goes first in its turn. */
static bool run_round(struct contest *contest, uint64_t round)
{
    const struct bench_options *options = &contest->bench->options;
    const int num = contest->bench->num_sorts;
    for (int i = 0; i < num; i++) {
        struct contestant *contestant =
            &contest->contestants[((uint64_t)i + round) % (uint64_t)num];
        char why[BENCH_WHY] = "";
        struct bench_times times;
        if (!contestant->is_in || contestant->is_done)
            continue;
        if (!take(contest, contestant, run_once(contest, contestant, &times, why), why))
            return false;
        if (!contestant->is_in)
            continue;
        struct bench_row *row = row_of(contest, contestant);
        if (row->enqueue_runs)
            row->enqueue_runs[row->num_runs] =
                ((const struct bench_library *)contestant->opponent)->enqueue;
        row->runs[BENCH_HOST][row->num_runs] = times.host;
        row->runs[BENCH_DEVICE][row->num_runs++] = times.device;
        contestant->total += times.host;
        contestant->is_done = contestant->total + times.host >= options->row_seconds;
    }
    return true;
}

static void evaluate(struct contest *contest, const struct contestant *contestant)
{
    const struct bench *bench = contest->bench;
    struct bench_row *row = row_of(contest, contestant);
    for (int clock = 0; clock < BENCH_NUM_CLOCKS && contestant->is_in; clock++)
        row->times[clock] = bench_summarise(row->runs[clock], row->num_runs);
    if (!contestant->is_library || !contestant->is_in)
        return;
    row->enqueue = bench_summarise(row->enqueue_runs, row->num_runs);
    const struct bench_library *library = &bench->libraries[contestant->sort];
    const double device = row->times[BENCH_DEVICE].median;
    const double seconds = device > 0 ? device : row->times[BENCH_HOST].median;
    if (bench->copy_rate > 0 && seconds > 0)
        row->copy_share = (double)row->bytes_moved / seconds / bench->copy_rate;
    if (library->is_own && row->times[BENCH_HOST].best >= telling_seconds)
        contest->experience[library->plan.algorithm] =
            (struct bench_experience){row->times[BENCH_HOST].best, (double)library->plan.compares};
}

/* Everything is on the device: what cannot be had there is no input for the others either. */
static int begin(struct contest *contest, char *why)
{
    struct bench_opencl *opencl = &contest->bench->opencl;
    int result = bench_opencl_begin(opencl, contest->input, contest->shape, why);
    if (result > 0)
        result = bench_opencl_prepare(opencl, contest->type, contest->shape, why);
    contest->unstable = *contest->input;
    contest->unstable.is_stable = 0;
    for (int i = 0; i < 2; i++)
        contest->tasks[i] = (struct bench_task){.input = i ? contest->input : &contest->unstable,
                                                .context = opencl->device->context,
                                                .device = opencl->device->id,
                                                .queue = opencl->device->queue,
                                                .result = &contest->host.result,
                                                .offsets = opencl->offsets,
                                                .heads = opencl->heads,
                                                .keys = opencl->buffers[KEYS],
                                                .values = opencl->buffers[VALUES]};
    return result;
}

/* Rows for an input that cannot be had, with the reason. */
static bool skip_all(struct contest *contest, const char *why)
{
    bool ok = true;
    for (int i = 0; i < contest->bench->num_sorts && ok; i++) {
        struct bench_row *row =
            bench_add_row(contest->bench, contest->input, contest->type, contest->shape, i);
        ok = row != NULL;
        if (ok)
            snprintf(row->note, sizeof(row->note), "%s", why);
    }
    return ok;
}

static bool run_all(struct contest *contest, const char *note)
{
    struct bench *bench = contest->bench;
    char why[BENCH_WHY] = "";
    if (*note)
        return skip_all(contest, note);
    const int result = begin(contest, why);
    bool ok = result != 0 ? result > 0 : skip_all(contest, why);
    for (int i = 0; i < bench->num_sorts && ok && result > 0; i++) {
        ok = enter(contest, i);
        progress_add(1);
    }
    for (uint64_t round = 0; round < bench->options.repeat && ok && result > 0; round++) {
        ok = run_round(contest, round);
        progress_add((uint64_t)bench->num_sorts);
    }
    for (int i = 0; i < bench->num_sorts; i++) {
        struct contestant *contestant = &contest->contestants[i];
        if (contestant->opponent)
            evaluate(contest, contestant);
        if (contestant->is_in && contestant->opponent->finish)
            contestant->opponent->finish(contestant->opponent);
    }
    return ok;
}

bool bench_measure(struct bench *bench, const struct bench_input *input, struct bench_type type,
                   const struct bench_shape *shape, const char *note,
                   struct bench_experience experience[CLSORT_NUM_ALGORITHMS])
{
    static struct contest contest;
    const int first_row = bench->num_rows;
    contest = (struct contest){
        .bench = bench, .input = input, .type = type, .shape = shape, .experience = experience};
    const bool ok = run_all(&contest, note);
    if (ok && bench->options.sweep == 0)
        bench_print_rows(bench, first_row, bench->num_rows);
    bench_host_end(&contest.host);
    bench_opencl_end(&bench->opencl);
    return ok;
}
