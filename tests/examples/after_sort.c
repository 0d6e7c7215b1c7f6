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

int main(void)
{
    check(clsort_create(NULL, NULL, &sorter), 0);
    cl_int code = CL_SUCCESS;
    queue = clCreateCommandQueue(clsort_context(sorter), clsort_device(sorter), 0, &code);
    check(CLSORT_OK, code);

    /* Two ranges in order, one behind the other. */
    cl_uint scores[COUNT] = {10, 20, 40, 20, 30, 50}, merged[COUNT] = {0};
    char names[COUNT] = {'a', 'b', 'c', 'd', 'e', 'f'};
    cl_ulong numbers[COUNT] = {1, 2, 3, 4, 5, 6};
    const uint32_t sizes[2] = {sizeof *names, sizeof *numbers};
    clsort_desc desc = CLSORT_ZERO;
    desc.count = COUNT;
    desc.first_count = FIRST;
    desc.num_values = 2;
    desc.value_sizes = sizes;
    /* Among equal scores yesterday's come first. */
    char merged_names[COUNT];
    cl_ulong merged_numbers[COUNT];
    clsort_buffer values[2] = {buffer_of(sizeof names, names), buffer_of(sizeof numbers, numbers)};
    clsort_buffer values_out[2] = {buffer_of(sizeof names, names),
                                   buffer_of(sizeof numbers, numbers)};
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.keys = buffer_of(sizeof scores, scores);
    buffers.keys_out = buffer_of(sizeof merged, merged);
    buffers.values_list = values;
    buffers.values_list_out = values_out;
    check(clsort_enqueue_merge(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);
    clsort_buffer all = buffers.keys_out;
    clReleaseMemObject(buffers.keys.mem);
    clReleaseMemObject(values[0].mem);
    clReleaseMemObject(values[1].mem);
    take(values_out[0], sizeof merged_names, merged_names);
    take(values_out[1], sizeof merged_numbers, merged_numbers);

    /* The scores that there are, and where each begins; the number is known on the device. */
    cl_uint offsets[COUNT + 1] = {0}, distinct[COUNT] = {0};
    cl_ulong num_runs = 0;
    clsort_desc runs = CLSORT_ZERO;
    runs.count = COUNT;
    runs.offset_size = sizeof *offsets;
    clsort_buffers of_runs = CLSORT_ZERO;
    of_runs.keys = all;
    of_runs.keys_out = buffer_of(sizeof distinct, distinct);
    of_runs.offsets_out = buffer_of(sizeof offsets, offsets);
    of_runs.result = buffer_of(sizeof num_runs, &num_runs);
    check(clsort_enqueue_runs(sorter, queue, &runs, &of_runs, 0, NULL, NULL), 0);
    clReleaseMemObject(of_runs.keys_out.mem);
    take(of_runs.offsets_out, sizeof offsets, offsets);
    take(of_runs.result, sizeof num_runs, &num_runs);

    /* Where the scores 20 and 35 belong. */
    cl_uint queries[QUERIES] = {20, 35}, lower[QUERIES] = {0}, upper[QUERIES] = {0};
    clsort_desc search = CLSORT_ZERO;
    search.count = COUNT;
    search.index_size = sizeof *lower;
    search.num_queries = QUERIES;
    clsort_buffers of_search = CLSORT_ZERO;
    of_search.keys = all;
    of_search.queries = buffer_of(sizeof queries, queries);
    of_search.lower = buffer_of(sizeof lower, lower);
    of_search.upper = buffer_of(sizeof upper, upper);
    check(clsort_enqueue_search(sorter, queue, &search, &of_search, 0, NULL, NULL), 0);
    clReleaseMemObject(of_search.queries.mem);
    take(of_search.lower, sizeof lower, lower);
    take(of_search.upper, sizeof upper, upper);
    take(all, sizeof merged, merged);

    for (int i = 0; i < COUNT; ++i)
        printf("%u ", merged[i]);
    printf("/");
    for (int i = 0; i < COUNT; ++i)
        printf(" %c", merged_names[i]);
    printf(" /");
    for (int i = 0; i < COUNT; ++i)
        printf(" %u", (unsigned)merged_numbers[i]);
    printf(" / %u scores:", (unsigned)num_runs);
    for (cl_ulong i = 0; i < num_runs; ++i)
        printf(" %u", offsets[i]);
    for (int i = 0; i < QUERIES; ++i)
        printf(" / %u: %u to %u", queries[i], lower[i], upper[i]);
    printf("\n");
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return 0;
}
