/* Sorts over ranks by a device: numbers by named algorithms, rows of columns, records by fields,
 * and device buffers. As in test_mpi.c, every rank knows the whole input and compares its share. */
#define _POSIX_C_SOURCE 200809L
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

#include "composed/rows.h"

enum { COUNT = 900 };

static clsort_sorter *sorter;
static cl_command_queue queue;

/* The order of all rows, and one rank's share of their arrays. */
typedef struct whole {
    rows r;
    fixture fix; /* its seed */
    void *columns[max_columns];
    void *values;
    uint64_t *order;
    share part;
} whole;

static void whole_open(whole *w, uint32_t num_columns, uint64_t seed, deal how)
{
    static const form pairs = {"values", 0, 0, 4};
    memset(w, 0, sizeof *w);
    w->fix.seed = seed;
    w->r.desc.count = COUNT;
    rows_set_columns(&w->r, num_columns, seed);
    rows_set_form(&w->r, &pairs);
    /* Many columns have equal values, so the last columns often decide where the borders lie. */
    for (uint32_t c = 0; seed % 2 && c < num_columns; ++c)
        w->r.kinds[c] = DATA_TWO;
    w->r.desc.order = (clsort_order)(seed % 2);
    rows_fill(&w->fix, &w->r, w->columns, &w->values);
    w->order = rows_order(&w->r, w->columns);
    w->part = ranks_share(how, COUNT);
}

static void whole_close(whole *w)
{
    for (uint32_t i = 0; i < w->r.desc.num_columns; ++i)
        free(w->columns[i]);
    free(w->values);
    free(w->order);
}

/* Compares this rank's share with the elements in the order of the rows. */
static const char *check_sorted(const whole *w, const void *got, const void *in, uint32_t size)
{
    for (uint64_t i = 0; i < w->part.count; ++i) {
        const char *expected = (const char *)in + w->order[w->part.base + i] * size;
        if (memcmp((const char *)got + i * size, expected, size) != 0)
            return "the elements differ from the oracle's";
    }
    return NULL;
}

static const char *check_order(const whole *w, const void *got, uint32_t index_size)
{
    for (uint64_t i = 0; i < w->part.count; ++i) {
        if (key_load(got, i, index_size) != w->order[w->part.base + i])
            return "the indices differ from the oracle's";
    }
    return NULL;
}

static void *take(const whole *w, const void *all, uint32_t size)
{
    return canary_copy((const char *)all + w->part.base * size, w->part.count, size);
}

static uint32_t column_size(const whole *w, uint32_t number)
{
    return type_infos[w->r.columns[number].type].size;
}

/* In place with values. */
static void test_columns(void **state)
{
    static const uint32_t nums[] = {1, 2, 3, 7, 16};
    (void)state;
    for (uint64_t i = 0; i < 5; ++i) {
        whole w;
        void *columns[max_columns];
        whole_open(&w, nums[i], 11 + i, i % 2 ? DEAL_UNEVEN : DEAL_EVEN);
        for (uint32_t c = 0; c < nums[i]; ++c)
            columns[c] = take(&w, w.columns[c], column_size(&w, c));
        void *values = take(&w, w.values, 4);
        clsort_desc desc = w.r.desc;
        desc.count = w.part.count;
        const clsort_arrays arrays = {.columns = columns, .values = values};
        const int status =
            clsort_mpi_sort(i % 2 ? sorter : NULL, MPI_COMM_WORLD, &desc, &arrays, NULL);
        const char *wrong =
            status ? clsort_mpi_status_text(status) : check_sorted(&w, values, w.values, 4);
        for (uint32_t c = 0; c < nums[i]; ++c) {
            if (!wrong)
                wrong = check_sorted(&w, columns[c], w.columns[c], column_size(&w, c));
            if (!canary_free(columns[c], w.part.count, column_size(&w, c)))
                wrong = "bytes outside a column were written";
        }
        canary_free(values, w.part.count, 4);
        whole_close(&w);
        expect_right(wrong, "columns");
    }
}

/* Indices of rows, and the rows too, to another distribution. */
static void test_columns_to(void **state)
{
    (void)state;
    for (int out = 0; out < 2; ++out) {
        whole w;
        void *columns[3], *columns_out[3];
        whole_open(&w, 3, 20, DEAL_LAST);
        const share from = w.part;
        for (uint32_t c = 0; c < 3; ++c)
            columns[c] = take(&w, w.columns[c], column_size(&w, c));
        w.part = ranks_share(DEAL_EVEN, COUNT);
        for (uint32_t c = 0; c < 3; ++c)
            columns_out[c] = canary_copy(NULL, w.part.count, column_size(&w, c));
        uint64_t *indices = canary_copy(NULL, w.part.count, 8);
        clsort_desc desc = w.r.desc;
        desc.count = from.count;
        desc.value_size = 0;
        desc.index_size = 8;
        desc.out_of_place = (uint32_t)out;
        const clsort_arrays arrays = {.indices = indices,
                                      .columns = columns,
                                      .columns_out = out ? columns_out : NULL};
        const int status =
            clsort_mpi_sort_to(sorter, MPI_COMM_WORLD, &desc, &arrays, w.part.count, NULL);
        const char *wrong = status ? clsort_mpi_status_text(status) : check_order(&w, indices, 8);
        for (uint32_t c = 0; c < 3; ++c) {
            if (!wrong && out)
                wrong = check_sorted(&w, columns_out[c], w.columns[c], column_size(&w, c));
            canary_free(columns[c], from.count, column_size(&w, c));
            canary_free(columns_out[c], w.part.count, column_size(&w, c));
        }
        canary_free(indices, w.part.count, 8);
        whole_close(&w);
        expect_right(wrong, "columns to indices");
    }
}

/* The same rows as structs with fields at any offset. */
static void test_records(void **state)
{
    (void)state;
    for (uint32_t num = 1; num <= 6; num += 5) {
        whole w;
        clsort_field fields[6];
        uint32_t size = 1;
        whole_open(&w, num, 30 + num, DEAL_UNEVEN);
        for (uint32_t c = 0; c < num; ++c) {
            fields[c] = (clsort_field){size, w.r.columns[c].type, w.r.columns[c].order};
            size += column_size(&w, c) + c % 2;
        }
        char *all = test_alloc(COUNT * (uint64_t)size);
        data_bytes(all, COUNT * (uint64_t)size, 7);
        for (uint64_t i = 0; i < COUNT; ++i) {
            for (uint32_t c = 0; c < num; ++c)
                memcpy(all + i * size + fields[c].offset,
                       (char *)w.columns[c] + i * column_size(&w, c), column_size(&w, c));
        }
        char *records = take(&w, all, size);
        const clsort_record record = {.size = size, .num_fields = num, .fields = fields};
        const clsort_desc desc = {.count = w.part.count,
                                  .record = &record,
                                  .order = w.r.desc.order};
        const int status =
            clsort_mpi_sort(sorter, MPI_COMM_WORLD, &desc, &(clsort_arrays){.keys = records}, NULL);
        const char *wrong =
            status ? clsort_mpi_status_text(status) : check_sorted(&w, records, all, size);
        canary_free(records, w.part.count, size);
        free(all);
        whole_close(&w);
        expect_right(wrong, "records");
    }
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static cl_mem upload(const void *data, uint64_t count, uint32_t size)
{
    cl_int code = CL_SUCCESS;
    const size_t bytes = (size_t)(count ? count : 1) * size;
    cl_mem mem = clCreateBuffer(clsort_context(sorter), CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (!code && count && data)
        code = clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
    return code ? NULL : mem;
}

static void *download(cl_mem mem, uint64_t count, uint32_t size)
{
    void *data = test_alloc(count * size);
    if (count &&
        clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, (size_t)count * size, data, 0, NULL, NULL))
        memset(data, 0xa5, (size_t)count * size);
    clReleaseMemObject(mem);
    return data;
}

/* Keys with values in place; keys to indices; out of place; to indices and out of place. */
static void test_buffers(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; ++kind) {
        whole w;
        whole_open(&w, 1, 40, (deal)kind);
        const uint32_t size = column_size(&w, 0);
        const char *keys_all = w.columns[0], *values_all = w.values;
        cl_mem keys = upload(keys_all + w.part.base * size, w.part.count, size);
        cl_mem values = upload(values_all + w.part.base * 4, w.part.count, 4);
        cl_mem indices = upload(NULL, w.part.count, 4), out = upload(NULL, w.part.count, size);
        clsort_desc desc = {.count = w.part.count, .type = w.r.columns[0].type};
        desc.order = w.r.columns[0].order == w.r.desc.order ? CLSORT_ASCENDING : CLSORT_DESCENDING;
        desc.value_size = kind == 0 ? 4 : 0;
        desc.index_size = kind % 2 ? 4 : 0;
        desc.out_of_place = kind / 2;
        const clsort_buffers buffers = {.keys = {.mem = keys},
                                        .values = {.mem = desc.value_size ? values : NULL},
                                        .indices = {.mem = desc.index_size ? indices : NULL},
                                        .keys_out = {.mem = desc.out_of_place ? out : NULL}};
        clsort_mpi_report report;
        const int status =
            clsort_mpi_sort_buffers(sorter, queue, MPI_COMM_WORLD, &desc, &buffers, &report);
        void *got_keys = download(keys, w.part.count, size);
        void *got_values = download(values, w.part.count, 4);
        void *got_indices = download(indices, w.part.count, 4);
        void *got = download(out, w.part.count, size);
        const char *wrong = status ? clsort_mpi_status_text(status) : NULL;
        if (!wrong && kind == 0)
            wrong = check_sorted(&w, got_keys, keys_all, size);
        if (!wrong && kind == 0)
            wrong = check_sorted(&w, got_values, values_all, 4);
        if (!wrong && desc.index_size)
            wrong = check_order(&w, got_indices, 4);
        if (!wrong && desc.out_of_place)
            wrong = check_sorted(&w, got, keys_all, size);
        if (!wrong && kind && w.part.count &&
            memcmp(got_keys, keys_all + w.part.base * size, (size_t)w.part.count * size) != 0)
            wrong = "the source has changed";
        free(got_indices);
        free(got_keys);
        free(got_values);
        free(got);
        whole_close(&w);
        expect_right(wrong, "buffers");
    }
}

/* Every rank's columns, and invalid arguments. */
static void test_buffers_columns(void **state)
{
    whole w;
    clsort_buffer list[3];
    (void)state;
    whole_open(&w, 3, 50, DEAL_EVEN);
    for (uint32_t c = 0; c < 3; ++c) {
        const uint32_t size = column_size(&w, c);
        list[c] = (clsort_buffer){
            .mem = upload((char *)w.columns[c] + w.part.base * size, w.part.count, size)};
    }
    clsort_desc desc = w.r.desc;
    desc.count = w.part.count;
    desc.value_size = 0;
    clsort_buffers buffers = {.columns = list};
    const int no_queue = clsort_mpi_sort_buffers(sorter, ranks_own ? queue : NULL, MPI_COMM_WORLD,
                                                 &desc, &buffers, NULL);
    const int no_sorter = clsort_mpi_sort_buffers(ranks_own ? sorter : NULL, queue, MPI_COMM_WORLD,
                                                  &desc, &buffers, NULL);
    const int no_buffers = clsort_mpi_sort_buffers(sorter, queue, MPI_COMM_WORLD, &desc,
                                                   ranks_own ? &buffers : NULL, NULL);
    clsort_buffers with_scratch = buffers;
    with_scratch.scratch = list[0];
    const int scratch =
        clsort_mpi_sort_buffers(sorter, queue, MPI_COMM_WORLD, &desc, &with_scratch, NULL);
    const int status =
        clsort_mpi_sort_buffers(sorter, queue, MPI_COMM_WORLD, &desc, &buffers, NULL);
    const char *wrong = NULL;
    for (uint32_t c = 0; c < 3; ++c) {
        void *got = download(list[c].mem, w.part.count, column_size(&w, c));
        if (!wrong)
            wrong = check_sorted(&w, got, w.columns[c], column_size(&w, c));
        free(got);
    }
    whole_close(&w);
    expect_mpi(no_queue, CLSORT_ERROR_NULL, "no queue");
    expect_mpi(no_sorter, CLSORT_ERROR_NULL, "no sorter");
    expect_mpi(no_buffers, CLSORT_ERROR_NULL, "no buffers");
    expect_mpi(scratch, CLSORT_ERROR_BUFFER_UNEXPECTED, "scratch");
    expect_mpi(status, CLSORT_OK, "columns");
    expect_right(wrong, "columns");
}

/* Numbers by a named algorithm, which only a device sorts, on a device that the library finds. */
static void test_named(void **state)
{
    static const clsort_algorithm names[] = {CLSORT_RADIX, CLSORT_MERGE, CLSORT_BITONIC};
    (void)state;
    for (uint64_t i = 0; i < 3; ++i) {
        whole w;
        whole_open(&w, 1, 60 + i, DEAL_EVEN);
        const uint32_t size = column_size(&w, 0);
        void *keys = take(&w, w.columns[0], size), *values = take(&w, w.values, 4);
        clsort_desc desc = {.count = w.part.count,
                            .type = w.r.columns[0].type,
                            .algorithm = names[i],
                            .value_size = 4};
        desc.order = w.r.columns[0].order == w.r.desc.order ? CLSORT_ASCENDING : CLSORT_DESCENDING;
        const clsort_arrays arrays = {.keys = keys, .values = values};
        const int status = clsort_mpi_sort(NULL, MPI_COMM_WORLD, &desc, &arrays, NULL);
        const char *wrong =
            status ? clsort_mpi_status_text(status) : check_sorted(&w, keys, w.columns[0], size);
        if (!wrong)
            wrong = check_sorted(&w, values, w.values, 4);
        canary_free(keys, w.part.count, size);
        canary_free(values, w.part.count, 4);
        whole_close(&w);
        expect_right(wrong, "algorithms");
    }
}

static void test_open(void **state)
{
    (void)state;
    cl_int code = CL_SUCCESS;
    const int status = (int)clsort_create(NULL, NULL, &sorter);
    if (!status)
        queue = clCreateCommandQueue(clsort_context(sorter), clsort_device(sorter), 0, &code);
    expect_mpi(status, CLSORT_OK, "a device");
}

static void test_close(void **state)
{
    (void)state;
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_buffers_columns),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_columns_to),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_named),
        cmocka_unit_test(test_close),
    };
    return ranks_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
