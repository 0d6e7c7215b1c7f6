/* Partition quicksort around the counts at which its plan changes: a leaf, a bucket, another level.
 * Also data that could defeat its pivots, batches, records, and comparisons that are no order. */
#include <stdlib.h>
#include <string.h>

#include "support/case.h"
#include "support/oracle.h"
#include "support/tuning_case.h"

/* Larger sizes, which a device with large leaves would have, are left out. */
enum { max_count = 300000, max_records = 50000 };

static uint32_t num_levels(const fixture *fix, clsort_desc desc, uint64_t count)
{
    desc.count = count;
    desc.algorithm = CLSORT_QUICK;
    return case_num_launches(fix->sorter, &desc, "partition_pivots");
}

/* The largest count that needs at most this many levels; 2^30 if there is none below. */
static uint64_t limit_of(const fixture *fix, const clsort_desc *desc, uint32_t levels)
{
    uint64_t low = 1, high = 1 << 30;
    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (num_levels(fix, *desc, middle) <= levels)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The counts around which the plan changes. */
static uint32_t borders(const fixture *fix, const clsort_desc *desc, uint64_t most,
                        uint64_t counts[16])
{
    const uint64_t leaf = limit_of(fix, desc, 0);
    const uint64_t one = limit_of(fix, desc, 1);
    const uint64_t two = limit_of(fix, desc, 2);
    const uint64_t all[] = {
        2,       leaf - 1, leaf,    leaf + 1,    2 * leaf - 1, 2 * leaf + 1, 8 * leaf + 3,
        one - 1, one,      one + 1, 5 * one + 7, two,          two + 1};
    uint32_t num = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        if (all[i] <= most && (i == 0 || all[i] > all[i - 1]))
            counts[num++] = all[i];
    return num;
}

static void test_shapes(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_desc desc = {.algorithm = CLSORT_QUICK};
    uint64_t counts[16];
    const uint32_t num = borders(fix, &desc, max_count, counts);
    for (uint32_t i = 0; i < num; ++i)
        for (int kind = 0; kind < NUM_DATA_KINDS; ++kind) {
            desc.count = counts[i];
            desc.out_of_place = ((uint32_t)kind + i) % 2;
            assert_int_equal(case_run_desc(fix, &desc, (data_kind)kind), 1);
        }
}

/* Types with payloads, one payload for each type. test_quick has others, test_sort all with u32. */
static void test_payloads(void **state)
{
    const fixture *fix = fixture_of(state);
    static const data_kind kinds[] = {DATA_FEW,   DATA_EXTREMES,  DATA_SAWTOOTH, DATA_TWO,
                                      DATA_EQUAL, DATA_SPRINKLED, DATA_LAST,     DATA_BORDERS};
    enum { num_kinds = sizeof kinds / sizeof *kinds };
    const clsort_algorithm a = CLSORT_QUICK;
    const clsort_desc descs[] = {
        {.type = CLSORT_U8, .order = CLSORT_DESCENDING, .algorithm = a, .value_size = 1},
        {.type = CLSORT_I16, .algorithm = a, .value_size = 2},
        {.type = CLSORT_F32, .order = CLSORT_DESCENDING, .algorithm = a, .value_size = 4},
        {.type = CLSORT_F64, .algorithm = a, .value_size = 8},
        {.type = CLSORT_U64, .algorithm = a, .stable = 1, .value_size = 12},
        {.type = CLSORT_F32, .algorithm = a, .index_size = 4},
        {.type = CLSORT_I64, .order = CLSORT_DESCENDING, .algorithm = a, .index_size = 8},
        {.type = CLSORT_I32, .first_bit = 5, .end_bit = 17, .algorithm = a, .value_size = 4},
        {.type = CLSORT_U64, .first_bit = 30, .end_bit = 33, .algorithm = a, .stable = 1},
    };
    for (size_t d = 0; d < sizeof descs / sizeof *descs; d += fix->limited ? 4 : 1) {
        clsort_desc desc = descs[d];
        uint64_t counts[16];
        const uint32_t num = borders(fix, &desc, max_count, counts);
        for (uint32_t i = 0; i < num; ++i) {
            desc.count = counts[i];
            desc.out_of_place = !desc.index_size && (i + d) % 2;
            for (uint32_t k = 0; k<num_kinds; k += counts[i]> 10000 ? 4 : 1)
                assert_int_equal(case_run_desc(fix, &desc, kinds[(k + i + d) % num_kinds]), 1);
        }
    }
}

static void test_batches(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t numbers[] = {2, 5, 61, 1000};
    clsort_desc descs[] = {
        {.algorithm = CLSORT_QUICK},
        {.type = CLSORT_F32, .algorithm = CLSORT_QUICK, .index_size = 4},
        {.type = CLSORT_U64, .algorithm = CLSORT_QUICK, .stable = 1, .value_size = 12},
    };
    for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d) {
        uint64_t counts[16];
        const uint32_t num = borders(fix, &descs[d], max_count, counts);
        for (uint32_t i = 0; i < num; ++i)
            for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
                clsort_desc desc = descs[d];
                desc.count = counts[i];
                desc.num_arrays = numbers[k];
                desc.out_of_place = !desc.index_size && (i + k) % 2;
                if (counts[i] * numbers[k] <= 100000)
                    assert_int_equal(case_run_desc(fix, &desc, k % 2 ? DATA_FEW : DATA_NEARLY), 1);
            }
    }
}

/* ---- Records ---- */
static int compare_numbers(uint64_t x, uint64_t y)
{
    return (x > y) - (x < y);
}

static int by_rest(const unsigned char *a, const unsigned char *b)
{
    return compare_numbers(key_load(a, 0, 4) % 1000, key_load(b, 0, 4) % 1000);
}

static int by_sum(const unsigned char *a, const unsigned char *b)
{
    return compare_numbers((uint32_t)(key_load(a, 0, 4) + key_load(a, 3, 4)),
                           (uint32_t)(key_load(b, 0, 4) + key_load(b, 3, 4)));
}

static int by_last(const unsigned char *a, const unsigned char *b)
{
    return compare_numbers(key_load(a + 249, 0, 7), key_load(b + 249, 0, 7));
}

static const clsort_field byte_field[] = {{0, CLSORT_I8, CLSORT_ASCENDING}};
static const clsort_field two_fields[] = {{4, CLSORT_F32, CLSORT_DESCENDING},
                                          {0, CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_field middle_field[] = {{32, CLSORT_U16, CLSORT_DESCENDING}};

/* Enough fields that the comparison is a table (cl/base/record_table.h). */
static const clsort_field table_fields[] = {
    {0, CLSORT_U8, CLSORT_DESCENDING},  {1, CLSORT_U64, CLSORT_ASCENDING},
    {9, CLSORT_I64, CLSORT_DESCENDING}, {17, CLSORT_F64, CLSORT_ASCENDING},
    {25, CLSORT_F32, CLSORT_ASCENDING}, {29, CLSORT_I16, CLSORT_ASCENDING}};

static const clsort_record text_record = {.size = 4, .type = "uint", .less = "a % 1000 < b % 1000"};
static const clsort_record large_record = {
    .size = 256,
    .declarations = "typedef struct { uchar byte[256]; } large;",
    .type = "large",
    .less_body = "for (int i = 255; i > 248; --i)\n"
                 "    if (a.byte[i] != b.byte[i])\n        return a.byte[i] < b.byte[i];\n"
                 "return 0;"};
static const clsort_record table_record = {.size = 31, .num_fields = 6, .fields = table_fields};

/* A record's kernels differ by its comparison (fields, text, table), by whether it is wide, and by
 * what moves with it: nothing, a value, or an index. These cases are pairs of such choices. Where a
 * stable sort moves an index, those without values share their kernels with the case before them;
 * the bytes that are not compared show the order. test_record sorts the other combinations,
 * by merge sort, and record.wide sorts wide records by quicksort. */
static const struct record_case {
    const clsort_record *record;
    int (*compare)(const unsigned char *a, const unsigned char *b); /* NULL: by the fields */
    uint32_t value_size, index_size, stable;
} record_cases[] = {
    {&(const clsort_record){.size = 1, .num_fields = 1, .fields = byte_field}, NULL, 0, 4, 0},
    {&text_record, by_rest, 4, 0, 1},
    {&text_record, by_rest, 0, 0, 1},
    {&(const clsort_record){.size = 12, .num_fields = 2, .fields = two_fields}, NULL, 8, 0, 0},
    {&(const clsort_record){.size = 16, .type = "uint4", .less = "a.x + a.w < b.x + b.w"}, by_sum,
     0, 0, 0},
    {&(const clsort_record){.size = 64, .num_fields = 1, .fields = middle_field}, NULL, 1, 0, 0},
    {&large_record, by_last, 12, 0, 1},
    {&large_record, by_last, 0, 0, 1},
    {&table_record, NULL, 0, 4, 0},
    {&table_record, NULL, 4, 0, 0},
};

/* Records to be compared. */
struct compared {
    const struct record_case *c;
    const unsigned char *records, *others;
};

static int compare(const void *context, uint64_t i, uint64_t j)
{
    const struct compared *of = context;
    const clsort_desc desc = {.record = of->c->record};
    const uint32_t size = desc.record->size;
    void *const a = (void *)(uintptr_t)of->records, *const b = (void *)(uintptr_t)of->others;
    return of->c->compare ? of->c->compare(of->records + i * size, of->others + j * size)
                          : oracle_compare_elements(&desc, &a, i, &b, j);
}

static void check_records(const struct record_case *c, uint64_t count, const unsigned char *input,
                          const unsigned char *values_in, const unsigned char *records,
                          const unsigned char *values, const uint32_t *indices)
{
    const uint32_t size = c->record->size;
    const int stable = c->stable || c->index_size;
    uint64_t *order = test_alloc(count * sizeof *order);
    oracle_order(0, count, compare, &(struct compared){c, input, input}, order);
    for (uint64_t i = 0; i < count; ++i) {
        const unsigned char *expected = input + order[i] * size;
        int right = c->index_size ? indices[i] == order[i]
                    : stable      ? !memcmp(records + i * size, expected, size)
                                  : !compare(&(struct compared){c, records, input}, i, order[i]);
        if (stable && c->value_size)
            right = right && !memcmp(values + i * c->value_size,
                                     values_in + order[i] * c->value_size, c->value_size);
        if (!right)
            fail_msg("records of %u bytes, count %llu: place %llu is wrong", size,
                     (unsigned long long)count, (unsigned long long)i);
    }
    assert_true(c->index_size ||
                multiset_equal(multiset_of(input, size, values_in, c->value_size, count),
                               multiset_of(records, size, values, c->value_size, count)));
    free(order);
}

static void sort_records(const fixture *fix, const struct record_case *c, uint64_t count, int kind,
                         uint64_t num_arrays)
{
    const uint32_t size = c->record->size;
    const uint64_t all = count * num_arrays;
    const clsort_desc desc = {.count = count,
                              .num_arrays = num_arrays,
                              .record = c->record,
                              .algorithm = CLSORT_QUICK,
                              .stable = c->stable,
                              .value_size = c->value_size,
                              .index_size = c->index_size};
    clsort_plan plan;
    expect_status(clsort_get_plan(fix->sorter, &desc, &plan, NULL, 0), CLSORT_OK);
    assert_true(plan.stable || !c->stable);
    unsigned char *input = test_alloc(all * size);
    unsigned char *records = test_alloc(all * size);
    unsigned char *values_in = test_alloc(all * c->value_size);
    unsigned char *values = test_alloc(all * c->value_size);
    uint32_t *indices = test_alloc(all * 4);
    data_fill(input, CLSORT_U8, all * size, DATA_RANDOM, seed_mix(fix->seed, count));
    for (uint64_t i = 0; i < all * size && kind; ++i)
        input[i] = kind == 1 ? 7 : input[i] % 2 * 255;
    data_fill(values_in, CLSORT_U8, all * c->value_size, DATA_RANDOM, seed_mix(fix->seed, 2));
    memcpy(records, input, all * size);
    memcpy(values, values_in, all * c->value_size);
    const clsort_arrays arrays = {.keys = records,
                                  .values = c->value_size ? values : NULL,
                                  .indices = c->index_size ? indices : NULL};
    expect_status(clsort_sort(fix->sorter, &desc, &arrays), CLSORT_OK);
    for (uint64_t begin = 0; begin < all; begin += count)
        check_records(c, count, input + begin * size, values_in + begin * c->value_size,
                      records + begin * size, values + begin * c->value_size, indices + begin);
    free(input);
    free(records);
    free(values_in);
    free(values);
    free(indices);
}

/* CPUs merge records. The limited run takes no device for a CPU. */
static int sorts_records(const fixture *fix)
{
    const clsort_desc desc = {.count = 1000,
                              .record = record_cases[0].record,
                              .algorithm = CLSORT_QUICK};
    clsort_plan plan;
    expect_status(clsort_get_plan(fix->sorter, &desc, &plan, NULL, 0), CLSORT_OK);
    return fixture_takes(CLSORT_QUICK) && plan.algorithm == CLSORT_QUICK;
}

static void test_records(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!sorts_records(fix))
        skip();
    for (size_t i = 0; i < sizeof record_cases / sizeof *record_cases; ++i) {
        const struct record_case *c = &record_cases[i];
        const clsort_desc desc = {.record = c->record,
                                  .stable = c->stable,
                                  .value_size = c->value_size,
                                  .index_size = c->index_size};
        uint64_t counts[16];
        const uint32_t num = borders(fix, &desc, max_records, counts);
        /* Large counts take one kind of data each, which differs among the cases. */
        for (uint32_t j = 0; j < num; ++j)
            for (int kind = 0; kind < 3; ++kind)
                if (counts[j] <= 10000 || kind == (int)(i + j) % 3)
                    sort_records(fix, c, counts[j], kind, 1);
        sort_records(fix, c, counts[num / 2], 2, 3);
    }
}

/* One source text for many comparisons that are no order, or hardly one; the records select one. */
static void test_no_order(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_record record = {
        .size = 8,
        .declarations = "typedef struct { uint x, kind; } point;",
        .type = "point",
        .less = "a.kind == 0   ? 1\n"
                ": a.kind == 1 ? (a.x * 2654435761u ^ b.x * 40503u) >> 9 & 1\n"
                ": a.kind == 2 ? b.x - a.x < 0x80000000u\n"
                ": a.kind == 3 ? (a.x % 3 + 1) % 3 == b.x % 3\n"
                ": a.kind == 4 ? a.x <= b.x\n"
                ": a.kind == 5 ? (a.x ^ b.x) & 1\n"
                ": a.kind == 6 ? a.x != b.x\n"
                ": 0"};
    if (!sorts_records(fix))
        skip();
    /* Samples of two elements leave much to merges. */
    clsort_sorter *merging =
        tuned_sorter(fix, "splitters sample_group=1 sample_items=2\nwhole groups_per_unit=0\n");
    for (uint32_t stable = 0; stable < 2; ++stable) {
        clsort_desc desc = {
            .record = &record, .algorithm = CLSORT_QUICK, .stable = stable, .value_size = 4};
        uint64_t counts[16];
        const uint32_t num = borders(fix, &desc, max_records, counts);
        for (uint32_t kind = 0; kind < 8; ++kind)
            for (uint32_t i = 0; i < num; ++i) {
                const uint64_t count = desc.count = counts[i];
                uint32_t *records = test_alloc(count * 8), *values = test_alloc(count * 4);
                rng r = {seed_mix(fix->seed, count)};
                for (uint32_t j = 0; j < count; ++j) {
                    records[2 * j] = (uint32_t)rng_next(&r) >> (i % 3 * 13);
                    records[2 * j + 1] = kind;
                    values[j] = j;
                }
                const multiset before = multiset_of(records, 8, values, 4, count);
                const clsort_arrays arrays = {.keys = records, .values = values};
                expect_status(clsort_sort(stable ? fix->sorter : merging, &desc, &arrays),
                              CLSORT_OK);
                if (!multiset_equal(before, multiset_of(records, 8, values, 4, count)))
                    fail_msg("kind %u, count %llu, stable %u: elements were lost", kind,
                             (unsigned long long)count, stable);
                free(records);
                free(values);
            }
    }
    clsort_destroy(merging);
}

/* [NAME]: runs only this test. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),   cmocka_unit_test(test_payloads),
        cmocka_unit_test(test_batches),  cmocka_unit_test(test_records),
        cmocka_unit_test(test_no_order),
    };
    /* A single launch has no such borders; test_whole covers it. */
    tuning_write_text("whole groups_per_unit=0\n");
    const int result =
        fixture_run_wanted("quicksort", tests, sizeof tests / sizeof tests[0], argc, argv);
    tuning_remove();
    return result;
}
