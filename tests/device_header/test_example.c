/* test_example.c: builds and runs examples/in_kernel.cl unchanged, from the public header's folder,
 * and compares its result with a search on the host. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <clsort/clsort.h>

enum { NUM_POINTS = 1000, NUM_QUERIES = 50, K = 20 };

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static cl_program build(clsort_sorter *sorter)
{
    char *text = read_file(CLSORT_SOURCE_DIR "/tests/examples/in_kernel.cl");
    const char *source = text;
    cl_program program = clCreateProgramWithSource(clsort_context(sorter), 1, &source, NULL, NULL);
    assert_non_null(program);
    const cl_device_id device = clsort_device(sorter);
    if (clBuildProgram(program, 1, &device, "-I " CLSORT_SOURCE_DIR "/include -DMAX_POINTS=1000",
                       NULL, NULL)) {
        static char log[1 << 16];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fail_msg("%s", log);
    }
    free(text);
    return program;
}

/* The index of the rank-th nearest point, by counting. */
static unsigned nearest_on_host(const float *points, const float *query, unsigned rank)
{
    float distances[NUM_POINTS];
    for (int i = 0; i < NUM_POINTS; ++i) {
        const float x = points[2 * i] - query[0], y = points[2 * i + 1] - query[1];
        distances[i] = x * x + y * y;
    }
    for (unsigned i = 0; i < NUM_POINTS; ++i) {
        unsigned before = 0;
        for (unsigned j = 0; j < NUM_POINTS; ++j)
            before += distances[j] < distances[i] || (distances[j] == distances[i] && j < i);
        if (before == rank)
            return i;
    }
    return NUM_POINTS;
}

static void run(clsort_sorter *sorter, cl_kernel kernel, size_t group_size)
{
    static float points[2 * NUM_POINTS], queries[2 * NUM_QUERIES];
    static cl_uint found[NUM_QUERIES * K];
    for (int i = 0; i < 2 * NUM_POINTS;
         ++i) /* a coarse grid, exact in float: many equal distances */
        points[i] = (float)(i * 7919 % 31);
    for (int i = 0; i < 2 * NUM_QUERIES; ++i)
        queries[i] = (float)(i * 104729 % 31);
    cl_context context = clsort_context(sorter);
    cl_command_queue queue = clCreateCommandQueue(context, clsort_device(sorter), 0, NULL);
    const cl_mem buffers[] = {
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof points, points, NULL),
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof queries, queries, NULL),
        clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof found, NULL, NULL)};
    const cl_uint num_points = NUM_POINTS, k = K;
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]);
    clSetKernelArg(kernel, 1, sizeof num_points, &num_points);
    clSetKernelArg(kernel, 2, sizeof(cl_mem), &buffers[1]);
    clSetKernelArg(kernel, 3, sizeof k, &k);
    clSetKernelArg(kernel, 4, sizeof(cl_mem), &buffers[2]);
    const size_t size = NUM_QUERIES * group_size;
    assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &group_size, 0, NULL,
                                            NULL),
                     CL_SUCCESS);
    assert_int_equal(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof found, found, 0,
                                         NULL, NULL),
                     CL_SUCCESS);
    for (unsigned q = 0; q < NUM_QUERIES; ++q)
        for (unsigned i = 0; i < K; ++i)
            if (found[q * K + i] != nearest_on_host(points, queries + 2 * q, i))
                fail_msg("groups of %zu: query %u, place %u: %u", group_size, q, i,
                         (unsigned)found[q * K + i]);
    for (int i = 0; i < 3; ++i)
        clReleaseMemObject(buffers[i]);
    clReleaseCommandQueue(queue);
}

static void example_finds_the_nearest(void **state)
{
    (void)state;
    clsort_sorter *sorter = NULL;
    assert_int_equal(clsort_create(NULL, NULL, &sorter), CLSORT_OK);
    cl_program program = build(sorter);
    cl_kernel kernel = clCreateKernel(program, "nearest", NULL);
    assert_non_null(kernel);
    size_t limit = 0;
    clGetKernelWorkGroupInfo(kernel, clsort_device(sorter), CL_KERNEL_WORK_GROUP_SIZE, sizeof limit,
                             &limit, NULL);
    const size_t group_sizes[] = {1, 24, 32, 100, 128, 256};
    for (size_t i = 0; i < sizeof group_sizes / sizeof *group_sizes; ++i)
        if (group_sizes[i] <= limit)
            run(sorter, kernel, group_sizes[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clsort_destroy(sorter);
}

int main(void)
{
    cl_device_id device = NULL;
    if (clsort_find_device(NULL, &device)) {
        puts("skipped: no OpenCL device");
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(example_finds_the_nearest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
