/* Wrong descriptions, lists and buffers of columns: each has its own status and changes nothing. */
#include <stdlib.h>
#include <string.h>

#include "composed/rows.h"

static void expect_refused(const fixture *fix, const clsort_desc *desc, clsort_status expected)
{
    clsort_plan plan;
    expect_status(clsort_get_plan(fix->sorter, desc, &plan, NULL, 0), expected);
}

static void test_wrong_descriptions(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_column columns[17] = {{CLSORT_U32, CLSORT_ASCENDING}};
    const clsort_column type[] = {{CLSORT_U8, CLSORT_ASCENDING}, {CLSORT_NUM_TYPES, 0}};
    const clsort_column order[] = {{CLSORT_U8, CLSORT_ASCENDING}, {CLSORT_U8, (clsort_order)2}};
    const clsort_field field = {0, CLSORT_U8, CLSORT_ASCENDING};
    const clsort_record record = {.size = 4, .num_fields = 1, .fields = &field};
    const struct {
        clsort_desc desc;
        clsort_status status;
    } wrong[] = {
        {{.columns = columns}, CLSORT_ERROR_COLUMNS},
        {{.num_columns = 1}, CLSORT_ERROR_COLUMNS},
        {{.num_columns = 17, .columns = columns}, CLSORT_ERROR_COLUMNS},
        {{.num_columns = UINT32_MAX, .columns = columns}, CLSORT_ERROR_COLUMNS},
        {{.type = CLSORT_F32, .num_columns = 2, .columns = columns}, CLSORT_ERROR_COLUMNS},
        {{.num_columns = 2, .columns = columns, .end_bit = 8}, CLSORT_ERROR_COLUMNS},
        {{.num_columns = 2, .columns = columns, .first_bit = 1}, CLSORT_ERROR_COLUMNS},
        {{.record = &record, .num_columns = 2, .columns = columns}, CLSORT_ERROR_COLUMNS},
        {{.num_columns = 2, .columns = type}, CLSORT_ERROR_TYPE},
        {{.num_columns = 2, .columns = order}, CLSORT_ERROR_ORDER},
        {{.num_columns = 2, .columns = columns, .order = (clsort_order)2}, CLSORT_ERROR_ORDER},
        {{.num_columns = 2, .columns = columns, .index_size = 2}, CLSORT_ERROR_INDEX_SIZE},
        {{.num_columns = 2, .columns = columns, .value_size = 4, .index_size = 4},
         CLSORT_ERROR_INDEX_AND_VALUES},
        {{.num_arrays = UINT64_C(1) << 46, .num_columns = 2, .columns = columns},
         CLSORT_ERROR_COUNT},
        {{.num_arrays = (UINT64_C(1) << 44) / 5 + 1, .num_columns = 16, .columns = columns},
         CLSORT_ERROR_COUNT},
        {{.num_arrays = (UINT64_C(1) << 44) / 5, .num_columns = 16, .columns = columns}, CLSORT_OK},
        {{.num_columns = 2, .columns = columns, .reserved = {1}}, CLSORT_ERROR_RESERVED},
        {{.num_columns = 16, .columns = columns, .index_size = 8}, CLSORT_OK},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        clsort_desc desc = wrong[i].desc;
        desc.count = 5;
        expect_refused(fix, &desc, wrong[i].status);
    }
}

/* Three columns that are sorted out of place, and buffers that fit none of them. */
struct three {
    rows r;
    void *columns[max_columns];
    void *values;
    memory m;
    cl_mem read_only, write_only, small;
};

static void three_create(struct three *t, const fixture *fix)
{
    memset(t, 0, sizeof *t);
    t->r.desc.count = 100;
    rows_set_columns(&t->r, 3, 2);
    for (uint32_t c = 0; c < 3; ++c)
        t->r.columns[c].type = CLSORT_U32;
    rows_set_form(&t->r, &forms[3]);
    rows_fill(fix, &t->r, t->columns, &t->values);
    memory_create(&t->m, fix, &t->r, t->columns, t->values);
    t->read_only = buffer_create(fix->context, CL_MEM_READ_ONLY, 400, NULL);
    t->write_only = buffer_create(fix->context, CL_MEM_WRITE_ONLY, 400, NULL);
    t->small = buffer_create(fix->context, CL_MEM_READ_WRITE, 399, NULL);
}

/* Fails the test if a column has changed. */
static void three_free(struct three *t, const fixture *fix)
{
    for (uint32_t c = 0; c < 3; ++c) {
        guard *in = &t->m.columns[c], *out = &t->m.columns_out[c];
        guard_read(in, fix->queue);
        guard_read(out, fix->queue);
        assert_true(guard_unchanged(in) && guard_unchanged(out));
        free(t->columns[c]);
    }
    clReleaseMemObject(t->read_only);
    clReleaseMemObject(t->write_only);
    clReleaseMemObject(t->small);
    memory_free(&t->m);
    free(t->values);
}

/* Each wrong buffer in the place of a column's. */
static void refuse_buffers(const fixture *fix, struct three *t)
{
    memory *m = &t->m;
    const clsort_buffer good = m->list[0];
    const struct {
        int out;
        clsort_buffer buffer; /* instead of column 1 */
        clsort_status status;
    } wrong[] = {
        {0, {NULL, 0}, CLSORT_ERROR_BUFFER_MISSING},
        {1, {NULL, 0}, CLSORT_ERROR_BUFFER_MISSING},
        {0, {t->small, 0}, CLSORT_ERROR_BUFFER_TOO_SMALL},
        {1, {t->small, 0}, CLSORT_ERROR_BUFFER_TOO_SMALL},
        {0, {good.mem, good.offset + 2}, CLSORT_ERROR_BUFFER_MISALIGNED},
        {0, good, CLSORT_ERROR_BUFFER_OVERLAP},
        {1, m->list_out[0], CLSORT_ERROR_BUFFER_OVERLAP},
        {0, m->list_out[2], CLSORT_ERROR_BUFFER_ACCESS}, /* write-only */
        {0, {t->write_only, 0}, CLSORT_ERROR_BUFFER_ACCESS},
        {1, {t->read_only, 0}, CLSORT_ERROR_BUFFER_ACCESS},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        clsort_buffer *place = wrong[i].out ? &m->list_out[1] : &m->list[1];
        const clsort_buffer before = *place;
        *place = wrong[i].buffer;
        expect_status(clsort_enqueue(fix->sorter, fix->queue, &t->r.desc, &m->buffers, 0, NULL,
                                     NULL),
                      wrong[i].status);
        *place = before;
    }
}

/* Wrong lists, and buffers that belong to no column. */
static void refuse_lists(const fixture *fix, const struct three *t, const clsort_desc *in_place)
{
    const clsort_desc *desc = &t->r.desc;
    cl_mem small = t->small;
    const clsort_buffers right = t->m.buffers;
    const clsort_desc numbers = {.count = 100};
    const struct {
        const clsort_desc *desc;
        clsort_buffers buffers;
        clsort_status status;
    } lists[] = {
        {desc, {.columns_out = right.columns_out}, CLSORT_ERROR_BUFFER_MISSING},
        {desc, {.columns = right.columns}, CLSORT_ERROR_BUFFER_MISSING},
        {in_place,
         {.columns = right.columns, .columns_out = right.columns_out},
         CLSORT_ERROR_BUFFER_UNEXPECTED},
        {&numbers, {.keys = {small, 0}, .columns = right.columns}, CLSORT_ERROR_BUFFER_UNEXPECTED},
        {desc,
         {.keys = {small, 0}, .columns = right.columns, .columns_out = right.columns_out},
         CLSORT_ERROR_BUFFER_UNEXPECTED},
        {desc,
         {.columns = right.columns, .columns_out = right.columns_out, .indices = {small, 0}},
         CLSORT_ERROR_BUFFER_UNEXPECTED},
        {desc,
         {.columns = right.columns, .columns_out = right.columns_out, .scratch = {small, 0}},
         CLSORT_ERROR_SCRATCH_TOO_SMALL},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i)
        expect_status(clsort_enqueue(fix->sorter, fix->queue, lists[i].desc, &lists[i].buffers, 0,
                                     NULL, NULL),
                      lists[i].status);
}

/* Wrong lists of the host's arrays. */
static void refuse_arrays(const fixture *fix, const struct three *t, const clsort_desc *in_place)
{
    void *const *columns = t->columns;
    void *const host[] = {columns[0], columns[1], columns[0]};
    expect_status(clsort_sort(fix->sorter, in_place, &(clsort_arrays){.columns = host}),
                  CLSORT_ERROR_BUFFER_OVERLAP);
    expect_status(clsort_sort(fix->sorter, in_place, &(clsort_arrays){.columns = NULL}),
                  CLSORT_ERROR_BUFFER_MISSING);
    expect_status(clsort_sort(fix->sorter, in_place,
                              &(clsort_arrays){.columns = columns, .columns_out = columns}),
                  CLSORT_ERROR_BUFFER_UNEXPECTED);
}

/* Each wrong list or buffer is refused and changes nothing. */
static void test_wrong_buffers(void **state)
{
    const fixture *fix = fixture_of(state);
    struct three t;
    three_create(&t, fix);
    clsort_desc in_place = t.r.desc;
    in_place.out_of_place = 0;
    refuse_buffers(fix, &t);
    refuse_lists(fix, &t, &in_place);
    refuse_arrays(fix, &t, &in_place);
    three_free(&t, fix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_descriptions),
        cmocka_unit_test(test_wrong_buffers),
    };
    fixture_with_host();
    return fixture_run("args_columns", tests, sizeof tests / sizeof tests[0]);
}
