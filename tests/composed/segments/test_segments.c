/* Segments by offsets: an oracle of its own over all types, forms and shapes of segments; offsets
 * that lie are contained; the host form refuses them; a count that a kernel has written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/case.h"
#include "support/fixture.h"
#include "segments.h"

static void test_every_type_and_form(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (uint32_t i = 0; i < (fix->limited ? 1 : 3); ++i) { /* a program each */
            const uint32_t form = (type + 3 * i) % num_segment_forms;
            segments s = {.desc = {.count = 3000 + 7 * type,
                                   .type = (clsort_type)type,
                                   .order = (clsort_order)((type + form) % 2)},
                          .form = form,
                          .shape = (type + form) % num_segment_shapes,
                          .seed = fix->seed + type * 100 + form};
            segments_run(fix, &s);
        }
}

static void test_every_shape(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t counts[] = {1, 2, 31, 32, 33, 64, 1000, 4095, 4096, 4097, 20001};
    for (uint32_t shape = 0; shape < num_segment_shapes; ++shape)
        for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            segments s = {.desc = {.count = counts[i], .stable = i % 2},
                          .form = (shape + i) % (fix->limited ? 3 : num_segment_forms),
                          .shape = shape,
                          .seed = fix->seed + shape * 50 + i};
            segments_run(fix, &s);
        }
}

/* Lengths around registers and halves of them, words of bits, a tile and what hangs over it, with
 * counts that are no multiple of 32. A limited device has tiles of 192 elements in 256 slots. */
static void test_lengths(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t around[] = {2, 4, 8, 17, 32, 64, 136, 192, 256, 544};
    for (uint32_t i = 0; i < sizeof around / sizeof around[0]; ++i)
        for (uint64_t length = around[i] - 1; length <= around[i] + 1; ++length) {
            segments s = {.desc = {.count = 1999 + i, .order = (clsort_order)(i % 2)},
                          .form = 0,
                          .seed = 7 * length + i,
                          .length = length};
            segments_run(fix, &s);
        }
}

static void test_a_million_empties(void **state)
{
    const fixture *fix = fixture_of(state);
    segments s = {.desc = {.count = 640}, .form = 0, .shape = shape_of_empties, .seed = 11};
    segments_run(fix, &s);
    assert_true(s.desc.num_segments > 900000);
}

static void test_bit_ranges(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t i = 0; i < (fix->limited ? 4 : 24); ++i) { /* a program each */
        const clsort_type type = (clsort_type)(i * 5 % CLSORT_NUM_TYPES);
        const uint32_t bits = clsort_type_size(type) * 8;
        segments s = {.desc = {.count = 2500,
                               .type = type,
                               .order = (clsort_order)(i / 3 % 2),
                               .first_bit = i * 5 % bits,
                               .stable = i % 2},
                      .form = i % num_segment_forms,
                      .shape = i % num_segment_shapes,
                      .seed = fix->seed + i};
        s.desc.end_bit = s.desc.first_bit + 1 + i * 3 % (bits - s.desc.first_bit);
        segments_run(fix, &s);
    }
    for (uint32_t i = 0; i < (fix->limited ? 2 : 8); ++i) { /* one long segment, most of the bits */
        segments s = {.desc = {.count = i % 2 ? 2500 : 20000,
                               .type = i / 2 % 2 ? CLSORT_I32 : CLSORT_U32,
                               .first_bit = 4,
                               .end_bit = 28,
                               .stable = i / 4},
                      .form = 1, /* values of 4 bytes */
                      .shape = 2,
                      .seed = fix->seed + i};
        segments_run(fix, &s);
    }
}

static void test_random(void **state)
{
    const fixture *fix = fixture_of(state);
    rng random = {fix->seed};
    const uint64_t num_types = fix->limited ? 2 : CLSORT_NUM_TYPES; /* programs */
    const uint64_t num_forms = fix->limited ? 3 : num_segment_forms;
    for (int i = 0; i < 60; ++i) {
        segments s = {.desc = {.count = rng_below(&random, 9000),
                               .type = (clsort_type)rng_below(&random, num_types),
                               .order = (clsort_order)rng_below(&random, 2),
                               .stable = (uint32_t)rng_below(&random, 2)},
                      .form = (uint32_t)rng_below(&random, num_forms),
                      .shape = (uint32_t)rng_below(&random, num_segment_shapes),
                      .data = (data_kind)rng_below(&random, NUM_DATA_KINDS),
                      .seed = rng_next(&random)};
        segments_run(fix, &s);
    }
}

/* What is tested: on GPUs tiles and radix sort from the highest digit, on CPUs shares. */
static void test_kernels(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 100000, .num_segments = 10, .offset_size = 4};
    const int is_cpu = fixture_has_cpu_kernels(fix);
    assert_int_equal(case_launches(fix->sorter, &desc, "cpu_segments"), is_cpu);
    assert_int_equal(case_launches(fix->sorter, &desc, "segments_tile"), !is_cpu);
    assert_int_equal(case_launches(fix->sorter, &desc, "partition_rests"), !is_cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),     cmocka_unit_test(test_every_type_and_form),
        cmocka_unit_test(test_every_shape), cmocka_unit_test(test_bit_ranges),
        cmocka_unit_test(test_lengths),     cmocka_unit_test(test_a_million_empties),
        cmocka_unit_test(test_random),
    };
    return fixture_run("segments", tests, sizeof tests / sizeof tests[0]);
}
