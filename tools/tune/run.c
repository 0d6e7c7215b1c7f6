/* run.c: sorters with rows of their own, races between them on the same input, and how the parts of
 * the work share its time. */
#include "tune/tune.h"

#include "cli/message.h"
#include "io/calls.h"
#include "io/temp.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Smaller differences are noise, whatever the rounds say; and this many rounds in four must
 * agree. */
static const double noise = 0.03;
enum { AGREEING = 3 };

enum { MAX_ROUNDS = 64 };

bool tune_name_rows(struct tune *tune)
{
    char path[32];
    tune->descriptor = temp_open_nameless(temp_dir());
    snprintf(path, sizeof(path), "/dev/fd/%d", tune->descriptor);
    /* Once, before the driver has threads that may read the environment. */
    if (tune->descriptor >= 0 && setenv("CLSORT_TUNING", path, 1) == 0)
        return true;
    message("cannot make a file in %s: %s", temp_dir(), strerror(errno));
    return false;
}

/* After a message. */
static bool trouble(struct tune *tune)
{
    tune->has_ended_early = tune->is_cut = true;
    return false;
}

clsort_sorter *tune_sorter(struct tune *tune, bool with_found, const char *rows,
                           const struct tune_row *row)
{
    clsort_sorter *sorter = NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file) {
        if (with_found)
            tune_print_rows(tune, false, file);
        if (rows)
            fputs(rows, file);
        tune_print_row(row, file);
    }
    if (!file || fclose(file) != 0)
        message("out of memory");
    else if (ftruncate(tune->descriptor, 0) != 0 || !call_write(tune->descriptor, text, size, 0))
        message("cannot write to %s: %s", temp_dir(), strerror(errno));
    else {
        const clsort_status status = clsort_create(tune->device.context, tune->device.id, &sorter);
        if (status)
            message("%s: %s", clsort_status_text(status), text);
    }
    free(text);
    if (!sorter)
        trouble(tune);
    return sorter;
}

bool tune_input(struct tune *tune, struct bench_type type, const struct bench_shape *shape,
                uint32_t index_size, uint64_t count, struct bench_combination *keys_ret)
{
    if (shape->layout == BENCH_ROWS)
        count -= count % shape->length;
    if (count == 0)
        return false;
    *keys_ret = (struct bench_combination){.input = bench_input_make(type, count, BENCH_RANDOM, 1),
                                           .type = type,
                                           .shape = shape};
    keys_ret->input.has_places =
        type.value_size > 0 && type.value_size % 4 == 0 && count <= UINT32_MAX;
    return bench_shape_input(&tune->device.facts, shape, index_size, &keys_ret->input,
                             keys_ret->note);
}

clsort_desc tune_desc(const struct bench_combination *keys, clsort_algorithm algorithm)
{
    static const struct bench_options plain;
    return bench_desc(&plain, keys->type, algorithm, &keys->input);
}

/* What came of the calls for an input or a run. */
static bool is_right(struct tune *tune)
{
    return tune->opencl.result < 0 ? trouble(tune) : tune->opencl.result > 0;
}

bool tune_input_open(struct tune *tune, const struct bench_combination *keys)
{
    bench_opencl_end(&tune->opencl);
    bench_opencl_begin(&tune->opencl, keys);
    return is_right(tune);
}

/* One sort of fresh data, and a check of its output. */
static bool run_once(struct tune *tune, const struct tune_side *side, bool by_host,
                     double *seconds_ret)
{
    struct bench_opencl *opencl = &tune->opencl;
    const cl_command_queue queue = by_host ? opencl->queue : opencl->profiling_queue;
    const clsort_buffers buffers = bench_buffers(opencl, &side->desc);
    double on_device = 0;
    opencl->result = 1;
    bench_opencl_refresh(opencl, queue, side->desc.out_of_place != 0);
    cl_event before = by_host ? NULL : bench_opencl_start_clock(opencl);
    if (opencl->result <= 0)
        return false;
    const double start = seconds_now();
    const clsort_status status =
        clsort_enqueue(side->sorter, queue, &side->desc, &buffers, 0, NULL, NULL);
    const cl_int code =
        by_host ? clFinish(queue) : bench_opencl_stop_clock(opencl, before, &on_device);
    *seconds_ret = on_device > 0 ? on_device : seconds_now() - start;
    if (status || code != CL_SUCCESS)
        return false;
    bench_opencl_check(opencl, side->desc.stable && opencl->input.has_places);
    if (opencl->result == BENCH_WRONG)
        message("%s on %" PRIu64 " keys of %s: %s", clsort_algorithm_name(side->desc.algorithm),
                (uint64_t)opencl->input.count,
                side->desc.record ? "records" : clsort_type_name(side->desc.type), opencl->why);
    return is_right(tune);
}

bool tune_try(struct tune *tune, const struct tune_side *side)
{
    double unused;
    return run_once(tune, side, true, &unused);
}

bool tune_try_ties(struct tune *tune, const struct bench_combination *keys,
                   const struct tune_side *const *sides, int num_sides)
{
    struct bench_combination ties = *keys;
    ties.input.distribution = BENCH_REPEATS;
    bool are_right = tune_input_open(tune, &ties);
    for (int i = 0; i < num_sides && are_right; i++)
        are_right = tune_try(tune, sides[i]);
    return are_right;
}

bool tune_run_race(struct tune *tune, const struct tune_side *a, const struct tune_side *b,
                   bool by_host, int num_rounds, double hopeless, struct tune_race *race_ret)
{
    const struct tune_side *const sides[] = {a, b};
    double seconds[2][MAX_ROUNDS];
    int num_faster = 0, num_runs = 0;
    *race_ret = (struct tune_race){0};
    if (num_rounds > MAX_ROUNDS)
        num_rounds = MAX_ROUNDS;
    while (num_runs < num_rounds) {
        const int first = num_runs % 2; /* each goes first in every second round */
        for (int i = 0; i < 2; i++) {
            const int k = first ^ i;
            if (!run_once(tune, sides[k], by_host, &seconds[k][num_runs]))
                return false;
        }
        num_faster += seconds[1][num_runs] < seconds[0][num_runs];
        num_runs++;
        if (num_runs == 1 && hopeless > 0 && seconds[1][0] > hopeless * seconds[0][0])
            break;
    }
    race_ret->a = bench_summarise(seconds[0], num_runs).median;
    race_ret->b = bench_summarise(seconds[1], num_runs).median;
    race_ret->is_faster = race_ret->b < (1 - noise) * race_ret->a &&
                          4 * num_faster >= AGREEING * num_runs && num_runs == num_rounds;
    return true;
}

/* ---- All parts ------------------------------------------------------------------------------- */

static double elapsed(const struct tune *tune)
{
    return seconds_now() - tune->start;
}

bool tune_has_time(struct tune *tune)
{
    if (elapsed(tune) > tune->until)
        tune->is_cut = true;
    return !tune->is_cut;
}

/* The subjects of a type come first, and then the limits between what these have found. */
static void measure(struct tune *tune, int part)
{
    const int num_of_type = tune_num_subjects + tune_num_limits, i = part % num_of_type;
    const struct bench_type type = tune->options.types[part / num_of_type];
    if (i < tune_num_subjects)
        tune_subject(tune, i, type);
    else
        tune_limit(tune, i - tune_num_subjects, type);
}

/* Measures the parts that are left, and leaves those that were cut short. */
static void take_turn(struct tune *tune, int *parts, int *num_parts)
{
    const int num = *num_parts;
    int num_cut = 0;
    for (int i = 0; i < num; i++) {
        const double now = elapsed(tune);
        tune->until = now + (tune->options.seconds - now) / (num - i);
        tune->is_cut = false;
        measure(tune, parts[i]);
        if (tune->has_ended_early)
            return;
        if (tune->is_cut)
            parts[num_cut++] = parts[i];
    }
    *num_parts = num_cut;
}

/* A compiler decides how long a candidate takes, so no share is right from the start: parts that
 * were cut short have further turns, with what the others did not need. */
void tune_all(struct tune *tune)
{
    int num = tune->options.num_types * (tune_num_subjects + tune_num_limits);
    int *parts = zeroed((size_t)num, sizeof(*parts));
    for (int i = 0; i < num; i++)
        parts[i] = i;
    do {
        take_turn(tune, parts, &num);
    } while (!tune->has_ended_early && num > 0 && elapsed(tune) < tune->options.seconds);
    tune->is_over = num > 0;
    free(parts);
}
