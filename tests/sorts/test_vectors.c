/* test_vectors.c: numbers that CPUs with AVX-512 or AVX2 sort by vectors (cl/cpu/vector_sort.h),
 * and keys with payloads that become such numbers (cl/cpu/joined.h), by optimised kernels: every
 * count of a leaf, and parts of every kind. Other devices sort the same in their own way. */
#include "support/case.h"
#include "composed/segments/segments.h"

/* Keys of 32 and 64 bits as they are, turned, and with an index beside them; then joined ones. */
static const clsort_desc descs[] = {
    {.type = CLSORT_U32},
    {.type = CLSORT_U64},
    {.type = CLSORT_F32, .order = CLSORT_DESCENDING, .out_of_place = 1},
    {.type = CLSORT_I64, .order = CLSORT_DESCENDING},
    {.type = CLSORT_U32, .index_size = 4},
    {.type = CLSORT_I16},
    {.type = CLSORT_U64, .value_size = 8, .stable = 1},
    {.type = CLSORT_F64, .value_size = 4, .stable = 1, .order = CLSORT_DESCENDING},
    {.type = CLSORT_U32, .value_size = 4, .stable = 1, .out_of_place = 1},
    {.type = CLSORT_I64, .index_size = 4},
    {.type = CLSORT_U64, .value_size = 8, .stable = 1, .first_bit = 3, .end_bit = 61},
    {.type = CLSORT_U32, .first_bit = 3, .end_bit = 30},
};
enum { NUM_DESCS = sizeof descs / sizeof descs[0] };

/* A leaf has up to 16 vectors of 16 or 8 numbers. */
static void test_leaves(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int d = 0; d < NUM_DESCS; ++d)
        for (uint64_t count = 1; count <= 272; ++count) {
            clsort_desc desc = descs[d];
            desc.count = count;
            desc.num_arrays = 2;
            desc.algorithm = CLSORT_RADIX;
            assert_int_equal(case_run_desc(fix, &desc, count % 3 ? DATA_RANDOM : DATA_FEW), 1);
        }
}

/* Parts end at any number of vectors; pivots are the smallest key, the largest, or between. */
static void test_parts(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int d = 0; d < NUM_DESCS; ++d)
        for (int data = 0; data < NUM_DATA_KINDS; ++data)
            for (uint64_t count = 273 + 7 * (uint64_t)data; count <= 9000; count += 997) {
                clsort_desc desc = descs[d];
                desc.count = count;
                desc.algorithm = CLSORT_RADIX;
                assert_int_equal(case_run_desc(fix, &desc, (data_kind)data), 1);
            }
}

/* Forms 0 and 4 are keys alone, 2 and 7 indices, 1 and 3 values. */
static void test_segments(void **state)
{
    const fixture *fix = fixture_of(state);
    static const struct {
        uint32_t form;
        clsort_type type;
    } wanted[] = {
        {0, CLSORT_U32}, {2, CLSORT_U32}, {4, CLSORT_U64}, {1, CLSORT_U32}, {3, CLSORT_U64}};
    for (uint32_t shape = 0; shape < num_segment_shapes; ++shape)
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
            segments s = {.desc = {.count = 20000, .type = wanted[i].type, .stable = 1},
                          .form = wanted[i].form,
                          .shape = shape,
                          .data = shape % 2 ? DATA_RANDOM : DATA_LOGARITHMS,
                          .seed = fix->seed + shape};
            segments_run(fix, &s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_segments),
    };
    return fixture_run("vectors", tests, sizeof tests / sizeof tests[0]);
}
