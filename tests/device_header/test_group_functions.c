/* The device header's group_reduce, group_scan and group_histogram, in a kernel of a user's: groups
 * of any size, any number of items, an operation that is not commutative, and bytes around the
 * items that stay as they are. Before each call the kernel writes what the call reads, without a
 * barrier, so that Oclgrind sees each function's first barrier. */
#include <stdio.h>
#include <string.h>

#include "support/data.h"
#include "support/fixture.h"

/* Maps x -> a * x + b, of which the first is applied first. */
typedef struct map {
    uint32_t a, b;
} map;

enum { max_n = 700, bins = 13, guard_size = 16 };

static const char describes[] =
    "struct map { uint a, b; };\n"
    "struct map last(const struct map *p, const struct map *q)\n" /* a name of the header's own */
    "{ struct map r; r.a = p->a * q->a; r.b = p->b * q->a + q->b; return r; }\n"
    "uint run(const struct map *p)\n"
    "{ return p->b % 17; }\n"
    "#define CLSORT_NAME map\n#define CLSORT_ITEM struct map\n"
    "#define CLSORT_LESS(p, q) ((p).b < (q).b)\n"
    "#define CLSORT_COMBINE(p, q) last(&(p), &(q))\n#define CLSORT_BIN(item) run(&(item))\n";

static const char kernel_text[] =
    "__kernel void use_all(__global const struct map *in, uint n, __global struct map *reduced,\n"
    "    __global struct map *kept, __global struct map *scanned, __global uint *counted,\n"
    "    __local struct map *memory, uint bins, uint guard, __global uint *damage)\n"
    "{\n"
    "    __local uint counts[64];\n"
    "    __local struct map *items = memory + guard;\n"
    "    const uint me = get_local_id(0), size = get_local_size(0);\n"
    "    for (uint i = me; i < n + 2 * guard; i += size)\n"
    "        memory[i].a = memory[i].b = 0xa5a5a5a5;\n"
    "    for (uint i = me; i < 64; i += size)\n"
    "        counts[i] = 77;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = me; i < n; i += size)\n"
    "        items[i] = in[i];\n"
    "    clsort_map_group_histogram(items, n, counts, bins);\n"
    "    for (uint i = me; i < 64; i += size)\n"
    "        counted[63 - i] = counts[63 - i];\n"
    "    clsort_map_group_histogram(items, n, counts, bins);\n"
    "    for (uint i = me; i < n; i += size)\n"
    "        items[i] = in[i];\n"
    "    if (n)\n"
    "        reduced[me] = clsort_map_group_reduce(items, n);\n"
    "    for (uint i = me; i < n; i += size)\n"
    "        kept[i] = items[i];\n"
    "    for (uint i = me; i < n; i += size)\n"
    "        items[i] = in[i];\n"
    "    clsort_map_group_scan(items, n);\n"
    "    for (uint i = me; i < n; i += size)\n"
    "        scanned[i] = items[i];\n"
    "    for (uint i = me; i < guard; i += size)\n"
    "        if (memory[i].a != 0xa5a5a5a5 || memory[n + 2 * guard - 1 - i].b != 0xa5a5a5a5)\n"
    "            atomic_inc(damage);\n"
    "}\n";

static cl_mem buffer(const fixture *fix, size_t size, const void *data)
{
    return buffer_create(fix->context, CL_MEM_READ_WRITE, size, data);
}

static map combine(map p, map q)
{
    return (map){p.a * q.a, p.b * q.a + q.b};
}

static void run(const fixture *fix, cl_kernel kernel, cl_uint n, size_t group_size)
{
    map in[max_n], reduced[256] = {{0}}, kept[max_n] = {{0}}, scanned[max_n] = {{0}}, sum = {0, 0};
    uint32_t counted[64] = {0}, expected[64] = {0}, damage = 0;
    const cl_uint num_bins = bins, guard = guard_size;
    rng r = {seed_mix(fix->seed, n)};
    for (cl_uint i = 0; i < n; ++i) {
        in[i] = (map){(uint32_t)rng_next(&r) | 1, (uint32_t)rng_next(&r)};
        expected[in[i].b % 17] += in[i].b % 17 < bins;
    }
    for (cl_uint i = bins; i < 64; ++i)
        expected[i] = 77;
    in[n].a = 0; /* a buffer has a size */
    cl_mem buffers[6] = {buffer(fix, sizeof in, in),           buffer(fix, sizeof reduced, reduced),
                         buffer(fix, sizeof kept, kept),       buffer(fix, sizeof scanned, scanned),
                         buffer(fix, sizeof counted, counted), buffer(fix, sizeof damage, &damage)};
    expect_cl(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]));
    expect_cl(clSetKernelArg(kernel, 1, sizeof n, &n));
    for (cl_uint i = 1; i < 5; ++i)
        expect_cl(clSetKernelArg(kernel, 1 + i, sizeof(cl_mem), &buffers[i]));
    expect_cl(clSetKernelArg(kernel, 6, (n + 2 * guard) * sizeof(map), NULL));
    expect_cl(clSetKernelArg(kernel, 7, sizeof num_bins, &num_bins));
    expect_cl(clSetKernelArg(kernel, 8, sizeof guard, &guard));
    expect_cl(clSetKernelArg(kernel, 9, sizeof(cl_mem), &buffers[5]));
    expect_cl(clEnqueueNDRangeKernel(fix->queue, kernel, 1, NULL, &group_size, &group_size, 0, NULL,
                                     NULL));
    clReleaseMemObject(buffers[0]);
    buffer_take(fix->queue, buffers[1], reduced, sizeof reduced);
    buffer_take(fix->queue, buffers[2], kept, sizeof kept);
    buffer_take(fix->queue, buffers[3], scanned, sizeof scanned);
    buffer_take(fix->queue, buffers[4], counted, sizeof counted);
    buffer_take(fix->queue, buffers[5], &damage, sizeof damage);
    assert_int_equal(damage, 0);
    assert_memory_equal(counted, expected, sizeof counted);
    assert_memory_equal(kept, in, n * sizeof(map));
    for (cl_uint i = 0; i < n; ++i) {
        sum = i ? combine(sum, in[i]) : in[0];
        assert_memory_equal(&scanned[i], &sum, sizeof sum);
    }
    for (size_t i = 0; i < group_size && n; ++i)
        assert_memory_equal(&reduced[i], &sum, sizeof sum);
}

static void test_all(void **state)
{
    const fixture *fix = fixture_of(state);
    static const size_t group_sizes[] = {1, 3, 32, 100, 256};
    static const cl_uint counts[] = {0, 1, 2, 3, 31, 32, 33, 99, 100, 101, 255, 257, 512, 699};
    const char *const texts[] = {describes, clsort_device_source(), kernel_text};
    cl_program program = program_create(fix, 3, texts, "");
    cl_kernel kernel = kernel_create(program, "use_all");
    for (size_t g = 0; g < sizeof group_sizes / sizeof group_sizes[0]; ++g)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
            run(fix, kernel, counts[i], group_sizes[g]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return fixture_run("group_functions", tests, sizeof tests / sizeof tests[0]);
}
