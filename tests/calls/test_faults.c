/* Every OpenCL call that the library makes fails once, or from then on. The status says so, the
 * promises about buffers hold, nothing leaks, and the next sort works. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/calls.h"
#include "support/job.h"
#include "support/keep_programs.h"

typedef struct scene {
    const char *name;
    clsort_desc desc;
    int out_of_order; /* the queue */
    int host;         /* clsort_sort() instead of clsort_enqueue() */
    int timing;
} scene;

static const scene scenes[] = {
    {"network, stable",
     {.count = 20000, .algorithm = CLSORT_BITONIC, .stable = 1, .value_size = 12},
     0,
     0,
     0},
    {"network, out of order", {.count = 70000, .algorithm = CLSORT_BITONIC}, 1, 0, 1},
    {"rank", {.count = 2000, .algorithm = CLSORT_RANK, .value_size = 8}, 0, 0, 0},
    {"on the host", {.count = 3000, .algorithm = CLSORT_RADIX, .value_size = 4}, 0, 1, 0},
};

typedef struct fault {
    call name;
    unsigned k;
    int for_ever;
    cl_int code;
} fault;

typedef struct stage {
    const fixture *fix;
    const scene *scene;
    cl_command_queue queue;
    clsort_sorter *sorter;
    job j;
    unsigned char *keys; /* host arrays */
    unsigned char *values;
} stage;

static void stage_open(stage *st, const fixture *fix, const scene *sc)
{
    memset(st, 0, sizeof *st);
    st->fix = fix;
    st->scene = sc;
    st->queue = queue_create(fix->context, fix->device,
                             sc->out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    assert_int_equal(job_init(&st->j, fix->context, &sc->desc, 4), 0);
    st->keys = test_alloc(sc->desc.count * 4);
    st->values = test_alloc(sc->desc.count * sc->desc.value_size);
    memcpy(st->keys, st->j.s.keys, (size_t)sc->desc.count * 4);
}

static void stage_close(stage *st)
{
    clsort_destroy(st->sorter);
    job_free(&st->j);
    clReleaseCommandQueue(st->queue);
    free(st->keys);
    free(st->values);
}

/* A sorter's whole life up to the sort's result. */
static clsort_status perform(stage *st)
{
    const scene *sc = st->scene;
    clsort_status status = CLSORT_OK;
    if (!st->sorter)
        status = clsort_create(st->fix->context, st->fix->device, &st->sorter);
    if (status) {
        assert_null(st->sorter);
        return status;
    }
    if (sc->host) {
        memcpy(st->keys, st->j.s.keys, (size_t)sc->desc.count * 4);
        memcpy(st->values, st->j.s.values, (size_t)(sc->desc.count * sc->desc.value_size));
        const clsort_arrays arrays = {.keys = st->keys, .values = st->values};
        return clsort_sort(st->sorter, &sc->desc, &arrays);
    }
    clsort_set_timing(st->sorter, sc->timing);
    cl_event event = NULL;
    status = job_enqueue(&st->j, st->sorter, st->queue, 0, NULL, &event);
    assert_int_equal(status != CLSORT_OK, event == NULL);
    if (event)
        clReleaseEvent(event);
    return status;
}

static int is_right(const stage *st)
{
    if (st->scene->host)
        return sample_right(&st->j.s, 0, st->keys, st->values, NULL);
    return clFinish(st->queue) == CL_SUCCESS && job_is_right(&st->j, st->queue);
}

static int is_untouched(const stage *st)
{
    if (st->scene->host)
        return memcmp(st->keys, st->j.s.keys, (size_t)st->scene->desc.count * 4) == 0;
    return job_is_untouched(&st->j, st->queue);
}

/* Calls that a sort needs, or that say whether there was one. */
static int is_needed(call name)
{
    return name == CALL_clCreateProgramWithSource || name == CALL_clBuildProgram ||
           name == CALL_clCreateKernel || name == CALL_clSetKernelArg ||
           name == CALL_clEnqueueNDRangeKernel || name == CALL_clWaitForEvents;
}

static clsort_status expected_status(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE ? CLSORT_ERROR_DEVICE_MEMORY
           : code == CL_OUT_OF_HOST_MEMORY          ? CLSORT_ERROR_HOST_MEMORY
           : code == CL_BUILD_PROGRAM_FAILURE       ? CLSORT_ERROR_BUILD
                                                    : CLSORT_ERROR_OPENCL;
}

static void fault_fail(const stage *st, const fault *f, clsort_status status, const char *what)
{
    calls_stop();
    calls_fail(f->name, 0, 0, CL_SUCCESS);
    print_error("%s\n  scene: %s; %s number %u%s fails with %d; status: %s\n", what,
                st->scene->name, calls_name(f->name), f->k, f->for_ever ? " and all later" : "",
                (int)f->code, clsort_status_text(status));
    fail();
}

/* Whether the device seems to have too little memory once: arrays of the host then go through it in
 * pieces, on devices with memory of their own. */
static int is_sorted_in_pieces(const stage *st, const fault *f)
{
    return st->scene->host && !f->for_ever &&
           (f->code == CL_OUT_OF_RESOURCES || f->code == CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

static void check_status(const stage *st, const fault *f, clsort_status status)
{
    if (status == CLSORT_OK) {
        if (is_needed(f->name) && !is_sorted_in_pieces(st, f))
            fault_fail(st, f, status, "a call that is needed failed without a status");
        return;
    }
    if (!is_needed(f->name))
        return;
    /* Drivers have many codes for a failed build; some report "resources" for device memory. */
    if (status != expected_status(f->code) &&
        !(f->code == CL_OUT_OF_RESOURCES && status == CLSORT_ERROR_DEVICE_MEMORY) &&
        !(f->name == CALL_clBuildProgram && status == CLSORT_ERROR_BUILD))
        fault_fail(st, f, status, "the status does not match the code");
    clsort_error_info info;
    memset(&info, 0, sizeof info);
    clsort_last_error(st->sorter, &info);
    if (info.status != status || info.cl_code != f->code ||
        strcmp(info.call, calls_name(f->name)) != 0)
        fault_fail(st, f, status, "clsort_last_error() disagrees with the status");
}

static void run_fault(const fixture *fix, const scene *sc, const fault *f)
{
    stage st;
    calls_start();
    stage_open(&st, fix, sc);
    calls_mark();
    calls_fail(f->name, f->k, f->for_ever, f->code);
    clsort_status status = perform(&st);
    const unsigned pending = calls_pending();
    calls_fail(f->name, 0, 0, CL_SUCCESS);
    clFinish(st.queue);
    if (sc->host && pending > 0 && f->name != CALL_clFinish)
        fault_fail(&st, f, status, "clsort_sort() returned while commands still used the arrays");
    check_status(&st, f, status);
    if (status == CLSORT_OK && !is_right(&st))
        fault_fail(&st, f, status, "the result is wrong, and no status says so");
    if (status != CLSORT_OK && status <= CLSORT_ERROR_BUSY && !is_untouched(&st))
        fault_fail(&st, f, status, "a buffer changed although the status promises that none did");
    job_reset(&st.j, st.queue);
    status = perform(&st);
    if (status != CLSORT_OK || !is_right(&st))
        fault_fail(&st, f, status, "the next sort does not work");
    stage_close(&st);
    calls_stop();
    if (calls_balance() != 0)
        fault_fail(&st, f, status, "an object was leaked, or released twice");
}

/* The codes rotate, so that each call meets several. */
static cl_int code_of(call name, unsigned turn)
{
    static const cl_int codes[] = {CL_OUT_OF_HOST_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                                   CL_OUT_OF_RESOURCES, CL_INVALID_OPERATION, -9999};
    if (name == CALL_clBuildProgram && turn % 2)
        return CL_BUILD_PROGRAM_FAILURE;
    return codes[turn % 5];
}

static void run_scene(const fixture *fix, const scene *sc)
{
    stage st;
    unsigned counts[NUM_CALLS];
    unsigned faults = 0;
    keep_programs(fix->context);
    calls_start();
    stage_open(&st, fix, sc);
    calls_mark();
    expect_status(perform(&st), CLSORT_OK);
    for (int name = 0; name < NUM_CALLS; ++name)
        counts[name] = calls_count((call)name);
    calls_stop();
    assert_true(is_right(&st));
    stage_close(&st);

    for (int name = 0; name < NUM_CALLS; ++name) {
        /* A failed retain, release or unmapping cannot be handled. */
        if (strncmp(calls_name((call)name), "clRe", 4) == 0 || name == CALL_clEnqueueUnmapMemObject)
            continue;
        /* The first calls of a name, and the last one. */
        for (unsigned k = 1; k <= counts[name];
             k = k < 6 || k == counts[name] ? k + 1 : counts[name]) {
            for (int for_ever = 0; for_ever < 2; ++for_ever) {
                const fault f = {(call)name, k, for_ever, code_of((call)name, faults++)};
                run_fault(fix, sc, &f);
            }
        }
    }
    assert_true(faults >= 20);
}

static void test_stable_network(void **state)
{
    run_scene(fixture_of(state), &scenes[0]);
}

static void test_out_of_order(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!has_out_of_order(fix->device))
        skip_because("the device has no out-of-order queues");
    run_scene(fix, &scenes[1]);
}

static void test_rank(void **state)
{
    run_scene(fixture_of(state), &scenes[2]);
}

static void test_host(void **state)
{
    run_scene(fixture_of(state), &scenes[3]);
}

/* A failed build returns the compiler's log. */
static void test_build_log(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_error_info info;
    const clsort_desc desc = {.count = 100};
    clsort_sorter *sorter = sorter_create(fix);
    calls_start();
    calls_fail(CALL_clBuildProgram, 1, 1, CL_BUILD_PROGRAM_FAILURE);
    expect_status(clsort_prepare(sorter, &desc), CLSORT_ERROR_BUILD);
    calls_fail(CALL_clBuildProgram, 0, 0, CL_SUCCESS);
    calls_stop();
    assert_true(calls_count(CALL_clGetProgramBuildInfo) >= 1);
    expect_status(clsort_last_error(sorter, &info), CLSORT_OK);
    assert_non_null(info.build_log);
    expect_status(clsort_prepare(sorter, &desc), CLSORT_OK);
    clsort_destroy(sorter);
}

/* A program that polls clsort_get_progress() learns of a failed step. */
static void test_failed_step(void **state)
{
    const fixture *fix = fixture_of(state);
    stage st;
    uint32_t num_done = 77, num_steps = 77;
    clsort_error_info info;
    stage_open(&st, fix, &scenes[0]);
    st.sorter = sorter_create(fix);
    expect_status(clsort_set_timing(st.sorter, 1), CLSORT_OK);
    expect_status(job_enqueue(&st.j, st.sorter, st.queue, 0, NULL, NULL), CLSORT_OK);
    expect_cl(clFinish(st.queue));
    calls_start();
    calls_fail_commands(CL_INVALID_OPERATION);
    expect_status(clsort_get_progress(st.sorter, &num_done, &num_steps), CLSORT_ERROR_OPENCL);
    assert_int_equal(num_done, 0);
    expect_status(clsort_last_error(st.sorter, &info), CLSORT_OK);
    assert_int_equal(info.cl_code, CL_INVALID_OPERATION);
    calls_fail_commands(CL_OUT_OF_RESOURCES);
    expect_status(clsort_get_progress(st.sorter, &num_done, &num_steps),
                  CLSORT_ERROR_DEVICE_MEMORY);
    calls_fail_commands(CL_COMPLETE);
    calls_stop();
    expect_status(clsort_get_progress(st.sorter, &num_done, &num_steps), CLSORT_OK);
    assert_int_equal(num_done, num_steps);
    stage_close(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stable_network), cmocka_unit_test(test_out_of_order),
        cmocka_unit_test(test_rank),           cmocka_unit_test(test_host),
        cmocka_unit_test(test_build_log),      cmocka_unit_test(test_failed_step),
    };
    return fixture_run("faults", tests, sizeof tests / sizeof tests[0]);
}
