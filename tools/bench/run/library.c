/* library.c: the library as one of the sorts that are measured, by one algorithm of one build, with
 * scratch that is kept from run to run; and how it is asked for what is done. Sorts of all keys are
 * in place. */
#include "bench/bench.h"

#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which arrays there are, and which places are wanted. */
static void describe_sort(clsort_desc *desc, const struct bench_input *input)
{
    const uint64_t length = input->row_length;
    if (length > 0 && length < input->count) {
        desc->count = length;
        desc->num_arrays = input->count / length;
    } else if (input->num_segments > 0 && length == 0) {
        desc->num_segments = input->num_segments;
        desc->offset_size = sizeof(uint64_t);
    }
    desc->skip = input->skip;
    desc->limit = input->limit;
}

clsort_desc bench_desc(const struct bench_options *options, struct bench_type type,
                       clsort_algorithm algorithm, const struct bench_input *input)
{
    static const clsort_operation operations[BENCH_NUM_WORKS] = {
        [BENCH_CHECK] = CLSORT_OPERATION_CHECK,
        [BENCH_MERGE] = CLSORT_OPERATION_MERGE,
        [BENCH_RUNS] = CLSORT_OPERATION_RUNS,
        [BENCH_SEARCH] = CLSORT_OPERATION_SEARCH};
    clsort_desc desc = bench_input_desc(type, input->count);
    desc.algorithm = algorithm;
    desc.stable = options->is_stable;
    desc.index_size = (uint32_t)(input->index_size + input->place_size);
    desc.operation = operations[input->work];
    if (input->work == BENCH_MERGE)
        desc.first_count = input->count / 2;
    else if (input->work == BENCH_SEARCH)
        desc.num_queries = input->num_queries;
    else if (input->work < BENCH_CHECK)
        describe_sort(&desc, input);
    desc.out_of_place = options->is_out_of_place || input->work == BENCH_TOP;
    return desc;
}

/* Failures of another build are its own: its row says so, and the rest goes on. */
static int fail(const struct bench_library *library, clsort_status status, char *why)
{
    struct bench_opencl *opencl = &library->bench->opencl;
    if (!library->is_own)
        return bench_refuse(why, library->build->status_text(status));
    bench_opencl_status(opencl, status);
    return opencl->result;
}

static int prepare(struct bench_opponent *self, const struct bench_task *task, char *why)
{
    struct bench_library *library = (struct bench_library *)self;
    struct bench *bench = library->bench;
    const struct bench_build *build = library->build;
    self->state = (void *)(uintptr_t)task;
    library->desc =
        bench_desc(&bench->options, library->type, library->desc.algorithm, task->input);
    clsort_status status = build->get_plan(build->sorter, &library->desc, &library->plan, NULL, 0);
    if (status)
        return bench_refuse(why, build->status_text(status));
    if (!bench_fits_device(&bench->device.facts, task->input, library->plan.scratch_size, why))
        return 0;
    /* In this order: what a compiled kernel allows may change the plan, and with it the scratch. */
    status = build->prepare(build->sorter, &library->desc);
    if (!status)
        status = build->get_plan(build->sorter, &library->desc, &library->plan, NULL, 0);
    if (status)
        return fail(library, status, why);
    bench_opencl_reserve_scratch(&bench->opencl, library->plan.scratch_size);
    return bench->opencl.result;
}

void bench_name_kernels(const struct bench_build *build, const clsort_desc *desc,
                        char names[BENCH_KERNELS])
{
    clsort_plan plan = {0};
    build->get_plan(build->sorter, desc, &plan, NULL, 0);
    const uint32_t num_steps = plan.num_steps;
    clsort_step *steps = calloc(num_steps + 1, sizeof(*steps));
    const bool has_steps = steps && !build->get_plan(build->sorter, desc, &plan, steps, num_steps);
    size_t size = 0;
    names[0] = '\0';
    for (uint32_t i = 0; has_steps && i < num_steps; i++) {
        const char *name = steps[i].kernel;
        if (!bench_list_has(names, name, strlen(name)) && size + strlen(name) + 2 < BENCH_KERNELS)
            size += (size_t)sprintf(names + size, "%s%s", size > 0 ? " " : "", name);
    }
    free(steps);
}

clsort_buffers bench_buffers(const struct bench_opencl *opencl, const clsort_desc *desc)
{
    const cl_mem *buffers = opencl->buffers;
    const bool is_search = desc->operation == CLSORT_OPERATION_SEARCH;
    const bool is_check = desc->operation == CLSORT_OPERATION_CHECK;
    const bool is_elsewhere = desc->out_of_place || desc->operation == CLSORT_OPERATION_MERGE ||
                              desc->operation == CLSORT_OPERATION_RUNS;
    const bool is_in_place = !is_elsewhere && !is_search && !is_check;
    clsort_buffers all = {.keys = {.mem = buffers[is_in_place ? KEYS : KEYS_SOURCE]},
                          .values = {.mem = buffers[is_in_place ? VALUES : VALUES_SOURCE]}};
    if (desc->offset_size > 0)
        all.offsets.mem = buffers[OFFSETS];
    if (is_elsewhere) {
        all.keys_out.mem = buffers[KEYS];
        all.values_out.mem = buffers[VALUES];
    }
    if (is_check || desc->operation == CLSORT_OPERATION_RUNS)
        all.result.mem = buffers[RESULT];
    if (is_search) {
        all.queries.mem = buffers[QUERIES];
        all.lower.mem = buffers[INDICES];
    } else {
        all.indices.mem = buffers[INDICES];
    }
    return all;
}

static int run(struct bench_opponent *self, struct bench_times *times, char *why)
{
    struct bench_library *library = (struct bench_library *)self;
    const struct bench_task *task = library->opponent.state;
    const struct bench_build *build = library->build;
    clsort_buffers all = bench_buffers(&library->bench->opencl, &library->desc);
    if (library->plan.scratch_size > 0)
        all.scratch.mem = library->bench->opencl.buffers[SCRATCH];
    (void)times;
    const double start = seconds_now();
    const clsort_status status =
        build->enqueue(build->sorter, task->queue, &library->desc, &all, 0, NULL, NULL);
    if (task->queue == library->bench->opencl.queue)
        library->enqueue = seconds_now() - start;
    return status ? fail(library, status, why) : 1;
}

void bench_build_own(struct bench_build *build)
{
#define OWN(name_) build->name_ = clsort_##name_;
    BENCH_BUILD_FUNCTIONS(OWN)
#undef OWN
    build->name = "clsort";
}

/* Both builds are told apart by name where there are two. */
void bench_add_libraries(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    const int num = options->num[LIST_ALGORITHMS];
    bench->num_libraries = bench->old.sorter ? 2 * num : num;
    for (int i = 0; i < bench->num_libraries; i++) {
        struct bench_library *library = &bench->libraries[i];
        struct bench_build *build = i < num ? &bench->own : &bench->old;
        *library = (struct bench_library){.opponent = {.name = build->name,
                                                       .memory = BENCH_ON_OPENCL,
                                                       .works = (1U << BENCH_NUM_WORKS) - 1,
                                                       .is_stable = options->is_stable,
                                                       .prepare = prepare,
                                                       .run = run},
                                          .bench = bench,
                                          .build = build,
                                          .is_own = i < num,
                                          .desc = {.algorithm = options->algorithms[i % num]}};
        bench->sorts[bench->num_sorts++] = &library->opponent;
    }
}
