/* steps.c: the plans behind the rows of 'clsort bench --report', and the seconds that each
 * launch of a row that was measured takes on the device. A row that was skipped since it would take
 * too long is not run here either. */
#include "bench/bench.h"

#include "cli/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct steps {
    clsort_plan plan;
    clsort_step *steps;
    double *seconds;
    double all; /* seconds; 0: it was not run, or the driver tells none */
};

/* Sorts once more, with a time for each step. */
static void time_steps(struct bench *bench, const struct bench_combination *keys,
                       const clsort_desc *desc, struct steps *steps)
{
    struct bench_opencl *opencl = &bench->opencl;
    clsort_sorter *sorter = bench->device.sorter;
    const clsort_plan *plan = &steps->plan;
    bench_opencl_begin(opencl, keys);
    bench_opencl_refresh(opencl, opencl->profiling_queue, desc->out_of_place != 0);
    if (opencl->result > 0) {
        const clsort_buffers buffers = bench_buffers(opencl, desc);
        uint32_t num = 0;
        clsort_set_timing(sorter, 1);
        bench_opencl_status(opencl, clsort_enqueue(sorter, opencl->profiling_queue, desc, &buffers,
                                                   0, NULL, NULL));
        bench_opencl_result(opencl, "clFinish", clFinish(opencl->profiling_queue));
        if (opencl->result > 0)
            clsort_get_timing(sorter, steps->seconds, plan->num_steps, &num);
        clsort_set_timing(sorter, 0);
        bench_opencl_check(opencl, bench->options.is_stable);
    }
    for (uint32_t i = 0; i < plan->num_steps && opencl->result > 0; i++)
        steps->all += steps->seconds[i];
    bench_opencl_end(opencl);
}

/* The plan, as it is when its kernels are compiled. */
static clsort_status get_steps(clsort_sorter *sorter, const clsort_desc *desc, struct steps *steps)
{
    clsort_plan *plan = &steps->plan;
    clsort_status status = clsort_get_plan(sorter, desc, plan, NULL, 0);
    if (!status)
        status = clsort_prepare(sorter, desc);
    if (!status)
        status = clsort_get_plan(sorter, desc, plan, NULL, 0);
    steps->steps = calloc(plan->num_steps + 1, sizeof(*steps->steps));
    steps->seconds = calloc(plan->num_steps + 1, sizeof(*steps->seconds));
    if (!status && (!steps->steps || !steps->seconds))
        status = CLSORT_ERROR_HOST_MEMORY;
    return status ? status : clsort_get_plan(sorter, desc, plan, steps->steps, plan->num_steps);
}

/* why: it has no times, or "". */
static void print_steps(const struct bench *bench, const struct steps *steps, const char *what,
                        const char *why)
{
    const clsort_plan *plan = &steps->plan;
    char scratch[SIZE_TEXT], time[BENCH_NOTE + 40] = "";
    if (*why)
        snprintf(time, sizeof(time), "; not run: %s", why);
    else if (steps->all > 0)
        snprintf(time, sizeof(time), ", %.3f ms on the device in all", 1e3 * steps->all);
    bench_print_fact(bench, "plan of %s: %s%s, %u step%s, scratch %s%s", what,
                     clsort_algorithm_name(plan->algorithm), plan->stable ? ", stable" : "",
                     (unsigned)plan->num_steps, plan->num_steps == 1 ? "" : "s",
                     size_text(plan->scratch_size, scratch), time);
    for (uint32_t i = 0; i < plan->num_steps; i++) {
        const clsort_step *step = &steps->steps[i];
        if (steps->all > 0)
            snprintf(time, sizeof(time), " %10.3f ms", 1e3 * steps->seconds[i]);
        printf("%s%3u %-16s %10" PRIu64 " groups of %-4u local %6u%s\n",
               bench->options.is_markdown ? "      " : "#   ", (unsigned)i + 1, step->kernel,
               step->num_groups, (unsigned)step->group_size, (unsigned)step->local_size,
               steps->all > 0 ? time : "");
    }
}

bool bench_print_steps(struct bench *bench, const struct bench_row *row)
{
    const struct bench_combination *keys = row->keys;
    struct bench_opencl *opencl = &bench->opencl;
    const clsort_desc desc =
        bench_desc(&bench->options, keys->type, bench->options.algorithms[0], &keys->input);
    struct steps steps = {.steps = NULL};
    char name[BENCH_TYPE_TEXT], what[200], done[BENCH_SHAPE_TEXT];
    bench_shape_text(keys->shape, done);
    snprintf(what, sizeof(what), "%s of %" PRIu64 " %s, %s%s%s",
             clsort_algorithm_name(desc.algorithm), keys->input.count,
             bench_type_text(keys->type, name), bench_distribution_names[keys->input.distribution],
             *done ? ", " : "", done);
    const clsort_status status = get_steps(bench->device.sorter, &desc, &steps);
    opencl->result = 1;
    *opencl->why = '\0';
    if (!status && row->num_runs > 0)
        time_steps(bench, keys, &desc, &steps);
    if (opencl->result == BENCH_WRONG)
        message("%s: %s", what, opencl->why);
    else if (status)
        bench_print_fact(bench, "no plan of %s: %s", what, clsort_status_text(status));
    else if (opencl->result >= 0)
        print_steps(bench, &steps, what, row->num_runs > 0 ? opencl->why : row->note);
    free(steps.steps);
    free(steps.seconds);
    return opencl->result >= 0;
}
