/* What the tests of one program share: the device, a context, a queue and one sorter, so each
 * kernel is compiled once a program. The device is the one that the library finds (CLSORT_DEVICE).
 *
 * Without any OpenCL device a program says so and exits with 77, which CTest counts as skipped. */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "clsort/clsort.h"

typedef struct fixture {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in-order, with profiling */
    clsort_sorter *sorter;
    uint64_t seed; /* CLSORT_TEST_SEED, or 1 */
    int limited; /* CLSORT_LIMIT is set: this is the program's second run, whose kernels differ; it
                       may leave out what the first run covers */
    clsort_algorithm without; /* CLSORT_TEST_WITHOUT: the algorithm to leave out; AUTO: none */
    clsort_algorithm only;    /* CLSORT_TEST_ALGORITHM: the only one to test; AUTO: all */
    char name[256];
    char platform[256];
} fixture;

/* Has the programs' sorters leave small arrays of the host to its threads, as users' do. Without it
 * they sort on the device, which most tests mean: CLSORT_LIMIT has host=0. Call it first. */
void fixture_with_host(void);

/* Has sorters that are created from now on see such a device, unless the run itself is of another
 * one (CLSORT_LIMIT). fixture_end_limit() ends it. */
void fixture_limit(const fixture *fix, const char *limit);
/* The same of a device that takes no CPU kernels: also in a run of another device with them. */
void fixture_limit_as_gpu(const fixture *fix);
/* The same with exactly this limit, whatever the run's is. */
void fixture_limit_to(const char *limit);
void fixture_end_limit(void);

/* A sorter of the fixture's device, which the caller destroys. The test fails if there is none. */
clsort_sorter *sorter_create(const fixture *fix);

/* The same with exactly this limit. */
clsort_sorter *sorter_limited(const fixture *fix, const char *limit);

/* The fixture with another sorter. */
fixture fixture_with(const fixture *fix, clsort_sorter *sorter);

/* Runs the tests with a fixture * as their state. Returns main()'s exit status. */
int fixture_run(const char *name, const struct CMUnitTest *tests, size_t num_tests);

/* The same if fixture_takes() the algorithm, else nothing. */
int fixture_run_of(clsort_algorithm algorithm, const char *name, const struct CMUnitTest *tests,
                   size_t num_tests);

/* The same of the one test that main()'s first argument names, if there is one. */
int fixture_run_wanted(const char *name, const struct CMUnitTest *tests, size_t num_tests, int argc,
                       char **argv);

/* The same fixture for a program without cmocka; NULL if there is no OpenCL device. */
fixture *fixture_open(void);

/* The fixture in a test's state, after its pending work has finished. */
fixture *fixture_of(void **state);

/* Lists the devices of all platforms by asking OpenCL itself. Returns their number. */
uint32_t opencl_devices(cl_device_id *devices, uint32_t capacity);

/* OpenCL's objects, as follows; the test fails if one cannot be created. */
cl_context context_create(cl_device_id device);
cl_event event_create(cl_context context);
cl_kernel kernel_create(cl_program program, const char *name);

/* A program that is built of these texts, or the compiler's log is printed. */
cl_program program_create(const fixture *fix, cl_uint num_texts, const char *const *texts,
                          const char *options);

/* clsort_enqueue() with the fixture's sorter and queue, and no events. */
clsort_status fixture_enqueue(const fixture *fix, const clsort_desc *desc,
                              const clsort_buffers *buffers);

/* A queue with these properties. */
cl_command_queue queue_create(cl_context context, cl_device_id device,
                              cl_command_queue_properties properties);

/* A buffer of these bytes, or of any if they are NULL. */
cl_mem buffer_create(cl_context context, cl_mem_flags flags, uint64_t size, const void *bytes);

/* The first bytes of a buffer, when all work of the queue is done. The test fails if they cannot be
 * read or written. */
void buffer_read(cl_command_queue queue, cl_mem buffer, void *bytes, uint64_t size);
void buffer_write(cl_command_queue queue, cl_mem buffer, const void *bytes, uint64_t size);

/* The same as buffer_read(), and releases the buffer. */
void buffer_take(cl_command_queue queue, cl_mem buffer, void *bytes, uint64_t size);

/* True if the device has out-of-order queues. */
int has_out_of_order(cl_device_id device);

/* True if plans have the kernels for CPUs. */
int fixture_has_cpu_kernels(const fixture *fix);

/* True if `part` is part of the platform's name. */
int platform_is(const fixture *fix, const char *part);

/* True unless CLSORT_TEST_ALGORITHM names another algorithm, or CLSORT_TEST_WITHOUT this one: for
 * tests that loop over all algorithms. */
int fixture_takes(clsort_algorithm algorithm);

/* Ends the test as skipped and prints the reason. */
void skip_because(const char *reason);

/* Fails the test, naming both statuses, if `got` differs from `expected`. */
#define expect_status(got, expected) expect_status_at(got, expected, #got, __FILE__, __LINE__)
void expect_status_at(clsort_status got, clsort_status expected, const char *call, const char *file,
                      int line);

/* Fails the test unless a call has given this status, and the sorter tells of it and of this
 * argument. */
void expect_argument(clsort_sorter *sorter, clsort_status got, clsort_status expected,
                     const char *argument);

/* Fails the test unless an OpenCL call returned CL_SUCCESS. */
#define expect_cl(code) expect_cl_at(code, #code, __FILE__, __LINE__)
void expect_cl_at(cl_int code, const char *call, const char *file, int line);

/* The execution status of an event. */
cl_int event_status(cl_event event);

#endif
