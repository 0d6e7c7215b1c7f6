/* in_kernel.c: builds in_kernel.cl, a kernel that sorts without leaving, and finds the three points
 * nearest to the origin. Usage: in_kernel in_kernel.cl FOLDER, which holds clsort/clsort_device.h.
 * Output: 4 1 2 */
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

int main(int argc, char **argv)
{
    static char text[1 << 14], options[1 << 12];
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (!file || fread(text, 1, sizeof text - 1, file) == 0) {
        fprintf(stderr, "usage: in_kernel in_kernel.cl FOLDER\n");
        return 1;
    }
    fclose(file);
    snprintf(options, sizeof options, "-D MAX_POINTS=100 -I %s", argv[2]);

    clsort_sorter *sorter = NULL; /* here it only finds a device and makes a context */
    check(clsort_create(NULL, NULL, &sorter), 0);
    cl_context context = clsort_context(sorter);
    cl_device_id device = clsort_device(sorter);
    cl_int code = CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(CLSORT_OK, code);
    const char *source = text;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(CLSORT_OK, code);
    check(CLSORT_OK, clBuildProgram(program, 1, &device, options, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "nearest", &code);
    check(CLSORT_OK, code);

    float points[][2] = {{5, 5}, {0, 2}, {-3, 0}, {4, 1}, {1, -1}};
    float origin[2] = {0, 0};
    cl_uint num_points = 5, k = 3, nearest[3];
    cl_mem point_buffer =
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof points, points, &code);
    check(CLSORT_OK, code);
    cl_mem query = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof origin, origin, &code);
    check(CLSORT_OK, code);
    cl_mem result = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof nearest, NULL, &code);
    check(CLSORT_OK, code);
    check(CLSORT_OK, clSetKernelArg(kernel, 0, sizeof point_buffer, &point_buffer));
    check(CLSORT_OK, clSetKernelArg(kernel, 1, sizeof num_points, &num_points));
    check(CLSORT_OK, clSetKernelArg(kernel, 2, sizeof query, &query));
    check(CLSORT_OK, clSetKernelArg(kernel, 3, sizeof k, &k));
    check(CLSORT_OK, clSetKernelArg(kernel, 4, sizeof result, &result));
    const size_t group_size = 32, size = 32; /* a work-group for each query; there is one */
    code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &group_size, 0, NULL, NULL);
    check(CLSORT_OK, code);
    code = clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof nearest, nearest, 0, NULL, NULL);
    check(CLSORT_OK, code);
    printf("%u %u %u\n", nearest[0], nearest[1], nearest[2]);

    clReleaseMemObject(point_buffer);
    clReleaseMemObject(query);
    clReleaseMemObject(result);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return 0;
}
