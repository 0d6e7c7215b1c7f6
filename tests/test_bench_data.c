/* Whether the input of 'clsort bench', or its output if that is larger, fits into the host's
 * memory, whose size is made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench_data.h"
#include "host_memory.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_places_of_segments),
        cmocka_unit_test(test_products_that_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
