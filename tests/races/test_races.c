/* Small sorts by every algorithm, run under Oclgrind by test_oclgrind.sh: its simulated device
 * reports races and accesses out of bounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/case.h"
#include "support/tuning_case.h"

/* A few keys, since the simulation is a thousand times slower than a device. CLSORT_LIMIT makes
 * even these need plans of several steps. */
static const uint64_t counts[] = {2, 37, 300, 2500};

static void test_keys(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            const clsort_desc desc = {.count = counts[i],
                                      .type = i % 2 ? CLSORT_F32 : CLSORT_U16,
                                      .algorithm = (clsort_algorithm)algorithm,
                                      .out_of_place = i % 2};
            if (fixture_takes(desc.algorithm))
                assert_int_equal(case_run_desc(fix, &desc, DATA_SPRINKLED), 1);
        }
}

static void test_payloads(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm) {
        const clsort_algorithm a = (clsort_algorithm)algorithm;
        const clsort_desc descs[] = {
            {.count = 300, .type = CLSORT_U64, .algorithm = a, .value_size = 8},
            {.count = 300, .type = CLSORT_U8, .algorithm = a, .stable = 1, .value_size = 12},
            {.count = 500, .type = CLSORT_I32, .algorithm = a, .index_size = 4},
        };
        for (unsigned i = 0; i < sizeof descs / sizeof descs[0] && fixture_takes(a); ++i)
            assert_int_equal(case_run_desc(fix, &descs[i], DATA_FEW), 1);
    }
    /* More blocks than one scan's work-items. */
    const clsort_desc blocks = {
        .count = 2500, .type = CLSORT_U8, .algorithm = CLSORT_RADIX, .value_size = 4};
    if (fixture_takes(CLSORT_RADIX))
        assert_int_equal(case_run_desc(fix, &blocks, DATA_RANDOM), 1);
}

static void test_batches(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm) {
        const clsort_desc desc = {.count = 33,
                                  .num_arrays = 7,
                                  .algorithm = (clsort_algorithm)algorithm};
        if (fixture_takes(desc.algorithm))
            assert_int_equal(case_run_desc(fix, &desc, DATA_RANDOM), 1);
    }
    /* More segments and leaves than work-groups. */
    const clsort_desc desc = {.count = 90, .num_arrays = 70, .algorithm = CLSORT_QUICK};
    if (fixture_takes(CLSORT_QUICK))
        assert_int_equal(case_run_desc(fix, &desc, DATA_TWO), 1);
}

/* Records by fields and by a comparison, which need different kernels. */
static void test_records(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_field fields[] = {{4, CLSORT_F32, CLSORT_DESCENDING},
                                   {1, CLSORT_U16, CLSORT_ASCENDING}};
    const clsort_record records[] = {
        {.size = 12, .num_fields = 2, .fields = fields},
        {.size = 12,
         .declarations = "typedef struct { uint x, y, z; } three;",
         .type = "three",
         .less = "a.y < b.y"},
    };
    if (!fixture_takes(CLSORT_MERGE))
        return;
    for (unsigned i = 0; i < 4; ++i) {
        const clsort_desc desc = {
            .count = 700, .record = &records[i % 2], .stable = 1, .value_size = i / 2 * 8};
        unsigned char keys[700 * 12];
        uint64_t values[700];
        data_fill(keys, CLSORT_U8, sizeof keys, DATA_FEW, fix->seed);
        for (uint64_t j = 0; j < 700; ++j)
            values[j] = j;
        const clsort_arrays arrays = {.keys = keys, .values = i / 2 ? values : NULL};
        expect_status(clsort_sort(fix->sorter, &desc, &arrays), CLSORT_OK);
        uint32_t before = 0;
        for (uint64_t j = 0; j < 700 && i % 2; ++j) {
            uint32_t y = 0;
            memcpy(&y, keys + 12 * j + 4, sizeof y);
            assert_true(before <= y);
            before = y;
        }
    }
}

/* Quicksort with samples of two elements, so that much is left to its merges. Several levels, and
 * several blocks for each work-group. Merges are one launch, or one each. */
static void run_merges(const fixture *fix, unsigned per_unit)
{
    static const clsort_field field = {4, CLSORT_U32, CLSORT_ASCENDING};
    static const clsort_record records_of[] = {
        {.size = 12, .num_fields = 1, .fields = &field},
        {.size = 12,
         .declarations = "typedef struct { uint x, y, z; } three;",
         .type = "three",
         .less = "a.y < b.y"},
    };
    enum { count = 700 };
    char rows[128];
    snprintf(rows, sizeof rows,
             "splitters sample_group=1 sample_items=2 scatter_items=1 block_tiles=1 bucket_bits=2 "
             "groups_per_unit=%u\n",
             per_unit);
    const fixture tuned = fixture_with(fix, tuned_sorter(fix, rows));
    const clsort_desc descs[] = {
        {.count = count, .type = CLSORT_F32, .algorithm = CLSORT_QUICK},
        {.count = 130, .num_arrays = 5, .algorithm = CLSORT_QUICK, .index_size = 4},
    };
    for (unsigned i = 0; i < sizeof descs / sizeof descs[0]; ++i)
        assert_int_equal(case_run_desc(&tuned, &descs[i], DATA_RANDOM), 1);
    for (uint32_t stable = 0; stable < 2; ++stable) {
        uint32_t records[3 * count], values[count];
        data_fill(records, CLSORT_U32, 3 * count, DATA_RANDOM, fix->seed);
        data_fill(values, CLSORT_U32, count, DATA_RANDOM, fix->seed);
        const clsort_desc desc = {.count = count,
                                  .record = &records_of[stable],
                                  .algorithm = CLSORT_QUICK,
                                  .stable = stable,
                                  .value_size = 4 * stable};
        const clsort_arrays arrays = {.keys = records, .values = stable ? values : NULL};
        expect_status(clsort_sort(tuned.sorter, &desc, &arrays), CLSORT_OK);
        for (uint32_t i = 1; i < count; ++i)
            assert_true(records[3 * i - 2] <= records[3 * i + 1]);
    }
    clsort_destroy(tuned.sorter);
}

static void test_merges(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!fixture_takes(CLSORT_QUICK))
        return;
    run_merges(fix, 0);
    run_merges(fix, 1); /* one group: see test_passes() */
}

/* A sorter with these tuning rows. If the test forces GPUs' forms on a CPU, it limits the size of
 * work-groups and leaves local memory for MSD radix sort's sample. */
static clsort_sorter *sorter_of(const fixture *fix, const char *rows, unsigned group_size)
{
    const char *limit = getenv("CLSORT_LIMIT");
    char text[64];
    snprintf(text, sizeof text, "subgroup=0,local=16384,group=%u,cpu=0", group_size);
    if (limit && strstr(limit, "cpu=0"))
        fixture_limit_to(text);
    clsort_sorter *sorter = tuned_sorter(fix, rows);
    fixture_end_limit();
    return sorter;
}

/* Quicksort in a single launch: by one work-group, which is always complete, and by four. Oclgrind
 * runs those one after the other, so the last one does all the work. */
static void test_whole(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!fixture_takes(CLSORT_QUICK))
        return;
    static const data_kind kinds[] = {DATA_RANDOM, DATA_FEW, DATA_SORTED, DATA_LOW_BITS};
    for (unsigned groups = 1; groups <= 4; groups += 3) {
        char rows[256];
        snprintf(rows, sizeof rows,
                 "whole group=16 held=16 leaf_items=3 groups_per_unit=%u bucket_bits=%u "
                 "sample_group=%u sample_items=4 single_group=16 single_items=2 spin_limit=4\n",
                 groups, groups == 1 ? 3 : 4, 16 * groups);
        const fixture tuned = fixture_with(fix, sorter_of(fix, rows, 16 * groups));
        const clsort_desc descs[] = {
            {.type = CLSORT_F32, .algorithm = CLSORT_QUICK},
            {.type = CLSORT_U64, .algorithm = CLSORT_QUICK, .index_size = 4},
        };
        for (unsigned i = 0; i < 2; ++i)
            for (unsigned k = 0; k < 4; ++k) {
                clsort_desc desc = descs[i];
                desc.count = k == 3 ? 30 : 200 + k;
                /* In place, a group would overwrite elements that others have read but not yet
                 * counted. Oclgrind ignores the counting that makes this safe. */
                desc.out_of_place = groups > 1 && !desc.index_size;
                assert_int_equal(case_run_desc(&tuned, &desc, kinds[k]), 1);
            }
        clsort_destroy(tuned.sorter);
    }
}

#define ONESWEEP "onesweep scatter_group=16 scatter_items=3 groups_per_unit=1 "
#define NO_ONESWEEP "onesweep min=2^40\n"
#define PART "digits min=0 scatter_items=2 leaf_items=2 groups_per_unit=1 crowded_per_unit=1 "
#define MSD                                                                           \
    "msd min=0 leaf_items=2 bin_bits=10 votes=0 split_items=4 block_lanes=4 parts=1 " \
    "groups_per_unit=1 digit_bits=4\n"

/* Tuning rows that lead to a kernel, and what is sorted with them. */
static const struct pass_form {
    const char *kernel, *rows;
    unsigned group_size; /* at most */
    uint64_t count;
    clsort_algorithm algorithm;
    unsigned first_desc, end_desc; /* of pass_descs */
} pass_forms[] = {
    {"onesweep_sort", ONESWEEP "digit_bits=4 min=0\n", 16, 300, CLSORT_RADIX, 0, 6},
    {"partition_rests", NO_ONESWEEP PART "digit_bits=5 deep_bits=3\n", 16, 300, CLSORT_RADIX, 2, 6},
    {"partition_levels", NO_ONESWEEP PART "digit_bits=4 deep_bits=3\n", 16, 9000, CLSORT_RADIX, 1,
     2},
    {"msd_finish", ONESWEEP "digit_bits=4\n" MSD, 16, 2100, CLSORT_RADIX, 1, 2},
    {"msd_finish", ONESWEEP "digit_bits=4\n" MSD, 16, 2100, CLSORT_RADIX, 4, 5},
    /* Copies of the counters. */
    {"partition_levels", NO_ONESWEEP PART "digit_bits=4 deep_bits=3 scatter_group=128\n", 128, 9000,
     CLSORT_RADIX, 1, 2},
    {"partition_crowded", NO_ONESWEEP PART "digit_bits=4 deep_bits=3\n", 16, 9000, CLSORT_RADIX, 2,
     3},
    {"partition_crowded", NO_ONESWEEP PART "digit_bits=4 deep_bits=3\n", 16, 9000, CLSORT_RADIX, 4,
     5},
    {"counting_fill", "counting min=0 group=16 items=1 groups_per_unit=1\n", 16, 300, CLSORT_RADIX,
     0, 1},
    {"counting_fill", "counting min=0 group=16 items=1 groups_per_unit=1\n", 16, 300, CLSORT_RADIX,
     6, 7},
    /* A sample of one element for each bucket leaves much to merges. */
    {"partition_merges",
     "whole groups_per_unit=0\nsplitters leaf_items=2 sample_items=2 bucket_bits=4 "
     "groups_per_unit=1\n",
     16, 2100, CLSORT_QUICK, 0, 1},
};

static const clsort_desc pass_descs[] = {
    /* No keys of 32 bits without payload: Oclgrind mistakes a tile of them for the counters in
     * the same memory. Likewise it mistakes counters for sums if there are more digits than
     * work-items. */
    {.type = CLSORT_U16},
    {.type = CLSORT_U64},
    {.type = CLSORT_F32, .stable = 1, .value_size = 4},
    {.type = CLSORT_U64, .index_size = 4},
    {.type = CLSORT_I32, .value_size = 4},
    {.type = CLSORT_F64, .value_size = 8},
    {.type = CLSORT_U8},
};

/* The first three for large counts. */
static const data_kind pass_kinds[] = {DATA_RANDOM, DATA_LOW_BITS, DATA_CROWDS, DATA_FEW,
                                       DATA_SORTED};

/* The launches of several phases: onesweep, alone and behind msd; tail levels; payloads in all
 * levels; more tasks of each kind than work-groups; quicksort's merges. One work-group runs each
 * single launch, since Oclgrind ignores the order that atomics make between groups. */
static void test_passes(void **state)
{
    const fixture *fix = fixture_of(state);
    const char *limit = getenv("CLSORT_LIMIT");
    if (!limit || !strstr(limit, "cpu=0"))
        skip(); /* test_passes covers GPUs and CPUs */
    /* Kernels that are not optimised take ten times as long (test_oclgrind.sh). */
    const int is_slow = getenv("OCLGRIND_UNINITIALIZED") != NULL;
    for (unsigned f = 0; f < sizeof pass_forms / sizeof *pass_forms; ++f) {
        const struct pass_form *form = &pass_forms[f];
        if (!fixture_takes(form->algorithm))
            continue;
        const fixture tuned = fixture_with(fix, sorter_of(fix, form->rows, form->group_size));
        const unsigned num_kinds = is_slow ? 1 : form->count < 3000 ? 5 : 3;
        for (unsigned i = form->first_desc; i < form->end_desc; ++i)
            for (unsigned k = 0; k < num_kinds; ++k) {
                clsort_desc desc = pass_descs[i];
                desc.algorithm = form->algorithm;
                desc.count = form->count + k;
                assert_true(case_launches(tuned.sorter, &desc, form->kernel));
                assert_int_equal(case_run_desc(&tuned, &desc, pass_kinds[k]), 1);
            }
        clsort_destroy(tuned.sorter);
    }
}

/* Evenly spread keys whose neighbours in a digit of level 1 also agree in level 2's digit. So a
 * bucket overflows in the last tile of each task, too: a leaf has 24 keys, and a bucket holds
 * 22. */
static void test_neighbours(void **state)
{
    enum { digits = 16, leaf = 24, leaves = 7, count = digits * leaves * leaf };
    const fixture *fix = fixture_of(state);
    const char *limit = getenv("CLSORT_LIMIT");
    if (!limit || !strstr(limit, "cpu=0") || !fixture_takes(CLSORT_RADIX))
        skip();
    const fixture tuned = fixture_with(fix, sorter_of(fix, ONESWEEP "digit_bits=4\n" MSD, 16));
    uint64_t keys[count];
    rng r = {fix->seed};
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t number = i / digits;
        keys[i] =
            i * 7 % digits << 60 | number / leaf << 57 | number % 8 << 54 | rng_next(&r) >> 10;
    }
    const sort_case c = {
        .desc = {.count = count, .type = CLSORT_U64, .algorithm = CLSORT_RADIX},
        .bytes = keys,
        .num_bytes = sizeof keys,
    };
    assert_true(case_launches(tuned.sorter, &c.desc, "msd_scatter"));
    assert_int_equal(case_run(&tuned, &c), 1);
    clsort_destroy(tuned.sorter);
}

/* Columns of two keys, and a record's fields as one key. The sorts themselves are tested above. */
static void test_rows(void **state)
{
    const fixture *fix = fixture_of(state);
    enum { count = 300 };
    static const clsort_column columns[] = {{CLSORT_I16, CLSORT_DESCENDING},
                                            {CLSORT_F64, CLSORT_ASCENDING},
                                            {CLSORT_U8, CLSORT_ASCENDING}};
    static const clsort_field fields[] = {{1, CLSORT_I16, CLSORT_DESCENDING},
                                          {4, CLSORT_U32, CLSORT_ASCENDING}};
    const clsort_record record = {.size = 12, .num_fields = 2, .fields = fields};
    int16_t first[count];
    double second[count];
    unsigned char third[count];
    unsigned char records[12 * count];
    void *const places[] = {first, second, third};
    data_fill(first, CLSORT_I16, count, DATA_FEW, fix->seed);
    data_fill(second, CLSORT_U8, sizeof second, DATA_FEW, fix->seed);
    data_fill(third, CLSORT_U8, count, DATA_RANDOM, fix->seed);
    data_fill(records, CLSORT_U8, sizeof records, DATA_FEW, fix->seed);
    const clsort_desc rows = {.count = count, .num_columns = 3, .columns = columns};
    const clsort_desc by_fields = {.count = count, .record = &record, .algorithm = CLSORT_RADIX};
    if (!fixture_takes(CLSORT_RADIX))
        return;
    expect_status(clsort_sort(fix->sorter, &rows, &(clsort_arrays){.columns = places}), CLSORT_OK);
    expect_status(clsort_sort(fix->sorter, &by_fields, &(clsort_arrays){.keys = records}),
                  CLSORT_OK);
    for (uint32_t i = 1; i < count; ++i)
        assert_true(first[i - 1] >= first[i]);
}

/* Strings with common prefixes, some of them equal. */
static void test_strings(void **state)
{
    const fixture *fix = fixture_of(state);
    enum { count = 600, num_bytes = count * 12 };
    unsigned char bytes[num_bytes], bytes_out[num_bytes];
    uint32_t offsets[count + 1], offsets_out[count + 1], indices[count];
    data_fill(bytes, CLSORT_U8, num_bytes, DATA_FEW, fix->seed);
    for (uint32_t i = 0; i <= count; ++i)
        offsets[i] = i * 12 - (i % 3 ? 0 : i % 12);
    for (uint32_t i = 0; i < count; ++i)
        memset(bytes + offsets[i], 'x', i % 4 * 2);
    const clsort_strings strings = {.num_bytes = num_bytes, .offset_size = 4};
    const clsort_desc desc = {
        .count = count, .strings = &strings, .index_size = 4, .out_of_place = 1};
    const clsort_arrays arrays = {.keys = bytes,
                                  .offsets = offsets,
                                  .keys_out = bytes_out,
                                  .offsets_out = offsets_out,
                                  .indices = indices};
    if (!fixture_takes(CLSORT_RADIX))
        return;
    expect_status(clsort_sort(fix->sorter, &desc, &arrays), CLSORT_OK);
    for (uint32_t i = 1; i < count; ++i)
        assert_true(bytes_out[offsets_out[i - 1]] <= bytes_out[offsets_out[i]]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),    cmocka_unit_test(test_payloads),
        cmocka_unit_test(test_batches), cmocka_unit_test(test_records),
        cmocka_unit_test(test_merges),  cmocka_unit_test(test_rows),
        cmocka_unit_test(test_strings), cmocka_unit_test(test_whole),
        cmocka_unit_test(test_passes),  cmocka_unit_test(test_neighbours),
    };
    return fixture_run_wanted("races", tests, sizeof tests / sizeof tests[0], argc, argv);
}
