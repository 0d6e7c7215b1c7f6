#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t opencl_devices(cl_device_id *devices, uint32_t capacity)
{
    cl_platform_id platforms[16];
    cl_uint num_platforms = 0;
    uint32_t count = 0;
    if (clGetPlatformIDs(16, platforms, &num_platforms))
        return 0;
    for (cl_uint i = 0; i < num_platforms && i < 16; ++i) {
        cl_device_id found[16];
        cl_uint num_found = 0;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 16, found, &num_found))
            continue;
        for (cl_uint j = 0; j < num_found && j < 16; ++j, ++count) {
            if (count < capacity)
                devices[count] = found[j];
        }
    }
    return count;
}

cl_context context_create(cl_device_id device)
{
    cl_int code = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    expect_cl(code);
    return context;
}

cl_event event_create(cl_context context)
{
    cl_int code = CL_SUCCESS;
    cl_event event = clCreateUserEvent(context, &code);
    expect_cl(code);
    return event;
}

cl_kernel kernel_create(cl_program program, const char *name)
{
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    expect_cl(code);
    return kernel;
}

cl_program program_create(const fixture *fix, cl_uint num_texts, const char *const *texts,
                          const char *options)
{
    static char log[65536];
    cl_int code = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(fix->context, num_texts,
                                                   (const char **)(uintptr_t)texts, NULL, &code);
    expect_cl(code);
    code = clBuildProgram(program, 1, &fix->device, options, NULL, NULL);
    if (code) {
        clGetProgramBuildInfo(program, fix->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        print_error("with %s\n%s\n", options, log);
    }
    expect_cl(code);
    return program;
}

clsort_status fixture_enqueue(const fixture *fix, const clsort_desc *desc,
                              const clsort_buffers *buffers)
{
    return clsort_enqueue(fix->sorter, fix->queue, desc, buffers, 0, NULL, NULL);
}

cl_command_queue queue_create(cl_context context, cl_device_id device,
                              cl_command_queue_properties properties)
{
    cl_int code = CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueue(context, device, properties, &code);
    expect_cl(code);
    return queue;
}

cl_mem buffer_create(cl_context context, cl_mem_flags flags, uint64_t size, const void *bytes)
{
    cl_int code = CL_SUCCESS;
    if (bytes && !(flags & CL_MEM_USE_HOST_PTR))
        flags |= CL_MEM_COPY_HOST_PTR;
    cl_mem buffer = clCreateBuffer(context, flags, (size_t)size, (void *)(uintptr_t)bytes, &code);
    expect_cl(code);
    return buffer;
}

void buffer_read(cl_command_queue queue, cl_mem buffer, void *bytes, uint64_t size)
{
    expect_cl(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, (size_t)size, bytes, 0, NULL, NULL));
}

void buffer_write(cl_command_queue queue, cl_mem buffer, const void *bytes, uint64_t size)
{
    expect_cl(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, (size_t)size, bytes, 0, NULL, NULL));
}

void buffer_take(cl_command_queue queue, cl_mem buffer, void *bytes, uint64_t size)
{
    buffer_read(queue, buffer, bytes, size);
    expect_cl(clReleaseMemObject(buffer));
}

int has_out_of_order(cl_device_id device)
{
    cl_command_queue_properties properties = 0;
    expect_cl(
        clGetDeviceInfo(device, CL_DEVICE_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

int fixture_has_cpu_kernels(const fixture *fix)
{
    cl_device_type type = 0;
    expect_cl(clGetDeviceInfo(fix->device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    return type == CL_DEVICE_TYPE_CPU && !fix->limited;
}

int platform_is(const fixture *fix, const char *part)
{
    return strstr(fix->platform, part) != NULL;
}

void skip_because(const char *reason)
{
    printf("skipped: %s\n", reason);
    fflush(stdout);
    skip();
}

void expect_status_at(clsort_status got, clsort_status expected, const char *call, const char *file,
                      int line)
{
    if (got != expected) {
        print_error("%s:%d: %s gave %d (%s), not %d (%s)\n", file, line, call, (int)got,
                    clsort_status_text(got), (int)expected, clsort_status_text(expected));
        _fail(file, line);
    }
}

void expect_argument(clsort_sorter *sorter, clsort_status got, clsort_status expected,
                     const char *argument)
{
    clsort_error_info info;
    expect_status(clsort_last_error(sorter, &info), CLSORT_OK);
    if (got != expected || info.status != expected || strcmp(info.argument, argument) != 0)
        fail_msg("\"%s\" about \"%s\" instead of \"%s\" about \"%s\"", clsort_status_text(got),
                 info.argument, clsort_status_text(expected), argument);
}

void expect_cl_at(cl_int code, const char *call, const char *file, int line)
{
    if (code != CL_SUCCESS) {
        print_error("%s:%d: %s gave %d\n", file, line, call, (int)code);
        _fail(file, line);
    }
}

cl_int event_status(cl_event event)
{
    cl_int status = CL_QUEUED;
    expect_cl(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static fixture the_fixture;
static int with_host;

void fixture_with_host(void)
{
    with_host = 1;
}

/* Sets CLSORT_LIMIT with host=0 added, unless it speaks of the host. */
static void set_limit(const char *limit)
{
    char text[1024];
    const int is_added = !with_host && !strstr(limit, "host=");
    snprintf(text, sizeof text, "%s%s%s", limit, is_added && *limit ? "," : "",
             is_added ? "host=0" : "");
    if (*text)
        setenv("CLSORT_LIMIT", text, 1);
    else
        unsetenv("CLSORT_LIMIT");
}

static char limit_of_run[1024];

static void keep_limit(void)
{
    const char *limit = getenv("CLSORT_LIMIT");
    snprintf(limit_of_run, sizeof limit_of_run, "%s", limit ? limit : "");
    set_limit(limit_of_run);
}

void fixture_limit(const fixture *fix, const char *limit)
{
    if (!fix->limited)
        set_limit(limit);
}

void fixture_limit_as_gpu(const fixture *fix)
{
    if (!fix->limited || !strstr(limit_of_run, "cpu=0"))
        set_limit("cpu=0");
}

void fixture_limit_to(const char *limit)
{
    setenv("CLSORT_LIMIT", limit, 1);
}

void fixture_end_limit(void)
{
    set_limit(limit_of_run);
}

clsort_sorter *sorter_create(const fixture *fix)
{
    clsort_sorter *sorter = NULL;
    expect_status(clsort_create(fix->context, fix->device, &sorter), CLSORT_OK);
    return sorter;
}

clsort_sorter *sorter_limited(const fixture *fix, const char *limit)
{
    fixture_limit_to(limit);
    clsort_sorter *sorter = sorter_create(fix);
    fixture_end_limit();
    return sorter;
}

fixture fixture_with(const fixture *fix, clsort_sorter *sorter)
{
    fixture other = *fix;
    other.sorter = sorter;
    return other;
}

static int setup(void **state)
{
    fixture *fix = &the_fixture;
    *state = fix;
    cl_platform_id platform = NULL;
    expect_status(clsort_find_device(NULL, &fix->device), CLSORT_OK);
    expect_cl(clGetDeviceInfo(fix->device, CL_DEVICE_NAME, sizeof fix->name, fix->name, NULL));
    expect_cl(clGetDeviceInfo(fix->device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    expect_cl(
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof fix->platform, fix->platform, NULL));
    fix->context = context_create(fix->device);
    fix->queue = queue_create(fix->context, fix->device, CL_QUEUE_PROFILING_ENABLE);
    fix->sorter = sorter_create(fix);
    printf("device: %s, seed: %llu\n", fix->name, (unsigned long long)fix->seed);
    fflush(stdout);
    return 0;
}

static int teardown(void **state)
{
    fixture *fix = *state;
    clsort_destroy(fix->sorter);
    if (fix->queue)
        clReleaseCommandQueue(fix->queue);
    if (fix->context)
        clReleaseContext(fix->context);
    return 0;
}

int fixture_takes(clsort_algorithm algorithm)
{
    if (algorithm != CLSORT_AUTO && algorithm == the_fixture.without)
        return 0;
    return the_fixture.only == CLSORT_AUTO || algorithm == the_fixture.only;
}

fixture *fixture_of(void **state)
{
    fixture *fix = *state;
    expect_cl(clFinish(fix->queue));
    return fix;
}

/* Returns false if there is no OpenCL device. */
static int read_settings(void)
{
    const char *seed = getenv("CLSORT_TEST_SEED");
    the_fixture.seed = seed && *seed ? strtoull(seed, NULL, 0) : 1;
    the_fixture.limited = getenv("CLSORT_LIMIT") != NULL;
    keep_limit();
    const char *without = getenv("CLSORT_TEST_WITHOUT");
    if (without && clsort_algorithm_from_name(without, &the_fixture.without)) {
        printf("CLSORT_TEST_WITHOUT: there is no algorithm %s\n", without);
        exit(1);
    }
    const char *only = getenv("CLSORT_TEST_ALGORITHM");
    if (only && clsort_algorithm_from_name(only, &the_fixture.only)) {
        printf("CLSORT_TEST_ALGORITHM: there is no algorithm %s\n", only);
        exit(1);
    }
    return opencl_devices(NULL, 0) != 0;
}

fixture *fixture_open(void)
{
    void *state = NULL;
    return read_settings() && setup(&state) == 0 ? state : NULL;
}

int fixture_run_of(clsort_algorithm algorithm, const char *name, const struct CMUnitTest *tests,
                   size_t num_tests)
{
    if (!read_settings()) {
        printf("skipped: %s: there is no OpenCL device\n", name);
        return 77;
    }
    if (algorithm && !fixture_takes(algorithm))
        return 0;
    return _cmocka_run_group_tests(name, tests, num_tests, setup, teardown) ? 1 : 0;
}

int fixture_run(const char *name, const struct CMUnitTest *tests, size_t num_tests)
{
    return fixture_run_of(CLSORT_AUTO, name, tests, num_tests);
}

int fixture_run_wanted(const char *name, const struct CMUnitTest *tests, size_t num_tests, int argc,
                       char **argv)
{
    for (size_t i = 0; argc > 1 && i < num_tests; ++i) {
        if (strcmp(tests[i].name, argv[1]) == 0)
            return fixture_run(name, &tests[i], 1);
    }
    if (argc > 1) {
        printf("%s: there is no test %s\n", name, argv[1]);
        return 1;
    }
    return fixture_run(name, tests, num_tests);
}
