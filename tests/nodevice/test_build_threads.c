/* Several threads build the programs of a plan (build_threads.tuning): the calling thread compiles
 * one before others begin, then they work at once, build each program once, and say what fails. The
 * driver itself is entered by one at a time, since PoCL may abort otherwise. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/fixture.h"

static struct {
    pthread_mutex_t lock, driver;
    pthread_cond_t has_met;
    unsigned num_builds, num_inside, most_inside;
    unsigned beside_second; /* builds, where the first was cached */
    unsigned wanted_inside; /* the second build waits for as many */
    cl_int fail_code;       /* of the second build; 0: none */
    int is_cached;   /* the first build takes this thread no time, but others of the process */
    pthread_t first; /* that has compiled first */
} builds = {.lock = PTHREAD_MUTEX_INITIALIZER,
            .driver = PTHREAD_MUTEX_INITIALIZER,
            .has_met = PTHREAD_COND_INITIALIZER};

/* As a compiler works, longer than a driver's cache takes. */
static void work(void)
{
    const clock_t begin = clock();
    while (clock() - begin < CLOCKS_PER_SEC / 10)
        ;
}

/* Waits until another build has begun, but no longer than a minute. */
static void meet(void)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 60;
    int code = 0;
    while (builds.most_inside < builds.wanted_inside && code != ETIMEDOUT)
        code = pthread_cond_timedwait(&builds.has_met, &builds.lock, &end);
}

typedef cl_int(CL_API_CALL build_function)(cl_program, cl_uint, const cl_device_id *, const char *,
                                           void(CL_CALLBACK *)(cl_program, void *), void *);

struct call {
    build_function *function;
    cl_program program;
    cl_uint num_devices;
    const cl_device_id *devices;
    const char *options;
    cl_int code;
};

/* The driver's own build. */
static void *build_really(void *argument)
{
    struct call *call = argument;
    pthread_mutex_lock(&builds.driver);
    call->code =
        call->function(call->program, call->num_devices, call->devices, call->options, NULL, NULL);
    pthread_mutex_unlock(&builds.driver);
    return NULL;
}

static void *build_and_work(void *argument)
{
    work();
    return build_really(argument);
}

/* The first build, beside which no other has begun. */
static void build_first(struct call *call)
{
    pthread_t other;
    if (builds.is_cached) {
        assert_int_equal(pthread_create(&other, NULL, build_and_work, call), 0);
        assert_int_equal(pthread_join(other, NULL), 0);
    } else {
        build_and_work(call);
    }
}

/* The second: fails if it is to, and is alone if the first was cached. */
static void build_second(struct call *call)
{
    const struct timespec pause = {0, 50 * 1000 * 1000};
    pthread_mutex_lock(&builds.lock);
    meet();
    pthread_mutex_unlock(&builds.lock);
    if (builds.is_cached) {
        nanosleep(&pause, NULL); /* enough for a thread that begins now */
        pthread_mutex_lock(&builds.lock);
        builds.beside_second = builds.num_inside - 1;
        pthread_mutex_unlock(&builds.lock);
    }
    call->code = builds.fail_code;
    if (!call->code)
        build_really(call);
}

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices,
                                  const cl_device_id *devices, const char *options,
                                  void(CL_CALLBACK *notify)(cl_program, void *), void *user_data)
{
    struct call call = {NULL, program, num_devices, devices, options, CL_SUCCESS};
    *(void **)&call.function = dlsym(RTLD_NEXT, "clBuildProgram");
    assert_true(!notify && !user_data);
    pthread_mutex_lock(&builds.lock);
    const unsigned number = builds.num_builds++;
    if (++builds.num_inside > builds.most_inside)
        builds.most_inside = builds.num_inside;
    if (number == 0)
        builds.first = pthread_self();
    pthread_cond_broadcast(&builds.has_met);
    pthread_mutex_unlock(&builds.lock);
    if (number == 0)
        build_first(&call);
    else if (number == 1)
        build_second(&call);
    else
        build_really(&call);
    pthread_mutex_lock(&builds.lock);
    if (number == 0)
        assert_int_equal(builds.num_inside, 1); /* no other build has begun meanwhile */
    --builds.num_inside;
    pthread_mutex_unlock(&builds.lock);
    return call.code;
}

static void expect_builds(unsigned wanted_inside, cl_int fail_code)
{
    builds.num_builds = builds.most_inside = 0;
    builds.wanted_inside = wanted_inside;
    builds.fail_code = fail_code;
}

static clsort_sorter *new_sorter(void)
{
    clsort_sorter *sorter = NULL;
    if (clsort_create(NULL, NULL, &sorter))
        skip_because("there is no OpenCL device");
    return sorter;
}

/* Sorts few records by their second number. Packing, sorting and gathering are three programs. */
static clsort_status sort_records(clsort_sorter *sorter)
{
    enum { count = 1000 };
    static cl_uint records[count][4];
    static const clsort_field field = {4, CLSORT_U32, CLSORT_ASCENDING};
    static const clsort_record record = {.size = sizeof *records,
                                         .num_fields = 1,
                                         .fields = &field};
    const clsort_desc desc = {.count = count, .record = &record, .algorithm = CLSORT_RADIX};
    const clsort_arrays arrays = {.keys = records};
    for (cl_uint i = 0; i < count; ++i)
        records[i][0] = records[i][1] = i * 7919 % count;
    const clsort_status status = clsort_sort(sorter, &desc, &arrays);
    for (cl_uint i = 0; i < count && !status; ++i)
        assert_true(records[i][0] == i && records[i][1] == i);
    return status;
}

static void test_at_once(void **state)
{
    (void)state;
    clsort_sorter *sorter = new_sorter();
    expect_builds(2, 0);
    expect_status(sort_records(sorter), CLSORT_OK);
    assert_in_range(builds.num_builds, 3, 100);
    assert_in_range(builds.most_inside, 2, 3);
    assert_true(pthread_equal(builds.first, pthread_self()));

    expect_builds(0, 0);
    expect_status(sort_records(sorter), CLSORT_OK);
    assert_int_equal(builds.num_builds, 0);
    clsort_destroy(sorter);
}

/* Other threads of the program are busy while the driver's cache answers: nothing was compiled. */
static void test_busy_program(void **state)
{
    (void)state;
    clsort_sorter *sorter = new_sorter();
    expect_builds(1, 0);
    builds.is_cached = 1;
    expect_status(sort_records(sorter), CLSORT_OK);
    builds.is_cached = 0;
    assert_int_equal(builds.beside_second, 0);
    assert_in_range(builds.num_builds, 3, 100);
    clsort_destroy(sorter);
}

/* What was built beside the program that failed is kept, and the next call builds the rest. */
static void test_failure(void **state)
{
    (void)state;
    static const struct {
        cl_int code;
        clsort_status status;
    } failures[] = {{CL_BUILD_PROGRAM_FAILURE, CLSORT_ERROR_BUILD},
                    {CL_DEVICE_NOT_AVAILABLE, CLSORT_ERROR_OPENCL},
                    {CL_OUT_OF_HOST_MEMORY, CLSORT_ERROR_HOST_MEMORY}};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; ++i) {
        clsort_sorter *sorter = new_sorter();
        clsort_error_info info;
        expect_builds(2, failures[i].code);
        expect_status(sort_records(sorter), failures[i].status);
        expect_status(clsort_last_error(sorter, &info), CLSORT_OK);
        assert_string_equal(info.call, "clBuildProgram");
        assert_int_equal(info.cl_code, failures[i].code);
        const unsigned num_before = builds.num_builds;

        expect_builds(0, 0);
        expect_status(sort_records(sorter), CLSORT_OK);
        const unsigned num_after = builds.num_builds;
        clsort_destroy(sorter);
        sorter = new_sorter();
        expect_builds(0, 0);
        expect_status(sort_records(sorter), CLSORT_OK);
        assert_int_equal(num_before - 1 + num_after, builds.num_builds);
        clsort_destroy(sorter);
    }
}

static void test_log(void **state)
{
    (void)state;
    static const clsort_record record = {.size = 4, .type = "int", .less = "\n\na < missing"};
    int records[2000] = {2, 1};
    const clsort_desc desc = {.count = 2000, .record = &record, .algorithm = CLSORT_MERGE};
    const clsort_arrays arrays = {.keys = records};
    clsort_sorter *sorter = new_sorter();
    clsort_error_info info;
    expect_builds(0, 0);
    expect_status(clsort_sort(sorter, &desc, &arrays), CLSORT_ERROR_BUILD);
    expect_status(clsort_last_error(sorter, &info), CLSORT_OK);
    assert_non_null(strstr(info.build_log, "less:3"));
    clsort_destroy(sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at_once),
        cmocka_unit_test(test_busy_program),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_log),
    };
    return cmocka_run_group_tests_name("build_threads", tests, NULL, NULL) ? 1 : 0;
}
