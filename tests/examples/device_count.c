/* device_count.c: sorts as many keys as a kernel has found. Their number stays on the device: it is
 * the end of one segment, so the host neither waits nor reads it before the sort.
 * Output: 3 found: 2 4 6 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clsort/clsort.h>
#include <stdio.h>
#include <stdlib.h>

/* Keeps the even numbers, in any order, and counts them in offsets[1]. */
static const char *source =
    "__kernel void keep_even(__global const uint *in, __global uint *kept,\n"
    "                        __global uint *offsets)\n"
    "{\n"
    "    const uint number = in[get_global_id(0)];\n"
    "    if (number % 2 == 0)\n"
    "        kept[atomic_inc(&offsets[1])] = number;\n"
    "}\n";

static void check(clsort_status status, cl_int code)
{
    if (status || code) {
        fprintf(stderr, "%s (%d)\n", status ? clsort_status_text(status) : "OpenCL failed", code);
        exit(1);
    }
}

int main(void)
{
    cl_uint numbers[] = {5, 6, 1, 4, 2}, offsets[] = {0, 0}, kept[5];
    const size_t n = 5;
    clsort_sorter *sorter = NULL;
    check(clsort_create(NULL, NULL, &sorter), 0);
    cl_context context = clsort_context(sorter);
    cl_device_id device = clsort_device(sorter);
    cl_int code = CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(CLSORT_OK, code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(CLSORT_OK, code);
    check(CLSORT_OK, clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "keep_even", &code);
    check(CLSORT_OK, code);

    cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &code);
    check(CLSORT_OK, code);
    cl_mem keys = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof kept, NULL, &code);
    check(CLSORT_OK, code);
    cl_mem ends = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof offsets, offsets, &code);
    check(CLSORT_OK, code);
    check(CLSORT_OK, clSetKernelArg(kernel, 0, sizeof in, &in));
    check(CLSORT_OK, clSetKernelArg(kernel, 1, sizeof keys, &keys));
    check(CLSORT_OK, clSetKernelArg(kernel, 2, sizeof ends, &ends));
    code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
    check(CLSORT_OK, code);

    clsort_desc desc = CLSORT_ZERO;
    desc.count = n; /* no more than these */
    desc.num_segments = 1;
    desc.offset_size = sizeof offsets[0];
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.keys.mem = keys;
    buffers.offsets.mem = ends;
    check(clsort_enqueue(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);

    code = clEnqueueReadBuffer(queue, ends, CL_TRUE, 0, sizeof offsets, offsets, 0, NULL, NULL);
    check(CLSORT_OK, code);
    code = clEnqueueReadBuffer(queue, keys, CL_TRUE, 0, sizeof kept, kept, 0, NULL, NULL);
    check(CLSORT_OK, code);
    printf("%u found:", offsets[1]);
    for (cl_uint i = 0; i < offsets[1]; i++)
        printf(" %u", kept[i]);
    printf("\n");

    clReleaseMemObject(in);
    clReleaseMemObject(keys);
    clReleaseMemObject(ends);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return 0;
}
