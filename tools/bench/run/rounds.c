/* rounds.c: all sorts of one input. They take turns, a run on each clock in each round, so
 * that what slows the machine down for a while slows them all down; a ratio is the median of the
 * rounds' ratios. If no number of rounds is given, long sorts make groups, one behind the other, so
 * that rows appear after a few seconds. */
#include "bench/bench.h"

#include "cli/message.h"
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A shorter run is mostly launches, and does not tell what a larger one would take. */
static const double telling_seconds = 1e-3;

/* Without a number of rounds: how long a group takes in sorts, how long it takes in all, and how
 * long it has rounds at least. */
static const double entering_seconds = 1, group_seconds = 3, rounds_seconds = 0.5;

/* A longer run has no other before it that is not counted: its first costs little by comparison. */
static const double long_seconds = 0.2;

/* A pilot sorts a part of the keys, twice: once to compile. */
enum { PILOT_SHARE = 64, PILOT_RUNS = 2 };

struct contest {
    struct bench *bench;
    struct bench_opencl *opencl; /* the bench's, whose result is of the calls for one row */
    const struct bench_combination *keys;
    struct bench_input unstable; /* the same for sorts that are not stable */
    struct bench_row *rows;      /* one of each sort */
    uint64_t num_steps;          /* of the progress that are done */
    struct bench_host host;
    struct bench_task tasks[2]; /* for sorts that are not stable, and for those that are */
};

static void finish(struct bench_row *row)
{
    if (row->is_open && row->opponent->finish)
        row->opponent->finish(row->opponent);
    row->is_open = false;
}

static void put_out(struct bench_row *row, const char *why)
{
    row->num_runs = 0;
    snprintf(row->note, sizeof(row->note), "%s", why);
    row->is_in = false;
    finish(row);
}

/* What came of the calls: false to end the program. An own library's wrong output ends it too. */
static bool take(struct contest *contest, struct bench_row *row)
{
    char type[BENCH_TYPE_TEXT];
    const struct bench_combination *keys = contest->keys;
    const struct bench_library *library = row->library;
    const char *why = contest->opencl->why;
    const int result = contest->opencl->result;
    contest->opencl->result = 1;
    if (result == BENCH_WRONG && library && library->is_own) {
        message("%s on %llu keys of %s: %s", clsort_algorithm_name(library->desc.algorithm),
                (unsigned long long)keys->input.count, bench_type_text(keys->type, type), why);
        return false;
    }
    if (result == 0 || result == BENCH_WRONG)
        put_out(row, why);
    return result != -1;
}

/* One sort of the fresh input; its seconds by the host's clock, or by the device's, which costs
 * time and has a queue of its own. The task changes. */
static double run_on_clock(struct contest *contest, struct bench_row *row, struct bench_task *task,
                           bool by_device)
{
    struct bench_opponent *opponent = row->opponent;
    struct bench_opencl *opencl = contest->opencl;
    const bool is_on_opencl = opponent->memory == BENCH_ON_OPENCL;
    const bool is_elsewhere = row->library && contest->bench->options.is_out_of_place;
    struct bench_times own = {0, 0}; /* of one with memory of its own */
    cl_event before = NULL;
    cl_int code = CL_SUCCESS;
    task->queue = by_device ? opencl->profiling_queue : opencl->queue;
    task->is_by_device = by_device;
    if (is_on_opencl)
        bench_opencl_refresh(opencl, task->queue, is_elsewhere);
    if (is_on_opencl && by_device)
        before = bench_opencl_start_clock(opencl);
    if (opencl->result <= 0)
        return 0;
    if (opponent->memory == BENCH_ON_HOST)
        bench_host_refresh(&contest->host);
    const double start = seconds_now();
    opencl->result = opponent->run(opponent, &own, opencl->why);
    if (is_on_opencl)
        code = by_device ? bench_opencl_stop_clock(opencl, before, &own.device)
                         : clFinish(task->queue);
    const double on_host = seconds_now() - start;
    bench_opencl_result(opencl, "clFinish", code);
    return by_device ? own.device : own.host > 0 ? own.host : on_host;
}

static void check_output(struct contest *contest, struct bench_opponent *opponent,
                         const struct bench_task *task)
{
    struct bench_opencl *opencl = contest->opencl;
    struct bench_sums sums = {0, 0, contest->host.result}; /* of CHECK */
    if (opponent->memory == BENCH_ON_OPENCL) {
        bench_opencl_check(opencl, opponent->is_stable);
    } else if (opponent->memory == BENCH_ON_HOST) {
        bench_host_check(&contest->host, opencl, opponent->is_stable);
    } else if (opencl->result > 0) {
        const bool has_sums =
            task->input->work == BENCH_CHECK || opponent->look(opponent, 1, &sums, opencl->why) > 0;
        opencl->result =
            has_sums ? bench_check(task->input, &opencl->expected, &sums, opencl->why) : 0;
    }
}

/* A sort on each clock that it has, and the checks of its outputs. */
static void run_once(struct contest *contest, struct bench_row *row,
                     double seconds[BENCH_NUM_CLOCKS])
{
    struct bench_opponent *opponent = row->opponent;
    struct bench_task *task = &contest->tasks[opponent->is_stable != 0];
    const int num_clocks = opponent->memory == BENCH_ON_HOST ? 1 : BENCH_NUM_CLOCKS;
    for (int clock = BENCH_HOST; clock < num_clocks; clock++) {
        seconds[clock] = run_on_clock(contest, row, task, clock == BENCH_DEVICE);
        check_output(contest, opponent, task);
    }
}

/* Calls the prepare() that the opponent has. An opponent that makes its own input must make this
 * one. */
static void prepare_for(struct contest *contest, struct bench_row *row, struct bench_task *task)
{
    struct bench_opponent *opponent = row->opponent;
    struct bench_opencl *opencl = contest->opencl;
    struct bench_host *host = &contest->host;
    const bool is_whole = task->input->count == contest->keys->input.count;
    const bool is_ordered = contest->keys->shape->work >= BENCH_CHECK;
    struct bench_sums sums;
    finish(row);
    row->is_open = true;
    if (opponent->memory == BENCH_ON_HOST && !host->items.data)
        bench_host_begin(host, opencl);
    else if (is_ordered && !row->library && !host->keys.data)
        bench_host_read(host, opencl);
    task->items = host->items.data;
    task->out = host->out.data;
    task->keys_in_order = is_ordered ? host->keys.data : NULL;
    task->queries = host->queries.data;
    if (opencl->result > 0)
        opencl->result = opponent->prepare(opponent, task, opencl->why);
    if (opencl->result <= 0 || opponent->memory != BENCH_OF_ITS_OWN || !is_whole)
        return;
    if (opponent->look(opponent, 0, &sums, opencl->why) <= 0)
        opencl->result = 0;
    else if (sums.placed != opencl->sums.placed || sums.hash != opencl->sums.hash)
        opencl->result = bench_refuse(opencl->why, "its input is not the others'");
}

/* Whether a row has the time for such a run; if not, why. */
static bool allows(const struct bench *bench, const struct bench_estimate *estimate, char *why)
{
    if (estimate->refusal)
        return bench_refuse(why, estimate->refusal);
    if (estimate->seconds <= bench->options.row_seconds)
        return true;
    snprintf(why, BENCH_WHY, "would take %s %.3g s a run; --row-seconds allows %.3g s",
             estimate->is_known ? "about" : "at least", estimate->seconds,
             bench->options.row_seconds);
    return false;
}

/* Whether the first keys of the input are an input of the same shape, with less of them. */
static bool make_pilot(const struct contest *contest, struct bench_combination *small)
{
    const struct bench_shape *shape = contest->keys->shape;
    struct bench_input *input = &small->input;
    *small = *contest->keys;
    input->count /= PILOT_SHARE;
    if (shape->layout == BENCH_ROWS)
        input->count -= input->count % shape->length;
    return input->count > 1 && shape->work < BENCH_CHECK &&
           (shape->layout == BENCH_WHOLE || shape->layout == BENCH_ROWS) &&
           bench_shape_input(&contest->bench->device.facts, shape,
                             contest->bench->options.index_size, input, small->note);
}

static struct bench_experience *experience_of(const struct contest *contest,
                                              const struct bench_row *row)
{
    return &contest->bench->experience[contest->keys->place][row->estimate.slot];
}

/* Sorts a part of the keys if only that tells how long all of them take. The output is of no row,
 * and not checked. */
static void learn(struct contest *contest, struct bench_row *row)
{
    struct bench_opencl *opencl = contest->opencl;
    struct bench_task task = contest->tasks[row->opponent->is_stable != 0];
    const int sort = (int)(row - contest->rows);
    struct bench_combination small;
    double seconds = 0;
    if (!row->estimate.is_vague || !make_pilot(contest, &small))
        return;
    task.input = &small.input;
    const double work = bench_estimate(contest->bench, sort, &small).work;
    prepare_for(contest, row, &task);
    for (int i = 0; i < PILOT_RUNS; i++)
        seconds = run_on_clock(contest, row, &task, false);
    finish(row);
    if (opencl->result <= 0)
        return;
    *experience_of(contest, row) = (struct bench_experience){seconds, work};
    row->estimate = bench_estimate(contest->bench, sort, contest->keys);
    opencl->result = allows(contest->bench, &row->estimate, opencl->why);
}

/* Prepares a sort and runs it once, uncounted: some drivers make a kernel's code only as it is
 * run, and some threads and pages of the host are only there then. */
static void prepare(struct contest *contest, struct bench_row *row)
{
    double unused[BENCH_NUM_CLOCKS];
    learn(contest, row);
    if (contest->opencl->result > 0)
        prepare_for(contest, row, &contest->tasks[row->opponent->is_stable != 0]);
    if (contest->opencl->result > 0 &&
        !(contest->bench->options.is_brief && row->estimate.is_known &&
          row->estimate.seconds > long_seconds))
        run_once(contest, row, unused);
}

/* Makes the row of a sort, which is in unless it would take too long or the input has a note. */
static void admit(struct contest *contest, int sort)
{
    struct bench *bench = contest->bench;
    const struct bench_combination *keys = contest->keys;
    const uint64_t repeat = bench->options.repeat;
    double *runs = bench->runs + (uint64_t)bench->num_rows * repeat * BENCH_NUM_TIMES;
    const char *note = keys->note;
    char why[BENCH_WHY] = "";
    struct bench_library *library = sort < bench->num_libraries ? &bench->libraries[sort] : NULL;
    const int num = bench->options.num[LIST_ALGORITHMS];
    struct bench_row *row = &contest->rows[sort];
    bench->num_rows++;
    *row = (struct bench_row){.keys = keys,
                              .opponent = bench->sorts[sort],
                              .library = library,
                              .algorithm =
                                  library ? clsort_algorithm_name(library->desc.algorithm) : "",
                              .chosen = "",
                              .base = &contest->rows[library && sort >= num ? sort - num : 0],
                              .runs = {runs, runs + repeat, runs + BENCH_CALL * repeat}};
    row->does_else = !*note && !bench_does(row->opponent, keys->shape->work);
    row->is_in = !row->does_else;
    if (*note)
        put_out(row, note);
    if (!row->is_in)
        return;
    row->estimate = bench_estimate(bench, sort, keys);
    if (!bench_fits_device(&bench->device.facts, &keys->input, 0, why) ||
        !allows(bench, &row->estimate, why))
        put_out(row, why);
}

/* Prepares a sort. */
static bool enter(struct contest *contest, struct bench_row *row)
{
    struct bench_library *library = row->library;
    if (library) {
        library->type = contest->keys->type;
        library->plan = (clsort_plan){0};
    }
    prepare(contest, row);
    if (library && library->plan.num_steps > 0) {
        row->chosen = library->build->algorithm_name(library->plan.algorithm);
        row->num_steps = library->plan.num_steps;
        bench_name_kernels(library->build, &library->desc, row->kernels);
        row->bytes_moved = library->plan.bytes_read + library->plan.bytes_written;
    }
    return take(contest, row);
}

/* A run of a sort, and what it took. */
static bool run_in_turn(struct contest *contest, struct bench_row *row)
{
    double seconds[BENCH_NUM_TIMES] = {0};
    run_once(contest, row, seconds);
    if (!take(contest, row))
        return false;
    if (!row->is_in)
        return true;
    if (row->library)
        seconds[BENCH_CALL] = row->library->enqueue;
    for (int clock = 0; clock < BENCH_NUM_TIMES; clock++)
        row->runs[clock][row->num_runs] = seconds[clock];
    row->num_runs++;
    row->total += seconds[BENCH_HOST];
    row->is_done = row->total + seconds[BENCH_HOST] >= contest->bench->options.row_seconds;
    return true;
}

static void evaluate(struct contest *contest, struct bench_row *row)
{
    const struct bench *bench = contest->bench;
    for (int clock = 0; clock < BENCH_NUM_TIMES; clock++)
        row->times[clock] = bench_summarise(row->runs[clock], row->num_runs);
    if (row->num_runs == 0)
        return;
    const bool is_old = row->library && !row->library->is_own;
    if (!is_old && row->times[BENCH_HOST].best >= telling_seconds)
        *experience_of(contest, row) =
            (struct bench_experience){row->times[BENCH_HOST].best, row->estimate.work};
    if (!row->library)
        return;
    const double device = row->times[BENCH_DEVICE].median;
    const double seconds = device > 0 ? device : row->times[BENCH_HOST].median;
    if (bench->copy_rate > 0 && seconds > 0)
        row->copy_share = (double)row->bytes_moved / seconds / bench->copy_rate;
}

/* Prints a row, once. Its ratio is to what its base has run by now. */
static void print(struct contest *contest, struct bench_row *row)
{
    const struct bench *bench = contest->bench;
    if (row->is_printed)
        return;
    evaluate(contest, row);
    evaluate(contest, row->base);
    row->is_printed = true;
    bench_print_row(bench, contest->rows, (int)(row - contest->rows));
}

/* A short table's lines have columns for several sorts, and appear at the end. */
static void print_if_done(struct contest *contest, struct bench_row *row)
{
    if ((!row->is_in || row->is_done) && !contest->bench->options.is_ratios)
        print(contest, row);
}

static void count_progress(struct contest *contest)
{
    const struct bench *bench = contest->bench;
    const uint64_t num = (uint64_t)bench->num_sorts * (1 + bench->options.repeat);
    contest->num_steps += contest->num_steps < num;
    progress_done(bench->progress_begin + bench->progress_size * contest->num_steps / num);
}

/* The rounds of the sorts from one to before another. Each goes first in its turn. */
static bool run_rounds(struct contest *contest, int first, int end, double until)
{
    const struct bench_options *options = &contest->bench->options;
    const uint64_t num = (uint64_t)(end - first);
    bool is_over = false;
    for (uint64_t round = 0; round < options->repeat && !is_over; round++) {
        for (uint64_t i = 0; i < num; i++) {
            struct bench_row *row = &contest->rows[first + (int)((i + round) % num)];
            if (row->is_in && !row->is_done && !run_in_turn(contest, row))
                return false;
            count_progress(contest);
        }
        is_over = options->is_brief && seconds_now() > until;
        for (int i = first; i < end; i++) {
            struct bench_row *row = &contest->rows[i];
            row->is_done = row->is_done || is_over || round + 1 == options->repeat;
            print_if_done(contest, row);
        }
    }
    return true;
}

/* Everything is on the device: what cannot be had there is no input for the others either. */
static void begin(struct contest *contest)
{
    struct bench_opencl *opencl = contest->opencl;
    const struct bench_input *input = &contest->keys->input;
    bench_opencl_begin(opencl, contest->keys);
    contest->unstable = *input;
    contest->unstable.is_stable = 0;
    for (int i = 0; i < 2; i++)
        contest->tasks[i] = (struct bench_task){.input = i ? input : &contest->unstable,
                                                .context = opencl->device->context,
                                                .device = opencl->device->id,
                                                .queue = opencl->queue,
                                                .result = &contest->host.result,
                                                .offsets = opencl->offsets,
                                                .keys = opencl->buffers[KEYS],
                                                .values = opencl->buffers[VALUES]};
}

/* Admits all sorts of the input, and makes it if one is in. */
static bool open_contest(struct contest *contest)
{
    const int num_sorts = contest->bench->num_sorts;
    bool is_wanted = false;
    for (int i = 0; i < num_sorts; i++) {
        admit(contest, i);
        is_wanted = is_wanted || contest->rows[i].is_in;
        print_if_done(contest, &contest->rows[i]);
    }
    if (is_wanted)
        begin(contest);
    const int result = contest->opencl->result;
    for (int i = 0; i < num_sorts && result == 0; i++) {
        if (contest->rows[i].is_in)
            put_out(&contest->rows[i], contest->opencl->why);
    }
    contest->opencl->result = 1;
    return result >= 0;
}

static bool run_all(struct contest *contest)
{
    struct bench *bench = contest->bench;
    bool ok = open_contest(contest);
    for (int i = 0; i < bench->num_sorts && ok;) {
        const double start = seconds_now();
        const int first = i;
        do {
            if (contest->rows[i].is_in)
                ok = enter(contest, &contest->rows[i]);
            count_progress(contest);
            i++;
        } while (ok && i < bench->num_sorts &&
                 (!bench->options.is_brief || seconds_now() < start + entering_seconds));
        ok = ok && run_rounds(contest, first, i,
                              fmax(start + group_seconds, seconds_now() + rounds_seconds));
    }
    for (int i = 0; i < bench->num_sorts && contest->rows[i].opponent; i++) {
        if (ok)
            print(contest, &contest->rows[i]);
        finish(&contest->rows[i]);
    }
    return ok;
}

bool bench_measure(struct bench *bench, const struct bench_combination *keys)
{
    static struct contest contest;
    contest = (struct contest){.bench = bench,
                               .opencl = &bench->opencl,
                               .keys = keys,
                               .rows = &bench->rows[bench->num_rows]};
    bench_print_shape(bench, keys);
    const bool ok = run_all(&contest);
    bench_host_end(&contest.host);
    bench_opencl_end(&bench->opencl);
    return ok;
}
