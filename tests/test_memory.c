/* The host's memory runs out: each allocation of the library is refused, once or from then on.
 * Either the status says so or the sort is still right. Nothing is lost, and the next sort works.
 * The linker substitutes these functions for malloc(), calloc() and realloc() (--wrap). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "keep_programs.h"
#include "tuning_case.h"

/* Allocations until one is refused; 0: none is refused. */
static unsigned until_refused;
static int for_ever;
static unsigned num_allocations;
static int watching;

static int refused(void)
{
    if (!watching)
        return 0;
    num_allocations += 1;
    if (until_refused == 0 || num_allocations < until_refused)
        return 0;
    return for_ever || num_allocations == until_refused;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t number, size_t size)
{
    return refused() ? NULL : __real_calloc(number, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return refused() ? NULL : __real_realloc(memory, size);
}

static void watch(unsigned k, int ever)
{
    until_refused = k;
    for_ever = ever;
    num_allocations = 0;
    watching = 1;
}

/* The results of one sorter's life. Every function is called, whatever the others returned. */
typedef struct life {
    clsort_sorter *sorter;
    clsort_status create, prepare, text, enqueue, sort, wait;
    cl_event event;
    unsigned char *keys, *values;
} life;

static void expect_honest(clsort_status status, unsigned k)
{
    if (status != CLSORT_OK && status != CLSORT_ERROR_HOST_MEMORY)
        fail_msg("allocation %u refused: %s", k, clsort_status_text(status));
}

static void live(const fixture *fix, job *j, life *l, unsigned k, int ever)
{
    const clsort_desc *desc = &j->s.desc;
    size_t size = 0;
    memcpy(l->keys, j->s.keys, (size_t)(desc->count * j->s.key_size));
    memcpy(l->values, j->s.values, (size_t)(desc->count * desc->value_size));
    const clsort_arrays arrays = {.keys = l->keys, .values = l->values};
    watch(k, ever);
    l->create = clsort_create(fix->context, fix->device, &l->sorter);
    if (l->sorter) {
        clsort_set_timing(l->sorter, 1);
        l->prepare = clsort_prepare(l->sorter, desc);
        l->text = clsort_get_plan_text(l->sorter, desc, NULL, 0, &size);
        l->enqueue = job_enqueue(j, l->sorter, fix->queue, 0, NULL, &l->event);
        l->sort = clsort_sort(l->sorter, desc, &arrays);
    }
    watching = 0;
}

/* Runs lives with allocation number k refused; returns the number of allocations. */
static unsigned run_life(const fixture *fix, const clsort_desc *desc, unsigned k, int ever)
{
    job j;
    life l = {0};
    assert_int_equal(job_init(&j, fix->context, desc, 5), 0);
    l.keys = test_alloc(desc->count * j.s.key_size);
    l.values = test_alloc(desc->count * desc->value_size);
    live(fix, &j, &l, k, ever);
    const unsigned count = num_allocations;
    expect_honest(l.create, k);
    assert_int_equal(l.create != CLSORT_OK, l.sorter == NULL);
    expect_honest(l.prepare, k);
    expect_honest(l.text, k);
    expect_honest(l.enqueue, k);
    expect_honest(l.sort, k);
    if (l.event)
        expect_complete(l.event);
    expect_cl(clFinish(fix->queue));
    if (l.sorter && l.enqueue == CLSORT_OK)
        assert_true(job_is_right(&j, fix->queue));
    if (l.sorter && l.sort == CLSORT_OK)
        assert_true(sample_right(&j.s, 0, l.keys, l.values, NULL));
    if (l.sorter) {
        job_reset(&j, fix->queue);
        expect_status(job_enqueue(&j, l.sorter, fix->queue, 0, NULL, NULL), CLSORT_OK);
        expect_cl(clFinish(fix->queue));
        assert_true(job_is_right(&j, fix->queue));
    }
    clsort_destroy(l.sorter);
    job_free(&j);
    free(l.keys);
    free(l.values);
    return count;
}

static void test_refusals(void **state)
{
    const fixture *fix = fixture_of(state);
    keep_programs(fix->context);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm) {
        const clsort_desc desc = {
            .count = 3000, .algorithm = (clsort_algorithm)algorithm, .stable = 1, .value_size = 12};
        const unsigned count = run_life(fix, &desc, 0, 0);
        assert_true(count >= 7); /* two of them for the tuning file */
        for (unsigned k = 1; k <= count; ++k) {
            run_life(fix, &desc, k, 0);
            run_life(fix, &desc, k, 1);
        }
    }
}

static int write_tuning(void **state)
{
    (void)state;
    tuning_write_text("host with_sorter=2^14\n");
    return 0;
}

static int remove_tuning(void **state)
{
    (void)state;
    tuning_remove();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_refusals, write_tuning, remove_tuning)};
    return fixture_run("memory", tests, sizeof tests / sizeof tests[0]);
}
