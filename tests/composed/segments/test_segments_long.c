/* Segments of arrays on CPUs that are longer than a share, or than what fits in a cache, by a
 * tuning with which few elements are that many. */
#include <stdlib.h>

#include "support/case.h"
#include "support/fixture.h"
#include "segments.h"
#include "support/tuning_case.h"

/* Some eight shares a core; a cache of 256 bytes. */
static const char tuning[] = "cpu run_bytes=2^8 spare_bytes=2^8 bucket_bytes=2^8 "
                             "workers_per_unit=8 items_per_bin=1 bins_max=2^8\n";
/* Three shares a core. */
static const char long_shares[] = "cpu run_bytes=2^8 spare_bytes=2^10 bucket_bytes=256 "
                                  "workers_per_unit=3\n";

static void run_shapes(const fixture *fix, const char *text)
{
    const fixture other = fixture_with(fix, tuned_sorter(fix, text));
    const clsort_type types[] = {CLSORT_U32, CLSORT_F64}; /* few programs */
    for (uint32_t i = 0; i < (fix->limited ? 8 : 44); ++i) {
        segments s = {.desc = {.count = 1 + 997 * (i % 9),
                               .type = types[i / num_segment_forms % 2],
                               .order = (clsort_order)(i / 5 % 2),
                               .stable = 1},
                      .form = i % (fix->limited ? 3 : num_segment_forms),
                      .shape = i % num_segment_shapes,
                      .data = (data_kind)(i / 4 % NUM_DATA_KINDS),
                      .seed = fix->seed + i};
        if (i % 3 == 2) { /* by a range of bits */
            s.desc.first_bit = 3;
            s.desc.end_bit = 29;
        }
        segments_run(&other, &s);
    }
    clsort_destroy(other.sorter);
}

static void test_shapes(void **state)
{
    run_shapes(fixture_of(state), tuning);
}

static void test_past_the_cache(void **state)
{
    run_shapes(fixture_of(state), long_shares);
}

/* One length, around that of a share, so that long ones begin everywhere in shares. */
static void test_lengths(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture other = fixture_with(fix, tuned_sorter(fix, tuning));
    for (uint64_t length = 20; length < 3000; length += 1 + length / 5) {
        segments s = {.desc = {.count = 6007, .stable = 1},
                      .form = (uint32_t)(length % 3),
                      .shape = 5,
                      .length = length,
                      .data = (data_kind)(length % NUM_DATA_KINDS),
                      .seed = fix->seed + length};
        segments_run(&other, &s);
    }
    clsort_destroy(other.sorter);
}

/* Tiles of GPUs of other shapes: work-items with an odd number of neighbours, with the most, and
 * with the fewest; tiles that leave little room for what hangs over. */
static void test_tiles(void **state)
{
    static const char *const texts[] = {
        "segments group=32 items=17\n",
        "segments group=16 items=31 tile_percent=95\n",
        "segments group=64 items=2 tile_percent=50\n",
    };
    static const uint64_t lengths[] = {2, 3, 8, 9, 10, 16, 17, 30, 33, 100, 300};
    const fixture *fix = fixture_of(state);
    for (uint32_t i = 0; fix->limited && i < sizeof texts / sizeof texts[0]; ++i) {
        const fixture other = fixture_with(fix, tuned_sorter(fix, texts[i]));
        for (uint32_t j = 0; j < sizeof lengths / sizeof lengths[0]; ++j) {
            segments s = {.desc = {.count = 1703 + j},
                          .form = 0,
                          .length = lengths[j],
                          .data = (data_kind)(j % NUM_DATA_KINDS),
                          .seed = fix->seed + j};
            segments_run(&other, &s);
        }
        clsort_destroy(other.sorter);
    }
}

/* A long segment in reversed order behind another, in place, with values that move by index. */
static void test_turned(void **state)
{
    enum { count = 6001, first = 1000, words = 3 };
    const fixture *fix = fixture_of(state);
    const fixture other = fixture_with(fix, tuned_sorter(fix, tuning));
    uint32_t *keys = test_alloc(count * sizeof *keys);
    uint32_t *values = test_alloc(words * count * sizeof *values);
    uint32_t offsets[] = {0, first, count};
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = 3 * (count - i);
        for (uint32_t k = 0; k < words; ++k)
            values[i * words + k] = keys[i] + k;
    }
    const clsort_desc desc = {
        .count = count, .value_size = words * sizeof *values, .offset_size = 4, .num_segments = 2};
    expect_status(clsort_sort(other.sorter, &desc,
                              &(clsort_arrays){.keys = keys, .values = values, .offsets = offsets}),
                  CLSORT_OK);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t begin = i < first ? 0 : first, end = i < first ? first : count;
        assert_int_equal(keys[i], 3 * (count - (begin + end - 1 - i)));
        for (uint32_t k = 0; k < words; ++k)
            assert_int_equal(values[i * words + k], keys[i] + k);
    }
    clsort_destroy(other.sorter);
    free(keys);
    free(values);
}

/* The launches for long ones are there where a segment may be that long. */
static void test_steps(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture other = fixture_with(fix, tuned_sorter(fix, tuning));
    const clsort_desc desc = {.count = 5000, .num_segments = 10, .offset_size = 4};
    const uint32_t is_cpu = fixture_has_cpu_kernels(fix);
    assert_int_equal(case_num_launches(other.sorter, &desc, "cpu_segments"), 4 * is_cpu);
    assert_int_equal(case_num_launches(fix->sorter, &desc, "cpu_segments"), is_cpu);
    clsort_destroy(other.sorter);
}

int main(void)
{
    unsetenv("CLSORT_TUNING");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turned),  cmocka_unit_test(test_steps),
        cmocka_unit_test(test_shapes),  cmocka_unit_test(test_past_the_cache),
        cmocka_unit_test(test_lengths), cmocka_unit_test(test_tiles),
    };
    return fixture_run("segments_long", tests, sizeof tests / sizeof tests[0]);
}
