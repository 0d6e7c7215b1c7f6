#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "support/oracle.h"

const form forms[num_forms] = {
    {"indices", 4, 0, 0},
    {"in place", 0, 0, 0},
    {"indices and columns", 4, 1, 0},
    {"out of place", 0, 1, 0},
    {"in place with values", 0, 0, 4},
    {"wide indices", 8, 0, 0},
    {"out of place with values", 0, 1, 12},
    {"wide indices and columns", 8, 1, 0},
};

uint64_t *rows_order(const rows *r, void *const *columns)
{
    const uint64_t num_arrays = r->desc.num_arrays ? r->desc.num_arrays : 1;
    uint64_t *order = test_alloc(r->desc.count * num_arrays * 8);
    clsort_desc desc = r->desc;
    desc.columns = r->columns;
    for (uint64_t array = 0; array < num_arrays; ++array) {
        const uint64_t first = array * desc.count;
        oracle_order(first, desc.count, oracle_compare_keys, &(oracle_keys){&desc, columns},
                     order + first);
    }
    return order;
}

/* True if `out`, elements of `size` bytes, is `in` in this order. */
int rows_gathered(const rows *r, const void *out, const void *in, uint32_t size,
                  const uint64_t *order)
{
    const uint64_t num_arrays = r->desc.num_arrays ? r->desc.num_arrays : 1;
    for (uint64_t i = 0; i < r->desc.count * num_arrays; ++i) {
        if (memcmp((const char *)out + i * size, (const char *)in + order[i] * size, size) != 0)
            return 0;
    }
    return 1;
}

int rows_indexed(const rows *r, const void *indices, const uint64_t *order)
{
    const uint64_t n = r->desc.count * (r->desc.num_arrays ? r->desc.num_arrays : 1);
    for (uint64_t i = 0; i < n; ++i) {
        if (key_load(indices, i, r->desc.index_size) !=
            order[i] - i / r->desc.count * r->desc.count)
            return 0;
    }
    return 1;
}

void memory_create(memory *m, const fixture *fix, const rows *r, void *const *columns,
                   const void *values)
{
    const clsort_desc *desc = &r->desc;
    const cl_mem_flags both = CL_MEM_READ_WRITE;
    const uint64_t n = desc->count * (desc->num_arrays ? desc->num_arrays : 1);
    const int in_place = !desc->out_of_place && !desc->index_size;
    memset(m, 0, sizeof *m);
    for (uint32_t c = 0; c < desc->num_columns; ++c) {
        const uint32_t size = type_infos[r->columns[c].type].size;
        guard_create(&m->columns[c], fix->context, in_place ? both : CL_MEM_READ_ONLY, columns[c],
                     n * size, size, size, c);
        m->list[c] = guard_buffer(&m->columns[c]);
        if (desc->out_of_place)
            guard_create(&m->columns_out[c], fix->context, CL_MEM_WRITE_ONLY, NULL, n * size, size,
                         size, 20 + c);
        m->list_out[c] = guard_buffer(&m->columns_out[c]);
    }
    if (desc->value_size)
        guard_create(&m->values, fix->context, both, values, n * desc->value_size, desc->value_size,
                     4, 40);
    if (desc->value_size && desc->out_of_place)
        guard_create(&m->values_out, fix->context, both, NULL, n * desc->value_size,
                     desc->value_size, 4, 41);
    if (desc->index_size)
        guard_create(&m->indices, fix->context, both, NULL, n * desc->index_size, desc->index_size,
                     desc->index_size, 42);
    uint64_t scratch_size = 0;
    expect_status(clsort_scratch_size(fix->sorter, desc, &scratch_size), CLSORT_OK);
    if (scratch_size)
        guard_create(&m->scratch, fix->context, both, NULL, scratch_size, 8, 8, 43);
    m->buffers = (clsort_buffers){
        .columns = m->list,
        .values = guard_buffer(&m->values),
        .columns_out = desc->out_of_place ? m->list_out : NULL,
        .values_out = guard_buffer(&m->values_out),
        .indices = guard_buffer(&m->indices),
        .scratch = guard_buffer(&m->scratch),
    };
}

void memory_free(memory *m)
{
    for (uint32_t c = 0; c < max_columns; ++c) {
        guard_free(&m->columns[c]);
        guard_free(&m->columns_out[c]);
    }
    guard_free(&m->values);
    guard_free(&m->values_out);
    guard_free(&m->indices);
    guard_free(&m->scratch);
}

/* What is wrong after the sort; NULL if nothing is. */
static const char *what_is_wrong(memory *m, const fixture *fix, const rows *r, void *const *columns,
                                 const void *values, const uint64_t *order)
{
    const clsort_desc *desc = &r->desc;
    const int moves = desc->out_of_place || !desc->index_size;
    const int in_place = !desc->out_of_place && !desc->index_size;
    for (uint32_t c = 0; c < desc->num_columns; ++c) {
        const uint32_t size = type_infos[r->columns[c].type].size;
        guard *sorted = desc->out_of_place ? &m->columns_out[c] : &m->columns[c];
        guard_read(&m->columns[c], fix->queue);
        if (!in_place && !guard_unchanged(&m->columns[c]))
            return "a column that is a source was written";
        const void *out = guard_read(sorted, fix->queue);
        if (!guard_intact(sorted) || !guard_intact(&m->columns[c]))
            return "bytes outside a column were written";
        if (moves && !rows_gathered(r, out, columns[c], size, order))
            return "a column is wrong";
    }
    if (desc->value_size) {
        guard *sorted = desc->out_of_place ? &m->values_out : &m->values;
        guard_read(&m->values, fix->queue);
        if (desc->out_of_place && !guard_unchanged(&m->values))
            return "values that are a source were written";
        const void *out = guard_read(sorted, fix->queue);
        if (!guard_intact(sorted) || !rows_gathered(r, out, values, desc->value_size, order))
            return "values are wrong";
    }
    if (desc->index_size) {
        const void *indices = guard_read(&m->indices, fix->queue);
        if (!guard_intact(&m->indices) || !rows_indexed(r, indices, order))
            return "indices are wrong";
    }
    if (m->scratch.mem) {
        guard_read(&m->scratch, fix->queue);
        if (!guard_intact(&m->scratch))
            return "bytes outside scratch were written";
    }
    return NULL;
}

void rows_fill(const fixture *fix, const rows *r, void **columns, void **values)
{
    const uint64_t n = r->desc.count * (r->desc.num_arrays ? r->desc.num_arrays : 1);
    const uint64_t seed = seed_mix(seed_mix(fix->seed, n), r->desc.num_columns);
    for (uint32_t c = 0; c < r->desc.num_columns; ++c) {
        columns[c] = test_alloc(n * type_infos[r->columns[c].type].size);
        data_fill(columns[c], r->columns[c].type, n, r->kinds[c], seed_mix(seed, c));
    }
    *values = test_alloc(n * r->desc.value_size);
    data_bytes(*values, n * r->desc.value_size, seed);
}

static void fail_rows(const rows *r, const char *what)
{
    print_error("%llu x %llu rows, order %d, algorithm %s, indices of %u, values of %u, %s:\n",
                (unsigned long long)r->desc.num_arrays, (unsigned long long)r->desc.count,
                (int)r->desc.order, clsort_algorithm_name(r->desc.algorithm), r->desc.index_size,
                r->desc.value_size, r->desc.out_of_place ? "out of place" : "in place");
    for (uint32_t c = 0; c < r->desc.num_columns; ++c)
        print_error("  %s, order %d, %s\n", clsort_type_name(r->columns[c].type),
                    (int)r->columns[c].order, data_names[r->kinds[c]]);
    fail_msg("%s", what);
}

void memory_check(memory *m, const fixture *fix, const rows *r, void *const *columns,
                  const void *values, const uint64_t *order)
{
    const char *what = what_is_wrong(m, fix, r, columns, values, order);
    if (what)
        fail_rows(r, what);
}

void rows_set_form(rows *r, const form *f)
{
    r->desc.columns = r->columns;
    r->desc.index_size = f->index_size;
    r->desc.out_of_place = f->out_of_place;
    r->desc.value_size = f->value_size;
}

void rows_run(const fixture *fix, rows *r, const form *f)
{
    void *columns[max_columns];
    void *values = NULL;
    memory m;
    cl_event event = NULL;
    rows_set_form(r, f);
    rows_fill(fix, r, columns, &values);
    memory_create(&m, fix, r, columns, values);
    uint64_t *order = rows_order(r, columns);
    expect_status(clsort_enqueue(fix->sorter, fix->queue, &r->desc, &m.buffers, 0, NULL, &event),
                  CLSORT_OK);
    expect_cl(clWaitForEvents(1, &event));
    clReleaseEvent(event);
    memory_check(&m, fix, r, columns, values, order);
    memory_free(&m);
    free(order);
    free(values);
    for (uint32_t c = 0; c < r->desc.num_columns; ++c)
        free(columns[c]);
}

/* Data with many ties, so that later columns matter. */
static data_kind few(uint32_t c, uint64_t seed)
{
    static const data_kind kinds[] = {DATA_FEW,       DATA_TWO,   DATA_EXTREMES,
                                      DATA_SPRINKLED, DATA_STRAY, DATA_BORDERS};
    return kinds[(c + seed) % (sizeof kinds / sizeof kinds[0])];
}

void rows_set_columns(rows *r, uint32_t num_columns, uint64_t seed)
{
    r->desc.num_columns = num_columns;
    for (uint32_t c = 0; c < num_columns; ++c) {
        r->columns[c].type = (clsort_type)((c * 5 + seed) % CLSORT_NUM_TYPES);
        r->columns[c].order = (clsort_order)((c + seed / 3) % 2);
        r->kinds[c] = few(c, seed);
    }
}
