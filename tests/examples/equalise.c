/* equalise.c: builds equalise.cl, whose work-groups count, scan and reduce, and evens out a dark
 * tile of eight pixels. Usage: equalise equalise.cl FOLDER, which holds clsort/clsort_device.h.
 * Output: 0 85 85 0 170 212 255 170 */
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
        fprintf(stderr, "usage: equalise equalise.cl FOLDER\n");
        return 1;
    }
    fclose(file);
    snprintf(options, sizeof options, "-D PIXELS=8 -I %s", argv[2]);

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
    cl_kernel kernel = clCreateKernel(program, "equalise", &code);
    check(CLSORT_OK, code);

    unsigned char pixels[8] = {10, 11, 11, 10, 13, 14, 20, 13};
    cl_mem picture = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof pixels, pixels, &code);
    check(CLSORT_OK, code);
    check(CLSORT_OK, clSetKernelArg(kernel, 0, sizeof picture, &picture));
    const size_t group_size = 32, size = 32; /* a work-group for each tile; there is one */
    code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &group_size, 0, NULL, NULL);
    check(CLSORT_OK, code);
    code = clEnqueueReadBuffer(queue, picture, CL_TRUE, 0, sizeof pixels, pixels, 0, NULL, NULL);
    check(CLSORT_OK, code);
    for (int i = 0; i < 8; ++i)
        printf("%d%c", pixels[i], i < 7 ? ' ' : '\n');

    clReleaseMemObject(picture);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return 0;
}
