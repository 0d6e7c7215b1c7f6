/* What the functions that look for devices report: without a platform, without a device, and when a
 * device is selected by index or by name. The loader reads its environment once, so each case is a
 * process of its own: test_nodevice no_platform | no_device | selection | setuid. The last must be
 * run from a setuid file (test_setuid.sh). have_device tests nothing and exits with 77 if there is
 * no device. */
#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/auxv.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixture.h"

/* So are they with several arrays of values. */
static void expect_sorts_lists(void)
{
    static const uint32_t sizes[] = {1, 12};
    const uint64_t keys[] = {3, 1, 2};
    const char letters[] = "cab", triples[3][12] = {"three", "one", "two"};
    uint64_t sorted[3];
    char letters_out[4] = "", triples_out[3][12];
    void *const list[] = {(void *)letters, (void *)triples};
    void *const list_out[] = {letters_out, triples_out};
    const clsort_desc desc = {
        .count = 3, .type = CLSORT_U64, .num_values = 2, .value_sizes = sizes, .out_of_place = 1};
    const clsort_arrays arrays = {
        .keys = (void *)keys, .keys_out = sorted, .values_list = list, .values_list_out = list_out};
    assert_int_equal(clsort_sorts_on_host(NULL, &desc), 1);
    expect_status(clsort_sort(NULL, &desc, &arrays), CLSORT_OK);
    for (uint32_t i = 0; i < 3; ++i)
        assert_int_equal(sorted[i], i + 1);
    assert_string_equal(letters_out, "abc");
    assert_string_equal(triples_out[0], "one");
    assert_string_equal(triples_out[2], "three");
}

/* A few keys are sorted without a device if no algorithm is named. */
static void expect_sorts_few(void)
{
    uint32_t keys[] = {3, 1, 2};
    double values[] = {0.3, 0.1, 0.2};
    const clsort_desc desc = {.count = 3, .value_size = sizeof *values};
    const clsort_arrays arrays = {.keys = keys, .values = values};
    assert_int_equal(clsort_sorts_on_host(NULL, &desc), 1);
    expect_status(clsort_sort(NULL, &desc, &arrays), CLSORT_OK);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(keys[i], i + 1);
        assert_true(values[i] == keys[i] / 10.0);
    }
}

/* Many keys are refused. */
static void expect_refuses_many(clsort_status expected)
{
    enum { many = 1 << 22 };
    uint8_t *keys = malloc(many);
    assert_non_null(keys);
    memset(keys, 2, many);
    keys[many - 1] = 1;
    const clsort_desc desc = {.count = many, .type = CLSORT_U8};
    const clsort_arrays arrays = {.keys = keys};
    assert_int_equal(clsort_sorts_on_host(NULL, &desc), 0);
    expect_status(clsort_sort(NULL, &desc, &arrays), expected);
    assert_int_equal(keys[0], 2);
    /* So are invalid calls, and sorts by a named algorithm, which only the device does. */
    const clsort_desc named = {.count = 3, .algorithm = CLSORT_RADIX};
    const clsort_desc wrong = {.count = 3, .type = CLSORT_NUM_TYPES};
    assert_int_equal(clsort_sorts_on_host(NULL, &named), 0);
    assert_int_equal(clsort_sorts_on_host(NULL, &wrong), 0);
    assert_int_equal(clsort_sorts_on_host(NULL, NULL), 0);
    free(keys);
}

/* Every function that needs a device refuses with this status and leaves its results unchanged. */
static void expect_all(clsort_status expected)
{
    cl_device_id devices[2] = {NULL, NULL};
    uint32_t num_devices = 99;
    expect_status(clsort_devices(devices, 2, &num_devices), expected);
    assert_int_equal(num_devices, 0);
    num_devices = 99;
    expect_status(clsort_devices(NULL, 0, &num_devices), expected);
    assert_int_equal(num_devices, 0);
    expect_status(clsort_find_device(NULL, &devices[0]), expected);
    expect_status(clsort_find_device("", &devices[0]), expected);
    expect_status(clsort_find_device("0", &devices[0]), expected);
    expect_status(clsort_find_device("a", &devices[0]), expected);
    assert_null(devices[0]);
    clsort_sorter *sorter = (clsort_sorter *)devices;
    expect_status(clsort_create(NULL, NULL, &sorter), expected);
    assert_null(sorter);
    uint32_t keys[] = {3, 1, 2};
    const clsort_desc desc = {.count = 3, .algorithm = CLSORT_BITONIC};
    const clsort_arrays arrays = {.keys = keys};
    expect_status(clsort_sort(NULL, &desc, &arrays), expected);
    assert_int_equal(keys[0] * 100 + keys[1] * 10 + keys[2], 312);
    expect_refuses_many(expected);
    expect_sorts_few();
    expect_sorts_lists();
}

/* The sentence that a user sees says what to do. */
static void expect_cure(clsort_status status, const char *cure)
{
    if (!strstr(clsort_status_text(status), cure))
        fail_msg("\"%s\" does not name %s", clsort_status_text(status), cure);
}

static void test_no_platform(void **state)
{
    (void)state;
    expect_all(CLSORT_ERROR_NO_PLATFORM);
    expect_cure(CLSORT_ERROR_NO_PLATFORM, "driver package");
    expect_cure(CLSORT_ERROR_NO_PLATFORM, "pocl-opencl-icd");
}

static void test_no_device(void **state)
{
    (void)state;
    expect_all(CLSORT_ERROR_NO_DEVICE);
    expect_cure(CLSORT_ERROR_NO_DEVICE, "POCL_CACHE_DIR");
    expect_cure(CLSORT_ERROR_NO_DEVICE, "home");
    expect_cure(CLSORT_ERROR_NO_DEVICE, "driver package");
}

static cl_device_id devices[64];
static uint32_t num_devices;

static int list_devices(void **state)
{
    (void)state;
    unsetenv("CLSORT_DEVICE");
    return clsort_devices(devices, 64, &num_devices) != CLSORT_OK || num_devices > 64;
}

/* The list matches OpenCL's own, in the same order, at any capacity. */
static void test_list(void **state)
{
    (void)state;
    cl_device_id expected[64];
    const uint32_t number = opencl_devices(expected, 64);
    assert_int_equal(num_devices, number);
    assert_memory_equal(devices, expected, number * sizeof *expected);
    for (uint32_t capacity = 0; capacity <= number; ++capacity) {
        cl_device_id some[65] = {NULL};
        uint32_t again = 0;
        expect_status(clsort_devices(capacity ? some : NULL, capacity, &again), CLSORT_OK);
        assert_int_equal(again, number);
        assert_memory_equal(some, expected, capacity * sizeof *expected);
        assert_null(some[capacity]);
    }
}

/* The same by argument and by CLSORT_DEVICE; an argument takes precedence over the variable. */
static void expect_found(const char *selection, cl_device_id expected)
{
    cl_device_id device = NULL;
    expect_status(clsort_find_device(selection, &device), CLSORT_OK);
    assert_ptr_equal(device, expected);
    device = NULL;
    setenv("CLSORT_DEVICE", selection, 1);
    expect_status(clsort_find_device(NULL, &device), CLSORT_OK);
    assert_ptr_equal(device, expected);
    clsort_sorter *sorter = NULL;
    expect_status(clsort_create(NULL, NULL, &sorter), CLSORT_OK);
    assert_ptr_equal(clsort_device(sorter), expected);
    clsort_destroy(sorter);
    setenv("CLSORT_DEVICE", "99999", 1);
    expect_status(clsort_find_device(selection, &device), CLSORT_OK);
    assert_ptr_equal(device, expected);
    unsetenv("CLSORT_DEVICE");
}

static void expect_not_found(const char *selection)
{
    cl_device_id device = NULL;
    expect_status(clsort_find_device(selection, &device), CLSORT_ERROR_DEVICE_NOT_FOUND);
    assert_null(device);
    setenv("CLSORT_DEVICE", selection, 1);
    expect_status(clsort_find_device(NULL, &device), CLSORT_ERROR_DEVICE_NOT_FOUND);
    assert_null(device);
    clsort_sorter *sorter = NULL;
    expect_status(clsort_create(NULL, NULL, &sorter), CLSORT_ERROR_DEVICE_NOT_FOUND);
    assert_null(sorter);
    uint32_t keys[] = {2, 1};
    const clsort_desc desc = {.count = 2, .algorithm = CLSORT_BITONIC};
    const clsort_arrays arrays = {.keys = keys};
    expect_status(clsort_sort(NULL, &desc, &arrays), CLSORT_ERROR_DEVICE_NOT_FOUND);
    assert_int_equal(keys[0], 2);
    unsetenv("CLSORT_DEVICE");
}

static void test_by_index(void **state)
{
    (void)state;
    char text[32];
    for (uint32_t i = 0; i < num_devices; ++i) {
        snprintf(text, sizeof text, "%u", (unsigned)i);
        expect_found(text, devices[i]);
    }
    snprintf(text, sizeof text, "%u", (unsigned)num_devices);
    expect_not_found(text);
    expect_not_found("99");
    expect_not_found("4294967296");           /* 0 in 32 bits */
    expect_not_found("18446744073709551616"); /* 0 in 64 bits */
    expect_not_found("99999999999999999999999999");
}

static void to_upper(char *text)
{
    for (; *text; ++text) {
        if (*text >= 'a' && *text <= 'z')
            *text = (char)(*text - 'a' + 'A');
    }
}

static void test_by_name(void **state)
{
    (void)state;
    char name[256] = "";
    expect_cl(clGetDeviceInfo(devices[0], CL_DEVICE_NAME, sizeof name, name, NULL));
    expect_found(name, devices[0]);
    expect_found(name + strlen(name) / 2, devices[0]);
    to_upper(name);
    expect_found(name, devices[0]);
    cl_platform_id platform = NULL;
    expect_cl(clGetDeviceInfo(devices[0], CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    expect_cl(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL));
    name[strlen(name) - 1] = 0;
    expect_found(name, devices[0]);
    expect_not_found("nonsense");
    expect_not_found("-1");
    expect_not_found("0x0");
    strcat(name, "??");
    expect_not_found(name);
}

/* What the best device is chosen by: its kind, then compute units times clock; 0 for a device that
 * cannot be used. */
static uint64_t merit_of(cl_device_id device)
{
    cl_device_type type = 0;
    cl_uint units = 0;
    cl_uint clock = 0;
    cl_bool compiler = CL_FALSE;
    char version[256] = "";
    int major = 0;
    int minor = 0;
    expect_cl(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL));
    assert_int_equal(sscanf(version, "OpenCL %d.%d", &major, &minor), 2);
    expect_cl(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    expect_cl(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    expect_cl(clGetDeviceInfo(device, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof clock, &clock, NULL));
    expect_cl(
        clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL));
    const uint64_t kind = type & CL_DEVICE_TYPE_GPU ? 3 : type & CL_DEVICE_TYPE_ACCELERATOR ? 2 : 1;
    return compiler && major * 10 + minor >= 12 ? kind << 56 | (uint64_t)units * clock : 0;
}

/* Without a selection: a best device, and always the same one. */
static void test_best(void **state)
{
    (void)state;
    cl_device_id first = NULL;
    cl_device_id second = NULL;
    expect_status(clsort_find_device(NULL, &first), CLSORT_OK);
    expect_status(clsort_find_device("", &second), CLSORT_OK);
    assert_ptr_equal(first, second);
    setenv("CLSORT_DEVICE", "", 1);
    expect_status(clsort_find_device(NULL, &second), CLSORT_OK);
    assert_ptr_equal(first, second);
    unsetenv("CLSORT_DEVICE");
    for (uint32_t i = 0; i < num_devices; ++i)
        assert_true(merit_of(first) >= merit_of(devices[i]));
}

/* A program that runs with another user's rights ignores its user's environment. */
static void test_setuid(void **state)
{
    (void)state;
    cl_device_id device = NULL;
    clsort_sorter *sorter = NULL;
    clsort_plan free_plan, bound_plan;
    const clsort_desc desc = {.count = 100000, .algorithm = CLSORT_BITONIC};
    unsetenv("CLSORT_LIMIT");
    setenv("CLSORT_DEVICE", "nonsense", 1);
    expect_status(clsort_find_device(NULL, &device), CLSORT_OK);
    expect_status(clsort_create(NULL, NULL, &sorter), CLSORT_OK);
    expect_status(clsort_get_plan(sorter, &desc, &free_plan, NULL, 0), CLSORT_OK);
    clsort_destroy(sorter);
    setenv("CLSORT_LIMIT", "local=1024,group=2", 1);
    expect_status(clsort_create(NULL, NULL, &sorter), CLSORT_OK);
    expect_status(clsort_get_plan(sorter, &desc, &bound_plan, NULL, 0), CLSORT_OK);
    assert_int_equal(free_plan.num_steps, bound_plan.num_steps);
    clsort_destroy(sorter);
    setenv("CLSORT_TUNING", "/nonexistent/file", 1);
    expect_status(clsort_check_tuning(NULL, NULL, 0, NULL), CLSORT_OK);
    expect_status(clsort_create(NULL, NULL, &sorter), CLSORT_OK);
    clsort_destroy(sorter);
}

static int runs_with_other_rights(void)
{
#if defined(__linux__)
    return getauxval(AT_SECURE) != 0;
#else
    return 0;
#endif
}

static int skipped(const char *reason)
{
    printf("skipped: %s\n", reason);
    return 77;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest no_platform[] = {cmocka_unit_test(test_no_platform)};
    const struct CMUnitTest no_device[] = {cmocka_unit_test(test_no_device)};
    const struct CMUnitTest selection[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_by_index),
        cmocka_unit_test(test_by_name),
        cmocka_unit_test(test_best),
    };
    const struct CMUnitTest setuid_tests[] = {cmocka_unit_test(test_setuid)};
    const char *which = argc > 1 ? argv[1] : "selection";
    cl_platform_id platform = NULL;
    cl_uint num_platforms = 0;
    if (clGetPlatformIDs(1, &platform, &num_platforms))
        num_platforms = 0;
    const uint32_t found = opencl_devices(NULL, 0);
    if (strcmp(which, "no_platform") == 0) {
        if (num_platforms)
            return skipped("the OpenCL loader has platforms whatever OCL_ICD_VENDORS says");
        return cmocka_run_group_tests_name("no_platform", no_platform, NULL, NULL) ? 1 : 0;
    }
    if (strcmp(which, "no_device") == 0) {
        if (num_platforms == 0 || found)
            return skipped("no platform here can be made to have no device");
        return cmocka_run_group_tests_name("no_device", no_device, NULL, NULL) ? 1 : 0;
    }
    if (found == 0)
        return skipped("there is no OpenCL device");
    if (strcmp(which, "have_device") == 0)
        return 0;
    if (strcmp(which, "setuid") == 0)
        return !runs_with_other_rights()
                   ? skipped("this file is not setuid")
                   : cmocka_run_group_tests_name("setuid", setuid_tests, NULL, NULL) != 0;
    return cmocka_run_group_tests_name("selection", selection, list_devices, NULL) ? 1 : 0;
}
