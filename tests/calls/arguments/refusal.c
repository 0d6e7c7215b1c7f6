#include "refusal.h"

#include <string.h>

#include "support/calls.h"

static void expect_plans_refused(const fixture *fix, const clsort_desc *desc, clsort_status status)
{
    uint64_t size = 7;
    clsort_plan plan;
    clsort_role role = CLSORT_ROLE_FALLBACK;
    size_t text_size = 7;
    char text[8] = "x";
    memset(&plan, 0x5a, sizeof plan);
    const clsort_plan plan_before = plan;
    expect_status(clsort_scratch_size(fix->sorter, desc, &size), status);
    assert_int_equal(size, 7);
    expect_status(clsort_get_plan(fix->sorter, desc, &plan, NULL, 0), status);
    assert_memory_equal(&plan, &plan_before, sizeof plan);
    expect_status(clsort_get_plan_roles(fix->sorter, desc, &role, 1), status);
    assert_int_equal(role, CLSORT_ROLE_FALLBACK);
    expect_status(clsort_get_plan_text(fix->sorter, desc, text, sizeof text, &text_size), status);
    assert_string_equal(text, "x");
    assert_int_equal(text_size, 7);
    expect_status(clsort_prepare(fix->sorter, desc), status);
}

static void expect_sorts_refused(const fixture *fix, const clsort_desc *desc, clsort_status status)
{
    const clsort_buffers no_buffers = {.keys = {NULL, 0}};
    const clsort_arrays no_arrays = {.keys = NULL};
    cl_event event = NULL;
    calls_start();
    expect_status(clsort_enqueue(fix->sorter, fix->queue, desc, &no_buffers, 0, NULL, &event),
                  status);
    expect_status(clsort_sort(fix->sorter, desc, &no_arrays), status);
    calls_stop();
    assert_null(event);
    assert_int_equal(calls_enqueued(), 0);
    assert_int_equal(calls_balance(), 0);
    expect_status(clsort_sort(NULL, desc, &no_arrays), status);
    assert_int_equal(clsort_sorts_on_host(fix->sorter, desc), 0);
}

static void refuse(const fixture *fix, const refusal *r)
{
    clsort_error_info info;
    expect_plans_refused(fix, &r->desc, r->status);
    expect_status(clsort_last_error(fix->sorter, &info), CLSORT_OK);
    expect_status(info.status, r->status);
    assert_string_not_equal(info.argument, "");
    if (r->argument)
        assert_string_equal(info.argument, r->argument);
    assert_int_equal(info.cl_code, CL_SUCCESS);
    assert_string_equal(info.call, "");
    assert_string_equal(info.build_log, "");
    expect_sorts_refused(fix, &r->desc, r->status);
}

void refuse_desc(const fixture *fix, const clsort_desc *desc, clsort_status status)
{
    const refusal one = {.desc = *desc, .status = status};
    refuse(fix, &one);
}

void refusals_run(const fixture *fix, const refusal *refusals, size_t num_refusals)
{
    for (size_t i = 0; i < num_refusals; ++i) {
        clsort_plan plan;
        const refusal *r = &refusals[i];
        const clsort_status status = clsort_get_plan(fix->sorter, &r->desc, &plan, NULL, 0);
        if (status != r->status)
            print_error("description %u, %s\n", (unsigned)i, r->argument ? r->argument : "");
        expect_status(status, r->status);
        if (status)
            refuse(fix, r);
    }
}
