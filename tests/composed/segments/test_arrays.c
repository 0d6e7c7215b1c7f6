/* Several arrays of numbers that GPUs sort as segments of one length, indices of 8 bytes that are
 * sorted as 4, and leaves of keys whose bits do not fit beside the number of a slot: such keys'
 * lowest bits are compared by themselves. */
#include <stdio.h>
#include <stdlib.h>

#include "support/case.h"
#include "support/tuning_case.h"

/* From a few elements on, with tiles so small that most arrays are leaves. */
#define SEGMENTS "group=16 items=4 arrays_min=2 arrays_max=2^20 arrays_total=2\n"
static const char tuning[] = "general rank_max=0\n"
                             "segments " SEGMENTS "segments item=4 " SEGMENTS
                             "segments item=8 " SEGMENTS "segments item=16 " SEGMENTS;

/* Indices of 8 bytes are sorted as 4 from 1000 elements on. */
static const char wide_tuning[] = "general rank_max=0 wide_index_min=1000\ndigits min=1000\n";

/* What moves with the keys. */
static void set_form(clsort_desc *desc, unsigned form)
{
    static const uint32_t value_sizes[] = {0, 0, 8, 4, 0, 12};
    desc->value_size = value_sizes[form];
    desc->index_size = form == 4 ? 4 : form == 1 ? 8 : 0;
    desc->stable = form == 2 || form == 5;
    desc->out_of_place = form % 2;
}
enum { NUM_FORMS = 6 };

static void test_kinds(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture other = fixture_with(fix, tuned_sorter(fix, tuning));
    static const clsort_type types[] = {CLSORT_U32, CLSORT_F64, CLSORT_U64, CLSORT_U8};
    static const uint64_t counts[][2] = {{2, 3}, {3, 500}, {31, 60}, {300, 7}, {5000, 2}, {777, 5}};
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        for (unsigned form = 0; form < NUM_FORMS; ++form) {
            clsort_desc desc = {.count = counts[i][0],
                                .num_arrays = counts[i][1],
                                .type = types[(i + form) % 4],
                                .order = (clsort_order)(i / 2 % 2)};
            set_form(&desc, form);
            if (form == 0 && i % 2) {
                desc.first_bit = 2;
                desc.end_bit = 7;
            }
            assert_int_equal(case_run_desc(&other, &desc, (data_kind)((7 * i + form) % 17)), 1);
        }
    clsort_destroy(other.sorter);
}

/* They are segments where the tuning says so, and never on CPUs. */
static void test_route(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture other = fixture_with(fix, tuned_sorter(fix, tuning));
    const clsort_desc rows = {.count = 300, .num_arrays = 4}, one = {.count = 1200};
    assert_int_equal(case_launches(other.sorter, &rows, "segments_tile"),
                     !fixture_has_cpu_kernels(fix));
    assert_false(case_launches(other.sorter, &one, "segments_tile"));
    const clsort_desc asked = {.count = 300, .num_arrays = 4, .algorithm = CLSORT_BITONIC};
    assert_false(case_launches(other.sorter, &asked, "segments_tile"));
    const clsort_desc none = {.count = 0, .num_arrays = 4};
    assert_false(case_launches(other.sorter, &none, "segments_tile"));
    clsort_destroy(other.sorter);
}

/* Indices of 8 bytes are sorted as 4, whose tiles decide: here they have no room, and another route
 * is taken. */
static void test_index_tiles(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture other = fixture_with(
        fix,
        tuned_sorter(
            fix,
            "general rank_max=0\n"
            "segments item=8 group=16 items=2 arrays_min=2 arrays_max=2^20 arrays_total=2\n"
            "segments item=16 group=16 items=4 arrays_min=2 arrays_max=2^20 arrays_total=2\n"));
    const clsort_desc desc = {.count = 300, .num_arrays = 7, .index_size = 8};
    assert_false(case_launches(other.sorter, &desc, "segments_tile"));
    assert_int_equal(case_run_desc(&other, &desc, DATA_RANDOM), 1);
    clsort_destroy(other.sorter);
}

/* Indices of 8 bytes of one array are sorted as 4, and written wide at last; alone, and with the
 * keys. */
static void test_wide_indices(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_type types[] = {CLSORT_U32, CLSORT_I8, CLSORT_F32, CLSORT_U16};
    fixture_limit_to("cpu=0");
    const fixture other = fixture_with(fix, tuned_sorter(fix, wide_tuning));
    fixture_end_limit();
    for (unsigned i = 0; i < 8; ++i) {
        const clsort_desc desc = {.count = 1000 + 977 * i,
                                  .type = types[i % 4],
                                  .order = (clsort_order)(i / 4),
                                  .index_size = 8,
                                  .out_of_place = i % 3 == 2};
        assert_true(case_launches(other.sorter, &desc, "segments_finish"));
        assert_int_equal(case_run_desc(&other, &desc, i % 2 ? DATA_FEW : DATA_RANDOM), 1);
    }
    const clsort_desc few = {.count = 999, .index_size = 8};
    assert_false(case_launches(other.sorter, &few, "segments_finish"));
    const clsort_desc wide = {.count = 2000, .type = CLSORT_U64, .index_size = 8};
    assert_false(case_launches(other.sorter, &wide, "segments_finish"));
    clsort_destroy(other.sorter);
}

/* 64-bit keys that differ in their highest and lowest bits; the lowest do not fit beside a slot. Of
 * the bits that do fit, few, many or all keys of a leaf have the same. Every 40th key has one bit
 * that few work-items of a leaf meet, and none meets last. */
static void test_wide_leaves(void **state)
{
    enum { NUM = 4999 };
    static const unsigned high_bits[] = {1, 3, 7, 12}, low_bits[] = {13, 3, 6, 0};
    const fixture *fix = fixture_of(state);
    const fixture other = fixture_with(fix, tuned_sorter(fix, tuning));
    uint64_t *keys = test_alloc(NUM * sizeof *keys);
    rng r = {fix->seed};
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned form = 0; form < NUM_FORMS; ++form) {
            static const uint64_t counts[] = {40, 150, 255, 700, 2300};
            for (unsigned k = 0; k < NUM; ++k)
                keys[k] = rng_below(&r, (uint64_t)1 << high_bits[i]) << (64 - high_bits[i]) |
                          (uint64_t)(rng_below(&r, 40) == 0) << 52 |
                          rng_below(&r, (uint64_t)1 << low_bits[i]);
            sort_case c = {.desc = {.count = counts[(i + form) % 5],
                                    .num_arrays = 1 + 4000 / counts[(i + form) % 5],
                                    .type = CLSORT_U64,
                                    .order = (clsort_order)(form % 2)},
                           .seed = fix->seed + i,
                           .bytes = keys,
                           .num_bytes = NUM * sizeof *keys};
            set_form(&c.desc, form);
            assert_int_equal(case_run(&other, &c), 1);
        }
    free(keys);
    clsort_destroy(other.sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),       cmocka_unit_test(test_route),
        cmocka_unit_test(test_index_tiles), cmocka_unit_test(test_wide_indices),
        cmocka_unit_test(test_wide_leaves),
    };
    return fixture_run("arrays", tests, sizeof tests / sizeof tests[0]);
}
