/* bench.c: builds and runs the kernels of this folder. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/source.h"
#include "program/variant.h"

static const shape shapes[] = {{16, 4, 4, 0}, {32, 5, 3, 0}, {256, 8, 3, 0}};
const data_kind bench_kinds[num_bench_kinds] = {DATA_RANDOM,   DATA_EQUAL,    DATA_TWO,
                                                DATA_FEW,      DATA_SORTED,   DATA_STRAY,
                                                DATA_REVERSED, DATA_LOW_BITS, DATA_CROWDS};

uint32_t bench_tile(const shape *s)
{
    return s->group_size * s->items;
}

/* The text of a file of primitives/, with what it includes; the caller frees it. */
static char *read_kernels(const char *name)
{
    enum { max_size = 1 << 18 };
    char path[1024], line[1024];
    char *text = calloc(1, max_size);
    size_t size = 0;
    snprintf(path, sizeof path, "%s/tests/primitives/%s", CLSORT_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(text);
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char header[256];
        char *joined = NULL;
        if (sscanf(line, "#include \"%255[^\"]\"", header) == 1) {
            joined = source_join(header, NULL);
            assert_non_null(joined);
        }
        const char *part = joined ? joined : line;
        assert_true(size + strlen(part) + 1 < max_size);
        strcpy(text + size, part);
        size += strlen(part);
        free(joined);
    }
    fclose(file);
    return text;
}

void bench_open(bench *b, const fixture *fix, const shape *s, const char *file, const char *more)
{
    const struct variant variant = {.key_bits = 32,
                                    .key_num_bits = 32,
                                    .lanes = 1,
                                    .group_size = s->group_size,
                                    .items = s->items,
                                    .radix_bits = s->radix_bits,
                                    .subgroup = s->subgroup,
                                    .move_unit = 1,
                                    .keeps_order = 1};
    char options[VARIANT_OPTIONS_CAPACITY + 256];
    char *text = read_kernels(file);
    *b = (bench){.fix = fix, .s = s, .file = file};
    variant_options(&variant, options);
    if (s->subgroup && !platform_is(fix, "NVIDIA")) /* OpenCL C 1.2 has no sub-groups */
        memcpy(options, "-cl-std=CL3.0", strlen("-cl-std=CL3.0"));
    strcat(strcat(options, " "), more);
    const char *const texts[] = {text};
    b->program = program_create(fix, 1, texts, options);
    free(text);
    b->in = test_alloc(bench_capacity * 4);
    b->out = test_alloc(bench_capacity * 4);
    b->expected = test_alloc(bench_capacity * 4);
}

void bench_close(bench *b)
{
    clReleaseProgram(b->program);
    free(b->in);
    free(b->out);
    free(b->expected);
}

void bench_fill(bench *b, data_kind kind, uint32_t n, uint64_t number)
{
    b->kind = kind;
    data_fill(b->in, CLSORT_U32, n, kind, seed_mix(b->fix->seed, number));
}

void bench_run(bench *b, const char *name, size_t groups, uint32_t in_size, uint32_t out_size,
               uint32_t n, uint32_t parameter)
{
    const size_t group_size = b->s->group_size, size = groups * group_size;
    cl_mem in =
        buffer_create(b->fix->context, CL_MEM_READ_ONLY, 4 * (in_size + (size_t)!in_size), b->in);
    cl_mem out = buffer_create(b->fix->context, CL_MEM_READ_WRITE, 4 * (size_t)out_size, b->out);
    cl_kernel kernel = kernel_create(b->program, name);
    b->kernel = name;
    b->n = n;
    b->parameter = parameter;
    expect_cl(clSetKernelArg(kernel, 0, sizeof in, &in));
    expect_cl(clSetKernelArg(kernel, 1, sizeof out, &out));
    expect_cl(clSetKernelArg(kernel, 2, sizeof n, &n));
    expect_cl(clSetKernelArg(kernel, 3, sizeof parameter, &parameter));
    cl_command_queue queue = b->fix->queue;
    expect_cl(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &group_size, 0, NULL, NULL));
    buffer_read(queue, out, b->out, 4 * (size_t)out_size);
    clReleaseKernel(kernel);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}

void bench_fail(const bench *b, uint32_t at, uint32_t got, uint32_t wanted)
{
    print_error(
        "%s of %s, group %u, items %u, radix %u bits, sub-group %u; n %u, parameter %u, %s: "
        "number %u is %u instead of %u\n  repeat with CLSORT_TEST_SEED=%llu\n",
        b->kernel, b->file, b->s->group_size, b->s->items, b->s->radix_bits, b->s->subgroup, b->n,
        b->parameter, data_names[b->kind], at, got, wanted, (unsigned long long)b->fix->seed);
    fail();
}

void bench_expect(const bench *b, uint32_t first, uint32_t size)
{
    for (uint32_t i = first; i < first + size; ++i)
        if (b->out[i] != b->expected[i])
            bench_fail(b, i, b->out[i], b->expected[i]);
}

void bench_shapes(void **state, const char *file, const char *more, bench_checker *check)
{
    const fixture *fix = fixture_of(state);
    const uint32_t num = platform_is(fix, "Oclgrind") ? 2 : sizeof shapes / sizeof *shapes;
    for (uint32_t i = 0; i < num; ++i) {
        bench b;
        bench_open(&b, fix, &shapes[i], file, more);
        check(&b);
        bench_close(&b);
    }
}

uint32_t bench_sizes(const shape *s, uint32_t largest, uint32_t *sizes)
{
    const uint32_t group = s->group_size, tile = bench_tile(s);
    const uint32_t all[] = {0, 1, 2, group - 1, group, group + 1, tile / 2 + 3, tile - 1, tile};
    uint32_t num = 0;
    for (uint32_t i = 0; i < sizeof all / sizeof *all; ++i)
        if (all[i] <= largest && (num == 0 || all[i] > sizes[num - 1]))
            sizes[num++] = all[i];
    return num;
}
