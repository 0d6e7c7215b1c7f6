/* Every wrong buffer has its own status, nothing is enqueued, all buffers stay unchanged, and the
 * next valid sort works. */
#include <string.h>

#include "setting.h"

enum { count = 100, room = setting_room };

static const clsort_desc in_place = {.count = count};
static const clsort_desc with_values = {.count = count, .value_size = 12};
static const clsort_desc copying = {
    .count = count, .type = CLSORT_U64, .value_size = 16, .out_of_place = 1};
static const clsort_desc to_indices = {.count = count, .type = CLSORT_F16, .index_size = 8};

static const clsort_desc *const descs[] = {&in_place, &with_values, &copying, &to_indices};
enum { num_descs = sizeof descs / sizeof descs[0] };

/* Buffer i of the five data buffers. */
static clsort_buffer *buffer_at(clsort_buffers *buffers, int i)
{
    clsort_buffer *const all[] = {&buffers->keys, &buffers->keys_out, &buffers->values,
                                  &buffers->values_out, &buffers->indices};
    return all[i];
}

/* The size and the alignment of one element of buffer i. */
static uint64_t element_size(const clsort_desc *desc, int i)
{
    return i < 2 ? type_infos[desc->type].size : i < 4 ? desc->value_size : desc->index_size;
}

static uint64_t alignment(const clsort_desc *desc, int i)
{
    return i == 2 || i == 3 ? data_alignment(desc->value_size, 8) : element_size(desc, i);
}

static void refuse_too_small(const setting *s, int i)
{
    clsort_buffers buffers = s->buffers;
    const uint64_t align = alignment(&s->desc, i);
    const uint64_t size = count * element_size(&s->desc, i);
    const uint64_t last = (room - size) / align * align; /* the last valid offset */
    const uint64_t wrong[] = {last + align, room, room + align, UINT64_MAX / align * align,
                              (UINT64_MAX - size) / align * align + align};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        buffer_at(&buffers, i)->offset = wrong[k];
        expect_refused(s, &buffers, CLSORT_ERROR_BUFFER_TOO_SMALL);
    }
}

static void refuse_misaligned(const setting *s, int i)
{
    clsort_buffers buffers = s->buffers;
    clsort_buffer *buffer = buffer_at(&buffers, i);
    for (buffer->offset = 1; buffer->offset < alignment(&s->desc, i); ++buffer->offset)
        expect_refused(s, &buffers, CLSORT_ERROR_BUFFER_MISALIGNED);
    expect_accepted(s, &buffers);
    setting_reset(s);
}

static void refuse_access(const setting *s, int i)
{
    const int keeps = s->desc.out_of_place || s->desc.index_size, is_source = i == 0 || i == 2;
    cl_mem read_only = buffer_create(s->fix->context, CL_MEM_READ_ONLY, room, s->before);
    cl_mem write_only = buffer_create(s->fix->context, CL_MEM_WRITE_ONLY, room, s->before);
    clsort_buffers buffers = s->buffers;
    buffer_at(&buffers, i)->mem = read_only;
    if (!is_source || !keeps)
        expect_refused(s, &buffers, CLSORT_ERROR_BUFFER_ACCESS);
    buffer_at(&buffers, i)->mem = write_only;
    if (is_source)
        expect_refused(s, &buffers, CLSORT_ERROR_BUFFER_ACCESS);
    clReleaseMemObject(read_only);
    clReleaseMemObject(write_only);
}

/* Each buffer of each sort; at last all end with their last element, which is large enough. */
static void test_each_buffer(void **state)
{
    for (int d = 0; d < num_descs; ++d) {
        setting s;
        setting_open(&s, fixture_of(state), *descs[d]);
        for (int i = 0; i < 5; ++i) {
            if (!buffer_at(&s.buffers, i)->mem)
                continue;
            refuse_too_small(&s, i);
            refuse_misaligned(&s, i);
            refuse_access(&s, i);
        }
        for (int i = 0; i < 5; ++i)
            if (buffer_at(&s.buffers, i)->mem)
                buffer_at(&s.buffers, i)->offset = room - count * element_size(descs[d], i);
        expect_accepted(&s, &s.buffers);
        setting_close(&s);
    }
}

/* The sentence has the bytes, and is cut as by snprintf(). */
static void test_text(void **state)
{
    const fixture *fix = fixture_of(state);
    static const char *const too_small[] = {
        "keys: a buffer ends before its last element: it has 92 bytes from its offset on and needs "
        "400",
        "keys: a buffer ends before its last element: it has 0 bytes from its offset on and needs "
        "400"};
    char text[256] = "?", start[5];
    size_t size = 0;
    clsort_sorter *sorter = sorter_create(fix);
    expect_status(clsort_get_error_text(sorter, text, sizeof text, &size), CLSORT_OK);
    assert_string_equal(text, "");
    assert_int_equal(size, 1);
    setting s;
    setting_open(&s, fix, in_place);
    for (int i = 0; i < 2; ++i) {
        s.buffers.keys.offset = i ? room + 4 : room - 92;
        expect_status(clsort_enqueue(sorter, fix->queue, &s.desc, &s.buffers, 0, NULL, NULL),
                      CLSORT_ERROR_BUFFER_TOO_SMALL);
        expect_status(clsort_get_error_text(sorter, text, sizeof text, &size), CLSORT_OK);
        assert_string_equal(text, too_small[i]);
        assert_int_equal(size, strlen(too_small[i]) + 1);
        expect_status(clsort_get_error_text(sorter, start, sizeof start, &size), CLSORT_OK);
        assert_string_equal(start, "keys");
        assert_int_equal(size, strlen(too_small[i]) + 1);
    }
    s.buffers.keys.offset = 0;
    calls_start();
    calls_fail(CALL_clEnqueueNDRangeKernel, 1, 1, CL_INVALID_OPERATION);
    expect_status(clsort_enqueue(sorter, fix->queue, &s.desc, &s.buffers, 0, NULL, NULL),
                  CLSORT_ERROR_OPENCL);
    calls_fail(CALL_clEnqueueNDRangeKernel, 0, 0, CL_SUCCESS);
    calls_stop();
    expect_status(clsort_get_error_text(sorter, text, sizeof text, NULL), CLSORT_OK);
    assert_non_null(strstr(text, " (clEnqueueNDRangeKernel: error -59)"));
    expect_status(clsort_get_error_text(NULL, text, sizeof text, NULL), CLSORT_ERROR_NULL);
    expect_status(clsort_get_error_text(sorter, NULL, 1, NULL), CLSORT_ERROR_NULL);
    expect_status(clsort_get_error_text(sorter, NULL, 0, &size), CLSORT_OK);
    setting_close(&s);
    clsort_destroy(sorter);
}

static void test_overlap(void **state)
{
    const fixture *fix = fixture_of(state);
    setting s;
    setting_open(&s, fix, copying);
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < i; ++k) {
            clsort_buffers buffers = s.buffers;
            clsort_buffer *a = buffer_at(&buffers, i);
            const clsort_buffer *b = buffer_at(&buffers, k);
            a->mem = b->mem;
            expect_refused(&s, &buffers, CLSORT_ERROR_BUFFER_OVERLAP);
            a->offset = count * element_size(&copying, k) - 8; /* the last bytes */
            expect_refused(&s, &buffers, CLSORT_ERROR_BUFFER_OVERLAP);
        }
    setting_close(&s);
    /* A single byte. */
    const clsort_desc bytes = {.count = count, .type = CLSORT_U8, .out_of_place = 1};
    setting_open(&s, fix, bytes);
    s.buffers.keys_out.mem = s.buffers.keys.mem;
    s.buffers.keys_out.offset = count - 1;
    expect_refused(&s, &s.buffers, CLSORT_ERROR_BUFFER_OVERLAP);
    s.buffers.keys_out.offset = 0;
    s.buffers.keys.offset = count - 1;
    expect_refused(&s, &s.buffers, CLSORT_ERROR_BUFFER_OVERLAP);
    s.buffers.keys.offset = count;
    expect_accepted(&s, &s.buffers);
    setting_close(&s);
    setting_open(&s, fix, to_indices);
    s.buffers.indices.mem = s.buffers.keys.mem;
    s.buffers.indices.offset = 192; /* the keys end at 200 */
    expect_refused(&s, &s.buffers, CLSORT_ERROR_BUFFER_OVERLAP);
    s.buffers.indices.offset = 200;
    expect_accepted(&s, &s.buffers);
    setting_close(&s);
}

static void test_scratch(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {
        .count = count, .algorithm = CLSORT_BITONIC, .stable = 1, .value_size = 12};
    uint64_t size = 0;
    expect_status(clsort_scratch_size(fix->sorter, &desc, &size), CLSORT_OK);
    assert_in_range(size, 1, room);
    setting s;
    setting_open(&s, fix, desc);
    s.buffers.scratch.mem = s.mems[7];
    clsort_buffer *scratch = &s.buffers.scratch;
    for (uint64_t offset = 1; offset < 8; ++offset) {
        scratch->offset = offset;
        expect_refused(&s, &s.buffers, CLSORT_ERROR_BUFFER_MISALIGNED);
    }
    const uint64_t last = (room - size) / 8 * 8;
    scratch->offset = last + 8;
    expect_refused(&s, &s.buffers, CLSORT_ERROR_SCRATCH_TOO_SMALL);
    scratch->offset = room;
    expect_refused(&s, &s.buffers, CLSORT_ERROR_SCRATCH_TOO_SMALL);
    scratch->offset = UINT64_MAX - 7;
    expect_refused(&s, &s.buffers, CLSORT_ERROR_SCRATCH_TOO_SMALL);
    scratch->offset = 0;
    scratch->mem = s.buffers.keys.mem;
    expect_refused(&s, &s.buffers, CLSORT_ERROR_BUFFER_OVERLAP);
    scratch->mem = s.buffers.values.mem;
    scratch->offset = count * 12 - 8; /* the values' last bytes */
    expect_refused(&s, &s.buffers, CLSORT_ERROR_BUFFER_OVERLAP);
    cl_mem read_only = buffer_create(fix->context, CL_MEM_READ_ONLY, setting_room, s.before);
    scratch->mem = read_only;
    scratch->offset = 0;
    expect_refused(&s, &s.buffers, CLSORT_ERROR_BUFFER_ACCESS);
    clReleaseMemObject(read_only);
    scratch->mem = s.mems[7];
    scratch->offset = last;
    expect_accepted(&s, &s.buffers);
    setting_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_buffer),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_scratch),
    };
    fixture_with_host();
    return fixture_run("args_buffers", tests, sizeof tests / sizeof tests[0]);
}
