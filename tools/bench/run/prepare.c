/* prepare.c: keys that are in order before they are checked, merged or searched, and what
 * a right output is. The library sorts; the sums over what it leaves prove it right, and do not
 * depend on it. */
#include "bench/bench.h"

#include "cli/message.h"

/* Sorts numbers of a buffer in place, of a whole array or of the input's segments or rows, and
 * proves it. */
static void sort_buffer(struct bench_opencl *opencl, const struct bench_input *input,
                        struct bench_type type, enum bench_buffer keys)
{
    static const struct bench_options plain;
    clsort_sorter *sorter = opencl->device->sorter;
    const clsort_desc desc = bench_desc(&plain, type, CLSORT_AUTO, input);
    const clsort_buffers buffers = {
        .keys = {.mem = opencl->buffers[keys]},
        .offsets = {.mem = desc.offset_size > 0 ? opencl->buffers[OFFSETS] : NULL}};
    const struct bench_sums before = bench_opencl_look(opencl, input, keys, VALUES_SOURCE);
    if (opencl->result > 0)
        bench_opencl_status(opencl,
                            clsort_enqueue(sorter, opencl->queue, &desc, &buffers, 0, NULL, NULL));
    const struct bench_sums after = bench_opencl_look(opencl, input, keys, VALUES_SOURCE);
    clsort_release_scratch(sorter);
    if (opencl->result > 0 && bench_check(input, &before, &after, opencl->why) == BENCH_WRONG) {
        message("the keys cannot be put in order: %s", opencl->why);
        opencl->result = -1;
    }
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
static void put_descent(struct bench_opencl *opencl)
{
    const size_t size = opencl->input.key_size;
    const cl_mem keys = opencl->buffers[KEYS_SOURCE];
    if (opencl->input.count > 1)
        BENCH_TRY(opencl, clEnqueueCopyBuffer, opencl->queue, keys, keys, 0,
                  (opencl->input.count - 1) * size, size, 0, NULL, NULL);
}

static void prepare_top(struct bench_opencl *opencl, struct bench_type type)
{
    struct bench_input input = opencl->input;
    const bool is_row = input.num_segments > 0;
    const struct bench_input sorted = keys_of(&input, is_row ? BENCH_SEGMENTS : BENCH_SORT);
    BENCH_TRY(opencl, clEnqueueCopyBuffer, opencl->queue, opencl->buffers[KEYS_SOURCE],
              opencl->buffers[KEYS], 0, 0, opencl->sizes[KEYS_SOURCE], 0, NULL, NULL);
    sort_buffer(opencl, &sorted, type, KEYS);
    input.side = BENCH_EXPECTED;
    opencl->expected = bench_opencl_look(opencl, &input, KEYS, VALUES);
}

static void make_queries(struct bench_opencl *opencl, struct bench_type type, bool is_sorted)
{
    struct bench_input queries = keys_of(&opencl->input, BENCH_SORT);
    queries.count = opencl->input.num_queries;
    queries.seed++;
    bench_opencl_fill(opencl, &queries, QUERIES);
    if (is_sorted)
        sort_buffer(opencl, &queries, type, QUERIES);
    opencl->expected = (struct bench_sums){0, 0, 0};
}

/* Keys in order, and the sums of them and of a right output. */
static void prepare_order(struct bench_opencl *opencl, struct bench_type type)
{
    const bool is_merge = opencl->input.work == BENCH_MERGE;
    const struct bench_input sorted =
        keys_of(&opencl->input, is_merge ? BENCH_SEGMENTS : BENCH_SORT);
    struct bench_input input = opencl->input;
    sort_buffer(opencl, &sorted, type, KEYS_SOURCE);
    if (input.work == BENCH_CHECK)
        put_descent(opencl);
    input.side = BENCH_INPUT;
    opencl->sums = bench_opencl_look(opencl, &input, KEYS_SOURCE, VALUES_SOURCE);
    opencl->expected = opencl->sums;
    if (input.work == BENCH_CHECK)
        opencl->expected = (struct bench_sums){0, 0, input.count - (opencl->sums.disorders > 0)};
    input.side = BENCH_EXPECTED;
    if (input.work == BENCH_RUNS)
        opencl->expected = bench_opencl_look(opencl, &input, KEYS_SOURCE, VALUES);
}

void bench_opencl_prepare(struct bench_opencl *opencl, const struct bench_combination *keys)
{
    const struct bench_shape *shape = keys->shape;
    struct bench_type type = keys->type;
    type.value_size = 0;
    if (opencl->result <= 0 || bench_is_sort(shape->work))
        return;
    if (shape->work == BENCH_TOP)
        prepare_top(opencl, type);
    else
        prepare_order(opencl, type);
    if (shape->work == BENCH_SEARCH)
        make_queries(opencl, type, shape->has_sorted_queries);
}
