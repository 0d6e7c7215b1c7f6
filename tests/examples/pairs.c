/* pairs.c: sorts keys, largest first, and moves a value of any size with each of them. The sort is
 * stable: Bob and Eve have the same score and keep their order.
 * Output: Ann 95, Bob 70, Eve 70, Dan 42, */
#define CL_TARGET_OPENCL_VERSION 120
#include <clsort/clsort.h>
#include <stdio.h>
#include <stdlib.h>

static void check(clsort_status status, cl_int code)
{
    if (status || code) {
        fprintf(stderr, "%s (%d)\n", status ? clsort_status_text(status) : "OpenCL failed", code);
        exit(1);
    }
}

int main(void)
{
    uint16_t scores[] = {70, 42, 95, 70};
    char names[][12] = {"Bob", "Dan", "Ann", "Eve"};
    clsort_sorter *sorter = NULL;
    check(clsort_create(NULL, NULL, &sorter), 0);
    cl_context context = clsort_context(sorter);
    cl_int code = CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueue(context, clsort_device(sorter), 0, &code);
    check(CLSORT_OK, code);
    cl_mem keys = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof scores, scores, &code);
    check(CLSORT_OK, code);
    cl_mem values = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof names, names, &code);
    check(CLSORT_OK, code);

    clsort_desc desc = CLSORT_ZERO;
    desc.count = 4;
    desc.type = CLSORT_U16;
    desc.order = CLSORT_DESCENDING;
    desc.stable = 1;
    desc.value_size = sizeof names[0]; /* bytes that move with each key */
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.keys.mem = keys;
    buffers.values.mem = values;
    check(clsort_enqueue(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);

    code = clEnqueueReadBuffer(queue, keys, CL_TRUE, 0, sizeof scores, scores, 0, NULL, NULL);
    check(CLSORT_OK, code);
    code = clEnqueueReadBuffer(queue, values, CL_TRUE, 0, sizeof names, names, 0, NULL, NULL);
    check(CLSORT_OK, code);
    for (int i = 0; i < 4; ++i)
        printf("%s %d, ", names[i], scores[i]);

    clReleaseMemObject(keys);
    clReleaseMemObject(values);
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return 0;
}
