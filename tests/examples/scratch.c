/* scratch.c: gives a sort its scratch, so that the library allocates nothing. One buffer serves all
 * sorts that follow each other on a queue.
 * Output: 70000 pairs are in order */
#define CL_TARGET_OPENCL_VERSION 120
#include <clsort/clsort.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 70000 };
static uint32_t keys[COUNT], values[COUNT];

static void check(clsort_status status, cl_int code)
{
    if (status || code) {
        fprintf(stderr, "%s (%d)\n", status ? clsort_status_text(status) : "OpenCL failed", code);
        exit(1);
    }
}

int main(void)
{
    for (uint32_t i = 0; i < COUNT; ++i)
        values[i] = ~(keys[i] = i * 2654435761u);
    clsort_sorter *sorter = NULL;
    check(clsort_create(NULL, NULL, &sorter), 0);
    cl_context context = clsort_context(sorter);
    cl_int code = CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueue(context, clsort_device(sorter), 0, &code);
    check(CLSORT_OK, code);
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.keys.mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof keys, keys, &code);
    check(CLSORT_OK, code);
    buffers.values.mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof keys, values, &code);
    check(CLSORT_OK, code);

    clsort_desc desc = CLSORT_ZERO; /* u32 keys, ascending */
    desc.count = COUNT;
    desc.value_size = sizeof values[0];
    uint64_t size = 0;
    check(clsort_scratch_size(sorter, &desc, &size), 0);
    if (size > 0) {
        buffers.scratch.mem = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &code);
        check(CLSORT_OK, code);
    }
    check(clsort_enqueue(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);

    cl_mem from = buffers.keys.mem;
    code = clEnqueueReadBuffer(queue, from, CL_TRUE, 0, sizeof keys, keys, 0, NULL, NULL);
    check(CLSORT_OK, code);
    from = buffers.values.mem;
    code = clEnqueueReadBuffer(queue, from, CL_TRUE, 0, sizeof keys, values, 0, NULL, NULL);
    check(CLSORT_OK, code);
    for (uint32_t i = 0; i < COUNT; ++i)
        if ((i > 0 && keys[i - 1] > keys[i]) || values[i] != ~keys[i])
            return 1;
    printf("%d pairs are in order\n", COUNT);

    clReleaseMemObject(buffers.keys.mem);
    clReleaseMemObject(buffers.values.mem);
    if (size > 0)
        clReleaseMemObject(buffers.scratch.mem);
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return 0;
}
