/* The device header in users' own kernels, through clsort_device_source(): every function, item
 * type, parameter, group size and length. Local memory before and after the items stays
 * unchanged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixture.h"
#include "support/oracle.h"
#include "support/sample.h"

/* A set of parameters. An item is a key followed by bytes that tell equal keys apart. */
typedef struct variant {
    const char *name;
    const char *parameters; /* before the header */
    const char *options;    /* of the build */
    clsort_type type;       /* of the key, with which the item begins */
    clsort_order order;
    uint32_t item_size;
    uint32_t items; /* CLSORT_ITEMS */
    uint32_t units; /* the room beyond n is a multiple of this; 0: n is enough */
    int orderly;    /* CLSORT_LESS is a strict weak order */
} variant;

#define SCALAR(type) "typedef " type " ITEM;\n#define CLSORT_ITEM ITEM\n#define CLSORT_NAME test\n"
#define LESS "#define CLSORT_LESS(a, b) ((a) < (b))\n"
#define PAIR                                                      \
    "typedef struct pair { uint key; uint tag; } ITEM;\n"         \
    "#define CLSORT_ITEM struct pair\n#define CLSORT_NAME test\n" \
    "#define CLSORT_LESS(a, b) ((a).key < (b).key)\n"
#define TRIPLE                                                               \
    "typedef struct triple { uint key; ushort tag; uchar more[6]; } ITEM;\n" \
    "#define CLSORT_ITEM struct triple\n#define CLSORT_NAME test\n"          \
    "#define CLSORT_LESS(a, b) ((b).key < (a).key)\n"

/* clang-format off */
static const variant variants[] = {
    {"u32", SCALAR("uint") LESS, "", CLSORT_U32, CLSORT_ASCENDING, 4, 8, 0, 1},
    {"u32, last", SCALAR("uint") LESS "#define CLSORT_LAST UINT_MAX\n", "",
     CLSORT_U32, CLSORT_ASCENDING, 4, 8, 8, 1},
    {"u32, last, min and max, 16 items",
     SCALAR("uint") LESS "#define CLSORT_LAST UINT_MAX\n#define CLSORT_ITEMS 16\n"
     "#define CLSORT_MIN(a, b) min(a, b)\n#define CLSORT_MAX(a, b) max(a, b)\n", "",
     CLSORT_U32, CLSORT_ASCENDING, 4, 16, 16, 1},
    {"i32 descending, 32 banks",
     SCALAR("int") "#define CLSORT_LESS(a, b) ((a) > (b))\n#define CLSORT_BANKS 32\n", "",
     CLSORT_I32, CLSORT_DESCENDING, 4, 8, 32, 1},
    {"u64, 16 banks, last, 2 items",
     SCALAR("ulong") LESS "#define CLSORT_BANKS 16\n#define CLSORT_ITEMS 2\n"
     "#define CLSORT_LAST ULONG_MAX\n", "",
     CLSORT_U64, CLSORT_ASCENDING, 8, 2, 16, 1},
    {"u8, 4 items", SCALAR("uchar") LESS "#define CLSORT_ITEMS 4\n", "",
     CLSORT_U8, CLSORT_ASCENDING, 1, 4, 0, 1},
    {"u32, before by a float",
     SCALAR("uint") "#define CLSORT_LESS(a, b) ((a) < (b) ? 0.5f : 0.0f)\n", "",
     CLSORT_U32, CLSORT_ASCENDING, 4, 8, 0, 1},
    {"u32, before by high bits",
     SCALAR("uint") "#define CLSORT_LESS(a, b) ((a) < (b) ? 1ul << 40 : 0ul)\n", "",
     CLSORT_U32, CLSORT_ASCENDING, 4, 8, 0, 1},
    {"pair", PAIR, "", CLSORT_U32, CLSORT_ASCENDING, 8, 8, 0, 1},
    {"pair, last, 4 items",
     PAIR "#define CLSORT_ITEMS 4\n#define CLSORT_LAST ((struct pair){UINT_MAX, 0})\n", "",
     CLSORT_U32, CLSORT_ASCENDING, 8, 4, 4, 1},
    {"triple descending, 2 items", TRIPLE "#define CLSORT_ITEMS 2\n", "",
     CLSORT_U32, CLSORT_DESCENDING, 12, 2, 0, 1},
    {"u32 in 8 lanes, 4 items",
     SCALAR("uint") LESS "#define CLSORT_LAST UINT_MAX\n#define CLSORT_ITEMS 4\n"
     "#define CLSORT_LANES 8\n"
     "#define CLSORT_PACK uint8\n#define CLSORT_LANE_NUMBERS (uint8)(0, 1, 2, 3, 4, 5, 6, 7)\n", "",
     CLSORT_U32, CLSORT_ASCENDING, 4, 4, 32, 1},
    {"u32 in 4 lanes, min and max, 2 items",
     SCALAR("uint") LESS "#define CLSORT_LAST UINT_MAX\n#define CLSORT_ITEMS 2\n"
     "#define CLSORT_LANES 4\n"
     "#define CLSORT_MIN(a, b) min(a, b)\n#define CLSORT_MAX(a, b) max(a, b)\n"
     "#define CLSORT_PACK uint4\n#define CLSORT_LANE_NUMBERS (uint4)(0, 1, 2, 3)\n", "",
     CLSORT_U32, CLSORT_ASCENDING, 4, 2, 8, 1},
    {"u16 in 8 lanes, 4 items",
     SCALAR("ushort") LESS "#define CLSORT_LAST USHRT_MAX\n#define CLSORT_ITEMS 4\n"
     "#define CLSORT_LANES 8\n#define CLSORT_PACK ushort8\n"
     "#define CLSORT_LANE_NUMBERS (ushort8)(0, 1, 2, 3, 4, 5, 6, 7)\n", "",
     CLSORT_U16, CLSORT_ASCENDING, 2, 4, 32, 1},
    {"pair, a bare condition", "typedef struct pair { uint key; uint tag; } ITEM;\n"
     "#define CLSORT_ITEM struct pair\n#define CLSORT_NAME test\n"
     "#define CLSORT_LESS(a, b) (a).key != (b).key ? (a).key < (b).key : 0\n", "",
     CLSORT_U32, CLSORT_ASCENDING, 8, 8, 0, 1},
    {"pair by addresses", "typedef struct pair { uint key; uint tag; } ITEM;\n"
     "int before(const struct pair *a, const struct pair *b);\n"
     "int before(const struct pair *a, const struct pair *b) { return a->key < b->key; }\n"
     "#define CLSORT_ITEM struct pair\n#define CLSORT_NAME test\n"
     "#define CLSORT_LESS(a, b) before(&(a), &(b))\n", "",
     CLSORT_U32, CLSORT_ASCENDING, 8, 8, 0, 1},
    {"pair, always less", "typedef struct pair { uint key; uint tag; } ITEM;\n"
     "#define CLSORT_ITEM struct pair\n#define CLSORT_NAME test\n#define CLSORT_LESS(a, b) 1\n", "",
     CLSORT_U32, CLSORT_ASCENDING, 8, 8, 0, 0},
    {"u32, less or equal",
     SCALAR("uint") "#define CLSORT_LESS(a, b) ((a) <= (b))\n#define CLSORT_ITEMS 2\n", "",
     CLSORT_U32, CLSORT_ASCENDING, 4, 2, 0, 0},
};
/* For devices with sub-groups that the header knows. */
static const variant nvidia_variants[] = {
    {"u32, sub-groups", SCALAR("uint") LESS, "-D CLSORT_SUBGROUP=32",
     CLSORT_U32, CLSORT_ASCENDING, 4, 8, 0, 1},
    {"pair, sub-groups, last, 16 banks",
     PAIR "#define CLSORT_BANKS 16\n#define CLSORT_LAST ((struct pair){UINT_MAX, 0})\n",
     "-D CLSORT_SUBGROUP=32", CLSORT_U32, CLSORT_ASCENDING, 8, 8, 256, 1},
};
/* clang-format on */
enum { num_variants = sizeof variants / sizeof variants[0], max_n = 1000, guard_bytes = 64 };

/* The text of a file in this folder; the caller frees it. */
static char *read_text(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/device_header/%s", CLSORT_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 65536);
    assert_non_null(text);
    assert_in_range(fread(text, 1, 65535, file), 1, 65534);
    fclose(file);
    return text;
}

/* arrays * n items: keys with few distinct or extreme values, and tags that count. */
static void make_items(unsigned char *items, const variant *v, uint64_t n, uint64_t arrays,
                       uint64_t seed)
{
    const uint32_t key_size = type_infos[v->type].size;
    unsigned char *keys = test_alloc(n * arrays * key_size);
    data_bytes(items, n * arrays * v->item_size, seed);
    for (uint64_t a = 0; a < arrays; ++a) {
        static const data_kind kinds[] = {DATA_RANDOM, DATA_FEW, DATA_BORDERS, DATA_LAST};
        data_fill(keys + a * n * key_size, v->type, n, kinds[a % 4], seed_mix(seed, a));
    }
    for (uint64_t i = 0; i < n * arrays; ++i) {
        memcpy(items + i * v->item_size, keys + i * key_size, key_size);
        if (v->item_size > key_size) {
            const uint16_t tag = (uint16_t)i;
            memcpy(items + i * v->item_size + key_size, &tag, sizeof tag);
        }
    }
    free(keys);
}

/* Compares one array with the oracle: whole items if the sort is stable, otherwise the keys, and
 * the items as a multiset. */
static int array_is_right(const variant *v, const unsigned char *in, const unsigned char *out,
                          uint64_t n, int stable)
{
    const uint32_t key_size = type_infos[v->type].size;
    const clsort_desc desc = {.count = n, .type = v->type, .order = v->order};
    unsigned char *keys = test_alloc(n * key_size);
    uint64_t *order = test_alloc(n * sizeof *order);
    for (uint64_t i = 0; i < n; ++i)
        memcpy(keys + i * key_size, in + i * v->item_size, key_size);
    oracle_sort(&desc, keys, order);
    int right = multiset_equal(multiset_of(in, v->item_size, NULL, 0, n),
                               multiset_of(out, v->item_size, NULL, 0, n));
    for (uint64_t i = 0; v->orderly && right && i < n; ++i) {
        const uint32_t size = stable ? v->item_size : key_size;
        right = memcmp(out + i * v->item_size, in + order[i] * v->item_size, size) == 0;
    }
    free(order);
    free(keys);
    return right;
}

/* The local memory that the header's comment requires, in items. */
static uint32_t room_of(const variant *v, uint32_t n)
{
    uint32_t room = 1;
    if (v->units == 0)
        return n;
    while (room < n)
        room *= 2;
    return room > v->units ? room : v->units;
}

/* Runs a kernel on arrays of n items, one array for each work-group, and checks them. */
static void run(const fixture *fix, const variant *v, cl_program program, const char *name,
                size_t group_size, uint32_t n, size_t num_groups, int stable)
{
    const uint64_t arrays =
        strcmp(name, "sort_private") == 0 ? num_groups * group_size : num_groups;
    const size_t size = (size_t)(arrays * n * v->item_size);
    cl_uint damage = 0;
    cl_kernel kernel = kernel_create(program, name);
    size_t largest = 0;
    expect_cl(clGetKernelWorkGroupInfo(kernel, fix->device, CL_KERNEL_WORK_GROUP_SIZE,
                                       sizeof largest, &largest, NULL));
    if (group_size > largest) {
        clReleaseKernel(kernel);
        return;
    }
    unsigned char *in = test_alloc(size + 1);
    unsigned char *out = test_alloc(size + 1);
    make_items(in, v, n, arrays, seed_mix(fix->seed, n));
    cl_mem source = buffer_create(fix->context, CL_MEM_READ_WRITE, size + 1, in);
    cl_mem result = buffer_create(fix->context, CL_MEM_READ_WRITE, size + 1, out);
    cl_mem damages = buffer_create(fix->context, CL_MEM_READ_WRITE, sizeof damage, &damage);
    const uint32_t room = room_of(v, n);
    const size_t local = (size_t)room * v->item_size + 2 * guard_bytes;
    const size_t global = num_groups * group_size;
    expect_cl(clSetKernelArg(kernel, 0, sizeof source, &source));
    expect_cl(clSetKernelArg(kernel, 1, sizeof result, &result));
    expect_cl(clSetKernelArg(kernel, 2, sizeof n, &n));
    expect_cl(clSetKernelArg(kernel, 3, sizeof room, &room));
    expect_cl(clSetKernelArg(kernel, 4, local, NULL));
    expect_cl(clSetKernelArg(kernel, 5, sizeof damages, &damages));
    expect_cl(
        clEnqueueNDRangeKernel(fix->queue, kernel, 1, NULL, &global, &group_size, 0, NULL, NULL));
    buffer_read(fix->queue, result, out, size + 1);
    buffer_read(fix->queue, damages, &damage, sizeof damage);
    int right = damage == 0;
    for (uint64_t a = 0; a < arrays; ++a) {
        const uint64_t first = a * n * v->item_size;
        right = right && array_is_right(v, in + first, out + first, n, stable);
    }
    if (!right) {
        print_error("%s: %s, %u items in groups of %u; %u bytes of local memory damaged\n"
                    "  repeat with CLSORT_TEST_SEED=%llu\n",
                    name, v->name, (unsigned)n, (unsigned)group_size, (unsigned)damage,
                    (unsigned long long)fix->seed);
        fail();
    }
    clReleaseMemObject(source);
    clReleaseMemObject(result);
    clReleaseMemObject(damages);
    clReleaseKernel(kernel);
    free(in);
    free(out);
}

static void run_variant(const fixture *fix, const variant *v, const size_t *group_sizes,
                        uint32_t num_group_sizes)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 7, 8, 9, 31, 33, 64, 100, 257, 511, max_n};
    const int has_banks = strstr(v->parameters, "CLSORT_BANKS") != NULL;
    const int has_lanes = strstr(v->parameters, "CLSORT_LANES") != NULL;
    char options[256];
    snprintf(options, sizeof options, "%s -D ITEMS=%u%s%s", v->options, (unsigned)v->items,
             has_banks ? "" : " -D WITH_RANK", has_lanes ? "" : " -D WITH_PRIVATE");
    char *kernels = read_text("test_device_header.cl");
    const char *const texts[] = {v->parameters, clsort_device_source(), kernels};
    cl_program program = program_create(fix, 3, texts, options);
    free(kernels);
    for (uint32_t g = 0; g < num_group_sizes; ++g) {
        for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            const uint32_t n = counts[i];
            /* Mesa's llvmpipe (22.3) silently ends a work-item's loops after 65535 iterations. */
            if (platform_is(fix, "rusticl") && n > 100 * group_sizes[g])
                continue;
            run(fix, v, program, "sort_group_bitonic", group_sizes[g], n, 4, 0);
            if (has_banks || !v->orderly)
                continue;
            if (n <= v->items * group_sizes[g])
                run(fix, v, program, "sort_group_rank", group_sizes[g], n, 4, 1);
            if (g == 0)
                run(fix, v, program, "sort_rank", group_sizes[g], n, 4, 1);
        }
        if (g == 0 && !has_lanes)
            run(fix, v, program, "sort_private", group_sizes[g], v->items, 3, 0);
    }
    clReleaseProgram(program);
}

static void test_variants(void **state)
{
    const fixture *fix = fixture_of(state);
    static const size_t group_sizes[][2] = {{32, 1}, {100, 64}, {3, 128}, {256, 17}};
    for (uint32_t i = 0; i < num_variants; ++i)
        run_variant(fix, &variants[i], group_sizes[i % 4], 2);
}

static void test_subgroup_variants(void **state)
{
    const fixture *fix = fixture_of(state);
    static const size_t group_sizes[] = {32, 64, 256, 96};
    if (!platform_is(fix, "NVIDIA"))
        skip_because("sub-groups in the device header are tested only on NVIDIA's platform");
    for (uint32_t i = 0; i < sizeof nvidia_variants / sizeof nvidia_variants[0]; ++i)
        run_variant(fix, &nvidia_variants[i], group_sizes, 4);
}

/* Two item types in one program. The user's functions and variables have the names of the header's
 * own functions without their prefix. No parameter stays defined. */
static void test_two_types_and_no_other_names(void **state)
{
    const fixture *fix = fixture_of(state);
    static const char first[] = "#define CLSORT_NAME low\n#define CLSORT_ITEM uint\n"
                                "#define CLSORT_LESS(a, b) ((a) < (b))\n#define CLSORT_ITEMS 2\n";
    static const char second[] = "struct point { float x; uint number; };\n"
                                 "#define CLSORT_NAME far\n#define CLSORT_ITEM struct point\n"
                                 "#define CLSORT_LESS(a, b) ((a).x > (b).x)\n";
    char *user = read_text("test_device_names.cl");
    const char *const texts[] = {first, clsort_device_source(), second, clsort_device_source(),
                                 user};
    cl_program program = program_create(fix, 5, texts, "");
    free(user);
    cl_kernel kernel = kernel_create(program, "both");
    uint32_t numbers[101] = {0};
    uint32_t order[101] = {0};
    const cl_uint n = 101; /* a prime, so that the products are permutations */
    cl_mem a = buffer_create(fix->context, CL_MEM_READ_WRITE, sizeof numbers, numbers);
    cl_mem b = buffer_create(fix->context, CL_MEM_READ_WRITE, sizeof order, order);
    const size_t size = 32;
    expect_cl(clSetKernelArg(kernel, 0, sizeof a, &a));
    expect_cl(clSetKernelArg(kernel, 1, sizeof b, &b));
    expect_cl(clSetKernelArg(kernel, 2, sizeof n, &n));
    expect_cl(clEnqueueNDRangeKernel(fix->queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL));
    buffer_read(fix->queue, a, numbers, sizeof numbers);
    buffer_read(fix->queue, b, order, sizeof order);
    for (uint32_t i = 0; i < n; ++i) {
        assert_int_equal(numbers[i], i + 1);
        assert_int_equal(order[i] * 53 % n, n - 1 - i);
    }
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

/* Every macro that the text defines has the prefix. */
static void test_macros_have_the_prefix(void **state)
{
    (void)state;
    unsigned defined = 0;
    for (const char *at = clsort_device_source(); (at = strstr(at, "#define ")) != NULL; ++at) {
        const char *name = at + strlen("#define ");
        while (*name == ' ')
            ++name;
        if (strncmp(name, "CLSORT_", 7) != 0)
            print_error("%.40s\n", at);
        assert_true(strncmp(name, "CLSORT_", 7) == 0);
        ++defined;
    }
    assert_true(defined >= 5);
}

static char build_log[65536];

/* Whether it builds. */
static int try_build(const fixture *fix, const char *const *texts, cl_uint num_texts,
                     const char *options, cl_program *program_ret)
{
    cl_int code = CL_SUCCESS;
    *program_ret =
        clCreateProgramWithSource(fix->context, num_texts, (const char **)texts, NULL, &code);
    expect_cl(code);
    code = clBuildProgram(*program_ret, 1, &fix->device, options, NULL, NULL);
    build_log[0] = 0;
    clGetProgramBuildInfo(*program_ret, fix->device, CL_PROGRAM_BUILD_LOG, sizeof build_log,
                          build_log, NULL);
    return !code;
}

/* What would sort wrongly does not build, and the compiler's log names the parameter. */
static void test_wrong_parameters(void **state)
{
    const fixture *fix = fixture_of(state);
#define LANES_8 "#define CLSORT_LANES 8\n"
#define PACK_8                                                        \
    LANES_8 "#define CLSORT_PACK uint8\n#define CLSORT_LANE_NUMBERS " \
            "(uint8)(0, 1, 2, 3, 4, 5, 6, 7)\n"
#define LAST "#define CLSORT_LAST 0xffffffffu\n"
    static const struct {
        const char *parameters, *log; /* NULL: it builds */
    } cases[] = {
        {"", NULL},
        {"#define CLSORT_ITEMS 32\n#define CLSORT_BANKS 128\n", NULL},
        {PACK_8 LAST, NULL},
        {"#undef CLSORT_ITEM\n", "needs CLSORT_ITEM"},
        {"#undef CLSORT_LESS\n", "and CLSORT_LESS"},
        {"#define CLSORT_ITEMS 0\n", "CLSORT_ITEMS must"},
        {"#define CLSORT_ITEMS 1\n", "CLSORT_ITEMS must"},
        {"#define CLSORT_ITEMS 12\n", "CLSORT_ITEMS must"},
        {"#define CLSORT_ITEMS 64\n", "CLSORT_ITEMS must"},
        {"#define CLSORT_BANKS 12\n", "CLSORT_BANKS must"},
        {"#define CLSORT_MIN(a, b) min(a, b)\n", "CLSORT_MIN and CLSORT_MAX"},
        {"#define CLSORT_MAX(a, b) max(a, b)\n" LAST, "CLSORT_MIN and CLSORT_MAX"},
        {"#define CLSORT_LANES 2\n" LAST, "CLSORT_LANES must"},
        {LANES_8 LAST, "CLSORT_LANE_NUMBERS"},
        {PACK_8, "needs CLSORT_LAST"},
        {PACK_8 LAST "#define CLSORT_BANKS 16\n", "neither CLSORT_BANKS"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char *const texts[] = {SCALAR("uint") LESS, cases[i].parameters,
                                     clsort_device_source(), "__kernel void k(void) {}\n"};
        cl_program program;
        const int is_built = try_build(fix, texts, 4, "", &program);
        const int is_right = cases[i].log ? !is_built && strstr(build_log, cases[i].log) : is_built;
        if (!is_right)
            print_error("case %zu %s: %s\n", i, is_built ? "builds" : "does not build", build_log);
        assert_true(is_right);
        clReleaseProgram(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_parameters),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_subgroup_variants),
        cmocka_unit_test(test_two_types_and_no_other_names),
        cmocka_unit_test(test_macros_have_the_prefix),
    };
    return fixture_run("device_header", tests, sizeof tests / sizeof tests[0]);
}
