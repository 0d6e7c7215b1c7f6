/* clsort_enqueue() with queues and events: both kinds of queue, wait lists, the returned event,
 * scratch shared between queues, and objects released before the sort has run. */
#include <stdlib.h>
#include <stdio.h>
#include <time.h>

#include "support/gate.h"
#include "support/job.h"

/* Several kernels, values, and scratch if a stable sort needs it. */
static const clsort_desc stable_desc = {
    .count = 30011, .type = CLSORT_U32, .stable = 1, .value_size = 8};
static const clsort_desc plain_desc = {.count = 70001, .type = CLSORT_I32};

static void test_without_events(void **state)
{
    const fixture *fix = fixture_of(state);
    job j;
    assert_int_equal(job_init(&j, fix->context, &stable_desc, fix->seed), 0);
    expect_status(job_enqueue(&j, fix->sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
    expect_cl(clFinish(fix->queue));
    assert_true(job_is_right(&j, fix->queue));
    job_free(&j);
}

/* Nothing starts before the wait list is complete, and yet the call returns. */
static void run_gated(const fixture *fix, cl_command_queue queue, const clsort_desc *desc)
{
    job j;
    gate g;
    cl_event event = NULL;
    cl_command_queue other = queue_create(fix->context, fix->device, 0);
    assert_int_equal(job_init(&j, fix->context, desc, fix->seed), 0);
    gate_close(&g, fix->context);
    expect_status(job_enqueue(&j, fix->sorter, queue, 1, &g.event, &event), CLSORT_OK);
    expect_cl(clFlush(queue));
    const struct timespec while_it_might_run = {0, 20000000};
    nanosleep(&while_it_might_run, NULL);
    const int waits = event_status(event) != CL_COMPLETE;
    const int untouched = job_is_untouched(&j, other);
    gate_open(&g, CL_COMPLETE);
    expect_complete(event);
    assert_true(waits);
    assert_true(untouched);
    assert_true(job_is_right(&j, other));
    job_free(&j);
    clReleaseCommandQueue(other);
}

static void test_waits_for_events_in_order(void **state)
{
    const fixture *fix = fixture_of(state);
    run_gated(fix, fix->queue, &stable_desc);
    run_gated(fix, fix->queue, &plain_desc);
}

static void test_waits_for_events_out_of_order(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!has_out_of_order(fix->device))
        skip_because("the device has no out-of-order queues");
    cl_command_queue queue =
        queue_create(fix->context, fix->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    run_gated(fix, queue, &stable_desc);
    run_gated(fix, queue, &plain_desc);
    clReleaseCommandQueue(queue);
}

/* Sorts of nothing still run after their wait list and return an event. Without keys, no buffers
 * are needed either. */
static void test_nothing_to_do(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint64_t count = 0; count <= 1; ++count) {
        const clsort_desc desc = {.count = count, .value_size = 4};
        run_gated(fix, fix->queue, &desc);
        job j;
        cl_event event = NULL;
        assert_int_equal(job_init(&j, fix->context, &desc, fix->seed), 0);
        expect_status(job_enqueue(&j, fix->sorter, fix->queue, 0, NULL, &event), CLSORT_OK);
        expect_complete(event);
        expect_status(job_enqueue(&j, fix->sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
        expect_cl(clFinish(fix->queue));
        assert_true(job_is_right(&j, fix->queue));
        job_free(&j);
    }
    const clsort_desc none = {.count = 0, .num_arrays = 5, .value_size = 4, .out_of_place = 1};
    const clsort_buffers no_buffers = {.keys = {NULL, 0}};
    cl_event event = NULL;
    expect_status(clsort_enqueue(fix->sorter, fix->queue, &none, &no_buffers, 0, NULL, &event),
                  CLSORT_OK);
    expect_complete(event);
}

/* Many sorts in an out-of-order queue, ordered only by events. */
static void test_out_of_order_chains(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!has_out_of_order(fix->device))
        skip_because("the device has no out-of-order queues");
    enum { chains = 6 };
    cl_command_queue queue =
        queue_create(fix->context, fix->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    job jobs[chains];
    cl_event events[chains];
    for (int i = 0; i < chains; ++i) {
        clsort_desc desc = i % 2 ? stable_desc : plain_desc;
        desc.count = 20000 + 1000 * (uint64_t)i;
        assert_int_equal(job_init(&jobs[i], fix->context, &desc, fix->seed + (uint64_t)i), 0);
        /* First in the opposite order, then as expected, on the same buffers. Both are unstable;
         * otherwise the second would see different input. */
        clsort_desc down = desc;
        down.order = CLSORT_DESCENDING;
        down.value_size = desc.value_size;
        cl_event first = NULL;
        if (!desc.stable) {
            expect_status(clsort_enqueue(fix->sorter, queue, &down, &jobs[i].buffers, 0, NULL,
                                         &first),
                          CLSORT_OK);
        }
        expect_status(job_enqueue(&jobs[i], fix->sorter, queue, first != NULL,
                                  first ? &first : NULL, &events[i]),
                      CLSORT_OK);
        if (first)
            clReleaseEvent(first);
    }
    expect_cl(clFlush(queue));
    for (int i = 0; i < chains; ++i)
        expect_complete(events[i]);
    for (int i = 0; i < chains; ++i) {
        assert_true(job_is_right(&jobs[i], queue));
        job_free(&jobs[i]);
    }
    clReleaseCommandQueue(queue);
}

/* A wait list of several events, some of them complete, one of them listed twice. */
static void test_several_events(void **state)
{
    const fixture *fix = fixture_of(state);
    job j;
    gate g;
    cl_event done = NULL;
    cl_event event = NULL;
    expect_cl(clEnqueueMarkerWithWaitList(fix->queue, 0, NULL, &done));
    expect_cl(clWaitForEvents(1, &done));
    assert_int_equal(job_init(&j, fix->context, &stable_desc, fix->seed), 0);
    gate_close(&g, fix->context);
    const cl_event events[] = {done, g.event, done};
    expect_status(job_enqueue(&j, fix->sorter, fix->queue, 3, events, &event), CLSORT_OK);
    const int waits = event_status(event) != CL_COMPLETE;
    gate_open(&g, CL_COMPLETE);
    expect_complete(event);
    clReleaseEvent(done);
    assert_true(waits);
    assert_true(job_is_right(&j, fix->queue));
    job_free(&j);
}

/* There is only one library scratch: a sort in a second queue must wait for a sort in the first
 * queue that has not even started. */
static void test_two_queues_share_scratch(void **state)
{
    const fixture *fix = fixture_of(state);
    uint64_t scratch_size = 0;
    clsort_desc desc = stable_desc;
    /* Rank sort of this many keys would take seconds. */
    for (int a = CLSORT_RANK + 1; a < CLSORT_NUM_ALGORITHMS && scratch_size == 0; ++a) {
        desc.algorithm = (clsort_algorithm)a;
        const clsort_status status = clsort_scratch_size(fix->sorter, &desc, &scratch_size);
        assert_true(status == CLSORT_OK || status == CLSORT_ERROR_ALGORITHM_COUNT);
    }
    if (scratch_size == 0)
        skip_because("no algorithm needs scratch for this sort");
    for (int round = 0; round < 4; ++round) {
        job first;
        job second;
        gate g;
        cl_event events[2] = {NULL, NULL};
        cl_command_queue other = queue_create(fix->context, fix->device, 0);
        /* The second sort is larger in odd rounds, so the scratch must grow while in use. */
        clsort_desc larger = desc;
        larger.count += round % 2 ? 10000u * (unsigned)round : 0;
        assert_int_equal(job_init(&first, fix->context, &desc, 5), 0);
        assert_int_equal(job_init(&second, fix->context, &larger, 6), 0);
        gate_close(&g, fix->context);
        expect_status(job_enqueue(&first, fix->sorter, fix->queue, 1, &g.event, &events[0]),
                      CLSORT_OK);
        expect_status(job_enqueue(&second, fix->sorter, other, 0, NULL, &events[1]), CLSORT_OK);
        if (round == 2)
            expect_status(clsort_release_scratch(fix->sorter), CLSORT_OK);
        expect_cl(clFlush(other));
        gate_open(&g, CL_COMPLETE);
        expect_complete(events[0]);
        expect_complete(events[1]);
        assert_true(job_is_right(&first, fix->queue));
        assert_true(job_is_right(&second, fix->queue));
        job_free(&first);
        job_free(&second);
        clReleaseCommandQueue(other);
    }
}

/* A hundred sorts of growing and shrinking size, without waiting in between. */
static void test_back_to_back(void **state)
{
    const fixture *fix = fixture_of(state);
    enum { number = 100 };
    static job jobs[number];
    for (int i = 0; i < number; ++i) {
        clsort_desc desc = i % 3 ? stable_desc : plain_desc;
        desc.count = seed_mix(fix->seed, (uint64_t)i) % 3000;
        assert_int_equal(job_init(&jobs[i], fix->context, &desc, (uint64_t)i), 0);
        expect_status(job_enqueue(&jobs[i], fix->sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
    }
    expect_cl(clFinish(fix->queue));
    for (int i = 0; i < number; ++i) {
        assert_true(job_is_right(&jobs[i], fix->queue));
        job_free(&jobs[i]);
    }
}

/* The sorter is destroyed and the scratch and source released before anything has run. */
static void test_let_go_before_it_runs(void **state)
{
    const fixture *fix = fixture_of(state);
    job j;
    gate g;
    cl_event events[2] = {NULL, NULL};
    clsort_sorter *sorter = sorter_create(fix);
    assert_int_equal(job_init(&j, fix->context, &stable_desc, fix->seed), 0);
    const clsort_desc out = {.count = j.s.num_keys, .out_of_place = 1};
    const size_t size = (size_t)(j.s.num_keys * j.s.key_size);
    cl_mem source = buffer_create(fix->context, CL_MEM_READ_ONLY, size, j.s.keys);
    cl_mem result = buffer_create(fix->context, CL_MEM_READ_WRITE, size, NULL);
    const clsort_buffers buffers = {.keys = {.mem = source}, .keys_out = {.mem = result}};
    gate_close(&g, fix->context);
    expect_status(job_enqueue(&j, sorter, fix->queue, 1, &g.event, &events[0]), CLSORT_OK);
    expect_status(clsort_enqueue(sorter, fix->queue, &out, &buffers, 0, NULL, &events[1]),
                  CLSORT_OK);
    clReleaseMemObject(source);
    expect_status(clsort_release_scratch(sorter), CLSORT_OK);
    clsort_destroy(sorter);
    gate_open(&g, CL_COMPLETE);
    expect_complete(events[0]);
    expect_complete(events[1]);
    assert_true(job_is_right(&j, fix->queue));
    unsigned char *keys = test_alloc(size);
    buffer_read(fix->queue, result, keys, size);
    assert_memory_equal(keys, j.s.sorted_keys, size);
    free(keys);
    clReleaseMemObject(result);
    job_free(&j);
}

/* True if a command that waits for a failed event fails too, as OpenCL requires, together with
 * later commands of an in-order queue. rusticl does not do this. */
static int passes_failures_on(const fixture *fix)
{
    cl_event cause = event_create(fix->context);

    cl_event effect = NULL;
    cl_command_queue queue = queue_create(fix->context, fix->device, 0);
    cl_mem buffer = buffer_create(fix->context, CL_MEM_READ_WRITE, 64, NULL);
    const cl_uint zero = 0;
    expect_cl(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, 64, 1, &cause, NULL));
    expect_cl(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, 64, 0, NULL, &effect));
    expect_cl(clSetUserEventStatus(cause, -1));
    clWaitForEvents(1, &effect);
    const int passes = event_status(effect) < 0;
    clReleaseEvent(cause);
    clReleaseEvent(effect);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    return passes;
}

/* If an awaited event fails, the sort's event fails too. The next sort is unharmed, even if it uses
 * the scratch that the failed sort would have used. */
static void test_failed_event(void **state)
{
    const fixture *fix = fixture_of(state);
    if (platform_is(fix, "Portable Computing Language"))
        skip_because("PoCL 3.1 aborts the program when a user event fails");
    if (!passes_failures_on(fix))
        skip_because("this platform does not propagate failed events");
    job failed;
    job next;
    gate g;
    cl_event event = NULL;
    cl_command_queue queue = queue_create(fix->context, fix->device, 0);
    clsort_sorter *sorter = sorter_create(fix);
    assert_int_equal(job_init(&failed, fix->context, &stable_desc, 1), 0);
    assert_int_equal(job_init(&next, fix->context, &stable_desc, 2), 0);
    gate_close(&g, fix->context);
    expect_status(job_enqueue(&failed, sorter, queue, 1, &g.event, &event), CLSORT_OK);
    gate_open(&g, -1);
    assert_int_not_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    assert_true(event_status(event) < 0);
    clReleaseEvent(event);
    event = NULL;
    expect_status(job_enqueue(&next, sorter, fix->queue, 0, NULL, &event), CLSORT_OK);
    expect_complete(event);
    assert_true(job_is_right(&next, fix->queue));
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    job_free(&failed);
    job_free(&next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_events),
        cmocka_unit_test(test_waits_for_events_in_order),
        cmocka_unit_test(test_waits_for_events_out_of_order),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_out_of_order_chains),
        cmocka_unit_test(test_several_events),
        cmocka_unit_test(test_two_queues_share_scratch),
        cmocka_unit_test(test_back_to_back),
        cmocka_unit_test(test_let_go_before_it_runs),
        cmocka_unit_test(test_failed_event),
    };
    return fixture_run("enqueue", tests, sizeof tests / sizeof tests[0]);
}
