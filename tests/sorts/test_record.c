/* Records: by fields and by comparisons in OpenCL C, with values and indices, against the
 * oracle's order. Also comparisons that are no order, and invalid texts. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/fixture.h"
#include "support/oracle.h"

enum { max_record_size = 256 };

/* Three bytes, of which a body compares the last. */
#define THREE_BYTES \
    .size = 3, .declarations = "typedef struct {\n  uchar x[3];\n} three;", .type = "three"

/* One way to order records of one size, described for the library and, if not by fields, in C. */
typedef struct record_case {
    const char *name;
    clsort_record record;
    int (*compare)(const unsigned char *a, const unsigned char *b);
} record_case;

static const clsort_field person[] = {{4, CLSORT_F32, CLSORT_DESCENDING},
                                      {0, CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_field odd[] = {{1, CLSORT_I16, CLSORT_ASCENDING},
                                   {0, CLSORT_U8, CLSORT_DESCENDING},
                                   {3, CLSORT_I32, CLSORT_ASCENDING}};
static const clsort_field wide[] = {{253, CLSORT_I8, CLSORT_ASCENDING},
                                    {8, CLSORT_F64, CLSORT_ASCENDING},
                                    {131, CLSORT_U64, CLSORT_DESCENDING}};
static const clsort_field one[] = {{0, CLSORT_I8, CLSORT_ASCENDING}};
static const clsort_field middle[] = {{19, CLSORT_I8, CLSORT_ASCENDING}};
static const clsort_field halves[] = {{2, CLSORT_F16, CLSORT_ASCENDING},
                                      {6, CLSORT_BF16, CLSORT_DESCENDING}};

/* Enough fields that the comparison is a table (cl/base/record_table.h), at all alignments. */
static const clsort_field table[] = {
    {1, CLSORT_U64, CLSORT_ASCENDING},   {3, CLSORT_F64, CLSORT_DESCENDING},
    {5, CLSORT_I64, CLSORT_ASCENDING},   {7, CLSORT_F32, CLSORT_ASCENDING},
    {9, CLSORT_I16, CLSORT_DESCENDING},  {11, CLSORT_F16, CLSORT_ASCENDING},
    {13, CLSORT_BF16, CLSORT_ASCENDING}, {15, CLSORT_U32, CLSORT_DESCENDING},
    {17, CLSORT_I8, CLSORT_ASCENDING},   {19, CLSORT_U16, CLSORT_ASCENDING},
    {23, CLSORT_U64, CLSORT_DESCENDING}};

/* The same two bytes again and again: many records compare equal that are not identical. */
static const clsort_field twins[] = {
    {3, CLSORT_U16, CLSORT_ASCENDING}, {3, CLSORT_I16, CLSORT_ASCENDING},
    {3, CLSORT_U16, CLSORT_ASCENDING}, {3, CLSORT_I16, CLSORT_ASCENDING},
    {3, CLSORT_U16, CLSORT_ASCENDING}, {3, CLSORT_I16, CLSORT_ASCENDING},
    {3, CLSORT_U16, CLSORT_ASCENDING}, {3, CLSORT_I16, CLSORT_ASCENDING},
    {3, CLSORT_U16, CLSORT_ASCENDING}};

static int compare_name(const unsigned char *a, const unsigned char *b)
{
    return memcmp(a, b, 20);
}

static int compare_product(const unsigned char *a, const unsigned char *b)
{
    const uint32_t x = (uint32_t)(key_load(a, 0, 4) * key_load(a, 1, 4));
    const uint32_t y = (uint32_t)(key_load(b, 0, 4) * key_load(b, 1, 4));
    return (x > y) - (x < y);
}

static int compare_last(const unsigned char *a, const unsigned char *b)
{
    return (a[2] > b[2]) - (a[2] < b[2]);
}

static const record_case cases[] = {
    {"two fields", {.size = 12, .num_fields = 2, .fields = person}, NULL},
    {"fields of a packed record", {.size = 7, .num_fields = 3, .fields = odd}, NULL},
    {"a record of 256 bytes", {.size = 256, .num_fields = 3, .fields = wide}, NULL},
    {"a record of a byte", {.size = 1, .num_fields = 1, .fields = one}, NULL},
    {"16-bit floats", {.size = 8, .num_fields = 2, .fields = halves}, NULL},
    {"an expression",
     {.size = 8,
      .declarations = "typedef struct { uint x, y; } point;",
      .type = "point",
      .less = "a.x * a.y < b.x * b.y"},
     compare_product},
    {"statements",
     {THREE_BYTES, .less_body = "const uchar last = a.x[2];\nreturn last < b.x[2];"},
     compare_last},
    /* Any number but 0 is true. */
    {"a body that returns 4",
     {THREE_BYTES, .less_body = "return a.x[2] < b.x[2] ? 4 : 0;"},
     compare_last},
    {"a body that returns -1",
     {THREE_BYTES, .less_body = "return a.x[2] < b.x[2] ? -1 : 0;"},
     compare_last},
    {"fields that are a table", {.size = 31, .num_fields = 11, .fields = table}, NULL},
    {"a loop",
     {.size = 24,
      .declarations = "typedef struct { uchar name[20]; uint id; } person;",
      .type = "person",
      .less_body = "for (int i = 0; i < 20; ++i)\n"
                   "    if (a.name[i] != b.name[i])\n        return a.name[i] < b.name[i];\n"
                   "return 0;"},
     compare_name},
    {"one of 33 bytes, with many ties", {.size = 33, .num_fields = 1, .fields = middle}, NULL},
    {"a table, with many ties", {.size = 31, .num_fields = 9, .fields = twins}, NULL},
};
enum { num_cases = sizeof cases / sizeof cases[0] };

/* Records of one array, and their order. */
struct ordered {
    const record_case *c;
    const clsort_desc *desc;
    void *records;
};

static int compare_places(const void *context, uint64_t i, uint64_t j)
{
    const struct ordered *o = context;
    if (!o->c->compare)
        return oracle_compare_elements(o->desc, &o->records, i, &o->records, j);
    const unsigned char *records = o->records;
    const uint32_t size = o->c->record.size;
    const int result = o->c->compare(records + i * size, records + j * size);
    return o->desc->order == CLSORT_DESCENDING ? -result : result;
}

/* Random bytes; some seeds use few distinct bytes, so that many records are partly or wholly
 * equal. */
static void fill(unsigned char *bytes, uint64_t size, uint64_t seed)
{
    rng r = {seed};
    const uint64_t kinds = rng_below(&r, 2) ? 256 : 3;
    for (uint64_t i = 0; i < size; ++i)
        bytes[i] = (unsigned char)rng_below(&r, kinds);
}

/* Fails the test unless the array that begins at place `first` has the input in order. */
static void expect_array(const record_case *c, const clsort_desc *desc, const clsort_arrays *arrays,
                         const unsigned char *input, const unsigned char *values_in, uint64_t first)
{
    const uint32_t size = c->record.size, value_size = desc->value_size;
    const unsigned char *keys = desc->out_of_place ? arrays->keys_out : arrays->keys;
    const unsigned char *payload = desc->out_of_place ? arrays->values_out : arrays->values;
    uint64_t *order = test_alloc(desc->count * sizeof *order);
    const struct ordered ordered = {c, desc, (void *)(uintptr_t)input};
    oracle_order(first, desc->count, compare_places, &ordered, order);
    for (uint64_t i = 0; i < desc->count; ++i) {
        const uint64_t at = first + i, from = order[i];
        int right = desc->index_size
                        ? key_load(arrays->indices, at, desc->index_size) == from - first
                        : !memcmp(keys + at * size, input + from * size, size);
        if (value_size &&
            memcmp(payload + at * value_size, values_in + from * value_size, value_size))
            right = 0;
        if (!right)
            fail_msg("%s, %s, count %llu, values of %u, indices of %u, %s: place %llu is wrong",
                     c->name, clsort_algorithm_name(desc->algorithm),
                     (unsigned long long)desc->count, value_size, desc->index_size,
                     desc->out_of_place ? "out of place" : "in place", (unsigned long long)at);
    }
    free(order);
}

static void run_by(const fixture *fix, const record_case *c, clsort_desc desc)
{
    const uint32_t size = c->record.size;
    const uint64_t num_arrays = desc.num_arrays ? desc.num_arrays : 1;
    const uint64_t n = desc.count * num_arrays;
    const uint64_t seed = seed_mix(seed_mix(fix->seed, n), size + desc.value_size);
    desc.record = &c->record;
    desc.stable |= desc.algorithm == CLSORT_AUTO; /* otherwise AUTO may take quicksort */
    unsigned char *records = test_alloc(n * size);
    unsigned char *input = test_alloc(n * size);
    unsigned char *output = test_alloc(n * size);
    unsigned char *values = test_alloc(n * desc.value_size);
    unsigned char *values_in = test_alloc(n * desc.value_size);
    unsigned char *values_out = test_alloc(n * desc.value_size);
    uint64_t *indices = test_alloc(n * 8);
    fill(input, n * size, seed);
    fill(values_in, n * desc.value_size, seed + 1);
    memcpy(records, input, n * size);
    memcpy(values, values_in, n * desc.value_size);
    const clsort_arrays arrays = {
        .keys = records,
        .values = desc.value_size ? values : NULL,
        .keys_out = desc.out_of_place ? output : NULL,
        .values_out = desc.value_size && desc.out_of_place ? values_out : NULL,
        .indices = desc.index_size ? indices : NULL,
    };
    expect_status(clsort_sort(fix->sorter, &desc, &arrays), CLSORT_OK);
    if (desc.out_of_place || desc.index_size)
        assert_memory_equal(records, input, n * size);
    for (uint64_t array = 0; array < num_arrays; ++array)
        expect_array(c, &desc, &arrays, input, values_in, array * desc.count);
    free(records);
    free(input);
    free(output);
    free(values);
    free(values_in);
    free(values_out);
    free(indices);
}

/* Sorts by AUTO, and by each other algorithm that sorts such records. */
static void run(const fixture *fix, const record_case *c, clsort_desc desc)
{
    static const clsort_algorithm algorithms[] = {CLSORT_AUTO, CLSORT_MERGE, CLSORT_RADIX};
    for (int i = 0; i < (c->record.num_fields ? 3 : 1); ++i) {
        desc.algorithm = algorithms[i];
        run_by(fix, c, desc);
    }
}

static void test_every_case(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t counts[] = {0, 1, 2, 9, 100, 1025, 5000};
    for (int i = 0; i < num_cases; ++i)
        for (unsigned j = 0; j < sizeof counts / sizeof counts[0]; ++j)
            run(fix, &cases[i], (clsort_desc){.count = counts[j], .out_of_place = j % 2});
}

/* Arrays of which a GPU's work-group has several (cl/sorts/merge/short.cl), by merge sort. */
static void test_short_arrays(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t counts[] = {1, 4, 9, 30, 61};
    for (int i = 0; i < num_cases; ++i)
        for (unsigned j = 0; j < sizeof counts / sizeof counts[0]; ++j) {
            const clsort_desc desc = {.count = counts[j],
                                      .num_arrays = 1 + 700 / counts[j],
                                      .algorithm = CLSORT_MERGE,
                                      .order = (clsort_order)((unsigned)i + j) % 2,
                                      .value_size = j % 2 ? 4 : 0,
                                      .index_size = j % 4 == 2 ? 4 : 0};
            run_by(fix, &cases[i], desc);
        }
}

/* A comparison that is an order of the records of every other array leaves these in order, whatever
 * it does with those between them. */
static void test_partly_no_order(void **state)
{
    enum { COUNT = 60, NUM_ARRAYS = 40, NUM = COUNT * NUM_ARRAYS };
    static const char *const texts[] = {
        "a.y ? (a.x ^ b.y >> 1) & 1 : a.x < b.x",
        "/* for: as one with a loop */ a.y ? (a.x ^ b.y >> 1) & 1 : "
        "a.x < b.x"};
    const fixture *fix = fixture_of(state);
    for (unsigned t = 0; t < sizeof texts / sizeof texts[0]; ++t) {
        const clsort_record record = {.size = 8,
                                      .declarations = "typedef struct { uint x, y; } point;",
                                      .type = "point",
                                      .less = texts[t]};
        const clsort_desc desc = {
            .count = COUNT, .num_arrays = NUM_ARRAYS, .record = &record, .algorithm = CLSORT_MERGE};
        uint32_t records[NUM][2];
        fill((unsigned char *)records, sizeof records, fix->seed);
        for (unsigned i = 0; i < NUM; ++i) {
            records[i][0] = i * 2654435761u;
            records[i][1] = i / COUNT % 2 ? 0 : records[i][1] | 1;
        }
        const multiset before = multiset_of(records, 8, NULL, 0, NUM);
        expect_status(clsort_sort(fix->sorter, &desc, &(clsort_arrays){.keys = records}),
                      CLSORT_OK);
        assert_true(multiset_equal(before, multiset_of(records, 8, NULL, 0, NUM)));
        for (unsigned i = 1; i < NUM; ++i)
            if (i / COUNT % 2 && i % COUNT)
                assert_true(records[i - 1][0] < records[i][0]);
    }
}

static void test_payloads_and_order(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t values[] = {0, 1, 8, 12};
    for (int i = 0; i < num_cases; i += fix->limited ? 3 : 1)
        for (unsigned j = 0; j < sizeof values / sizeof values[0]; ++j) {
            const clsort_desc desc = {.count = 3001,
                                      .order = (clsort_order)((unsigned)i + j) % 2,
                                      .value_size = values[j],
                                      .index_size = values[j] ? 0 : 4 + 4 * ((unsigned)i % 2),
                                      .out_of_place = j / 2};
            if (!desc.index_size || !desc.out_of_place)
                run(fix, &cases[i], desc);
        }
    run(fix, &cases[0], (clsort_desc){.count = 333, .num_arrays = 7, .value_size = 4});
    run(fix, &cases[1], (clsort_desc){.count = 5, .num_arrays = 1000, .index_size = 4});
}

static void test_many(void **state)
{
    const fixture *fix = fixture_of(state);
    run(fix, &cases[0], (clsort_desc){.count = 300007});
    run(fix, &cases[5], (clsort_desc){.count = 200000, .value_size = 4});
}

/* Records that stay in their slots of local memory while they are sorted (cl/group/merge_slots.h).
 * A run of its own tests optimised kernels, which PoCL 3.1 breaks more often for these than for
 * others. */
static void test_wide(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t counts[] = {2, 9, 100, 3001};
    for (int i = 0; i < num_cases; ++i)
        for (unsigned j = 0; j < 2 * sizeof counts / sizeof counts[0]; ++j) {
            clsort_desc desc = {.count = counts[j / 2],
                                .algorithm = j % 2 ? CLSORT_QUICK : CLSORT_MERGE,
                                .stable = 1};
            if (cases[i].record.size > 16 && fixture_takes(desc.algorithm))
                run_by(fix, &cases[i], desc);
        }
}

/* Comparisons that are no order: the result is a permutation, and payloads stay with their
 * records. */
static void test_no_order(void **state)
{
    const fixture *fix = fixture_of(state);
    static const char *const texts[] = {"1",
                                        "a.x % 3 < 2",
                                        "(a.x ^ b.y) & 1",
                                        "a.x <= b.x",
                                        "b.y - a.x < 0x80000000u",
                                        "(a.x + b.x * 3) % 7 < 3",
                                        "/* for: as one with a loop */ (a.x ^ b.y) & 1"};
    for (unsigned t = 0; t < sizeof texts / sizeof texts[0]; ++t)
        for (uint64_t count = 3; count < 200000; count = count * 11 + 5) {
            const clsort_record record = {.size = 8,
                                          .declarations = "typedef struct { uint x, y; } point;",
                                          .type = "point",
                                          .less = texts[t]};
            const clsort_desc desc = {.count = count, .record = &record, .value_size = 4};
            uint64_t *records = test_alloc(count * 8);
            uint32_t *values = test_alloc(count * 4);
            fill((unsigned char *)records, count * 8, seed_mix(fix->seed, count));
            for (uint64_t i = 0; i < count; ++i)
                values[i] = (uint32_t)i;
            const multiset before = multiset_of(records, 8, values, 4, count);
            const clsort_arrays arrays = {.keys = records, .values = values};
            expect_status(clsort_sort(fix->sorter, &desc, &arrays), CLSORT_OK);
            if (!multiset_equal(before, multiset_of(records, 8, values, 4, count)))
                fail_msg("\"%s\", count %llu: elements were lost", texts[t],
                         (unsigned long long)count);
            free(records);
            free(values);
        }
}

/* The compiler's message counts the caller's own lines, and nothing has changed. */
static void test_wrong_texts(void **state)
{
    const fixture *fix = fixture_of(state);
    const struct {
        clsort_record record;
        const char *part;
    } wrong[] = {
        {{.size = 4, .type = "int", .less = "\n\na < missing"}, "less:3"},
        {{.size = 4, .type = "int", .less_body = "int x = a;\nreturn x < nowhere;"}, "less_body:2"},
        {{.size = 4, .declarations = "\ntypedef strange t;", .type = "t", .less = "a < b"},
         "declarations:2"},
        {{.size = 8, .type = "int", .less = "a < b"}, "size_of_type_differs_from_size"},
        /* Kernels would sort wrongly by other macros; a file's name is the compiler's affair. */
        {{.size = 4, .declarations = "#define ITEMS 3\n", .type = "int", .less = "a < b"},
         "ITEMS is a macro of clsort"},
        {{.size = 4, .type = "int", .less_body = " #  undef HELD\nreturn a < b;"},
         "HELD is a macro of clsort"},
        {{.size = 4, .declarations = "#include \"base/key.h\"", .type = "int", .less = "a < b"},
         "key.h"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        const clsort_desc desc = {.count = 2, .record = &wrong[i].record};
        uint64_t records[2] = {2, 1};
        const clsort_arrays arrays = {.keys = records};
        expect_status(clsort_sort(fix->sorter, &desc, &arrays), CLSORT_ERROR_BUILD);
        assert_true(records[0] == 2 && records[1] == 1);
        clsort_error_info info;
        expect_status(clsort_last_error(fix->sorter, &info), CLSORT_OK);
        if (!strstr(info.build_log, wrong[i].part))
            fail_msg("the build log does not say \"%s\":\n%s", wrong[i].part, info.build_log);
    }
    run(fix, &cases[0], (clsort_desc){.count = 100}); /* the sorter still works */
}

/* Fields that do not form one number are never sorted by radix sort, whatever the count. */
static void test_choice(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int i = 0; i < num_cases; ++i) {
        const int has_fields = cases[i].record.num_fields > 0; /* only these are numbers */
        for (uint64_t count = 2; count < UINT64_C(1) << 30; count *= 8) {
            const clsort_desc desc = {.count = count, .record = &cases[i].record, .stable = 1};
            clsort_plan plan;
            expect_status(clsort_get_plan(fix->sorter, &desc, &plan, NULL, 0), CLSORT_OK);
            assert_true(plan.stable);
            assert_true(count > 2 || plan.algorithm == CLSORT_MERGE);
            assert_true(plan.algorithm == CLSORT_MERGE || plan.algorithm == CLSORT_QUICK ||
                        (plan.algorithm == CLSORT_RADIX && has_fields));
            clsort_desc free_desc = desc;
            free_desc.stable = 0;
            expect_status(clsort_get_plan(fix->sorter, &free_desc, &plan, NULL, 0), CLSORT_OK);
            assert_true(plan.stable == (plan.algorithm != CLSORT_QUICK));
            assert_true(has_fields || plan.algorithm != CLSORT_RADIX);
        }
    }
}

/* [NAME]: runs only this test. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_case),   cmocka_unit_test(test_payloads_and_order),
        cmocka_unit_test(test_many),         cmocka_unit_test(test_choice),
        cmocka_unit_test(test_wide),         cmocka_unit_test(test_no_order),
        cmocka_unit_test(test_short_arrays), cmocka_unit_test(test_partly_no_order),
        cmocka_unit_test(test_wrong_texts),
    };
    return fixture_run_wanted("record", tests, sizeof tests / sizeof tests[0], argc, argv);
}
