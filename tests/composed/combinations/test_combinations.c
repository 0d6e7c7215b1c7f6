/* Every pair of members of a description, with others drawn at random: it is refused as clsort.h's
 * table says, or its result is the oracle's, on the device and of arrays on the host.
 *
 * CLSORT_TEST_SEED draws others. CLSORT_TEST_ROUNDS (1) is how often each pair is drawn, and
 * CLSORT_TEST_CASE the number of one case to run alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/calls.h"
#include "combination.h"
#include "support/guard.h"
#include "support/sample.h"

struct counts {
    uint32_t accepted, refused;
};

static void fail_case(const fixture *fix, const combination *c, uint32_t number, const char *what)
{
    print_error("case %u of seed %llu: %s\n  count %llu, features:", number,
                (unsigned long long)fix->seed, what, (unsigned long long)c->desc.count);
    for (uint32_t i = 0; i < NUM_FEATURES; ++i)
        if (c->features >> i & 1)
            print_error(" %s", feature_names[i]);
    print_error("\n  operation %d, skip %llu, limit %llu, arrays %llu, segments %llu, columns %u\n",
                (int)c->desc.operation, (unsigned long long)c->desc.skip,
                (unsigned long long)c->desc.limit, (unsigned long long)c->desc.num_arrays,
                (unsigned long long)c->desc.num_segments, c->desc.num_columns);
    fail();
}

/* ---- Refusals ---- */
static void expect_refused(const fixture *fix, const combination *c, uint32_t number,
                           const excluded *refusals, uint32_t num_refusals)
{
    static const clsort_buffers no_buffers = CLSORT_ZERO;
    clsort_error_info info;
    cl_event event = NULL;
    calls_start();
    const clsort_status status =
        clsort_enqueue(fix->sorter, fix->queue, &c->desc, &no_buffers, 0, NULL, &event);
    calls_stop();
    expect_status(clsort_last_error(fix->sorter, &info), CLSORT_OK);
    for (uint32_t i = 0; i < num_refusals; ++i) {
        const excluded *refusal = &refusals[i];
        if (status == refusal->status && !strcmp(info.argument, refusal->argument) && !event &&
            calls_enqueued() == 0)
            return;
    }
    print_error("%s: %s; expected %s: %s\n", info.argument, clsort_status_text(status),
                refusals[0].argument, clsort_status_text(refusals[0].status));
    fail_case(fix, c, number, "refused in another way");
}

/* ---- On the device ---- */
static uint32_t alignment_of(const combination *c, int place)
{
    const int is_key = place == PLACE_KEYS || place == PLACE_KEYS_OUT || place == PLACE_QUERIES;
    return data_alignment(c->places[place].element, is_key && c->desc.record ? 16 : 8);
}

static clsort_buffers buffers_of(const combination *c, const guard *guards, clsort_buffer *lists)
{
    const clsort_desc *desc = &c->desc;
    for (int place = 0; place < NUM_PLACES; ++place)
        lists[place] = guard_buffer(&guards[place]);
    const int has_lists_out = desc->operation == CLSORT_OPERATION_MERGE ||
                              desc->operation == CLSORT_OPERATION_GATHER ||
                              (desc->operation == CLSORT_OPERATION_SORT && desc->out_of_place);
    const int is_search = desc->operation == CLSORT_OPERATION_SEARCH;
    const int has_columns_out = has_lists_out || desc->operation == CLSORT_OPERATION_RUNS;
    return (clsort_buffers){
        .keys = lists[PLACE_KEYS],
        .columns = desc->num_columns ? &lists[PLACE_COLUMNS] : NULL,
        .offsets = lists[PLACE_OFFSETS],
        .values = lists[PLACE_VALUES],
        .values_list = desc->num_values ? &lists[PLACE_LIST] : NULL,
        .queries = lists[PLACE_QUERIES],
        .query_columns = desc->num_columns && is_search ? &lists[PLACE_QUERY_COLUMNS] : NULL,
        .keys_out = lists[PLACE_KEYS_OUT],
        .columns_out = desc->num_columns && has_columns_out ? &lists[PLACE_COLUMNS_OUT] : NULL,
        .offsets_out = lists[PLACE_OFFSETS_OUT],
        .values_out = lists[PLACE_VALUES_OUT],
        .values_list_out = desc->num_values && has_lists_out ? &lists[PLACE_LIST_OUT] : NULL,
        .indices = lists[PLACE_INDICES],
        .lower = lists[PLACE_LOWER],
        .upper = lists[PLACE_UPPER],
        .result = lists[PLACE_RESULT],
    };
}

/* Compares the bytes of all places with what must be there. */
static void check_bytes(const fixture *fix, const combination *c, uint32_t number,
                        unsigned char *const *got)
{
    static const char *const names[NUM_PLACES] = {
        [PLACE_KEYS] = "keys",         [PLACE_OFFSETS] = "offsets",
        [PLACE_KEYS_OUT] = "keys_out", [PLACE_OFFSETS_OUT] = "offsets_out",
        [PLACE_INDICES] = "indices",   [PLACE_LOWER] = "lower",
        [PLACE_UPPER] = "upper",       [PLACE_RESULT] = "result",
    };
    const char *what = c->by_rows ? combination_check_rows(c, got) : NULL;
    if (what)
        fail_case(fix, c, number, what);
    for (int place = 0; place < NUM_PLACES; ++place) {
        const placed *p = &c->places[place];
        const int is_moved = place < PLACE_OFFSETS || combination_out(place) < NUM_PLACES ||
                             (place >= PLACE_KEYS_OUT && place < PLACE_OFFSETS_OUT);
        const int is_out = place >= PLACE_KEYS_OUT;
        if (!p->element || (c->by_rows && is_moved && is_out == (c->desc.out_of_place != 0)))
            continue;
        if (memcmp(got[place], p->after, p->num * p->element))
            fail_case(fix, c, number, names[place] ? names[place] : "columns or values");
    }
}

static void run_device(const fixture *fix, const combination *c, uint32_t number)
{
    guard guards[NUM_PLACES] = {{0}};
    clsort_buffer lists[NUM_PLACES];
    unsigned char *got[NUM_PLACES] = {0};
    for (int place = 0; place < NUM_PLACES; ++place) {
        const placed *p = &c->places[place];
        if (p->element)
            guard_create(&guards[place], fix->context, CL_MEM_READ_WRITE, p->before,
                         p->num * p->element, p->element, alignment_of(c, place),
                         seed_mix(c->seed, 100 + (uint64_t)place));
    }
    const clsort_buffers buffers = buffers_of(c, guards, lists);
    const clsort_status status = fixture_enqueue(fix, &c->desc, &buffers);
    if (status) {
        clsort_error_info info;
        clsort_last_error(fix->sorter, &info);
        print_error("%s: %s\n%s\n", info.argument, clsort_status_text(status), info.build_log);
        fail_case(fix, c, number, "refused");
    }
    expect_cl(clFinish(fix->queue));
    for (int place = 0; place < NUM_PLACES; ++place) {
        if (!guards[place].mem)
            continue;
        guard_read(&guards[place], fix->queue);
        got[place] = guards[place].back + guards[place].offset;
        if (!guard_intact(&guards[place]))
            fail_case(fix, c, number, "bytes around a buffer were written");
    }
    check_bytes(fix, c, number, got);
    for (int place = 0; place < NUM_PLACES; ++place)
        guard_free(&guards[place]);
}

/* ---- Of the host ---- */
static void run_host(const fixture *fix, const combination *c, uint32_t number)
{
    unsigned char *got[NUM_PLACES] = {0};
    for (int place = 0; place < NUM_PLACES; ++place) {
        const placed *p = &c->places[place];
        if (!p->element)
            continue;
        got[place] = test_alloc(p->num * p->element);
        memcpy(got[place], p->before, p->num * p->element);
    }
    const clsort_desc *desc = &c->desc;
    const clsort_arrays arrays = {
        .keys = got[PLACE_KEYS],
        .columns = desc->num_columns ? (void *const *)&got[PLACE_COLUMNS] : NULL,
        .offsets = got[PLACE_OFFSETS],
        .values = got[PLACE_VALUES],
        .values_list = desc->num_values ? (void *const *)&got[PLACE_LIST] : NULL,
        .keys_out = got[PLACE_KEYS_OUT],
        .columns_out =
            desc->num_columns && desc->out_of_place ? (void *const *)&got[PLACE_COLUMNS_OUT] : NULL,
        .offsets_out = got[PLACE_OFFSETS_OUT],
        .values_out = got[PLACE_VALUES_OUT],
        .values_list_out =
            desc->num_values && desc->out_of_place ? (void *const *)&got[PLACE_LIST_OUT] : NULL,
        .indices = got[PLACE_INDICES],
    };
    const clsort_status status = clsort_sort(fix->sorter, desc, &arrays);
    if (desc->operation != CLSORT_OPERATION_SORT)
        expect_status(status, CLSORT_ERROR_UNSUPPORTED);
    else if (status)
        fail_case(fix, c, number, "arrays of the host were refused");
    else
        check_bytes(fix, c, number, got);
    for (int place = 0; place < NUM_PLACES; ++place)
        free(got[place]);
}

static void run_case(const fixture *fix, uint32_t features, uint32_t number, struct counts *counts)
{
    combination c;
    excluded refusals[MAX_REFUSALS];
    combination_draw(&c, features, seed_mix(fix->seed, number));
    const uint32_t num_refusals = combination_refusals(&c, refusals);
    if (num_refusals) {
        expect_refused(fix, &c, number, refusals, num_refusals);
        counts->refused++;
        return;
    }
    clsort_plan plan;
    clsort_error_info info;
    const clsort_status status = clsort_get_plan(fix->sorter, &c.desc, &plan, NULL, 0);
    if (status) {
        expect_status(clsort_last_error(fix->sorter, &info), CLSORT_OK);
        print_error("%s: %s\n", info.argument, clsort_status_text(status));
        fail_case(fix, &c, number, "refused");
    }
    combination_expect(&c, c.desc.stable || plan.stable);
    run_device(fix, &c, number);
    run_host(fix, &c, number);
    combination_free(&c);
    counts->accepted++;
}

static void test_pairs(void **state)
{
    const fixture *fix = fixture_of(state);
    const char *text = getenv("CLSORT_TEST_ROUNDS"), *only = getenv("CLSORT_TEST_CASE");
    const uint32_t rounds = text ? (uint32_t)strtoul(text, NULL, 10) : 1;
    struct counts counts = {0, 0};
    if (platform_is(fix, "Oclgrind")) /* it simulates them for minutes */
        return;
    uint32_t number = 0;
    for (uint32_t round = 0; round < rounds; ++round)
        for (uint32_t i = 0; i < NUM_FEATURES; ++i)
            for (uint32_t j = 0; j < i; ++j, ++number)
                if (!only || strtoul(only, NULL, 10) == number)
                    run_case(fix, 1u << i | 1u << j, number, &counts);
    printf("%u were accepted, %u refused\n", counts.accepted, counts.refused);
    assert_true(only || (counts.accepted && counts.refused));
}

/* Combinations that code of their own serves, more often. */
static void test_own_code(void **state)
{
    enum { FIRST = 100000 }; /* the numbers of test_pairs() are below */
    static const struct {
        uint32_t features, times;
    } masks[] = {
        {1u << FEATURE_COLUMNS | 1u << FEATURE_OPERATION, 40},
        {1u << FEATURE_COLUMNS | 1u << FEATURE_OPERATION | 1u << FEATURE_ORDER, 12},
        {1u << FEATURE_SEGMENTS | 1u << FEATURE_LIMIT, 20},
        {1u << FEATURE_SEGMENTS | 1u << FEATURE_SKIP, 10},
        {1u << FEATURE_SEGMENTS | 1u << FEATURE_SKIP | 1u << FEATURE_LIMIT, 20},
    };
    const fixture *fix = fixture_of(state);
    const char *only = getenv("CLSORT_TEST_CASE");
    /* Oclgrind simulates them for minutes, and NVIDIA's driver compiles as long. */
    const uint32_t share = platform_is(fix, "Oclgrind") || platform_is(fix, "NVIDIA") ? 4 : 1;
    struct counts counts = {0, 0};
    for (uint32_t i = 0, number = FIRST; i < sizeof masks / sizeof masks[0]; ++i)
        for (uint32_t k = 0; k < masks[i].times / share; ++k, ++number)
            if (!only || strtoul(only, NULL, 10) == number)
                run_case(fix, masks[i].features, number, &counts);
    printf("%u were accepted, %u refused\n", counts.accepted, counts.refused);
    assert_true(only || counts.accepted);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_own_code)};
    return fixture_run_wanted("combinations", tests, sizeof tests / sizeof tests[0], argc, argv);
}
