/* rows_after_sort.c: what rows of columns in order are good for, on the device. Rows are ordered by
 * country, and within a country by the highest score. Looks whether two lists are in order; merges
 * them; finds which rows there are and where each begins; and where another row would belong.
 * Output: in order: 3 of 3, 3 of 3 / 1 9, 1 5, 1 5, 44 8, 49 7, 49 7, / 4 rows: 0 1 3 4
 *         / 44 9: 3 to 3, 49 7: 4 to 6 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clsort/clsort.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 6, FIRST = 3, QUERIES = 2, COLUMNS = 2 };

static const clsort_column columns[COLUMNS] = {
    {CLSORT_U8, CLSORT_ASCENDING},
    {CLSORT_F32, CLSORT_DESCENDING},
};
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

static clsort_desc rows_of(uint64_t count)
{
    clsort_desc desc = CLSORT_ZERO;
    desc.count = count;
    desc.num_columns = COLUMNS;
    desc.columns = columns;
    return desc;
}

/* Two arrays of FIRST rows each are one behind the other; in each, the first row that is out of
 * order, or the count. */
static void check_order(const clsort_buffer *rows)
{
    cl_ulong ends[2] = {0};
    clsort_desc desc = rows_of(FIRST);
    desc.num_arrays = 2;
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.columns = rows;
    buffers.result = buffer_of(sizeof ends, ends);
    check(clsort_enqueue_check(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);
    take(buffers.result, sizeof ends, ends);
    printf("in order: %u of %d, %u of %d /", (unsigned)ends[0], FIRST, (unsigned)ends[1], FIRST);
}

/* The rows that there are, and where each begins. */
static void find_runs(const clsort_buffer *rows, const clsort_buffer *distinct)
{
    cl_uint offsets[COUNT + 1] = {0};
    cl_ulong num_runs = 0;
    clsort_desc desc = rows_of(COUNT);
    desc.offset_size = sizeof *offsets;
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.columns = rows;
    buffers.columns_out = distinct;
    buffers.offsets_out = buffer_of(sizeof offsets, offsets);
    buffers.result = buffer_of(sizeof num_runs, &num_runs);
    check(clsort_enqueue_runs(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);
    take(buffers.offsets_out, sizeof offsets, offsets);
    take(buffers.result, sizeof num_runs, &num_runs);
    printf(" / %u rows:", (unsigned)num_runs);
    for (cl_ulong i = 0; i < num_runs; ++i)
        printf(" %u", offsets[i]);
}

/* Where other rows belong: from `lower` up to, not including, `upper` are those equal to one. */
static void search(const clsort_buffer *rows)
{
    cl_uchar country[QUERIES] = {44, 49};
    cl_float score[QUERIES] = {9, 7};
    cl_uint lower[QUERIES] = {0}, upper[QUERIES] = {0};
    const clsort_buffer queries[COLUMNS] = {buffer_of(sizeof country, country),
                                            buffer_of(sizeof score, score)};
    clsort_desc desc = rows_of(COUNT);
    desc.index_size = sizeof *lower;
    desc.num_queries = QUERIES;
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.columns = rows;
    buffers.query_columns = queries;
    buffers.lower = buffer_of(sizeof lower, lower);
    buffers.upper = buffer_of(sizeof upper, upper);
    check(clsort_enqueue_search(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);
    take(buffers.lower, sizeof lower, lower);
    take(buffers.upper, sizeof upper, upper);
    for (int i = 0; i < QUERIES; ++i) {
        clReleaseMemObject(queries[i].mem);
        printf("%s%d %g: %u to %u", i ? ", " : " / ", country[i], score[i], lower[i], upper[i]);
    }
}

int main(void)
{
    check(clsort_create(NULL, NULL, &sorter), 0);
    cl_int code = CL_SUCCESS;
    queue = clCreateCommandQueue(clsort_context(sorter), clsort_device(sorter), 0, &code);
    check(CLSORT_OK, code);

    cl_uchar country[COUNT] = {1, 1, 49, /* the second list: */ 1, 44, 49};
    cl_float score[COUNT] = {9, 5, 7, 5, 8, 7};
    const clsort_buffer lists[COLUMNS] = {buffer_of(sizeof country, country),
                                          buffer_of(sizeof score, score)};
    const clsort_buffer merged[COLUMNS] = {buffer_of(sizeof country, country),
                                           buffer_of(sizeof score, score)};
    check_order(lists);
    clsort_desc desc = rows_of(COUNT);
    desc.first_count = FIRST; /* of the first list */
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.columns = lists;
    buffers.columns_out = merged;
    check(clsort_enqueue_merge(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);
    check(CLSORT_OK, clEnqueueReadBuffer(queue, merged[0].mem, CL_TRUE, 0, sizeof country, country,
                                         0, NULL, NULL));
    check(CLSORT_OK, clEnqueueReadBuffer(queue, merged[1].mem, CL_TRUE, 0, sizeof score, score, 0,
                                         NULL, NULL));
    for (int i = 0; i < COUNT; ++i)
        printf(" %d %g,", country[i], score[i]);
    find_runs(merged, lists); /* the lists are no longer needed */
    search(merged);
    printf("\n");
    for (int i = 0; i < COLUMNS; ++i) {
        clReleaseMemObject(lists[i].mem);
        clReleaseMemObject(merged[i].mem);
    }
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return 0;
}
