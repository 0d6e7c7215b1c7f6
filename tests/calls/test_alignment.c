/* Every position at which buffers may begin: scratch at each multiple of 8; keys, values, indices,
 * columns, and the offsets and bytes of strings at each multiple of their element's alignment. For
 * each algorithm and element size. Also host memory that a device uses in place, and records that
 * require more alignment than they get. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/fixture.h"
#include "support/guard.h"
#include "support/oracle.h"
#include "placed_job.h"

/* Enough for plans of several steps. */
static uint64_t usual_count(const fixture *fix)
{
    return platform_is(fix, "Oclgrind") ? 150 : fix->limited ? 1500 : 3001;
}

/* ---- Keys: numbers, and records that begin with a number ------------------------------------- */

/* Elements in which the number that is compared is the first. */
struct numbers {
    const unsigned char *keys;
    uint32_t stride, size;
};

static int compare_keys(const void *context, uint64_t i, uint64_t j)
{
    const struct numbers *n = context;
    const uint64_t x = key_load(n->keys + i * n->stride, 0, n->size);
    const uint64_t y = key_load(n->keys + j * n->stride, 0, n->size);
    return (x > y) - (x < y);
}

static unsigned char *bytes_of(uint64_t size, uint64_t seed, unsigned mask)
{
    unsigned char *bytes = test_alloc(size);
    data_bytes(bytes, size, seed);
    for (uint64_t i = 0; i < size; ++i)
        bytes[i] &= (unsigned char)mask;
    return bytes;
}

static unsigned char *gathered(const unsigned char *in, uint32_t size, const uint64_t *order,
                               uint64_t count)
{
    unsigned char *out = test_alloc(count * size);
    oracle_gather(out, in, size, order, count);
    return out;
}

static unsigned char *stored(const uint64_t *numbers, uint64_t count, uint32_t size)
{
    unsigned char *out = test_alloc(count * size);
    for (uint64_t i = 0; i < count; ++i)
        key_store(out, i, size, numbers[i]);
    return out;
}

/* An array that is reordered, in place or out of place. */
static void part_order(placed_job *j, int name, int name_out, uint32_t size, uint32_t alignment,
                       unsigned char *before, const uint64_t *order)
{
    const uint64_t n = j->desc.count;
    unsigned char *behind = gathered(before, size, order, n);
    placed_part_set(j, name, n, size, alignment, before, j->desc.out_of_place ? NULL : behind);
    if (j->desc.out_of_place)
        placed_part_set(j, name_out, n, size, alignment, NULL, behind);
}

/* Keys of `size` bytes, ordered by their first key_size bytes. */
static void run_keys(const fixture *fix, const char *name, clsort_desc desc, uint32_t size,
                     uint32_t key_size)
{
    desc.count = usual_count(fix);
    desc.stable = 1;
    placed_job j = {.name = name, .desc = desc};
    const uint64_t n = desc.count;
    unsigned char *keys = bytes_of(n * size, seed_mix(fix->seed, size), 7);
    uint64_t *order = test_alloc(n * 8);
    oracle_order(0, n, compare_keys, &(struct numbers){keys, size, key_size}, order);
    const uint32_t alignment = data_alignment(size, desc.record ? 16 : 8);
    if (desc.index_size) {
        placed_part_set(&j, KEYS, n, size, alignment, keys, NULL);
        placed_part_set(&j, INDICES, n, desc.index_size, desc.index_size, NULL,
                        stored(order, n, desc.index_size));
    } else {
        part_order(&j, KEYS, KEYS_OUT, size, alignment, keys, order);
    }
    if (desc.value_size)
        part_order(&j, VALUES, VALUES_OUT, desc.value_size, data_alignment(desc.value_size, 8),
                   bytes_of(n * desc.value_size, fix->seed, 255), order);
    placed_job_run(fix, &j);
    placed_job_finish(&j);
    free(order);
}

typedef struct form {
    uint32_t value_size, index_size, out_of_place;
} form;

static clsort_desc with_form(clsort_desc desc, const form *f)
{
    desc.value_size = f->value_size;
    desc.index_size = f->index_size;
    desc.out_of_place = f->out_of_place;
    return desc;
}

static void test_numbers(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_type types[] = {CLSORT_U8, CLSORT_U16, CLSORT_U32, CLSORT_U64};
    static const form forms[] = {{0, 0, 1}, {4, 0, 0}, {0, 4, 0}, {8, 0, 1}, {12, 0, 0}};
    enum { num_forms = sizeof forms / sizeof *forms };
    for (int a = CLSORT_RANK; a < CLSORT_NUM_ALGORITHMS; ++a)
        for (int t = 0; t < 4; ++t) {
            const clsort_desc desc = {.type = types[t], .algorithm = (clsort_algorithm)a};
            const uint32_t size = clsort_type_size(types[t]);
            run_keys(fix, "numbers", with_form(desc, &forms[(a + 2 * t) % num_forms]), size, size);
        }
}

static void test_values(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 48};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const clsort_desc desc = {.value_size = sizes[i], .out_of_place = i % 2};
        run_keys(fix, "values", desc, 4, 4);
    }
}

static void test_records_by_fields(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_algorithm algorithms[] = {CLSORT_MERGE, CLSORT_QUICK, CLSORT_RADIX,
                                                  CLSORT_AUTO};
    static const uint32_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 48, 256};
    static const form forms[] = {{0, 0, 0}, {8, 0, 0}, {0, 4, 0}, {12, 0, 1}};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const uint32_t size = sizes[i], key_size = data_alignment(size, 4);
        const clsort_field field = {0,
                                    key_size == 4   ? CLSORT_U32
                                    : key_size == 2 ? CLSORT_U16
                                                    : CLSORT_U8,
                                    CLSORT_ASCENDING};
        const clsort_record record = {.size = size, .num_fields = 1, .fields = &field};
        for (unsigned a = 0; a < 4; ++a) {
            const clsort_desc desc = {.record = &record, .algorithm = algorithms[a]};
            if (size % 16 == 0 || (a + i) % 4 == 0) /* sizes unlike numbers: all */
                run_keys(fix, "records by a field", with_form(desc, &forms[(a + i) % 4]), size,
                         key_size);
        }
    }
}

/* Types whose own alignment is their members' alignment: their size or less. A vector's member is
 * shifted before it is compared. That changes no order, since bytes are 7 at most. Not shifted, two
 * members become a comparison of vectors in LLVM, and true in it is 255 with Oclgrind 21.10. */
static void test_records_by_text(void **state)
{
    const fixture *fix = fixture_of(state);
    static const struct {
        uint32_t size;
        const char *declarations, *type, *less;
    } texts[] = {
        {16, "typedef struct { uint x, y, z, w; } four;", "four", "a.x < b.x"},
        {16, NULL, "uint4", "a.x << 4 < b.x << 4"},
        {32, "typedef struct { uint4 x; ulong y, z; } two;", "two", "a.x.x << 4 < b.x.x << 4"},
        {48, "typedef struct { uint x[12]; } twelve;", "twelve", "a.x[0] < b.x[0]"},
        {12, "typedef struct { uint x, y, z; } three;", "three", "a.x < b.x"},
    };
    static const form forms[] = {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}, {3, 0, 1}};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i)
        for (unsigned f = 0; f < 4; ++f) {
            const clsort_record record = {.size = texts[i].size,
                                          .declarations = texts[i].declarations,
                                          .type = texts[i].type,
                                          .less = texts[i].less};
            const clsort_desc desc = {.record = &record,
                                      .algorithm = (i + f) % 2 ? CLSORT_QUICK : CLSORT_MERGE};
            run_keys(fix, "records by a text", with_form(desc, &forms[f]), texts[i].size, 4);
        }
}

/* ---- Columns and strings --------------------------------------------------------------------- */

static void test_columns(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_type types[] = {CLSORT_U16, CLSORT_U32, CLSORT_U64};
    static const form forms[] = {{0, 0, 0}, {4, 0, 0}, {16, 0, 1}, {0, 4, 0}};
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned f = 0; f < 4; ++f) {
            const clsort_column columns[] = {{CLSORT_U8, CLSORT_ASCENDING},
                                             {types[i], CLSORT_ASCENDING}};
            const clsort_desc desc = {.count = usual_count(fix),
                                      .num_columns = 2,
                                      .columns = columns};
            placed_job j = {.name = "columns", .desc = with_form(desc, &forms[f])};
            const uint64_t n = desc.count;
            const uint32_t size = clsort_type_size(types[i]);
            unsigned char *first = bytes_of(n, fix->seed, 3);
            unsigned char *second = bytes_of(n * size, fix->seed + 1, 3);
            uint64_t *order = test_alloc(n * 8);
            void *const both[] = {first, second};
            oracle_order(0, n, oracle_compare_keys, &(oracle_keys){&desc, both}, order);
            if (forms[f].index_size) {
                placed_part_set(&j, COLUMN, n, 1, 1, first, NULL);
                placed_part_set(&j, COLUMN + 1, n, size, size, second, NULL);
                placed_part_set(&j, INDICES, n, forms[f].index_size, forms[f].index_size, NULL,
                                stored(order, n, forms[f].index_size));
            } else {
                part_order(&j, COLUMN, COLUMN_OUT, 1, 1, first, order);
                part_order(&j, COLUMN + 1, COLUMN_OUT + 1, size, size, second, order);
            }
            if (forms[f].value_size)
                part_order(&j, VALUES, VALUES_OUT, forms[f].value_size,
                           data_alignment(forms[f].value_size, 8),
                           bytes_of(n * forms[f].value_size, fix->seed, 255), order);
            placed_job_run(fix, &j);
            placed_job_finish(&j);
            free(order);
        }
}

static void run_strings(const fixture *fix, uint32_t offset_size, uint32_t index_size)
{
    const uint64_t n = usual_count(fix), width = 13;
    uint64_t *offsets = test_alloc((n + 1) * 8), *offsets_out = test_alloc((n + 1) * 8);
    uint64_t *order = test_alloc(n * 8);
    rng r = {fix->seed};
    offsets[0] = offsets_out[0] = 0;
    for (uint64_t i = 0; i < n; ++i)
        offsets[i + 1] = offsets[i] + (offset_size ? rng_below(&r, 40) : width);
    const clsort_strings strings = {.num_bytes = offsets[n],
                                    .offset_size = offset_size,
                                    .width = offset_size ? 0 : (uint32_t)width};
    placed_job j = {
        .name = "strings",
        .desc = {.count = n, .strings = &strings, .index_size = index_size, .out_of_place = 1}};
    unsigned char *bytes = bytes_of(offsets[n], fix->seed, 1);
    unsigned char *bytes_out = test_alloc(offsets[n]);
    oracle_order(0, n, oracle_compare_strings, &(oracle_strings){bytes, offsets, 0}, order);
    for (uint64_t i = 0; i < n; ++i) {
        const uint64_t size = offsets[order[i] + 1] - offsets[order[i]];
        memcpy(bytes_out + offsets_out[i], bytes + offsets[order[i]], (size_t)size);
        offsets_out[i + 1] = offsets_out[i] + size;
    }
    placed_part_set(&j, KEYS, offsets[n], 1, 1, bytes, NULL);
    placed_part_set(&j, KEYS_OUT, offsets[n], 1, 1, NULL, bytes_out);
    if (offset_size) {
        placed_part_set(&j, OFFSETS, n + 1, offset_size, offset_size,
                        stored(offsets, n + 1, offset_size), NULL);
        placed_part_set(&j, OFFSETS_OUT, n + 1, offset_size, offset_size, NULL,
                        stored(offsets_out, n + 1, offset_size));
    }
    if (index_size)
        placed_part_set(&j, INDICES, n, index_size, index_size, NULL, stored(order, n, index_size));
    placed_job_run(fix, &j);
    placed_job_finish(&j);
    free(order);
    free(offsets);
    free(offsets_out);
}

static void test_strings(void **state)
{
    const fixture *fix = fixture_of(state);
    run_strings(fix, 4, 4);
    run_strings(fix, 8, 8);
    run_strings(fix, 0, 0);
}

/* ---- Host memory, alignment of records ------------------------------------------------------- */

static cl_mem host_buffer(const fixture *fix, void *host, size_t size)
{
    return buffer_create(fix->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, host);
}

/* A device that uses host memory in place gets no address that is less aligned than the offset. */
static void test_host_memory(void **state)
{
    const fixture *fix = fixture_of(state);
    enum { count = 1500, size = 16, room = 1 << 20 };
    const clsort_field field = {0, CLSORT_U32, CLSORT_ASCENDING};
    const clsort_record record = {.size = size, .num_fields = 1, .fields = &field};
    const clsort_desc desc = {.count = count, .record = &record, .algorithm = CLSORT_MERGE};
    unsigned char *keys = aligned_alloc(4096, room), *scratch = aligned_alloc(4096, room);
    assert_true(keys && scratch);
    cl_bool unified = CL_FALSE;
    uint64_t needed = 0;
    expect_cl(clGetDeviceInfo(fix->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified,
                              NULL));
    expect_status(clsort_scratch_size(fix->sorter, &desc, &needed), CLSORT_OK);
    assert_true(needed + 256 < room);
    for (size_t at = 0; at <= 16; at += 4) {
        cl_mem keys_mem = host_buffer(fix, keys + at, count * size);
        cl_mem scratch_mem = host_buffer(fix, scratch + at, (size_t)needed + 8);
        cl_mem plain = buffer_create(fix->context, CL_MEM_READ_WRITE, needed, NULL);
        const clsort_buffers for_keys = {.keys = {keys_mem, 0}, .scratch = {plain, 0}};
        const clsort_buffers for_both = {.keys = {keys_mem, 0}, .scratch = {scratch_mem, 8}};
        data_bytes(keys, room, fix->seed);
        const int keys_fit = !unified || at % 16 == 0, both_fit = !unified || at % 8 == 0;
        expect_status(fixture_enqueue(fix, &desc, &for_keys),
                      keys_fit ? CLSORT_OK : CLSORT_ERROR_BUFFER_MISALIGNED);
        if (keys_fit)
            expect_status(fixture_enqueue(fix, &desc, &for_both),
                          both_fit ? CLSORT_OK : CLSORT_ERROR_BUFFER_MISALIGNED);
        expect_cl(clFinish(fix->queue));
        clReleaseMemObject(keys_mem);
        clReleaseMemObject(scratch_mem);
        clReleaseMemObject(plain);
    }
    free(keys);
    free(scratch);
}

/* Scratch in host memory that begins at each multiple of 8. */
static void test_host_scratch(void **state)
{
    const fixture *fix = fixture_of(state);
    enum { count = 1500, room = 1 << 20 };
    const clsort_field field = {0, CLSORT_U32, CLSORT_ASCENDING};
    const clsort_record record = {.size = 16, .num_fields = 1, .fields = &field};
    const clsort_desc desc = {.count = count, .record = &record, .algorithm = CLSORT_MERGE};
    unsigned char *host = aligned_alloc(4096, room);
    uint64_t needed = 0;
    assert_non_null(host);
    expect_status(clsort_scratch_size(fix->sorter, &desc, &needed), CLSORT_OK);
    assert_true(needed + 1024 < room);
    for (size_t at = 0; at < 128; at += 8) {
        const size_t end = 128 + at + 8 + (size_t)needed;
        memset(host, 0x5a, room);
        cl_mem scratch = host_buffer(fix, host + 128 + at, 8 + (size_t)needed);
        guard keys;
        guard_create(&keys, fix->context, CL_MEM_READ_WRITE, NULL, count * 16, 16, 16, fix->seed);
        const clsort_buffers buffers = {.keys = guard_buffer(&keys), .scratch = {scratch, 8}};
        expect_status(fixture_enqueue(fix, &desc, &buffers), CLSORT_OK);
        const uint32_t *sorted = guard_read(&keys, fix->queue);
        for (uint32_t i = 1; i < count; ++i)
            assert_true(sorted[4 * i - 4] <= sorted[4 * i]);
        expect_cl(clFinish(fix->queue));
        clReleaseMemObject(scratch);
        for (size_t i = 0; i < room; ++i)
            assert_true((i >= 136 + at && i < end) || host[i] == 0x5a);
        guard_free(&keys);
    }
    free(host);
}

static void test_types_of_more_alignment(void **state)
{
    const fixture *fix = fixture_of(state);
    static const char *const types[] = {"uint8", "wide"};
    for (int i = 0; i < 2; ++i) {
        const clsort_record record = {
            .size = 32,
            .declarations = "typedef struct { uint4 x[2]; } __attribute__((aligned(32))) wide;",
            .type = types[i],
            .less = i ? "a.x[0].x < b.x[0].x" : "a.s0 < b.s0"};
        const clsort_desc desc = {.count = 100, .record = &record};
        clsort_error_info info;
        expect_status(clsort_prepare(fix->sorter, &desc), CLSORT_ERROR_BUILD);
        expect_status(clsort_last_error(fix->sorter, &info), CLSORT_OK);
        if (!platform_is(fix, "Oclgrind")) /* Oclgrind prints the message instead */
            assert_non_null(strstr(info.build_log, "alignment_of_type_is_above_16"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_records_by_fields),
        cmocka_unit_test(test_records_by_text),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_host_memory),
        cmocka_unit_test(test_host_scratch),
        cmocka_unit_test(test_types_of_more_alignment),
    };
    return fixture_run("alignment", tests, sizeof tests / sizeof tests[0]);
}
