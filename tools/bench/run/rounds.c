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

struct contestant {
    struct bench_opponent *opponent;
    struct bench_library *library; /* that it is, or NULL */
    struct bench_row *row;
    bool is_in;   /* takes part still; it is finished when it goes out */
    bool is_open; /* prepared, and not finished yet */
    bool is_done; /* has run long enough */
    bool is_printed;
    double total;
    struct bench_estimate estimate;
};

struct contest {
    struct bench *bench;
    struct bench_opencl *opencl; /* the bench's, whose result is of the calls for one contestant */
    const struct bench_combination *keys;
    struct bench_input unstable; /* the same for sorts that are not stable */
    int first_row;
    uint64_t num_steps; /* of the progress that are done */
    struct bench_host host;
    struct bench_task tasks[2]; /* for sorts that are not stable, and for those that are */
    struct contestant contestants[MAX_SORTS];
};

static void finish(struct contestant *contestant)
{
    if (contestant->is_open && contestant->opponent->finish)
        contestant->opponent->finish(contestant->opponent);
    contestant->is_open = false;
}

static void put_out(struct contestant *contestant, const char *why)
{
    struct bench_row *row = contestant->row;
    row->num_runs = 0;
    snprintf(row->note, sizeof(row->note), "%s", why);
    contestant->is_in = false;
    finish(contestant);
}

/* What came of the calls: false to end the program. An own library's wrong output ends it too. */
static bool take(struct contest *contest, struct contestant *contestant)
{
    char type[BENCH_TYPE_TEXT];
    const struct bench_combination *keys = contest->keys;
    const struct bench_library *library = contestant->library;
    const char *why = contest->opencl->why;
    const int result = contest->opencl->result;
    contest->opencl->result = 1;
    if (result == BENCH_WRONG && library && library->is_own) {
        message("%s on %llu keys of %s: %s", clsort_algorithm_name(library->desc.algorithm),
                (unsigned long long)keys->input.count, bench_type_text(keys->type, type), why);
        return false;
    }
    if (result == 0 || result == BENCH_WRONG)
        put_out(contestant, why);
    return result != -1;
}

/* One sort of the fresh input; its seconds by the host's clock, or by the device's, which costs
 * time and has a queue of its own. The task changes. */
static double run_on_clock(struct contest *contest, struct contestant *contestant,
                           struct bench_task *task, bool by_device)
{
    struct bench_opponent *opponent = contestant->opponent;
    struct bench_opencl *opencl = contest->opencl;
    const bool is_on_opencl = opponent->memory == BENCH_ON_OPENCL;
    const bool is_elsewhere = contestant->library && contest->bench->options.is_out_of_place;
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
static void run_once(struct contest *contest, struct contestant *contestant,
                     double seconds[BENCH_NUM_CLOCKS])
{
    struct bench_opponent *opponent = contestant->opponent;
    struct bench_task *task = &contest->tasks[opponent->is_stable != 0];
    const int num_clocks = opponent->memory == BENCH_ON_HOST ? 1 : BENCH_NUM_CLOCKS;
    for (int clock = BENCH_HOST; clock < num_clocks; clock++) {
        seconds[clock] = run_on_clock(contest, contestant, task, clock == BENCH_DEVICE);
        check_output(contest, opponent, task);
    }
}

/* Keys in order, for the first that needs them. */
static void take_order(struct contest *contest)
{
    struct bench_host *host = &contest->host;
    if (contest->keys->shape->work < BENCH_CHECK || host->keys.data)
        return;
    bench_host_read(host, contest->opencl);
    for (int i = 0; i < 2; i++) {
        contest->tasks[i].keys_in_order = host->keys.data;
        contest->tasks[i].queries = host->queries.data;
    }
}

/* Calls the prepare() that the opponent has. An opponent that makes its own input must make this
 * one. */
static void prepare_for(struct contest *contest, struct contestant *contestant,
                        struct bench_task *task)
{
    struct bench_opponent *opponent = contestant->opponent;
    struct bench_opencl *opencl = contest->opencl;
    struct bench_host *host = &contest->host;
    const bool is_whole = task->input->count == contest->keys->input.count;
    struct bench_sums sums;
    finish(contestant);
    contestant->is_open = true;
    if (opponent->memory == BENCH_ON_HOST && !host->items.data)
        bench_host_begin(host, opencl);
    task->items = host->items.data;
    task->out = host->out.data;
    if (opencl->result > 0)
        opencl->result = opponent->prepare(opponent, task, opencl->why);
    if (opencl->result <= 0 || opponent->memory != BENCH_OF_ITS_OWN || !is_whole)
        return;
    if (opponent->look(opponent, 0, &sums, opencl->why) <= 0)
        opencl->result = 0;
    else if (sums.placed != opencl->sums.placed || sums.hash != opencl->sums.hash)
        opencl->result = bench_refuse(opencl->why, "its input is not the others'");
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
                                              const struct contestant *contestant)
{
    return &contest->bench->experience[contest->keys->place][contestant->estimate.slot];
}

/* Sorts a part of the keys if only that tells how long all of them take. The output is of no row,
 * and not checked. */
static void learn(struct contest *contest, struct contestant *contestant)
{
    struct bench_opencl *opencl = contest->opencl;
    struct bench_task task = contest->tasks[contestant->opponent->is_stable != 0];
    const int sort = (int)(contestant - contest->contestants);
    struct bench_combination small;
    double seconds = 0;
    if (!contestant->estimate.is_vague || !make_pilot(contest, &small))
        return;
    task.input = &small.input;
    const double work = bench_estimate(contest->bench, sort, &small).work;
    prepare_for(contest, contestant, &task);
    for (int i = 0; i < PILOT_RUNS; i++)
        seconds = run_on_clock(contest, contestant, &task, false);
    finish(contestant);
    if (opencl->result <= 0)
        return;
    *experience_of(contest, contestant) = (struct bench_experience){seconds, work};
    contestant->estimate = bench_estimate(contest->bench, sort, contest->keys);
    opencl->result = bench_allows(contest->bench, &contestant->estimate, opencl->why);
}

/* Prepares a sort and runs it once, uncounted: some drivers make a kernel's code only as it is
 * run, and some threads and pages of the host are only there then. */
static void prepare(struct contest *contest, struct contestant *contestant)
{
    double unused[BENCH_NUM_CLOCKS];
    if (!contestant->library)
        take_order(contest);
    if (contest->opencl->result > 0)
        learn(contest, contestant);
    if (contest->opencl->result > 0)
        prepare_for(contest, contestant, &contest->tasks[contestant->opponent->is_stable != 0]);
    if (contest->opencl->result > 0 &&
        !(contest->bench->options.is_brief && contestant->estimate.is_known &&
          contestant->estimate.seconds > long_seconds))
        run_once(contest, contestant, unused);
}

static struct bench_row *add_row(const struct contest *contest, int sort)
{
    struct bench *bench = contest->bench;
    const uint64_t repeat = bench->options.repeat;
    double *runs = bench->runs + (uint64_t)bench->num_rows * repeat * BENCH_NUM_TIMES;
    const bool is_library = sort < bench->num_libraries;
    const int num = bench->options.num_algorithms;
    /* What the ratio is to: for another build the same algorithm of this one, or the first sort. */
    const int base = is_library && sort >= num ? sort - num : 0;
    struct bench_row *row = &bench->rows[bench->num_rows++];
    *row = (struct bench_row){
        .keys = contest->keys,
        .sort = bench->sorts[sort]->name,
        .algorithm = is_library ? clsort_algorithm_name(bench->libraries[sort].desc.algorithm) : "",
        .chosen = "",
        .base = bench->num_rows - 1 - sort + base,
        .runs = {runs, runs + repeat, runs + BENCH_CALL * repeat}};
    return row;
}

/* Adds the row of a sort, which is in unless it would take too long or the input has a note. */
static void admit(struct contest *contest, int sort)
{
    struct bench *bench = contest->bench;
    struct contestant *contestant = &contest->contestants[sort];
    const struct bench_combination *keys = contest->keys;
    const char *note = keys->note;
    char why[BENCH_WHY] = "";
    struct bench_row *row = add_row(contest, sort);
    *contestant =
        (struct contestant){.opponent = bench->sorts[sort],
                            .library = sort < bench->num_libraries ? &bench->libraries[sort] : NULL,
                            .row = row,
                            .is_in = true};
    row->does_else = !*note && !bench_does(contestant->opponent, keys->shape->work);
    contestant->is_in = !row->does_else;
    if (*note)
        put_out(contestant, note);
    if (!contestant->is_in)
        return;
    contestant->estimate = bench_estimate(bench, sort, keys);
    if (!bench_fits_device(&bench->device.facts, &keys->input, 0, why) ||
        !bench_allows(bench, &contestant->estimate, why))
        put_out(contestant, why);
}

/* Prepares a sort. */
static bool enter(struct contest *contest, struct contestant *contestant)
{
    struct bench_library *library = contestant->library;
    if (library) {
        library->type = contest->keys->type;
        library->plan = (clsort_plan){0};
    }
    prepare(contest, contestant);
    if (library && library->plan.num_steps > 0) {
        struct bench_row *row = contestant->row;
        row->chosen = library->build->algorithm_name(library->plan.algorithm);
        row->num_steps = library->plan.num_steps;
        bench_name_kernels(library->build, &library->desc, row->kernels);
        row->bytes_moved = library->plan.bytes_read + library->plan.bytes_written;
    }
    return take(contest, contestant);
}

/* A run of a sort, and what it took. */
static bool run_in_turn(struct contest *contest, struct contestant *contestant)
{
    double seconds[BENCH_NUM_TIMES] = {0};
    run_once(contest, contestant, seconds);
    if (!take(contest, contestant))
        return false;
    if (!contestant->is_in)
        return true;
    struct bench_row *row = contestant->row;
    if (contestant->library)
        seconds[BENCH_CALL] = contestant->library->enqueue;
    for (int clock = 0; clock < BENCH_NUM_TIMES; clock++)
        row->runs[clock][row->num_runs] = seconds[clock];
    row->num_runs++;
    contestant->total += seconds[BENCH_HOST];
    contestant->is_done =
        contestant->total + seconds[BENCH_HOST] >= contest->bench->options.row_seconds;
    return true;
}

static void evaluate(struct contest *contest, const struct contestant *contestant)
{
    const struct bench *bench = contest->bench;
    struct bench_row *row = contestant->row;
    for (int clock = 0; clock < BENCH_NUM_TIMES; clock++)
        row->times[clock] = bench_summarise(row->runs[clock], row->num_runs);
    if (row->num_runs == 0)
        return;
    const bool is_old = contestant->library && !contestant->library->is_own;
    if (!is_old && row->times[BENCH_HOST].best >= telling_seconds)
        *experience_of(contest, contestant) =
            (struct bench_experience){row->times[BENCH_HOST].best, contestant->estimate.work};
    if (!contestant->library)
        return;
    const double device = row->times[BENCH_DEVICE].median;
    const double seconds = device > 0 ? device : row->times[BENCH_HOST].median;
    if (bench->copy_rate > 0 && seconds > 0)
        row->copy_share = (double)row->bytes_moved / seconds / bench->copy_rate;
}

/* Prints a row, once. Its ratio is to what its base has run by now. */
static void print(struct contest *contest, struct contestant *contestant)
{
    const struct bench *bench = contest->bench;
    const struct bench_row *row = contestant->row;
    if (contestant->is_printed)
        return;
    evaluate(contest, contestant);
    evaluate(contest, &contest->contestants[row->base - contest->first_row]);
    contestant->is_printed = true;
    bench_print_row(bench, contest->first_row, (int)(row - bench->rows));
}

/* A short table's lines have columns for several sorts, and appear at the end. */
static void print_if_done(struct contest *contest, struct contestant *contestant)
{
    if ((!contestant->is_in || contestant->is_done) && !contest->bench->options.is_ratios)
        print(contest, contestant);
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
            struct contestant *contestant = &contest->contestants[first + (int)((i + round) % num)];
            if (contestant->is_in && !contestant->is_done && !run_in_turn(contest, contestant))
                return false;
            count_progress(contest);
        }
        is_over = options->is_brief && seconds_now() > until;
        for (int i = first; i < end; i++) {
            struct contestant *contestant = &contest->contestants[i];
            contestant->is_done = contestant->is_done || is_over || round + 1 == options->repeat;
            print_if_done(contest, contestant);
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
        is_wanted = is_wanted || contest->contestants[i].is_in;
        print_if_done(contest, &contest->contestants[i]);
    }
    if (is_wanted)
        begin(contest);
    const int result = contest->opencl->result;
    for (int i = 0; i < num_sorts && result == 0; i++) {
        if (contest->contestants[i].is_in)
            put_out(&contest->contestants[i], contest->opencl->why);
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
            if (contest->contestants[i].is_in)
                ok = enter(contest, &contest->contestants[i]);
            count_progress(contest);
            i++;
        } while (ok && i < bench->num_sorts &&
                 (!bench->options.is_brief || seconds_now() < start + entering_seconds));
        ok = ok && run_rounds(contest, first, i,
                              fmax(start + group_seconds, seconds_now() + rounds_seconds));
    }
    for (int i = 0; i < bench->num_sorts && contest->contestants[i].opponent; i++) {
        if (ok)
            print(contest, &contest->contestants[i]);
        finish(&contest->contestants[i]);
    }
    return ok;
}

bool bench_measure(struct bench *bench, const struct bench_combination *keys)
{
    static struct contest contest;
    contest = (struct contest){
        .bench = bench, .opencl = &bench->opencl, .keys = keys, .first_row = bench->num_rows};
    bench_print_shape(bench, keys);
    const bool ok = run_all(&contest);
    bench_host_end(&contest.host);
    bench_opencl_end(&bench->opencl);
    return ok;
}
