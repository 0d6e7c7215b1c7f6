/* tune_run.c: sorters with rows of their own, and races between them on the same input. */
#include "tune.h"

#include "message.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Smaller differences are noise, whatever the rounds say; and this many rounds in four must
 * agree. */
static const double noise = 0.03;
enum { AGREEING = 3 };

enum { MAX_STEPS = 2048, MAX_ROUNDS = 64 };

bool tune_name_rows(struct tune *tune)
{
    char path[32];
    tune->descriptor = open("/dev/null", O_RDONLY);
    snprintf(path, sizeof(path), "/dev/fd/%d", tune->descriptor);
    /* Once, before the driver has threads that may read the environment. */
    if (tune->descriptor >= 0 && setenv("CLSORT_TUNING", path, 1) == 0)
        return true;
    message("cannot open /dev/null");
    return false;
}

/* Puts the text where CLSORT_TUNING names it: into a pipe, which has room for far more. */
static bool offer(struct tune *tune, const char *rows)
{
    int ends[2];
    const size_t size = strlen(rows);
    if (pipe(ends) != 0)
        return false;
    const bool ok =
        write(ends[1], rows, size) == (ssize_t)size && dup2(ends[0], tune->descriptor) >= 0;
    close(ends[0]);
    close(ends[1]);
    return ok;
}

clsort_sorter *tune_sorter(struct tune *tune, const char *rows)
{
    clsort_sorter *sorter = NULL;
    clsort_status status = CLSORT_OK;
    if (!offer(tune, rows)) {
        message("cannot make a pipe");
        return NULL;
    }
    status = clsort_create(tune->device.context, tune->device.id, &sorter);
    if (status)
        message("%s: %s", clsort_status_text(status), rows);
    return sorter;
}

void tune_take_time(struct tune *tune, double end, int num_shares)
{
    const double elapsed = seconds_now() - tune->start;
    tune->until = elapsed + (end - elapsed) / num_shares;
}

bool tune_has_time(struct tune *tune)
{
    const double elapsed = seconds_now() - tune->start;
    if (elapsed > tune->until)
        tune->is_over = true;
    return elapsed <= tune->until;
}

bool tune_input_open(struct tune *tune, struct bench_type type, uint64_t count)
{
    static const struct bench_shape plain;
    char why[BENCH_WHY];
    tune->input = bench_input_make(type, count, BENCH_RANDOM, 1);
    const int result = bench_opencl_begin(&tune->opencl, &tune->input, &plain, why);
    if (result == 0)
        message("%s", why);
    if (result <= 0)
        bench_opencl_end(&tune->opencl);
    return result > 0;
}

/* One sort of fresh data; false, without a message, if it could not be done. */
static bool run_once(struct tune *tune, const struct tune_side *side, bool by_host,
                     double *seconds_ret)
{
    struct bench_opencl *opencl = &tune->opencl;
    const cl_command_queue queue = by_host ? tune->device.queue : opencl->profiling_queue;
    const clsort_buffers buffers = {.keys = {.mem = opencl->buffers[KEYS]},
                                    .values = {.mem = opencl->buffers[VALUES]}};
    static double steps[MAX_STEPS];
    char why[BENCH_WHY];
    if (opencl->input.count != side->desc.count &&
        bench_opencl_shorten(opencl, side->desc.count, why) <= 0)
        return false;
    if (bench_opencl_refresh(opencl, queue, why) <= 0)
        return false;
    clsort_set_timing(side->sorter, !by_host);
    const double start = seconds_now();
    const clsort_status status =
        clsort_enqueue(side->sorter, queue, &side->desc, &buffers, 0, NULL, NULL);
    const cl_int code = clFinish(queue);
    *seconds_ret = seconds_now() - start;
    if (status || code != CL_SUCCESS)
        return false;
    uint32_t num_steps = 0;
    double sum = 0;
    if (!by_host && clsort_get_timing(side->sorter, steps, MAX_STEPS, &num_steps) == CLSORT_OK &&
        num_steps <= MAX_STEPS) {
        for (uint32_t i = 0; i < num_steps; i++)
            sum += steps[i];
    }
    *seconds_ret = sum > 0 ? sum : *seconds_ret;
    return true;
}

enum tune_verdict tune_try(struct tune *tune, const struct tune_side *side)
{
    char why[BENCH_WHY] = "";
    double unused;
    if (!run_once(tune, side, true, &unused))
        return TUNE_IMPOSSIBLE;
    const int result = bench_opencl_check(&tune->opencl, false, why);
    if (result == BENCH_WRONG)
        message("%s on %" PRIu64 " keys of %s: %s", clsort_algorithm_name(side->desc.algorithm),
                side->desc.count, clsort_type_name(side->desc.type), why);
    return result > 0 ? TUNE_RIGHT : result == 0 ? TUNE_IMPOSSIBLE : TUNE_TROUBLE;
}

bool tune_run_race(struct tune *tune, const struct tune_side *a, const struct tune_side *b,
                   bool by_host, int num_rounds, double hopeless, struct tune_race *race_ret)
{
    double seconds[2][MAX_ROUNDS], unused;
    int num_faster = 0, num_runs = 0;
    *race_ret = (struct tune_race){0};
    if (num_rounds > MAX_ROUNDS)
        num_rounds = MAX_ROUNDS;
    while (num_runs < num_rounds) {
        /* Each goes first in every second round. */
        const int first = num_runs % 2;
        const struct tune_side *sides[] = {a, b};
        if (!run_once(tune, sides[first], by_host, &seconds[first][num_runs]) ||
            !run_once(tune, sides[1 - first], by_host, &seconds[1 - first][num_runs]))
            return false;
        num_faster += seconds[1][num_runs] < seconds[0][num_runs];
        num_runs++;
        if (num_runs == 1 && hopeless > 0 && seconds[1][0] > hopeless * seconds[0][0])
            break;
    }
    race_ret->a = bench_median(seconds[0], num_runs, &unused);
    race_ret->b = bench_median(seconds[1], num_runs, &unused);
    race_ret->is_faster = race_ret->b < (1 - noise) * race_ret->a &&
                          4 * num_faster >= AGREEING * num_runs && num_runs == num_rounds;
    return true;
}
