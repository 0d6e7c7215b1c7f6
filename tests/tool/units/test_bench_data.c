/* Whether the input of 'clsort bench', or its output if that is larger, fits into the host's
 * memory, whose size is made up here; and what is said of indices of segments and rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench/run/data.h"
#include "memory/host_memory.h"

enum { COUNT = 1000, AVAILABLE = 4 * COUNT * 8 };

uint64_t host_memory_available(void)
{
    return AVAILABLE;
}

static struct bench_input pairs(uint64_t count)
{
    const struct bench_type type = {.key = CLSORT_U32, .value_size = 4};
    return bench_input_make(type, count, BENCH_RANDOM, 1);
}

static void test_copies(void **state)
{
    (void)state;
    char note[BENCH_NOTE] = "";
    const struct bench_input fits = pairs(COUNT), larger = pairs(COUNT + 1);
    assert_true(bench_fits_host(&fits, 4, note));
    assert_string_equal(note, "");
    assert_false(bench_fits_host(&fits, 5, note));
    assert_string_equal(note, "needs 39.1 KiB of the host's memory, which has 31.2 KiB left");
    assert_false(bench_fits_host(&larger, 4, note));
}

/* The output has room for `limit` places of each segment, also where segments are shorter. */
static void test_places_of_segments(void **state)
{
    (void)state;
    char note[BENCH_NOTE];
    struct bench_input input = pairs(COUNT);
    input.work = BENCH_TOP;
    input.num_segments = COUNT;
    input.limit = 1;
    assert_true(bench_fits_host(&input, 4, note));
    input.limit = 2;
    assert_false(bench_fits_host(&input, 4, note));
    assert_true(bench_fits_host(&input, 2, note));
}

static void test_products_that_wrap(void **state)
{
    (void)state;
    char note[BENCH_NOTE];
    struct bench_input input = pairs(COUNT);
    input.work = BENCH_TOP;
    input.num_segments = UINT64_C(1) << 32;
    const uint64_t limits[] = {UINT64_C(1) << 27, UINT64_C(1) << 30, UINT64_C(1) << 32};
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        input.limit = limits[i];
        assert_false(bench_fits_host(&input, 4, note));
        assert_non_null(strstr(note, "needs 16.0 EiB or more"));
    }
}

/* What is said of an output of indices of these keys, in two segments or rows of three keys. */
static int check_indices(const u32 indices[6], bool is_rows, char why[BENCH_WHY])
{
    static const u32 keys[] = {5, 3, 9, 7, 7, 1};
    static const u64 offsets[] = {0, 3, 6};
    struct bench_input input =
        bench_input_make((struct bench_type){.key = CLSORT_U32}, 6, BENCH_RANDOM, 1);
    input.work = BENCH_SEGMENTS;
    input.num_segments = 2;
    input.row_length = is_rows ? 3 : 0;
    input.index_size = sizeof(u32);
    const struct bench_arrays arrays = {.keys = keys,
                                        .indices = indices,
                                        .offsets = is_rows ? NULL : offsets};
    input.side = BENCH_INPUT;
    const struct bench_sums expected = bench_look(&input, &arrays, 0, 1);
    input.side = BENCH_OUTPUT;
    const struct bench_sums found = bench_look(&input, &arrays, 0, 1);
    return bench_check(&input, &expected, &found, why);
}

/* Indices begin anew in each segment; each is there once, those of equal keys in order. */
static void test_indices_of_segments(void **state)
{
    (void)state;
    static const u32 right[6] = {1, 0, 2, 2, 0, 1};
    static const u32 wrong[][6] = {
        {1, 0, 2, 5, 3, 4}, /* of all keys */
        {1, 0, 2, 2, 1, 0}, /* equal keys are not in order */
        {0, 1, 2, 2, 0, 1}, /* neither are the keys */
        {1, 0, 0, 2, 0, 1}, /* one is there twice */
        {1, 0, 3, 2, 0, 1}, /* one is of the other segment */
    };
    char why[BENCH_WHY];
    for (int is_rows = 0; is_rows < 2; is_rows++) {
        assert_int_equal(check_indices(right, is_rows, why), 1);
        for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
            assert_int_equal(check_indices(wrong[i], is_rows, why), BENCH_WRONG);
            assert_string_equal(why, "the indices are wrong");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_places_of_segments),
        cmocka_unit_test(test_products_that_wrap),
        cmocka_unit_test(test_indices_of_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
