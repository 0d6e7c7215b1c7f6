/* wait_lists.c: one queue transfers and another sorts, ordered by events alone. The host waits
 * once, for the result. A queue must be flushed before another queue waits for its events.
 * Output: 65536 keys are in order */
#define CL_TARGET_OPENCL_VERSION 120
#include <clsort/clsort.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 65536 };
static uint32_t keys[COUNT];

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
        keys[i] = i * 2654435761u;
    clsort_sorter *sorter = NULL;
    check(clsort_create(NULL, NULL, &sorter), 0);
    cl_context context = clsort_context(sorter);
    cl_int code = CL_SUCCESS;
    cl_command_queue transfers = clCreateCommandQueue(context, clsort_device(sorter), 0, &code);
    check(CLSORT_OK, code);
    cl_command_queue sorts = clCreateCommandQueue(context, clsort_device(sorter), 0, &code);
    check(CLSORT_OK, code);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof keys, NULL, &code);
    check(CLSORT_OK, code);

    cl_event written = NULL, sorted = NULL, read = NULL;
    code =
        clEnqueueWriteBuffer(transfers, buffer, CL_FALSE, 0, sizeof keys, keys, 0, NULL, &written);
    check(CLSORT_OK, code);
    check(CLSORT_OK, clFlush(transfers));

    clsort_desc desc = CLSORT_ZERO; /* u32 keys, ascending */
    desc.count = COUNT;
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.keys.mem = buffer;
    check(clsort_enqueue(sorter, sorts, &desc, &buffers, 1, &written, &sorted), 0);
    check(CLSORT_OK, clFlush(sorts));

    code =
        clEnqueueReadBuffer(transfers, buffer, CL_FALSE, 0, sizeof keys, keys, 1, &sorted, &read);
    check(CLSORT_OK, code);
    check(CLSORT_OK, clWaitForEvents(1, &read));
    for (uint32_t i = 1; i < COUNT; ++i)
        if (keys[i - 1] > keys[i])
            return 1;
    printf("%d keys are in order\n", COUNT);

    clReleaseEvent(written);
    clReleaseEvent(sorted);
    clReleaseEvent(read);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(transfers);
    clReleaseCommandQueue(sorts);
    clsort_destroy(sorter);
    return 0;
}
