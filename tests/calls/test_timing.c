/* Timing of steps. */
#include <math.h>

#include "support/job.h"

static const clsort_desc desc = {.count = 40000, .stable = 1, .value_size = 8};

static void run(const fixture *fix, cl_command_queue queue, const clsort_desc *d)
{
    job j;
    cl_event event = NULL;
    assert_int_equal(job_init(&j, fix->context, d, fix->seed), 0);
    expect_status(job_enqueue(&j, fix->sorter, queue, 0, NULL, &event), CLSORT_OK);
    expect_complete(event);
    assert_true(job_is_right(&j, queue));
    job_free(&j);
}

static void test_times(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_plan plan;
    double seconds[64];
    uint32_t num_steps = 0;
    expect_status(clsort_set_timing(fix->sorter, 1), CLSORT_OK);
    for (uint64_t count = 2; count <= 40000; count *= 20) {
        clsort_desc d = desc;
        d.count = count;
        expect_status(clsort_get_plan(fix->sorter, &d, &plan, NULL, 0), CLSORT_OK);
        assert_in_range(plan.num_steps, 1, 64);
        run(fix, fix->queue, &d);
        for (int i = 0; i < 64; ++i)
            seconds[i] = -1;
        expect_status(clsort_get_timing(fix->sorter, seconds, 64, &num_steps), CLSORT_OK);
        assert_int_equal(num_steps, plan.num_steps);
        for (uint32_t i = 0; i < num_steps; ++i)
            assert_true(isfinite(seconds[i]) && seconds[i] >= 0 && seconds[i] < 60);
        assert_true(seconds[num_steps] == -1);
        /* The capacity is respected, and asking again gives the same result. */
        double first[2] = {-1, -1};
        uint32_t again = 0;
        expect_status(clsort_get_timing(fix->sorter, first, 1, &again), CLSORT_OK);
        assert_int_equal(again, num_steps);
        assert_true(first[0] == seconds[0] && first[1] == -1);
        expect_status(clsort_get_timing(fix->sorter, NULL, 0, &again), CLSORT_OK);
        assert_int_equal(again, num_steps);
    }
    expect_status(clsort_set_timing(fix->sorter, 0), CLSORT_OK);
}

/* clsort_get_timing() waits for the sort by itself. */
static void test_waits(void **state)
{
    const fixture *fix = fixture_of(state);
    job j;
    double seconds[64];
    uint32_t num_steps = 0;
    expect_status(clsort_set_timing(fix->sorter, 1), CLSORT_OK);
    assert_int_equal(job_init(&j, fix->context, &desc, fix->seed), 0);
    expect_status(job_enqueue(&j, fix->sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
    expect_status(clsort_get_timing(fix->sorter, seconds, 64, &num_steps), CLSORT_OK);
    assert_true(num_steps >= 1);
    assert_true(job_is_right(&j, fix->queue));
    expect_status(clsort_set_timing(fix->sorter, 0), CLSORT_OK);
    job_free(&j);
}

/* Steps that wait are not done. Afterwards all are, on a queue without profiling, too. */
static void test_progress(void **state)
{
    const fixture *fix = fixture_of(state);
    cl_command_queue plain = queue_create(fix->context, fix->device, 0);
    cl_event gate = event_create(fix->context);

    job j;
    clsort_plan plan;
    uint32_t num_done = 77, num_steps = 77;
    expect_status(clsort_set_timing(fix->sorter, 1), CLSORT_OK);
    expect_status(clsort_get_plan(fix->sorter, &desc, &plan, NULL, 0), CLSORT_OK);
    assert_int_equal(job_init(&j, fix->context, &desc, fix->seed), 0);
    expect_status(job_enqueue(&j, fix->sorter, plain, 1, &gate, NULL), CLSORT_OK);
    expect_status(clsort_get_progress(fix->sorter, &num_done, &num_steps), CLSORT_OK);
    assert_int_equal(num_done, 0);
    assert_int_equal(num_steps, plan.num_steps);
    expect_cl(clSetUserEventStatus(gate, CL_COMPLETE));
    expect_cl(clFinish(plain));
    expect_status(clsort_get_progress(fix->sorter, &num_done, &num_steps), CLSORT_OK);
    assert_int_equal(num_done, plan.num_steps);
    assert_int_equal(num_steps, plan.num_steps);
    assert_true(job_is_right(&j, plain));
    expect_status(clsort_set_timing(fix->sorter, 0), CLSORT_OK);
    expect_status(clsort_get_progress(fix->sorter, &num_done, &num_steps), CLSORT_ERROR_NO_TIMING);
    assert_int_equal(num_done, 0);
    assert_int_equal(num_steps, 0);
    job_free(&j);
    clReleaseEvent(gate);
    clReleaseCommandQueue(plain);
}

static void expect_no_timing(const fixture *fix)
{
    double seconds = -1;
    uint32_t num_steps = 77;
    expect_status(clsort_get_timing(fix->sorter, &seconds, 1, &num_steps), CLSORT_ERROR_NO_TIMING);
    assert_true(seconds == -1);
    clsort_error_info info;
    expect_status(clsort_last_error(fix->sorter, &info), CLSORT_OK);
    expect_status(info.status, CLSORT_ERROR_NO_TIMING);
}

/* True if a command's times are refused on a queue without profiling, as OpenCL requires. rusticl
 * and Oclgrind return times anyway. */
static int refuses_times(cl_command_queue plain)
{
    cl_event event = NULL;
    cl_ulong start = 0;
    expect_cl(clEnqueueMarkerWithWaitList(plain, 0, NULL, &event));
    expect_cl(clWaitForEvents(1, &event));
    const cl_int code =
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    clReleaseEvent(event);
    return code != CL_SUCCESS;
}

static void test_no_times(void **state)
{
    const fixture *fix = fixture_of(state);
    expect_status(clsort_set_timing(fix->sorter, 0), CLSORT_OK);
    expect_no_timing(fix); /* timing is off */
    run(fix, fix->queue, &desc);
    expect_no_timing(fix);
    expect_status(clsort_set_timing(fix->sorter, 1), CLSORT_OK);
    expect_no_timing(fix); /* nothing was sorted */
    cl_command_queue plain = queue_create(fix->context, fix->device, 0);
    run(fix, plain, &desc);
    if (refuses_times(plain))
        expect_no_timing(fix); /* no profiling */
    run(fix, fix->queue, &desc);
    double seconds[64];
    uint32_t num_steps = 0;
    expect_status(clsort_get_timing(fix->sorter, seconds, 64, &num_steps), CLSORT_OK);
    expect_status(clsort_set_timing(fix->sorter, 0), CLSORT_OK);
    expect_no_timing(fix);
    clReleaseCommandQueue(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_no_times),
    };
    return fixture_run("timing", tests, sizeof tests / sizeof tests[0]);
}
