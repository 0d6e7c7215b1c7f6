/* Every wrong device and object has its own status, nothing is enqueued, all buffers stay
 * unchanged, and the next valid sort works. test_arguments has contexts, queues and wait lists. */
#include "setting.h"

enum { count = 100 };

static const clsort_desc in_place = {.count = count};

/* Two devices of one platform, if there are two. */
static void test_devices(void **state)
{
    const fixture *fix = fixture_of(state);
    cl_device_id devices[16];
    const uint32_t found = opencl_devices(devices, 16);
    cl_platform_id platform = NULL;
    cl_device_id pair[2] = {fix->device, NULL};
    expect_cl(clGetDeviceInfo(fix->device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    for (uint32_t i = 0; i < found && i < 16; ++i) {
        cl_platform_id other = NULL;
        expect_cl(clGetDeviceInfo(devices[i], CL_DEVICE_PLATFORM, sizeof other, &other, NULL));
        if (devices[i] != fix->device && other == platform)
            pair[1] = devices[i];
    }
    if (!pair[1])
        skip_because("the platform has one device only");
    cl_int code = CL_SUCCESS;
    cl_context both = clCreateContext(NULL, 2, pair, NULL, NULL, &code);
    expect_cl(code);
    cl_command_queue queue = queue_create(both, pair[1], 0);
    clsort_sorter *sorter = NULL;
    /* A device outside the context. */
    expect_status(clsort_create(fix->context, pair[1], &sorter), CLSORT_ERROR_WRONG_CONTEXT);
    assert_null(sorter);
    expect_status(clsort_create(both, pair[0], &sorter), CLSORT_OK);
    const clsort_desc desc = {.count = count};
    job j;
    cl_event event = NULL;
    assert_int_equal(job_init(&j, both, &desc, 1), 0);
    expect_status(job_enqueue(&j, sorter, queue, 0, NULL, &event), CLSORT_ERROR_WRONG_DEVICE);
    assert_null(event);
    assert_true(job_is_untouched(&j, queue));
    cl_command_queue good = queue_create(both, pair[0], 0);
    expect_status(job_enqueue(&j, sorter, good, 0, NULL, &event), CLSORT_OK);
    expect_complete(event);
    assert_true(job_is_right(&j, good));
    clsort_destroy(sorter);
    /* Both devices of one context sort, each with its own sorter. */
    expect_status(clsort_create(both, pair[1], &sorter), CLSORT_OK);
    job_reset(&j, queue);
    expect_status(job_enqueue(&j, sorter, queue, 0, NULL, &event), CLSORT_OK);
    expect_complete(event);
    assert_true(job_is_right(&j, queue));
    clsort_destroy(sorter);
    job_free(&j);
    clReleaseCommandQueue(good);
    clReleaseCommandQueue(queue);
    clReleaseContext(both);
}

/* Sorts by a sorter for the sub-device of a context, and again when it alone holds both. */
static void sort_on_part(cl_context context, cl_device_id part)
{
    const clsort_desc desc = {.count = count, .algorithm = CLSORT_RADIX};
    clsort_sorter *sorter = NULL;
    cl_event event = NULL;
    job j;
    cl_command_queue queue = queue_create(context, part, 0);
    expect_status(clsort_create(context, part, &sorter), CLSORT_OK);
    assert_ptr_equal(clsort_device(sorter), part);
    assert_int_equal(job_init(&j, context, &desc, 1), 0);
    expect_status(job_enqueue(&j, sorter, queue, 0, NULL, &event), CLSORT_OK);
    expect_complete(event);
    assert_true(job_is_right(&j, queue));
    clReleaseCommandQueue(queue);
    job_free(&j);
    uint32_t keys[] = {3, 1, 2};
    const clsort_desc few = {.count = 3, .algorithm = CLSORT_RADIX};
    const clsort_arrays arrays = {.keys = keys};
    expect_cl(clReleaseDevice(part));
    expect_cl(clReleaseContext(context));
    expect_status(clsort_sort(sorter, &few, &arrays), CLSORT_OK);
    assert_true(keys[0] == 1 && keys[1] == 2 && keys[2] == 3);
    clsort_destroy(sorter);
}

/* A sub-device of the caller's, in a context made for it. PoCL 3.1 lists its parent there. */
static void test_sub_devices(void **state)
{
    const fixture *fix = fixture_of(state);
    const cl_device_partition_property one_unit[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
    cl_device_id part = NULL;
    cl_uint num = 0;
    if (clCreateSubDevices(fix->device, one_unit, 1, &part, &num) || num != 1)
        skip_because("the device cannot be partitioned");
    cl_context context = context_create(part);
    sort_on_part(context, part);
}

/* A context that lists another device than the one asked for, which is none of its parts. */
static void test_no_queue(void **state)
{
    const fixture *fix = fixture_of(state);
    const cl_device_partition_property one_unit[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
    clsort_sorter *sorter = NULL;
    cl_device_id part = NULL;
    cl_uint num = 0;
    if (clCreateSubDevices(fix->device, one_unit, 1, &part, &num) || num != 1)
        skip_because("the device cannot be partitioned");
    calls_start();
    calls_fail(CALL_clCreateCommandQueue, 1, 1, CL_INVALID_DEVICE);
    expect_status(clsort_create(fix->context, part, &sorter), CLSORT_ERROR_WRONG_CONTEXT);
    calls_fail(CALL_clCreateCommandQueue, 0, 0, CL_SUCCESS);
    calls_stop();
    assert_null(sorter);
    expect_cl(clReleaseDevice(part));
}

/* An image is a memory object but not a buffer. Failing queries stand in for broken queues and
 * buffers, since a wild pointer would crash inside the OpenCL loader. */
static void test_invalid_objects(void **state)
{
    const fixture *fix = fixture_of(state);
    setting s;
    setting_open(&s, fix, in_place);
    calls_fail(CALL_clGetCommandQueueInfo, 1, 1, CL_INVALID_COMMAND_QUEUE);
    expect_refused(&s, &s.buffers, CLSORT_ERROR_QUEUE_INVALID);
    calls_fail(CALL_clGetMemObjectInfo, 1, 1, CL_INVALID_MEM_OBJECT);
    expect_refused(&s, &s.buffers, CLSORT_ERROR_BUFFER_INVALID);
    calls_fail(CALL_clGetMemObjectInfo, 0, 0, CL_SUCCESS);
    cl_bool images = CL_FALSE;
    expect_cl(clGetDeviceInfo(fix->device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    if (images) {
        const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
        const cl_image_desc image = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                     .image_width = 64,
                                     .image_height = 64};
        cl_int code = CL_SUCCESS;
        clsort_buffers buffers = s.buffers;
        buffers.keys.mem =
            clCreateImage(fix->context, CL_MEM_READ_WRITE, &format, &image, NULL, &code);
        expect_cl(code);
        expect_refused(&s, &buffers, CLSORT_ERROR_BUFFER_INVALID);
        clReleaseMemObject(buffers.keys.mem);
    }
    expect_accepted(&s, &s.buffers);
    setting_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_sub_devices),
        cmocka_unit_test(test_no_queue),
        cmocka_unit_test(test_invalid_objects),
    };
    fixture_with_host();
    return fixture_run("args_objects", tests, sizeof tests / sizeof tests[0]);
}
