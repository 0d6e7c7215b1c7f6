/* Segments of records: all sizes, by fields and by a comparison, against the oracle; lengths around
 * what a work-item, a tile and a leaf hold; long ones by launches of all kinds; a comparison that
 * is no order. */
#include <stdlib.h>

#include "support/case.h"
#include "support/fixture.h"
#include "segments.h"
#include "support/tuning_case.h"

/* Narrow ones and wide ones (record_is_wide()), by one byte or by two. */
static const segment_record records[] = {
    {.size = 16, .key = 3, .second = 16, .by_text = 1, .values = 256},
    {.size = 12, .key = 0, .second = 12, .values = 5},
    {.size = 7, .key = 5, .second = 0, .by_text = 1, .values = 9},
    {.size = 1, .key = 0, .second = 1, .values = 256},
    {.size = 64, .key = 63, .second = 1, .values = 20},
    {.size = 4, .key = 1, .second = 4, .by_text = 1, .values = 2},
    {.size = 33, .key = 20, .second = 32, .by_text = 1, .values = 4},
    {.size = 24, .key = 8, .second = 24, .values = 1},
    {.size = 3, .key = 1, .second = 0, .values = 3},
    {.size = 32, .key = 0, .second = 32, .by_text = 1, .values = 256},
    {.size = 150, .key = 70, .second = 71, .values = 30},
};
enum { num_records = sizeof records / sizeof records[0] };

static void test_kernels(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_field field = {0, CLSORT_U32, CLSORT_ASCENDING};
    const clsort_record record = {.size = 16, .num_fields = 1, .fields = &field};
    const clsort_desc desc = {
        .count = 100000, .num_segments = 10, .offset_size = 4, .record = &record};
    const int is_cpu = fixture_has_cpu_kernels(fix);
    clsort_sorter *sorter = sorter_create(fix);
    assert_int_equal(case_launches(sorter, &desc, "segments_records"), !is_cpu);
    assert_int_equal(case_launches(sorter, &desc, "segments_number"), is_cpu);
    clsort_destroy(sorter);
}

/* Each size with some of what moves, in all shapes. */
static void test_sizes(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t i = 0; i < (fix->limited ? num_records : 3); ++i)
        for (uint32_t shape = 0; shape < num_segment_shapes; ++shape) {
            segments s = {.desc = {.count = 900 + 411 * shape,
                                   .order = (clsort_order)(i / 3 % 2),
                                   .stable = shape % 2},
                          .form = (i + shape % 2 * 5) % num_segment_forms, /* a program each */
                          .shape = shape,
                          .record = &records[i],
                          .seed = fix->seed + 100 * i + shape};
            segments_run(fix, &s);
        }
}

static void test_counts(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t counts[] = {1, 2, 31, 32, 33, 95, 96, 97, 127, 128, 129, 4096};
    for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        for (uint32_t shape = 0; shape < 3; ++shape) {
            segments s = {.desc = {.count = counts[i]},
                          .form = i % 3,
                          .shape = shape,
                          .record = &records[0],
                          .seed = fix->seed + i};
            segments_run(fix, &s);
        }
}

/* Around a work-item's records and twice as many, short ones, halves of a tile, tiles, and leaves.
 * A limited device has tiles of some 160 slots, whose segments begin in 96. */
static void test_lengths(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t around[] = {2,  5,  8,   11,  21,  40,  65,  80,
                                      96, 97, 128, 160, 192, 224, 320, 1000};
    for (uint32_t i = 0; i < sizeof around / sizeof around[0]; ++i)
        for (uint64_t length = around[i] - 1; length <= around[i] + 1; ++length) {
            segments s = {.desc = {.count = 1999 + i},
                          .form = (uint32_t)(length % 2),
                          .length = length,
                          .record = &records[i % 2],
                          .seed = 7 * length + i};
            segments_run(fix, &s);
        }
}

static void run_with(const fixture *fix, const char *text, const segment_record *record)
{
    const fixture other = fixture_with(fix, tuned_sorter(fix, text));
    for (uint32_t shape = 0; shape < num_segment_shapes; ++shape) {
        segments s = {.desc = {.count = 2500 + shape},
                      .form = shape % 3,
                      .shape = shape,
                      .record = record,
                      .seed = fix->seed + shape};
        segments_run(&other, &s);
    }
    clsort_destroy(other.sorter);
}

/* All merges of long segments in one launch. Tiles with one record a work-item, with few work-items
 * and with almost no room behind those in which segments begin. */
static void test_forms(void **state)
{
    static const char *const texts[] = {
        "splitters groups_per_unit=2\n",
        "segments record_group=32 record_items=1\n",
        ("segments record_group=8 record_items=9 tile_percent=50\n"
         "splitters leaf_group=8 leaf_items=3\n"),
        "segments record_group=32 record_items=4 tile_percent=95\n",
    };
    const fixture *fix = fixture_of(state);
    for (uint32_t i = 0; fix->limited && i < sizeof texts / sizeof texts[0]; ++i) {
        run_with(fix, texts[i], &records[0]);
        run_with(fix, texts[i], &records[1]);
    }
}

/* No record is lost, and none leaves its segment. */
static void test_no_order(void **state)
{
    const fixture *fix = fixture_of(state);
    static const segment_record broken[] = {
        {.size = 8, .key = 2, .second = 8, .by_text = 1, .values = 256, .is_no_order = 1},
        {.size = 20, .key = 2, .second = 20, .by_text = 1, .values = 256, .is_no_order = 1},
    };
    for (uint32_t i = 0; i < 2; ++i)
        for (uint32_t shape = 0; shape < num_segment_shapes; ++shape) {
            segments s = {.desc = {.count = 3000 + shape},
                          .form = i,
                          .shape = shape,
                          .record = &broken[i],
                          .seed = fix->seed + shape};
            segments_run(fix, &s);
        }
}

static void test_random(void **state)
{
    const fixture *fix = fixture_of(state);
    rng random = {fix->seed};
    for (int i = 0; i < 40; ++i) {
        segments s = {.desc = {.count = rng_below(&random, 9000)},
                      .form = (uint32_t)rng_below(&random, 2),
                      .shape = (uint32_t)rng_below(&random, num_segment_shapes),
                      .length = rng_below(&random, 2) ? rng_below(&random, 400) : 0,
                      .record = &records[rng_below(&random, 2)],
                      .seed = rng_next(&random)};
        segments_run(fix, &s);
    }
}

int main(void)
{
    unsetenv("CLSORT_TUNING");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_counts),  cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_forms),   cmocka_unit_test(test_no_order),
        cmocka_unit_test(test_random),
    };
    return fixture_run("segments_records", tests, sizeof tests / sizeof tests[0]);
}
