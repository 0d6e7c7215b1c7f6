/* The host's memory runs out: each allocation of the library is refused, once or from then on.
 * Either the status says so or the sort is right. Nothing is lost, and the next sort works. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocations.h"
#include "support/job.h"
#include "support/keep_programs.h"
#include "support/tuning_case.h"

/* From now on allocation number k is refused, if it is not 0, and then all others. */
static void watch(int k, int ever)
{
    allocations.left = k;
    allocations.for_ever = ever;
    allocations.num_calls = 0;
}

/* No longer. Returns the number of allocations. */
static int unwatch(void)
{
    allocations.left = 0;
    return allocations.num_calls;
}

/* The results of one sorter's life. Every function is called, whatever the others returned. */
typedef struct life {
    clsort_sorter *sorter;
    clsort_status create, prepare, text, enqueue, sort, wait;
    cl_event event;
    unsigned char *keys, *values;
} life;

static void expect_honest(clsort_status status, int k)
{
    if (status != CLSORT_OK && status != CLSORT_ERROR_HOST_MEMORY)
        fail_msg("allocation %d refused: %s", k, clsort_status_text(status));
}

static int live(const fixture *fix, job *j, life *l, int k, int ever)
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
    return unwatch();
}

/* Runs lives with allocation number k refused; returns the number of allocations. */
static int run_life(const fixture *fix, const clsort_desc *desc, int k, int ever)
{
    job j;
    life l = {0};
    assert_int_equal(job_init(&j, fix->context, desc, 5), 0);
    l.keys = test_alloc(desc->count * j.s.key_size);
    l.values = test_alloc(desc->count * desc->value_size);
    const int count = live(fix, &j, &l, k, ever);
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
        const int count = run_life(fix, &desc, 0, 0);
        assert_true(count >= 7); /* two of them for the tuning file */
        for (int k = 1; k <= count; ++k) {
            run_life(fix, &desc, k, 0);
            run_life(fix, &desc, k, 1);
        }
    }
}

static const clsort_field record_fields[] = {{.type = CLSORT_U32},
                                             {.type = CLSORT_F32, .offset = 4}};
static const clsort_record by_fields = {.size = 8, .fields = record_fields, .num_fields = 2};
static const clsort_record by_comparison = {.size = 8, .type = "uint2", .less = "a.y < b.y"};
static const clsort_column columns[] = {{.type = CLSORT_U32}, {.type = CLSORT_U8}};

/* Sorts with the caller's scratch; the buffers are large enough for all. */
static const clsort_desc second_sorts[] = {
    {.count = 5000},
    {.count = 5000, .algorithm = CLSORT_BITONIC},
    {.count = 5000, .algorithm = CLSORT_QUICK, .value_size = 4},
    {.count = 5000, .algorithm = CLSORT_MERGE, .value_size = 16},
    {.count = 5000, .algorithm = CLSORT_RADIX, .type = CLSORT_F64, .index_size = 4},
    {.count = 50, .num_arrays = 100},
    {.count = 5000, .limit = 10, .out_of_place = 1},
    {.count = 5000, .record = &by_fields},
    {.count = 5000, .record = &by_comparison, .stable = 1},
    {.count = 5000, .columns = columns, .num_columns = 2, .index_size = 4},
    {.count = 5000, .num_segments = 2, .offset_size = 4},
    {.count = 5000, .operation = CLSORT_OPERATION_CHECK},
};

enum { NUM_MEMORIES = 7, MEMORY_BYTES = 1 << 18 };

static clsort_buffers bind(const clsort_desc *desc, const cl_mem *memory, cl_mem scratch,
                           const clsort_buffer *listed)
{
    return (clsort_buffers){
        .keys.mem = desc->num_columns ? NULL : memory[0],
        .keys_out.mem = desc->out_of_place ? memory[1] : NULL,
        .values.mem = desc->value_size ? memory[2] : NULL,
        .indices.mem = desc->index_size ? memory[3] : NULL,
        .offsets.mem = desc->offset_size ? memory[4] : NULL,
        .result.mem = desc->operation == CLSORT_OPERATION_CHECK ? memory[5] : NULL,
        .scratch.mem = scratch,
        .columns = desc->num_columns ? listed : NULL,
    };
}

/* Returns the allocations of the library in the second of two sorts. */
static int sort_twice(const fixture *fix, clsort_sorter *sorter, const clsort_desc *desc,
                      const cl_mem *memory)
{
    const clsort_buffer listed[] = {{.mem = memory[0]}, {.mem = memory[6]}};
    uint64_t size = 0;
    int num = 0;
    expect_status(clsort_prepare(sorter, desc), CLSORT_OK);
    expect_status(clsort_scratch_size(sorter, desc, &size), CLSORT_OK);
    cl_mem scratch = buffer_create(fix->context, CL_MEM_READ_WRITE, (size_t)size + 1, NULL);
    const clsort_buffers buffers = bind(desc, memory, scratch, listed);
    for (int round = 0; round < 2; ++round) {
        watch(0, 0);
        const clsort_status status =
            clsort_enqueue(sorter, fix->queue, desc, &buffers, 0, NULL, NULL);
        num = unwatch();
        expect_status(status, CLSORT_OK);
        expect_cl(clFinish(fix->queue));
    }
    clReleaseMemObject(scratch);
    return num;
}

/* After clsort_prepare() and one sort, clsort_enqueue() allocates nothing with the caller's
 * scratch. */
static void test_second_sort(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_sorter *sorter = NULL;
    cl_mem memory[NUM_MEMORIES];
    const cl_uint zero = 0;
    for (int i = 0; i < NUM_MEMORIES; ++i) {
        memory[i] = buffer_create(fix->context, CL_MEM_READ_WRITE, MEMORY_BYTES, NULL);
        expect_cl(clEnqueueFillBuffer(fix->queue, memory[i], &zero, sizeof zero, 0, MEMORY_BYTES, 0,
                                      NULL, NULL));
    }
    expect_status(clsort_create(fix->context, fix->device, &sorter), CLSORT_OK);
    for (size_t i = 0; i < sizeof second_sorts / sizeof *second_sorts; ++i) {
        const int num = sort_twice(fix, sorter, &second_sorts[i], memory);
        if (num)
            fail_msg("sort %u: %d allocations", (unsigned)i, num);
    }
    clsort_destroy(sorter);
    for (int i = 0; i < NUM_MEMORIES; ++i)
        clReleaseMemObject(memory[i]);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_second_sort),
                                       cmocka_unit_test_setup_teardown(test_refusals, write_tuning,
                                                                       remove_tuning)};
    fixture_with_host();
    return fixture_run("memory", tests, sizeof tests / sizeof tests[0]);
}
