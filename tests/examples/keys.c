/* keys.c: sorts floats in a buffer on the device (cl_mem), on your own queue. clsort_enqueue() does
 * not wait; the blocking read after it does. Zero in a struct means the common case.
 * Output: -1e+09 -1 -0 0 2.5 3 6 7 */
#define CL_TARGET_OPENCL_VERSION 120 /* clCreateCommandQueue() belongs to OpenCL 1.2 */
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
    float keys[] = {3, -1, 2.5f, -0.0f, 7, 0, -1e9f, 6};
    clsort_sorter *sorter = NULL;
    check(clsort_create(NULL, NULL, &sorter), 0); /* or your own context and device */
    cl_context context = clsort_context(sorter);
    cl_int code = CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueue(context, clsort_device(sorter), 0, &code);
    check(CLSORT_OK, code);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof keys, keys, &code);
    check(CLSORT_OK, code);

    clsort_desc desc = CLSORT_ZERO;
    desc.count = 8;
    desc.type = CLSORT_F32;
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.keys.mem = buffer;
    check(clsort_enqueue(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);
    code = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof keys, keys, 0, NULL, NULL);
    check(CLSORT_OK, code);
    for (int i = 0; i < 8; ++i)
        printf("%g ", keys[i]);

    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return 0;
}
