/* Which OpenCL calls the library makes: none while planning, no compiling after clsort_prepare(),
 * no waiting and no allocating during an enqueue, the plan's launches, and finally everything is
 * released. */
#include <stdlib.h>

#include "support/calls.h"
#include "support/job.h"

static const clsort_desc descs[] = {
    {.count = 100},
    {.count = 70000, .type = CLSORT_F32, .order = CLSORT_DESCENDING},
    {.count = 1000, .algorithm = CLSORT_RANK, .value_size = 4},
    {.count = 30000, .algorithm = CLSORT_BITONIC, .stable = 1, .value_size = 12},
    {.count = 5000, .algorithm = CLSORT_BITONIC, .index_size = 8},
    {.count = 77, .num_arrays = 100, .type = CLSORT_I16},
};
enum { num_descs = sizeof descs / sizeof descs[0] };

static unsigned compiled(void)
{
    return calls_count(CALL_clCreateProgramWithSource) +
           calls_count(CALL_clCreateProgramWithBinary) + calls_count(CALL_clBuildProgram) +
           calls_count(CALL_clCompileProgram) + calls_count(CALL_clLinkProgram) +
           calls_count(CALL_clCreateKernel) + calls_count(CALL_clCreateKernelsInProgram);
}

/* Planning, sizes, names and errors. */
static void test_planning_makes_no_call(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_sorter *sorter = sorter_create(fix);
    calls_start();
    for (int i = 0; i < num_descs; ++i) {
        clsort_plan plan;
        clsort_step step;
        clsort_role role;
        uint64_t size = 0;
        size_t text_size = 0;
        clsort_error_info info;
        expect_status(clsort_scratch_size(sorter, &descs[i], &size), CLSORT_OK);
        expect_status(clsort_get_plan(sorter, &descs[i], &plan, &step, 1), CLSORT_OK);
        expect_status(clsort_get_plan_roles(sorter, &descs[i], &role, 1), CLSORT_OK);
        expect_status(clsort_get_plan_text(sorter, &descs[i], NULL, 0, &text_size), CLSORT_OK);
        expect_status(clsort_last_error(sorter, &info), CLSORT_OK);
    }
    calls_stop();
    assert_int_equal(calls_total(), 0);
    clsort_destroy(sorter);
}

/* Creating compiles nothing, preparing compiles everything, and then a similar sort compiles
 * nothing. */
static void test_prepare_compiles(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int i = 0; i < num_descs; ++i) {
        job j;
        assert_int_equal(job_init(&j, fix->context, &descs[i], fix->seed), 0);
        calls_start();
        clsort_sorter *sorter = sorter_create(fix);
        assert_int_equal(compiled(), 0);
        expect_status(clsort_prepare(sorter, &descs[i]), CLSORT_OK);
        assert_true(calls_count(CALL_clBuildProgram) + calls_count(CALL_clLinkProgram) >= 1);
        assert_int_equal(calls_enqueued(), 0);
        calls_mark();
        expect_status(clsort_prepare(sorter, &descs[i]), CLSORT_OK);
        assert_int_equal(compiled(), 0);
        expect_status(job_enqueue(&j, sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
        assert_int_equal(compiled(), 0);
        calls_stop();
        expect_cl(clFinish(fix->queue));
        assert_true(job_is_right(&j, fix->queue));
        clsort_destroy(sorter);
        job_free(&j);
    }
}

/* An enqueue launches what the plan says. It neither waits nor touches the data itself. */
static void test_launches_as_planned(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int i = 0; i < num_descs; ++i) {
        static clsort_step steps[4096];
        clsort_plan plan;
        job j;
        const call_launch *launches = NULL;
        assert_int_equal(job_init(&j, fix->context, &descs[i], fix->seed), 0);
        /* If kernels allow smaller groups than the device, preparing finds out (clsort.h). */
        expect_status(clsort_prepare(fix->sorter, &descs[i]), CLSORT_OK);
        expect_status(clsort_get_plan(fix->sorter, &descs[i], &plan, steps, 4096), CLSORT_OK);
        calls_start();
        cl_event event = NULL;
        expect_status(job_enqueue(&j, fix->sorter, fix->queue, 0, NULL, &event), CLSORT_OK);
        calls_stop();
        expect_complete(event);
        assert_int_equal(calls_launches(&launches), plan.num_steps);
        for (uint32_t k = 0; k < plan.num_steps; ++k) {
            assert_true(launches[k].num_groups == steps[k].num_groups);
            assert_true(launches[k].group_size == steps[k].group_size);
        }
        assert_int_equal(calls_count(CALL_clFinish), 0);
        assert_int_equal(calls_count(CALL_clWaitForEvents), 0);
        assert_int_equal(calls_count(CALL_clEnqueueReadBuffer), 0);
        assert_int_equal(calls_count(CALL_clEnqueueWriteBuffer), 0);
        assert_int_equal(calls_count(CALL_clEnqueueMapBuffer), 0);
        assert_true(job_is_right(&j, fix->queue));
        job_free(&j);
    }
}

/* Device memory is allocated only for the library's own scratch, once, and kept. */
static void test_allocates_scratch_only(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_sorter *sorter = sorter_create(fix);
    const clsort_desc desc = descs[3];
    uint64_t size = 0;
    job j;
    expect_status(clsort_scratch_size(sorter, &desc, &size), CLSORT_OK);
    assert_true(size > 0);
    assert_int_equal(job_init(&j, fix->context, &desc, fix->seed), 0);
    cl_mem scratch = buffer_create(fix->context, CL_MEM_READ_WRITE, size, NULL);

    j.buffers.scratch.mem = scratch;
    calls_start();
    expect_status(job_enqueue(&j, sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
    assert_int_equal(calls_count(CALL_clCreateBuffer), 0);
    assert_int_equal(calls_count(CALL_clCreateSubBuffer), 0);
    j.buffers.scratch.mem = NULL;
    expect_status(job_enqueue(&j, sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
    assert_int_equal(calls_count(CALL_clCreateBuffer), 1);
    expect_status(job_enqueue(&j, sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
    j.s.desc.count /= 2; /* needs less */
    expect_status(job_enqueue(&j, sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
    assert_int_equal(calls_count(CALL_clCreateBuffer), 1);
    expect_status(clsort_release_scratch(sorter), CLSORT_OK);
    expect_status(job_enqueue(&j, sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
    assert_int_equal(calls_count(CALL_clCreateBuffer), 2);
    calls_stop();
    expect_cl(clFinish(fix->queue));

    /* Keys alone, in place, by the bitonic network: no scratch, so no allocation at all. */
    job plain;
    const clsort_desc keys = {.count = 70000, .algorithm = CLSORT_BITONIC};
    assert_int_equal(job_init(&plain, fix->context, &keys, fix->seed), 0);
    expect_status(clsort_scratch_size(sorter, &keys, &size), CLSORT_OK);
    assert_int_equal(size, 0);
    calls_start();
    expect_status(job_enqueue(&plain, sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
    calls_stop();
    assert_int_equal(calls_count(CALL_clCreateBuffer), 0);
    expect_cl(clFinish(fix->queue));
    assert_true(job_is_right(&plain, fix->queue));
    job_free(&plain);
    job_free(&j);
    clReleaseMemObject(scratch);
    clsort_destroy(sorter);
}

/* After destroying, everything that was created or retained is released, whatever happened. */
static void test_everything_is_released(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int timing = 0; timing < 2; ++timing) {
        calls_start();
        clsort_sorter *sorter = sorter_create(fix);
        expect_status(clsort_set_timing(sorter, timing), CLSORT_OK);
        for (int i = 0; i < num_descs; ++i) {
            job j;
            cl_event event = NULL;
            assert_int_equal(job_init(&j, fix->context, &descs[i], fix->seed), 0);
            expect_status(job_enqueue(&j, sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
            expect_status(job_enqueue(&j, sorter, fix->queue, 0, NULL, &event), CLSORT_OK);
            expect_complete(event);
            if (timing) {
                double seconds = 0;
                uint32_t num_steps = 0;
                expect_status(clsort_get_timing(sorter, &seconds, 1, &num_steps), CLSORT_OK);
            }
            job_free(&j);
        }
        clsort_destroy(sorter);
        calls_stop();
        assert_int_equal(calls_balance(), 0);
    }
    uint32_t keys[] = {2, 3, 1};
    const clsort_desc desc = {.count = 3, .algorithm = CLSORT_BITONIC};
    const clsort_arrays arrays = {.keys = keys};
    calls_start();
    expect_status(clsort_sort(NULL, &desc, &arrays), CLSORT_OK);
    calls_stop();
    assert_int_equal(calls_balance(), 0);
    assert_int_equal(keys[0] * 100 + keys[1] * 10 + keys[2], 123);
}

/* The same in an out-of-order queue, where events order the steps. */
static void test_out_of_order_events_are_released(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!has_out_of_order(fix->device))
        skip_because("the device has no out-of-order queues");
    cl_command_queue queue =
        queue_create(fix->context, fix->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    calls_start();
    clsort_sorter *sorter = sorter_create(fix);
    for (int i = 0; i < num_descs; ++i) {
        job j;
        cl_event event = NULL;
        assert_int_equal(job_init(&j, fix->context, &descs[i], fix->seed), 0);
        expect_status(job_enqueue(&j, sorter, queue, 0, NULL, &event), CLSORT_OK);
        expect_complete(event);
        assert_true(job_is_right(&j, queue));
        job_free(&j);
    }
    clsort_destroy(sorter);
    calls_stop();
    assert_int_equal(calls_balance(), 0);
    clReleaseCommandQueue(queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planning_makes_no_call),
        cmocka_unit_test(test_prepare_compiles),
        cmocka_unit_test(test_launches_as_planned),
        cmocka_unit_test(test_allocates_scratch_only),
        cmocka_unit_test(test_everything_is_released),
        cmocka_unit_test(test_out_of_order_events_are_released),
    };
    return fixture_run("calls", tests, sizeof tests / sizeof tests[0]);
}
