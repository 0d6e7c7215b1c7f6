/* Which device a rank takes without a sorter, and when it takes none. The program makes up a
 * platform: it defines the OpenCL calls by which the library looks for devices. No context can be
 * made, so the sort ends there, and the device that was asked for is known. */
#define _POSIX_C_SOURCE 200809L
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

#include "support/tuning_case.h"

static struct device {
    const char *version;
    cl_bool is_available, has_compiler, is_little_endian;
} devices[] = {
    {"OpenCL 1.2", CL_TRUE, CL_TRUE, CL_TRUE},
    {"OpenCL 3.0", CL_FALSE, CL_TRUE, CL_TRUE}, /* not available */
    {"OpenCL 3.0", CL_TRUE, CL_TRUE, CL_TRUE},
    {"OpenCL 3.0", CL_TRUE, CL_FALSE, CL_TRUE}, /* no compiler */
    {"OpenCL 2.1", CL_TRUE, CL_TRUE, CL_TRUE},
    {"OpenCL 1.1", CL_TRUE, CL_TRUE, CL_TRUE},  /* too old */
    {"OpenCL 3.0", CL_TRUE, CL_TRUE, CL_FALSE}, /* big-endian */
};
enum { NUM_DEVICES = sizeof devices / sizeof *devices, NUM_USABLE = 3 };

/* The device that this rank takes: the first, third or fifth, which can sort. */
static int own_device(void)
{
    return ranks_own % NUM_USABLE * 2;
}

static int platform;
static int chosen; /* the number of the last device that a context was asked for; -1: none was */

cl_int clGetPlatformIDs(cl_uint capacity, cl_platform_id *ids, cl_uint *num_ret)
{
    if (ids && capacity)
        ids[0] = (cl_platform_id)(void *)&platform;
    if (num_ret)
        *num_ret = 1;
    return CL_SUCCESS;
}

cl_int clGetDeviceIDs(cl_platform_id id, cl_device_type type, cl_uint capacity, cl_device_id *ids,
                      cl_uint *num_ret)
{
    (void)id;
    (void)type;
    for (cl_uint i = 0; ids && i < capacity && i < NUM_DEVICES; ++i)
        ids[i] = (cl_device_id)(void *)&devices[i];
    if (num_ret)
        *num_ret = NUM_DEVICES;
    return CL_SUCCESS;
}

static cl_int answer(const void *from, size_t size, size_t capacity, void *to, size_t *size_ret)
{
    if (size_ret)
        *size_ret = size;
    if (to && capacity < size)
        return CL_INVALID_VALUE;
    if (to)
        memcpy(to, from, size);
    return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id id, cl_platform_info name, size_t size, void *value,
                         size_t *size_ret)
{
    (void)id;
    (void)name;
    return answer("made up", 8, size, value, size_ret);
}

cl_int clGetDeviceInfo(cl_device_id id, cl_device_info name, size_t size, void *value,
                       size_t *size_ret)
{
    static const cl_ulong bytes = 1 << 15;
    static const cl_device_type type = CL_DEVICE_TYPE_GPU;
    static const size_t sizes[3] = {256, 256, 256};
    static void *const platform_id = &platform;
    const struct device *device = (const struct device *)(const void *)id;
    switch (name) {
    case CL_DEVICE_VERSION:
        return answer(device->version, strlen(device->version) + 1, size, value, size_ret);
    case CL_DEVICE_NAME:
    case CL_DEVICE_VENDOR:
    case CL_DEVICE_EXTENSIONS:
        return answer("made up", 8, size, value, size_ret);
    case CL_DEVICE_AVAILABLE:
        return answer(&device->is_available, sizeof(cl_bool), size, value, size_ret);
    case CL_DEVICE_COMPILER_AVAILABLE:
        return answer(&device->has_compiler, sizeof(cl_bool), size, value, size_ret);
    case CL_DEVICE_ENDIAN_LITTLE:
        return answer(&device->is_little_endian, sizeof(cl_bool), size, value, size_ret);
    case CL_DEVICE_TYPE:
        return answer(&type, sizeof type, size, value, size_ret);
    case CL_DEVICE_PLATFORM:
        return answer(&platform_id, sizeof platform_id, size, value, size_ret);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return answer(sizes, sizeof *sizes, size, value, size_ret);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return answer(sizes, sizeof sizes, size, value, size_ret);
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return answer(&bytes, sizeof bytes, size, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint num,
                           const cl_device_id *ids,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                           void *context, cl_int *code_ret)
{
    (void)properties;
    (void)num;
    (void)notify;
    (void)context;
    chosen = (int)((const struct device *)(const void *)ids[0] - devices);
    *code_ret = CL_INVALID_OPERATION;
    return NULL;
}

/* ---- The tests ------------------------------------------------------------------------------- */

/* Sorts `count` falling keys of each rank, of which it gets `wanted`. The ranks return `status`,
 * and this one asks for device `device`. */
static void run(const char *what, clsort_algorithm algorithm, uint64_t count, uint64_t wanted,
                int status, int device)
{
    const char *wrong = NULL;
    uint32_t *keys = canary_copy(NULL, count, 4), *sorted = canary_copy(NULL, wanted, 4);
    for (uint64_t i = 0; i < count; ++i)
        keys[i] = (uint32_t)(count - i);
    const clsort_desc desc = {.count = count, .algorithm = algorithm};
    const clsort_arrays arrays = {.keys = keys, .keys_out = sorted};
    chosen = -1;
    const int got = clsort_mpi_sort_to(NULL, MPI_COMM_WORLD, &desc, &arrays, wanted, NULL);
    for (uint64_t i = 1; !got && i < wanted; ++i) {
        if (sorted[i - 1] > sorted[i])
            wrong = "not in order";
    }
    if (chosen != device)
        wrong = chosen < 0 ? "no device was asked for" : "another device was asked for";
    canary_free(keys, count, 4);
    canary_free(sorted, wanted, 4);
    expect_mpi(got, status, what);
    expect_right(wrong, what);
}

/* The usable devices are given to the ranks one after the other, and again from the first. */
static void test_turns(void **state)
{
    (void)state;
    run("a named algorithm", CLSORT_RADIX, 50, 50, CLSORT_ERROR_OPENCL, own_device());
}

/* Counts that clsort_sort() sorts without a device need none here, either. */
static void test_many(void **state)
{
    const uint64_t count = (1 << 20) + 1;
    (void)state;
    run("few numbers", CLSORT_AUTO, 50, 50, CLSORT_OK, -1);
    tuning_write_text("host without_sorter=2^21 vectors_without_sorter=2^21\n");
    run("many numbers", CLSORT_AUTO, count, count, CLSORT_OK, -1);
    tuning_remove();
}

/* If a tuning file says that clsort_sort() needs a device for few numbers, ranks take turns. */
static void test_few(void **state)
{
    const uint64_t others = (uint64_t)ranks_size - 1;
    const int is_first = ranks_own == 0;
    (void)state;
    tuning_write_text("host without_sorter=10 vectors_without_sorter=10\n");
    run("10 numbers", CLSORT_AUTO, 10, 10, CLSORT_OK, -1);
    run("11 numbers", CLSORT_AUTO, 11, 11, CLSORT_ERROR_OPENCL, own_device());
    if (others) /* the first rank alone gets more than 10 */
        run("the larger count", CLSORT_AUTO, 10, is_first ? 10 + 2 * others : 8,
            CLSORT_ERROR_OPENCL, is_first ? 0 : -1);
    tuning_remove();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_few),
    };
    unsetenv("CLSORT_DEVICE");
    unsetenv("CLSORT_LIMIT");
    unsetenv("CLSORT_TUNING");
    return ranks_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
