/* The largest buffer that the device allows: sorted, with more keys than 32 bits count where it is that
 * large; and a sort that needs more scratch than there is. It takes gigabytes and minutes, so
 * tests/check/large.sh runs it, not CTest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "fixture.h"

static uint64_t largest_buffer(const fixture *fix)
{
    cl_ulong largest = 0;
    expect_cl(
        clGetDeviceInfo(fix->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
    /* More than this would show nothing new. */
    const uint64_t enough = ((uint64_t)1 << 32) + 12345;
    return largest < enough ? largest : enough;
}

static cl_mem buffer_of(const fixture *fix, uint64_t size)
{
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(fix->context, CL_MEM_READ_WRITE, (size_t)size, NULL, &code);
    if (code)
        skip_because("the device has no room for the buffer that it allows");
    return buffer;
}

enum { PART = 1 << 26 };

/* Writes random bytes, a part at a time; counts[b]: how many are b. */
static void fill(const fixture *fix, cl_mem buffer, uint64_t size, uint64_t *counts)
{
    unsigned char *part = test_alloc(PART);
    for (uint64_t at = 0; at < size; at += PART) {
        const uint64_t left = size - at < PART ? size - at : PART;
        data_bytes(part, left, seed_mix(fix->seed, at));
        for (uint64_t i = 0; i < left; ++i)
            ++counts[part[i]];
        expect_cl(clEnqueueWriteBuffer(fix->queue, buffer, CL_TRUE, (size_t)at, (size_t)left, part,
                                       0, NULL, NULL));
    }
    free(part);
}

static void check(const fixture *fix, cl_mem buffer, uint64_t size, const uint64_t *counts)
{
    unsigned char *part = test_alloc(PART);
    uint64_t found[256] = {0};
    unsigned char before = 0;
    for (uint64_t at = 0; at < size; at += PART) {
        const uint64_t left = size - at < PART ? size - at : PART;
        expect_cl(clEnqueueReadBuffer(fix->queue, buffer, CL_TRUE, (size_t)at, (size_t)left, part,
                                      0, NULL, NULL));
        for (uint64_t i = 0; i < left; ++i) {
            if (part[i] < before)
                fail_msg("place %llu is out of order", (unsigned long long)(at + i));
            before = part[i];
            ++found[before];
        }
    }
    assert_memory_equal(found, counts, sizeof found);
    free(part);
}

static void test_largest_buffer(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t size = largest_buffer(fix);
    uint64_t counts[256] = {0};
    cl_mem buffer = buffer_of(fix, size);
    fill(fix, buffer, size, counts);
    const clsort_desc desc = {.count = size, .type = CLSORT_U8};
    const clsort_buffers buffers = {.keys = {buffer, 0}};
    const clsort_status status =
        clsort_enqueue(fix->sorter, fix->queue, &desc, &buffers, 0, NULL, NULL);
    if (status == CLSORT_ERROR_DEVICE_MEMORY) {
        clReleaseMemObject(buffer);
        skip_because("the device has no room for the scratch");
    }
    expect_status(status, CLSORT_OK);
    expect_cl(clFinish(fix->queue));
    check(fix, buffer, size, counts);
    clReleaseMemObject(buffer);
    printf("%llu keys are right\n", (unsigned long long)size);
}

/* The status says so, nothing was written, and the next sort works. */
static void test_too_much_scratch(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t size = largest_buffer(fix) / 4 * 4;
    uint64_t scratch = 0;
    uint32_t keys[1000], after[1000];
    const clsort_desc desc = {
        .count = size / 4, .algorithm = CLSORT_MERGE, .stable = 1, .type = CLSORT_U32};
    expect_status(clsort_scratch_size(fix->sorter, &desc, &scratch), CLSORT_OK);
    cl_int code = CL_SUCCESS;
    cl_mem more = clCreateBuffer(fix->context, CL_MEM_READ_WRITE, (size_t)scratch, NULL, &code);
    if (!code) {
        clReleaseMemObject(more);
        skip_because("the device has room for the scratch");
    }
    cl_mem buffer = buffer_of(fix, size);
    data_bytes(keys, sizeof keys, fix->seed);
    expect_cl(
        clEnqueueWriteBuffer(fix->queue, buffer, CL_TRUE, 0, sizeof keys, keys, 0, NULL, NULL));
    const clsort_buffers buffers = {.keys = {buffer, 0}};
    expect_status(clsort_enqueue(fix->sorter, fix->queue, &desc, &buffers, 0, NULL, NULL),
                  CLSORT_ERROR_DEVICE_MEMORY);
    expect_cl(
        clEnqueueReadBuffer(fix->queue, buffer, CL_TRUE, 0, sizeof after, after, 0, NULL, NULL));
    assert_memory_equal(after, keys, sizeof keys);
    const clsort_desc less = {.count = 1000, .algorithm = CLSORT_MERGE};
    expect_status(clsort_enqueue(fix->sorter, fix->queue, &less, &buffers, 0, NULL, NULL),
                  CLSORT_OK);
    expect_cl(
        clEnqueueReadBuffer(fix->queue, buffer, CL_TRUE, 0, sizeof after, after, 0, NULL, NULL));
    for (int i = 1; i < 1000; ++i)
        assert_true(after[i - 1] <= after[i]);
    clReleaseMemObject(buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_largest_buffer),
        cmocka_unit_test(test_too_much_scratch),
    };
    return fixture_run("large", tests, sizeof tests / sizeof tests[0]);
}
