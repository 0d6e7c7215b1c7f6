/* Rows of several columns: to indices, in place, out of place, and with values; every number of
 * columns, type and algorithm; their plans. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/case.h"
#include "support/gate.h"
#include "rows.h"

static void test_every_number_of_columns(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t counts[] = {0, 1, 2, 3, 37, 1001, 3000};
    enum { num_counts = sizeof counts / sizeof counts[0] };
    for (uint32_t num_columns = 1; num_columns <= max_columns; ++num_columns)
        for (uint32_t i = 0; i < num_counts; ++i) {
            rows r = {.desc = {.count = counts[i], .order = (clsort_order)(i % 3 == 1)}};
            rows_set_columns(&r, num_columns, num_columns * 7 + i);
            rows_run(fix, &r, &forms[(num_columns + i) % num_forms]);
        }
}

static void test_every_type_and_form(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (uint32_t f = 0; f < num_forms; ++f) {
            rows r = {.desc = {.count = 500 + type, .num_columns = 2}};
            r.columns[0] = (clsort_column){(clsort_type)type, (clsort_order)(f % 2)};
            r.columns[1] = (clsort_column){(clsort_type)((type + f) % CLSORT_NUM_TYPES),
                                           (clsort_order)(f / 2 % 2)};
            r.kinds[0] = DATA_EXTREMES;
            r.kinds[1] = DATA_SPRINKLED;
            rows_run(fix, &r, &forms[f]);
        }
}

/* As many members as a key can have; keys that are full to the last bit, or one bit too long. */
static void test_full_keys(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_type bytes[] = {CLSORT_U8, CLSORT_I8};
    static const clsort_type mixed[] = {CLSORT_U8, CLSORT_U16,  CLSORT_U32, CLSORT_I8, CLSORT_F64,
                                        CLSORT_U8, CLSORT_BF16, CLSORT_I64, CLSORT_I8};
    for (uint32_t num_columns = 7; num_columns <= 9; ++num_columns)
        for (uint32_t f = 0; f < 4; ++f) {
            rows r = {.desc = {.count = 2000, .num_columns = num_columns}};
            for (uint32_t c = 0; c < num_columns; ++c) {
                r.columns[c] = (clsort_column){bytes[c % 2], (clsort_order)(c / 2 % 2)};
                r.kinds[c] = DATA_TWO;
            }
            rows_run(fix, &r, &forms[f]);
            for (uint32_t c = 0; c < num_columns; ++c)
                r.columns[c].type = mixed[c];
            rows_run(fix, &r, &forms[f]);
        }
}

static void test_many_rows(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_type types[] = {CLSORT_U8, CLSORT_U16, CLSORT_F32, CLSORT_I64, CLSORT_F16};
    for (uint32_t num_columns = 1; num_columns <= 5; num_columns += 2) {
        rows r = {.desc = {.count = 100003, .num_columns = num_columns}};
        for (uint32_t c = 0; c < num_columns; ++c) {
            r.columns[c] = (clsort_column){types[c], (clsort_order)(c % 2)};
            r.kinds[c] = c + 1 < num_columns ? DATA_FEW : DATA_RANDOM;
        }
        rows_run(fix, &r, &forms[num_columns / 2]);
    }
}

static void test_random_rows(void **state)
{
    const fixture *fix = fixture_of(state);
    rng random = {fix->seed};
    for (int i = 0; i < 60; ++i) {
        rows r = {.desc = {.count = rng_below(&random, 2500),
                           .order = (clsort_order)rng_below(&random, 2),
                           .stable = (uint32_t)rng_below(&random, 2)}};
        r.desc.num_columns = 1 + (uint32_t)rng_below(&random, max_columns);
        for (uint32_t c = 0; c < r.desc.num_columns; ++c) {
            r.columns[c].type = (clsort_type)rng_below(&random, CLSORT_NUM_TYPES);
            r.columns[c].order = (clsort_order)rng_below(&random, 2);
            r.kinds[c] = (data_kind)rng_below(&random, NUM_DATA_KINDS);
        }
        rows_run(fix, &r, &forms[rng_below(&random, num_forms)]);
    }
}

static void test_arrays_behind_one_another(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t shapes[][2] = {{33, 7}, {1, 50}, {700, 3}, {5, 200}};
    for (uint32_t i = 0; i < 4; ++i)
        for (uint32_t f = 0; f < num_forms; ++f) {
            rows r = {.desc = {.count = shapes[i][0], .num_arrays = shapes[i][1]}};
            rows_set_columns(&r, 1 + 2 * (f % 4), f + i);
            rows_run(fix, &r, &forms[f]);
        }
}

static void test_every_algorithm(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (uint32_t f = 0; f < 2; ++f) {
            rows r = {.desc = {.count = 2777,
                               .num_columns = 2,
                               .algorithm = (clsort_algorithm)algorithm}};
            r.columns[0] = (clsort_column){CLSORT_F64, CLSORT_DESCENDING};
            r.columns[1] = (clsort_column){CLSORT_I64, CLSORT_ASCENDING};
            r.kinds[0] = DATA_FEW;
            r.kinds[1] = DATA_TWO;
            if (!fixture_takes(r.desc.algorithm))
                continue;
            rows_run(fix, &r, &forms[f]);
            clsort_plan plan;
            expect_status(clsort_get_plan(fix->sorter, &r.desc, &plan, NULL, 0), CLSORT_OK);
            assert_int_equal(plan.algorithm, algorithm);
            assert_true(plan.stable);
        }
    rows r = {.desc = {.count = (1 << 20) + 1, .num_columns = 1, .algorithm = CLSORT_RANK}};
    clsort_plan plan;
    r.desc.columns = r.columns;
    expect_status(clsort_get_plan(fix->sorter, &r.desc, &plan, NULL, 0),
                  CLSORT_ERROR_ALGORITHM_COUNT);
}

/* How many times a kernel is launched. */
/* Columns that fit together form one key. No index is carried if the key holds everything. */
static void test_plans(void **state)
{
    const fixture *fix = fixture_of(state);
    static const struct {
        clsort_type types[4];
        uint32_t num_columns;
        unsigned num_keys;
    } cases[] = {
        {{CLSORT_U8}, 1, 1},
        {{CLSORT_U8, CLSORT_U16, CLSORT_U32}, 3, 1},
        {{CLSORT_U32, CLSORT_F32}, 2, 1},
        {{CLSORT_U32, CLSORT_F32, CLSORT_U8}, 3, 2},
        {{CLSORT_U8, CLSORT_F64, CLSORT_U8}, 3, 3},
        {{CLSORT_F64, CLSORT_U8, CLSORT_U8, CLSORT_I16}, 4, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        for (uint32_t f = 0; f < num_forms; ++f) {
            rows r = {.desc = {.count = 100000,
                               .num_columns = cases[i].num_columns,
                               .algorithm = CLSORT_RADIX}};
            uint32_t key_bits = 0;
            for (uint32_t c = 0; c < r.desc.num_columns; ++c) {
                r.columns[c].type = cases[i].types[c];
                key_bits += type_infos[r.columns[c].type].bits;
            }
            rows_set_form(&r, &forms[f]);
            const unsigned moves = !forms[f].index_size || forms[f].out_of_place;
            assert_int_equal(case_num_launches(fix->sorter, &r.desc, "columns_pack"),
                             cases[i].num_keys);
            assert_int_equal(case_num_launches(fix->sorter, &r.desc, "columns_unpack"), moves);
            const unsigned gathers = case_num_launches(fix->sorter, &r.desc, "gather") +
                                     case_num_launches(fix->sorter, &r.desc, "gather_whole");
            if (key_bits <= 64 || !moves)
                assert_int_equal(gathers, forms[f].value_size == 0 ? 0
                                          : forms[f].out_of_place  ? 1
                                                                   : 2); /* one is a copy */
            else
                assert_true(gathers > 0);
            char text[64];
            char expected[64];
            expect_status(clsort_get_plan_text(fix->sorter, &r.desc, text, sizeof text, NULL),
                          CLSORT_OK);
            snprintf(expected, sizeof expected, "rows of %u columns", r.desc.num_columns);
            assert_non_null(strstr(text, expected));
        }
}

static void test_arrays_of_the_host(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t f = 0; f < num_forms; ++f) {
        rows r = {.desc = {.count = 1500}};
        void *in[max_columns], *lists[2 * max_columns];
        void *values = NULL;
        rows_set_columns(&r, 5, f);
        rows_set_form(&r, &forms[f]);
        rows_fill(fix, &r, in, &values);
        uint64_t *order = rows_order(&r, in);
        for (uint32_t c = 0; c < 5; ++c) {
            const uint64_t size = r.desc.count * type_infos[r.columns[c].type].size;
            lists[c] = memcpy(test_alloc(size), in[c], size);
            lists[max_columns + c] = test_alloc(size);
        }
        void *moved =
            memcpy(test_alloc(r.desc.count * 12), values, r.desc.count * r.desc.value_size);
        void *moved_out = test_alloc(r.desc.count * 12);
        void *indices = test_alloc(r.desc.count * 8);
        const clsort_arrays arrays = {
            .columns = lists,
            .values = r.desc.value_size ? moved : NULL,
            .columns_out = r.desc.out_of_place ? lists + max_columns : NULL,
            .values_out = r.desc.value_size && r.desc.out_of_place ? moved_out : NULL,
            .indices = r.desc.index_size ? indices : NULL,
        };
        expect_status(clsort_sort(fix->sorter, &r.desc, &arrays), CLSORT_OK);
        const int in_place = !r.desc.out_of_place && !r.desc.index_size;
        for (uint32_t c = 0; c < 5; ++c) {
            const uint32_t size = type_infos[r.columns[c].type].size;
            const void *out = r.desc.out_of_place ? lists[max_columns + c] : lists[c];
            if (!in_place)
                assert_memory_equal(lists[c], in[c], r.desc.count * size);
            if (in_place || r.desc.out_of_place)
                assert_true(rows_gathered(&r, out, in[c], size, order));
        }
        if (r.desc.index_size)
            assert_true(rows_indexed(&r, indices, order));
        if (r.desc.value_size)
            assert_true(rows_gathered(&r, r.desc.out_of_place ? moved_out : moved, values,
                                      r.desc.value_size, order));
        for (uint32_t c = 0; c < 5; ++c) {
            free(in[c]);
            free(lists[c]);
            free(lists[max_columns + c]);
        }
        free(values);
        free(moved);
        free(moved_out);
        free(indices);
        free(order);
    }
}

/* After an event, on an out-of-order queue, with the library's own scratch. */
static void test_queues(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!has_out_of_order(fix->device))
        skip_because("the device has no out-of-order queues");
    cl_command_queue queue =
        queue_create(fix->context, fix->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    rows r = {.desc = {.count = 5000}};
    void *columns[max_columns];
    void *values = NULL;
    memory m;
    gate g;
    cl_event event = NULL;
    rows_set_columns(&r, 6, 2);
    rows_set_form(&r, &forms[1]);
    rows_fill(fix, &r, columns, &values);
    memory_create(&m, fix, &r, columns, values);
    uint64_t *order = rows_order(&r, columns);
    m.buffers.scratch = (clsort_buffer){NULL, 0};
    expect_status(clsort_prepare(fix->sorter, &r.desc), CLSORT_OK);
    gate_close(&g, fix->context);
    expect_status(clsort_enqueue(fix->sorter, queue, &r.desc, &m.buffers, 1, &g.event, &event),
                  CLSORT_OK);
    expect_cl(clFlush(queue));
    assert_true(event_status(event) > CL_COMPLETE);
    gate_open(&g, CL_COMPLETE);
    expect_cl(clWaitForEvents(1, &event));
    memory_check(&m, fix, &r, columns, values, order);
    clReleaseEvent(event);
    clReleaseCommandQueue(queue);
    memory_free(&m);
    free(order);
    free(values);
    for (uint32_t c = 0; c < r.desc.num_columns; ++c)
        free(columns[c]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_number_of_columns),
        cmocka_unit_test(test_every_type_and_form),
        cmocka_unit_test(test_full_keys),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_random_rows),
        cmocka_unit_test(test_arrays_behind_one_another),
        cmocka_unit_test(test_every_algorithm),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_arrays_of_the_host),
        cmocka_unit_test(test_queues),
    };
    return fixture_run("columns", tests, sizeof tests / sizeof tests[0]);
}
