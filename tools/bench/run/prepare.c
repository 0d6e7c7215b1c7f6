/* prepare.c: keys that are in order before they are checked, merged or searched, and what
 * a right output is. The library sorts; the sums over what it leaves prove it right, and do not
 * depend on it. */
#include "bench/bench.h"

#include "cli/message.h"

/* Sorts numbers of a buffer in place, of a whole array or of the input's segments or rows, and
 * proves it. 0 or less as bench_opencl_begin(). */
static int sort_buffer(struct bench_opencl *opencl, const struct bench_input *input,
                       struct bench_type type, enum bench_buffer keys, char *why)
{
    static const struct bench_options plain;
    clsort_sorter *sorter = opencl->device->sorter;
    const clsort_desc desc = bench_desc(&plain, type, CLSORT_AUTO, input);
    const clsort_buffers buffers = {
        .keys = {.mem = opencl->buffers[keys]},
        .offsets = {.mem = desc.offset_size > 0 ? opencl->buffers[OFFSETS] : NULL}};
    struct bench_sums before, after;
    int result = bench_opencl_look(opencl, input, keys, VALUES_SOURCE, &before, why);
    if (result <= 0)
        return result;
    const clsort_status status =
        clsort_enqueue(sorter, opencl->queue, &desc, &buffers, 0, NULL, NULL);
    if (status)
        return bench_opencl_fail(status, sorter, why);
    result = bench_opencl_look(opencl, input, keys, VALUES_SOURCE, &after, why);
    clsort_release_scratch(sorter);
    if (result > 0 && bench_check(input, &before, &after, why) == BENCH_WRONG) {
        message("the keys cannot be put in order: %s", why);
        return -1;
    }
    return result;
}

/* The input as keys alone that are sorted. */
static struct bench_input keys_of(const struct bench_input *input, enum bench_work work)
{
    struct bench_input keys = *input;
    keys.work = work;
    keys.side = BENCH_OUTPUT;
    keys.value_size = 0;
    keys.has_places = 0;
    keys.place_size = 0;
    keys.is_stable = 0;
    keys.skip = 0;
    keys.limit = 0;
    keys.row_length = work == BENCH_SEGMENTS ? input->row_length : 0;
    return keys;
}

/* The last key becomes the first one, which is a descent if they differ from the one before. */
static int put_descent(struct bench_opencl *opencl, char *why)
{
    const struct bench_input *input = &opencl->input;
    const size_t size = input->key_size;
    if (input->count < 2)
        return 1;
    return bench_opencl_result("clEnqueueCopyBuffer",
                               clEnqueueCopyBuffer(opencl->queue, opencl->buffers[KEYS_SOURCE],
                                                   opencl->buffers[KEYS_SOURCE], 0,
                                                   (input->count - 1) * size, size, 0, NULL, NULL),
                               why);
}

static int prepare_top(struct bench_opencl *opencl, struct bench_type type, char *why)
{
    struct bench_input input = opencl->input;
    const bool is_row = input.num_segments > 0;
    const struct bench_input sorted = keys_of(&input, is_row ? BENCH_SEGMENTS : BENCH_SORT);
    int result =
        bench_opencl_result("clEnqueueCopyBuffer",
                            clEnqueueCopyBuffer(opencl->queue, opencl->buffers[KEYS_SOURCE],
                                                opencl->buffers[KEYS], 0, 0,
                                                opencl->sizes[KEYS_SOURCE], 0, NULL, NULL),
                            why);
    if (result > 0)
        result = sort_buffer(opencl, &sorted, type, KEYS, why);
    input.side = BENCH_EXPECTED;
    return result > 0 ? bench_opencl_look(opencl, &input, KEYS, VALUES, &opencl->expected, why)
                      : result;
}

static int make_queries(struct bench_opencl *opencl, struct bench_type type,
                        const struct bench_shape *shape, char *why)
{
    struct bench_input queries = keys_of(&opencl->input, BENCH_SORT);
    queries.count = opencl->input.num_queries;
    queries.seed++;
    int result = bench_opencl_fill(opencl, &queries, QUERIES, why);
    if (result > 0 && shape->has_sorted_queries)
        result = sort_buffer(opencl, &queries, type, QUERIES, why);
    opencl->expected = (struct bench_sums){0, 0, 0};
    return result;
}

/* Keys in order, and the sums of them and of a right output. */
static int prepare_order(struct bench_opencl *opencl, struct bench_type type, char *why)
{
    const bool is_merge = opencl->input.work == BENCH_MERGE;
    const struct bench_input sorted =
        keys_of(&opencl->input, is_merge ? BENCH_SEGMENTS : BENCH_SORT);
    struct bench_input input = opencl->input;
    int result = sort_buffer(opencl, &sorted, type, KEYS_SOURCE, why);
    if (result > 0 && input.work == BENCH_CHECK)
        result = put_descent(opencl, why);
    input.side = BENCH_INPUT;
    if (result > 0)
        result = bench_opencl_look(opencl, &input, KEYS_SOURCE, VALUES_SOURCE, &opencl->sums, why);
    opencl->expected = opencl->sums;
    if (input.work == BENCH_CHECK)
        opencl->expected = (struct bench_sums){0, 0, input.count - (opencl->sums.disorders > 0)};
    input.side = BENCH_EXPECTED;
    if (result > 0 && input.work == BENCH_RUNS)
        result = bench_opencl_look(opencl, &input, KEYS_SOURCE, VALUES, &opencl->expected, why);
    return result;
}

int bench_opencl_prepare(struct bench_opencl *opencl, struct bench_type type,
                         const struct bench_shape *shape, char *why)
{
    type.value_size = 0;
    if (bench_is_sort(shape->work))
        return 1;
    if (shape->work == BENCH_TOP)
        return prepare_top(opencl, type, why);
    const int result = prepare_order(opencl, type, why);
    return result > 0 && shape->work == BENCH_SEARCH ? make_queries(opencl, type, shape, why)
                                                     : result;
}
