/* Buffers of every kind: sub-buffers, host memory, restricted access, and adjacent ranges. */
#include <stdlib.h>
#include <string.h>

#include "support/job.h"
#include "support/oracle.h"

/* A buffer with two sub-buffers. */
typedef struct halves {
    cl_mem whole;
    cl_mem low;
    cl_mem high;
    size_t half; /* bytes */
} halves;

static cl_mem sub_buffer(cl_mem whole, size_t origin, size_t size)
{
    cl_int code = CL_SUCCESS;
    const cl_buffer_region region = {origin, size};
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    expect_cl(code);
    return part;
}

static void halves_create(halves *h, const fixture *fix, size_t size, const void *data)
{
    cl_uint align_bits = 0;
    expect_cl(clGetDeviceInfo(fix->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof align_bits,
                              &align_bits, NULL));
    const size_t align = align_bits / 8 > 64 ? align_bits / 8 : 64;
    h->half = (size + align - 1) / align * align;
    unsigned char *bytes = calloc(2, h->half);
    assert_non_null(bytes);
    memcpy(bytes + h->half, data, size);
    h->whole = buffer_create(fix->context, CL_MEM_READ_WRITE, 2 * h->half, bytes);
    free(bytes);
    h->low = sub_buffer(h->whole, 0, h->half);
    h->high = sub_buffer(h->whole, h->half, h->half);
}

static void halves_free(halves *h)
{
    clReleaseMemObject(h->low);
    clReleaseMemObject(h->high);
    clReleaseMemObject(h->whole);
}

static void sort_and_wait(const fixture *fix, const clsort_desc *desc,
                          const clsort_buffers *buffers)
{
    cl_event event = NULL;
    expect_status(clsort_enqueue(fix->sorter, fix->queue, desc, buffers, 0, NULL, &event),
                  CLSORT_OK);
    expect_complete(event);
}

/* From the upper half of a buffer to its lower half. */
static void test_sub_buffers(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 5000, .type = CLSORT_F32, .out_of_place = 1};
    const size_t size = 5000 * 4;
    sample s;
    halves h;
    sample_init(&s, &desc, DATA_SPRINKLED, fix->seed);
    halves_create(&h, fix, size, s.keys);
    const clsort_buffers buffers = {.keys = {.mem = h.high}, .keys_out = {.mem = h.low}};
    sort_and_wait(fix, &desc, &buffers);
    unsigned char *keys = test_alloc(2 * h.half);
    buffer_read(fix->queue, h.whole, keys, 2 * h.half);
    assert_memory_equal(keys, s.sorted_keys, size);
    assert_memory_equal(keys + h.half, s.keys, size);
    free(keys);
    sample_free(&s);
    halves_free(&h);
}

/* Overlap is detected between a buffer and its part, and between two parts. Adjacent ranges do not
 * overlap. */
static void test_overlap_of_sub_buffers(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 1000, .out_of_place = 1};
    const clsort_desc values = {.count = 1000, .value_size = 4};
    unsigned char zeros[4096] = {0};
    halves h;
    halves_create(&h, fix, sizeof zeros, zeros);
    cl_mem same = sub_buffer(h.whole, h.half, h.half);
    const uint64_t end = h.half - 1000 * 4;
    const struct {
        const clsort_desc *desc;
        clsort_buffers buffers;
        clsort_status expected;
    } cases[] = {
        {&desc, {.keys = {h.high, 0}, .keys_out = {same, 0}}, CLSORT_ERROR_BUFFER_OVERLAP},
        {&desc, {.keys = {h.high, 0}, .keys_out = {h.whole, h.half}}, CLSORT_ERROR_BUFFER_OVERLAP},
        {&desc, {.keys = {h.high, 0}, .keys_out = {h.whole, end + 4}}, CLSORT_ERROR_BUFFER_OVERLAP},
        {&desc, {.keys = {h.high, 0}, .keys_out = {h.whole, end}}, CLSORT_OK},
        {&desc, {.keys = {h.whole, h.half}, .keys_out = {h.low, end}}, CLSORT_OK},
        {&desc, {.keys = {h.low, 0}, .keys_out = {h.high, 0}}, CLSORT_OK},
        {&values, {.keys = {h.low, 0}, .values = {h.whole, 3996}}, CLSORT_ERROR_BUFFER_OVERLAP},
        {&values, {.keys = {h.low, 0}, .values = {h.whole, 4000}}, CLSORT_OK},
        {&values, {.keys = {same, 0}, .values = {h.high, 0}}, CLSORT_ERROR_BUFFER_OVERLAP},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        cl_event event = NULL;
        const clsort_status status = clsort_enqueue(fix->sorter, fix->queue, cases[i].desc,
                                                    &cases[i].buffers, 0, NULL, &event);
        if (status != cases[i].expected)
            print_error("case %u\n", (unsigned)i);
        expect_status(status, cases[i].expected);
        if (status == CLSORT_OK)
            expect_complete(event);
        else
            assert_null(event);
    }
    clReleaseMemObject(same);
    halves_free(&h);
}

/* Keys, values and scratch side by side in one buffer, without gaps. */
static void test_one_buffer_for_all(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 4000, .stable = 1, .value_size = 8};
    uint64_t scratch = 0;
    sample s;
    expect_status(clsort_scratch_size(fix->sorter, &desc, &scratch), CLSORT_OK);
    sample_init(&s, &desc, DATA_FEW, fix->seed);
    cl_mem all = buffer_create(fix->context, CL_MEM_READ_WRITE, 48000 + scratch, NULL);
    buffer_write(fix->queue, all, s.values, 32000);
    expect_cl(clEnqueueWriteBuffer(fix->queue, all, CL_TRUE, (size_t)(32000 + scratch), 16000,
                                   s.keys, 0, NULL, NULL));
    clsort_buffers buffers = {.keys = {all, 32000 + scratch}, .values = {all, 0}};
    if (scratch) {
        buffers.scratch.mem = all;
        buffers.scratch.offset = 32000;
    }
    /* The keys follow the scratch, whose size need not be a multiple of the key's size. */
    if (scratch % 4 == 0) {
        sort_and_wait(fix, &desc, &buffers);
        unsigned char *bytes = test_alloc(48000 + scratch);
        buffer_read(fix->queue, all, bytes, 48000 + scratch);
        assert_null(sample_check(&s, 1, bytes + 32000 + scratch, bytes, NULL));
        free(bytes);
    }
    clReleaseMemObject(all);
    sample_free(&s);
}

/* Buffers in host memory, and buffers that the host may not touch or may only read. */
static void test_host_flags(void **state)
{
    const fixture *fix = fixture_of(state);
    static const cl_mem_flags flags[] = {CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                         CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                         CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS,
                                         CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY,
                                         CL_MEM_READ_WRITE | CL_MEM_HOST_WRITE_ONLY};
    const clsort_desc desc = {.count = 3001, .type = CLSORT_I16};
    const size_t size = 3001 * 2;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; ++i) {
        sample s;
        sample_init(&s, &desc, DATA_RANDOM, seed_mix(fix->seed, i));
        void *host = aligned_alloc(4096, 8192);
        assert_non_null(host);
        memcpy(host, s.keys, size);
        cl_mem keys = buffer_create(fix->context, flags[i], size, host);
        cl_mem back = buffer_create(fix->context, CL_MEM_READ_WRITE, size, NULL);
        const clsort_buffers buffers = {.keys = {.mem = keys}};
        sort_and_wait(fix, &desc, &buffers);
        expect_cl(clEnqueueCopyBuffer(fix->queue, keys, back, 0, 0, size, 0, NULL, NULL));
        unsigned char *result = test_alloc(size);
        buffer_read(fix->queue, back, result, size);
        assert_memory_equal(result, s.sorted_keys, size);
        free(result);
        clReleaseMemObject(keys);
        clReleaseMemObject(back);
        free(host);
        sample_free(&s);
    }
}

/* Offsets that need more than 32 bits, if the device has enough memory. */
static void test_far_offset(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t offset = ((uint64_t)1 << 32) + 4;
    const size_t size = (size_t)(offset + 4 * 2000);
    cl_ulong largest = 0;
    expect_cl(
        clGetDeviceInfo(fix->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
    if (largest < size)
        skip_because("the device takes no buffer of more than 4 GiB");
    cl_int code = CL_SUCCESS;
    cl_mem keys = clCreateBuffer(fix->context, CL_MEM_READ_WRITE, size, NULL, &code);
    if (code)
        skip_because("the device has no room for 4 GiB");
    const clsort_desc desc = {.count = 2000};
    sample s;
    sample_init(&s, &desc, DATA_RANDOM, fix->seed);
    if (clEnqueueWriteBuffer(fix->queue, keys, CL_TRUE, (size_t)offset, 8000, s.keys, 0, NULL,
                             NULL))
        skip_because("the device has no room for 4 GiB");
    const clsort_buffers buffers = {.keys = {keys, offset}};
    sort_and_wait(fix, &desc, &buffers);
    unsigned char result[8000];
    expect_cl(clEnqueueReadBuffer(fix->queue, keys, CL_TRUE, (size_t)offset, 8000, result, 0, NULL,
                                  NULL));
    assert_memory_equal(result, s.sorted_keys, 8000);
    clReleaseMemObject(keys);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sub_buffers),        cmocka_unit_test(test_overlap_of_sub_buffers),
        cmocka_unit_test(test_one_buffer_for_all), cmocka_unit_test(test_host_flags),
        cmocka_unit_test(test_far_offset),
    };
    return fixture_run("buffers", tests, sizeof tests / sizeof tests[0]);
}
