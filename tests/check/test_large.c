/* Counts above 32 bits. Keys are made and checked on the device, since the host would take minutes.
 *
 * Each case has 2^32 + 12345 elements, or as many as the device can hold. Keys must be in order and
 * have the same sum of hashes as before. An argsort's indices are right if the keys, and the
 * indices among equal keys, increase: then no index occurs twice. This takes gigabytes and minutes,
 * so check/parts/large.sh runs it, not CTest. It also tries a sort that needs more scratch than
 * there is memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/fixture.h"

static const char source[] =
    "ulong mix(ulong x) {\n"
    "    x = (x ^ x >> 33) * 0xff51afd7ed558ccdul;\n"
    "    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ul;\n"
    "    return x ^ x >> 33;\n"
    "}\n"
    "kernel void fill(global KEY *keys, ulong count, ulong seed) {\n"
    "    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))\n"
    "        keys[i] = (KEY)(mix(i + seed) >> 20);\n"
    "}\n"
    "kernel void sum(global const KEY *keys, ulong count, global ulong *sums) {\n"
    "    ulong found = 0;\n"
    "    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))\n"
    "        found += mix(keys[i] + 1ul);\n"
    "    sums[get_global_id(0)] = found;\n"
    "}\n"
    "kernel void wrong(global const KEY *keys, ulong count, global ulong *sums) {\n"
    "    ulong found = 0;\n"
    "    for (ulong i = get_global_id(0) + 1; i < count; i += get_global_size(0))\n"
    "        found += keys[i - 1] > keys[i];\n"
    "    sums[get_global_id(0)] = found;\n"
    "}\n"
    "kernel void wrong_indices(global const KEY *keys, ulong count, global ulong *sums,\n"
    "                          global const ulong *indices) {\n"
    "    ulong found = 0;\n"
    "    for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {\n"
    "        const ulong right = indices[i], left = i > 0 ? indices[i - 1] : right;\n"
    "        if (right >= count || left >= count)\n"
    "            ++found;\n"
    "        else if (i > 0)\n"
    "            found += keys[left] > keys[right] || (keys[left] == keys[right] && left >= "
    "right);\n"
    "    }\n"
    "    sums[get_global_id(0)] = found;\n"
    "}\n";

static const uint64_t enough = ((uint64_t)1 << 32) + 12345;

static uint64_t device_number(const fixture *fix, cl_device_info info)
{
    cl_ulong number = 0;
    expect_cl(clGetDeviceInfo(fix->device, info, sizeof number, &number, NULL));
    return number;
}

static uint64_t largest_buffer(const fixture *fix)
{
    const uint64_t largest = device_number(fix, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
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

enum { WORKERS = 1 << 16 };

/* Runs one of the source's kernels over all keys; returns the sum of its work-items' results. */
static uint64_t look(const fixture *fix, cl_program program, const char *name, cl_mem keys,
                     uint64_t count, cl_mem indices)
{
    static cl_ulong sums[WORKERS];
    cl_kernel kernel = kernel_create(program, name);
    memset(sums, 0, sizeof sums);
    cl_mem found = buffer_create(fix->context, CL_MEM_READ_WRITE, sizeof sums, sums);
    const cl_ulong number = count, seed = seed_mix(fix->seed, count);
    expect_cl(clSetKernelArg(kernel, 0, sizeof(cl_mem), &keys));
    expect_cl(clSetKernelArg(kernel, 1, sizeof number, &number));
    if (strcmp(name, "fill") == 0)
        expect_cl(clSetKernelArg(kernel, 2, sizeof seed, &seed));
    else
        expect_cl(clSetKernelArg(kernel, 2, sizeof(cl_mem), &found));
    if (indices)
        expect_cl(clSetKernelArg(kernel, 3, sizeof(cl_mem), &indices));
    const size_t workers = WORKERS;
    expect_cl(clEnqueueNDRangeKernel(fix->queue, kernel, 1, NULL, &workers, NULL, 0, NULL, NULL));
    buffer_take(fix->queue, found, sums, sizeof sums);
    clReleaseKernel(kernel);
    uint64_t sum = 0;
    for (int i = 0; i < WORKERS; ++i)
        sum += sums[i];
    return sum;
}

static const struct large_case {
    const char *name, *key;
    clsort_desc desc; /* without the count */
} cases[] = {
    {"u8 keys", "uchar", {.type = CLSORT_U8}},
    {"u16 keys", "ushort", {.type = CLSORT_U16}},
    {"u32 keys", "uint", {.type = CLSORT_U32}},
    {"u32 keys, stable", "uint", {.type = CLSORT_U32, .stable = 1}},
    {"indices of u8 keys", "uchar", {.type = CLSORT_U8, .index_size = 8}},
    {"indices of u32 keys", "uint", {.type = CLSORT_U32, .index_size = 8}},
    {"u8 keys by merge sort", "uchar", {.type = CLSORT_U8, .algorithm = CLSORT_MERGE}},
};

static int is_gpu(const fixture *fix)
{
    cl_device_type type = 0;
    expect_cl(clGetDeviceInfo(fix->device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    return (type & CL_DEVICE_TYPE_GPU) != 0;
}

/* The wanted count, or the largest that fits. The keys must fit into the largest buffer; with their
 * scratch, into a GPU's memory or half of the host's. Scratch is at most one and a half copies on a
 * GPU and three elsewhere; otherwise the sort is refused. */
static uint64_t count_for(const fixture *fix, const clsort_desc *desc)
{
    const uint64_t key = clsort_type_size(desc->type);
    const uint64_t widest = key > desc->index_size ? key : desc->index_size;
    const uint64_t count = device_number(fix, CL_DEVICE_MAX_MEM_ALLOC_SIZE) / widest;
    const uint64_t room = device_number(fix, CL_DEVICE_GLOBAL_MEM_SIZE) / (is_gpu(fix) ? 3 : 8);
    const uint64_t most = room / (key + desc->index_size);
    const uint64_t least = count < most ? count : most;
    return least < enough ? least : enough;
}

static void run_case(const fixture *fix, const struct large_case *at)
{
    clsort_desc desc = at->desc;
    desc.count = count_for(fix, &desc);
    const uint64_t key = clsort_type_size(desc.type);
    char options[64];
    snprintf(options, sizeof options, "-D KEY=%s", at->key);
    const char *text = source;
    cl_program program = program_create(fix, 1, &text, options);
    cl_mem keys = buffer_of(fix, desc.count * key);
    cl_mem indices = desc.index_size ? buffer_of(fix, desc.count * desc.index_size) : NULL;
    look(fix, program, "fill", keys, desc.count, NULL);
    const uint64_t sum = look(fix, program, "sum", keys, desc.count, NULL);
    const clsort_buffers buffers = {.keys = {keys, 0}, .indices = {indices, 0}};
    const clsort_status status = fixture_enqueue(fix, &desc, &buffers);
    if (status == CLSORT_ERROR_DEVICE_MEMORY) {
        printf("skipped: no room for the scratch of %s\n", at->name);
    } else {
        expect_status(status, CLSORT_OK);
        expect_cl(clFinish(fix->queue));
        assert_true(look(fix, program, "sum", keys, desc.count, NULL) == sum);
        assert_true(look(fix, program, indices ? "wrong_indices" : "wrong", keys, desc.count,
                         indices) == 0);
        printf("%llu %s are right\n", (unsigned long long)desc.count, at->name);
    }
    clReleaseMemObject(keys);
    if (indices)
        clReleaseMemObject(indices);
    clReleaseProgram(program);
    expect_status(clsort_release_scratch(fix->sorter), CLSORT_OK);
}

static void test_large_counts(void **state)
{
    const fixture *fix = fixture_of(state);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        run_case(fix, &cases[i]);
}

/* Takes a GPU's remaining memory, 4 GiB at a time. Drivers allocate memory when it is first
 * used. */
static uint32_t take_all(const fixture *fix, cl_mem *taken, uint32_t capacity)
{
    const size_t size = (size_t)1 << 32;
    const cl_uint zero = 0;
    uint32_t num = 0;
    for (cl_int code = CL_SUCCESS; num < capacity; ++num) {
        taken[num] = clCreateBuffer(fix->context, CL_MEM_READ_WRITE, size, NULL, &code);
        if (code)
            break;
        code =
            clEnqueueFillBuffer(fix->queue, taken[num], &zero, sizeof zero, 0, size, 0, NULL, NULL);
        if (code || clFinish(fix->queue)) {
            clReleaseMemObject(taken[num]);
            break;
        }
    }
    return num;
}

/* The status says so, nothing was written, and the next sort works. */
static void test_too_much_scratch(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t size = largest_buffer(fix) / 4 * 4;
    uint32_t keys[1000], after[1000];
    const clsort_desc desc = {
        .count = size / 4, .type = CLSORT_U32, .algorithm = CLSORT_MERGE, .stable = 1};
    cl_mem taken[64], buffer = buffer_of(fix, size);
    data_bytes(keys, sizeof keys, fix->seed);
    buffer_write(fix->queue, buffer, keys, sizeof keys);
    const clsort_buffers buffers = {.keys = {buffer, 0}};
    const uint32_t num_taken = is_gpu(fix) ? take_all(fix, taken, 64) : 0;
    const clsort_status status = fixture_enqueue(fix, &desc, &buffers);
    expect_cl(clFinish(fix->queue));
    for (uint32_t i = 0; i < num_taken; ++i)
        clReleaseMemObject(taken[i]);
    if (status == CLSORT_OK)
        skip_because("the device has room for the scratch");
    expect_status(status, CLSORT_ERROR_DEVICE_MEMORY);
    buffer_read(fix->queue, buffer, after, sizeof after);
    assert_memory_equal(after, keys, sizeof keys);
    const clsort_desc less = {.count = 1000, .algorithm = CLSORT_MERGE};
    expect_status(fixture_enqueue(fix, &less, &buffers), CLSORT_OK);
    buffer_read(fix->queue, buffer, after, sizeof after);
    for (int i = 1; i < 1000; ++i)
        assert_true(after[i - 1] <= after[i]);
    clReleaseMemObject(buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_counts),
        cmocka_unit_test(test_too_much_scratch),
    };
    return fixture_run("large", tests, sizeof tests / sizeof tests[0]);
}
