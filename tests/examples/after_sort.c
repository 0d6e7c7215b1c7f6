/* after_sort.c: what arrays in order are good for, on the device. Merges yesterday's scores with
 * today's, each with two arrays of values; finds which scores there are and where each begins; and
 * where other scores would belong.
 * Output: 10 20 20 30 40 50 / a b d e c f / 1 2 4 5 3 6 / 5 scores: 0 1 3 4 5
 *         / 20: 1 to 3 / 35: 4 to 4 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clsort/clsort.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 6, FIRST = 3, QUERIES = 2 };

static clsort_sorter *sorter;
static cl_command_queue queue;

static void check(clsort_status status, cl_int code)
{
    if (status || code) {
        fprintf(stderr, "%s (%d)\n", status ? clsort_status_text(status) : "OpenCL failed", code);
        exit(1);
    }
}

/* A buffer with a copy of these bytes. */
static clsort_buffer buffer_of(size_t size, void *bytes)
{
    cl_int code = CL_SUCCESS;
    clsort_buffer buffer = CLSORT_ZERO;
    buffer.mem = clCreateBuffer(clsort_context(sorter), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                size, bytes, &code);
    check(CLSORT_OK, code);
    return buffer;
}

/* Reads a buffer, and releases it. */
static void take(clsort_buffer buffer, size_t size, void *bytes)
{
    check(CLSORT_OK,
          clEnqueueReadBuffer(queue, buffer.mem, CL_TRUE, 0, size, bytes, 0, NULL, NULL));
    clReleaseMemObject(buffer.mem);
}

/* Merges two ranges in order, one behind the other, and their values. Among equal scores
 * yesterday's come first. Returns the merged scores. */
static clsort_buffer merge_days(void)
{
    cl_uint scores[COUNT] = {10, 20, 40, 20, 30, 50};
    char names[COUNT] = {'a', 'b', 'c', 'd', 'e', 'f'};
    cl_ulong numbers[COUNT] = {1, 2, 3, 4, 5, 6};
    const uint32_t sizes[2] = {sizeof *names, sizeof *numbers};
    clsort_desc desc = CLSORT_ZERO;
    desc.count = COUNT;
    desc.first_count = FIRST;
    desc.num_values = 2;
    desc.value_sizes = sizes;
    clsort_buffer values[2] = {buffer_of(sizeof names, names), buffer_of(sizeof numbers, numbers)};
    clsort_buffer values_out[2] = {buffer_of(sizeof names, names),
                                   buffer_of(sizeof numbers, numbers)};
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.keys = buffer_of(sizeof scores, scores);
    buffers.keys_out = buffer_of(sizeof scores, scores);
    buffers.values_list = values;
    buffers.values_list_out = values_out;
    check(clsort_enqueue_merge(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);
    clReleaseMemObject(buffers.keys.mem);
    clReleaseMemObject(values[0].mem);
    clReleaseMemObject(values[1].mem);
    const clsort_buffer merged = buffers.keys_out;
    check(CLSORT_OK,
          clEnqueueReadBuffer(queue, merged.mem, CL_TRUE, 0, sizeof scores, scores, 0, NULL, NULL));
    take(values_out[0], sizeof names, names);
    take(values_out[1], sizeof numbers, numbers);
    for (int i = 0; i < COUNT; ++i)
        printf("%u ", scores[i]);
    printf("/");
    for (int i = 0; i < COUNT; ++i)
        printf(" %c", names[i]);
    printf(" /");
    for (int i = 0; i < COUNT; ++i)
        printf(" %u", (unsigned)numbers[i]);
    return merged;
}

/* The scores that there are, and where each begins; the number is known on the device. */
static void find_distinct(clsort_buffer scores)
{
    cl_uint offsets[COUNT + 1] = {0}, distinct[COUNT] = {0};
    cl_ulong num_runs = 0;
    clsort_desc desc = CLSORT_ZERO;
    desc.count = COUNT;
    desc.offset_size = sizeof *offsets;
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.keys = scores;
    buffers.keys_out = buffer_of(sizeof distinct, distinct);
    buffers.offsets_out = buffer_of(sizeof offsets, offsets);
    buffers.result = buffer_of(sizeof num_runs, &num_runs);
    check(clsort_enqueue_runs(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);
    clReleaseMemObject(buffers.keys_out.mem);
    take(buffers.offsets_out, sizeof offsets, offsets);
    take(buffers.result, sizeof num_runs, &num_runs);
    printf(" / %u scores:", (unsigned)num_runs);
    for (cl_ulong i = 0; i < num_runs; ++i)
        printf(" %u", offsets[i]);
}

/* Where the scores 20 and 35 belong. */
static void find_places(clsort_buffer scores)
{
    cl_uint queries[QUERIES] = {20, 35}, lower[QUERIES] = {0}, upper[QUERIES] = {0};
    clsort_desc desc = CLSORT_ZERO;
    desc.count = COUNT;
    desc.index_size = sizeof *lower;
    desc.num_queries = QUERIES;
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.keys = scores;
    buffers.queries = buffer_of(sizeof queries, queries);
    buffers.lower = buffer_of(sizeof lower, lower);
    buffers.upper = buffer_of(sizeof upper, upper);
    check(clsort_enqueue_search(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);
    clReleaseMemObject(buffers.queries.mem);
    take(buffers.lower, sizeof lower, lower);
    take(buffers.upper, sizeof upper, upper);
    for (int i = 0; i < QUERIES; ++i)
        printf(" / %u: %u to %u", queries[i], lower[i], upper[i]);
}

int main(void)
{
    check(clsort_create(NULL, NULL, &sorter), 0);
    cl_int code = CL_SUCCESS;
    queue = clCreateCommandQueue(clsort_context(sorter), clsort_device(sorter), 0, &code);
    check(CLSORT_OK, code);
    const clsort_buffer scores = merge_days();
    find_distinct(scores);
    find_places(scores);
    printf("\n");
    clReleaseMemObject(scores.mem);
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return 0;
}
