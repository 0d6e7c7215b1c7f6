/* Sorters with a tuning file: what it changes in their plans, for which devices, what is shown
 * of it, that broken files make no sorter, and that sorts with rather odd numbers are right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/case.h"
#include "support/fixture.h"
#include "support/tuning_case.h"

static clsort_plan plan_of(clsort_sorter *sorter, clsort_desc desc)
{
    clsort_plan plan;
    expect_status(clsort_get_plan(sorter, &desc, &plan, NULL, 0), CLSORT_OK);
    return plan;
}

static void test_plan(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc bitonic = {.count = 1 << 20, .algorithm = CLSORT_BITONIC};
    const clsort_desc wide = {.count = 1 << 20, .type = CLSORT_U64, .algorithm = CLSORT_BITONIC};
    const clsort_desc few = {.count = 1000};
    clsort_sorter *sorter =
        tuned_sorter(fix, "general item=4 tile_group=1 tile_items=2 window_items=2\n"
                          "general rank_max=1000 radix_min=2^48\n"
                          "whole max=0\n");
    /* The smallest tiles: far more steps; 8-byte items keep theirs. */
    assert_true(plan_of(sorter, bitonic).num_steps > plan_of(fix->sorter, bitonic).num_steps);
    assert_int_equal(plan_of(sorter, wide).num_steps, plan_of(fix->sorter, wide).num_steps);
    clsort_desc desc = few;
    assert_int_equal(plan_of(sorter, desc).algorithm, CLSORT_RANK);
    desc.count = 1001;
    assert_int_equal(plan_of(sorter, desc).algorithm, CLSORT_BITONIC);
    desc.count = 1 << 24;
    assert_int_equal(plan_of(sorter, desc).algorithm, CLSORT_BITONIC);
    clsort_destroy(sorter);

    sorter = tuned_sorter(fix, "general rank_max=0 radix_min=1000\nwhole max=0\n");
    assert_int_equal(plan_of(sorter, few).algorithm, CLSORT_RADIX);
    desc.count = 999;
    assert_int_equal(plan_of(sorter, desc).algorithm, CLSORT_BITONIC);
    clsort_destroy(sorter);
}

/* Read when the sorter is created, and never again. */
static void test_once(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 1000};
    clsort_sorter *sorter = tuned_sorter(fix, "general rank_max=1000");
    clsort_sorter *other = tuned_sorter(fix, "general rank_max=0 radix_min=2^48\nwhole max=0");
    tuning_write_text("general rank_max=");
    assert_int_equal(plan_of(sorter, desc).algorithm, CLSORT_RANK);
    assert_int_equal(plan_of(other, desc).algorithm, CLSORT_BITONIC);
    tuning_remove();
    clsort_destroy(sorter);
    clsort_destroy(other);
}

static void test_devices(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = 1000};
    char text[1024];
    snprintf(text, sizeof text,
             "general rank_max=0 radix_min=2^48\nwhole max=0\n"
             "device no such device\ngeneral radix_min=0\n"
             "device %s  # a part of the name would do\ngeneral rank_max=2000\n"
             "device no such device\ngeneral rank_max=0 radix_min=0\n",
             fix->name);
    clsort_sorter *sorter = tuned_sorter(fix, text);
    assert_int_equal(plan_of(sorter, desc).algorithm, CLSORT_RANK);
    clsort_destroy(sorter);
    snprintf(text, sizeof text,
             "general rank_max=0 radix_min=2^48\nwhole max=0\ndevice %s?\ngeneral rank_max=2000",
             fix->name);
    sorter = tuned_sorter(fix, text);
    assert_int_equal(plan_of(sorter, desc).algorithm, CLSORT_BITONIC);
    clsort_destroy(sorter);
}

static void test_broken(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_sorter *sorter = (clsort_sorter *)(uintptr_t)8;
    uint32_t keys[] = {3, 1, 2};
    const clsort_desc desc = {.count = 3};
    const clsort_arrays arrays = {.keys = keys};
    tuning_write_text("general rank_max=many");
    expect_status(clsort_create(fix->context, fix->device, &sorter), CLSORT_ERROR_TUNING);
    assert_null(sorter);
    expect_status(clsort_create(NULL, fix->device, &sorter), CLSORT_ERROR_TUNING);
    assert_null(sorter);
    expect_status(clsort_sort(NULL, &desc, &arrays), CLSORT_ERROR_TUNING);
    assert_int_equal(keys[0] * 100 + keys[1] * 10 + keys[2], 312);
    /* A sorter that is there already goes on. */
    expect_status(clsort_sort(fix->sorter, &desc, &arrays), CLSORT_OK);
    assert_int_equal(keys[0] * 100 + keys[1] * 10 + keys[2], 123);
    tuning_remove();
}

/* A wrong CLSORT_LIMIT makes no sorter either. */
static void test_limit(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_sorter *sorter = (clsort_sorter *)(uintptr_t)8;
    fixture_limit_to("serial=0");
    expect_status(clsort_create(fix->context, fix->device, &sorter), CLSORT_ERROR_TUNING);
    assert_null(sorter);
    fixture_end_limit();
}

static char *text_of(clsort_sorter *sorter)
{
    size_t size = 0, again = 0;
    expect_status(clsort_get_tuning_text(sorter, NULL, 0, &size), CLSORT_OK);
    char *text = test_alloc(size + 1);
    memset(text, 0x5a, size + 1);
    expect_status(clsort_get_tuning_text(sorter, text, size + 1, &again), CLSORT_OK);
    assert_int_equal(size, again);
    assert_int_equal(strlen(text) + 1, size);
    assert_int_equal(text[size], 0x5a);
    char *part = test_alloc(size + 1);
    for (size_t room = 1; room < size; room = 3 * room + 1) {
        memset(part, 0x5a, size + 1);
        expect_status(clsort_get_tuning_text(sorter, part, room, NULL), CLSORT_OK);
        assert_int_equal(strlen(part), room - 1);
        assert_memory_equal(part, text, room - 1);
        assert_int_equal(part[room], 0x5a);
    }
    free(part);
    return text;
}

/* What is shown is accepted, and changes nothing. */
static void test_text(void **state)
{
    const fixture *fix = fixture_of(state);
    char *before = text_of(fix->sorter);
    clsort_sorter *same = tuned_sorter(fix, before);
    char *after = text_of(same);
    assert_string_equal(before, after);
    free(after);
    clsort_destroy(same);
    clsort_sorter *sorter = tuned_sorter(fix, "general item=8 rank_max=12345 radix_min=2^40\n"
                                              "merge items=16 group=32\n");
    after = text_of(sorter);
    assert_string_not_equal(before, after);
    const char *row = strstr(after, "general item=8 ");
    assert_non_null(row);
    assert_non_null(strstr(row, " rank_max=12345 "));
    assert_true(strstr(row, " rank_max=12345 ") < strchr(row, '\n'));
    assert_true(strstr(row, " radix_min=2^40") < strchr(row, '\n'));
    assert_non_null(strstr(after, "merge item=16 group=32 items=16 two_items="));
    clsort_destroy(sorter);
    free(before);
    free(after);
    expect_status(clsort_get_tuning_text(NULL, NULL, 0, NULL), CLSORT_ERROR_NULL);
    expect_status(clsort_get_tuning_text(fix->sorter, NULL, 1, NULL), CLSORT_ERROR_NULL);
}

/* Numbers that no device has been tuned to. */
static const struct {
    const char *text, *limit;
    clsort_desc desc;
} sorts[] = {
    {"general tile_group=2 tile_items=8 window_items=4 vectors=1 bank_bytes=128 shuffles=1",
     NULL,
     {.type = CLSORT_I32, .algorithm = CLSORT_BITONIC}},
    {"general tile_group=16 tile_items=2 window_items=32 vectors=0 bank_bytes=64",
     NULL,
     {.type = CLSORT_F64, .algorithm = CLSORT_BITONIC, .value_size = 8}},
    {"general rank_tile_group=8 rank_tile_items=2 rank_stream_group=16 rank_stream_items=2",
     NULL,
     {.type = CLSORT_U16, .algorithm = CLSORT_RANK}},
    {"general radix_group=32 radix_items=7 radix_bits=3 radix_blocks=5 radix_votes=1\n"
     "digits min=2^48",
     "cpu=0",
     {.type = CLSORT_U32, .algorithm = CLSORT_RADIX, .value_size = 4}},
    {"merge group=16 items=4", "cpu=0", {.type = CLSORT_F32, .algorithm = CLSORT_MERGE}},
    {"digits scatter_group=32 scatter_items=5 scatter_registers=64 leaf_group=64 leaf_items=3 "
     "leaf_registers=64 bin_bits=5 digit_bits=5 block_tiles=3 count_items=3 votes=1 min=2",
     "cpu=0",
     {.type = CLSORT_U64, .algorithm = CLSORT_RADIX}},
    {"cpu alone_bytes=0 vectors_alone_bytes=0 bucket_bytes=256 chunks_per_unit=9 chunk_min=1 "
     "workers_per_unit=3 "
     "bins_max=2^16 items_per_bin=1",
     NULL,
     {.type = CLSORT_I64, .algorithm = CLSORT_RADIX, .value_size = 8}},
    {"cpu alone_bytes=0 vectors_alone_bytes=0 bucket_bytes=256 chunk_min=1",
     NULL,
     {.type = CLSORT_F64, .algorithm = CLSORT_RADIX}},
    {"cpu alone_bytes=0 vectors_alone_bytes=0 keys_per_counter=1",
     NULL,
     {.type = CLSORT_I8, .algorithm = CLSORT_RADIX}},
    {"cpu workers_per_unit=1 run_min=8 run_bytes=256",
     NULL,
     {.type = CLSORT_F64, .algorithm = CLSORT_MERGE}},
    {"cpu alone_bytes=0 vectors_alone_bytes=0 bucket_bytes=256 spare_bytes=256 digit_bits=4",
     NULL,
     {.type = CLSORT_U32, .algorithm = CLSORT_RADIX, .index_size = 4}},
    {"cpu run_bytes=256", NULL, {.type = CLSORT_I16, .algorithm = CLSORT_MERGE}},
    /* By a range of bits: long arrays, in buckets and by digits. */
    {"cpu alone_bytes=0 vectors_alone_bytes=0 bucket_bytes=256 chunks_per_unit=9 chunk_min=1 "
     "workers_per_unit=3",
     NULL,
     {.type = CLSORT_U32,
      .algorithm = CLSORT_RADIX,
      .value_size = 4,
      .first_bit = 4,
      .end_bit = 28}},
    {"cpu alone_bytes=0 vectors_alone_bytes=0 bucket_bytes=256 spare_bytes=256 digit_bits=4",
     NULL,
     {.type = CLSORT_U64,
      .algorithm = CLSORT_RADIX,
      .index_size = 4,
      .first_bit = 20,
      .end_bit = 60}},
    {"cpu alone_bytes=0 vectors_alone_bytes=0 bucket_bytes=256 chunk_min=1",
     NULL,
     {.type = CLSORT_F32,
      .algorithm = CLSORT_RADIX,
      .value_size = 12,
      .stable = 1,
      .first_bit = 9,
      .end_bit = 32}},
};

static void test_sorts(void **state)
{
    const fixture *fix = fixture_of(state);
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; ++i) {
        if (sorts[i].limit)
            fixture_limit(fix, sorts[i].limit);
        const fixture other = fixture_with(fix, tuned_sorter(fix, sorts[i].text));
        fixture_end_limit();
        for (uint64_t count = 1; count < 40000; count = 7 * count + 100) {
            clsort_desc desc = sorts[i].desc;
            desc.count = count;
            case_run_desc(&other, &desc, DATA_RANDOM);
            case_run_desc(&other, &desc, DATA_SPRINKLED);
            case_run_desc(&other, &desc, DATA_REVERSED);
        }
        clsort_destroy(other.sorter);
    }
}

int main(void)
{
    unsetenv("CLSORT_TUNING");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan),   cmocka_unit_test(test_once),  cmocka_unit_test(test_devices),
        cmocka_unit_test(test_broken), cmocka_unit_test(test_limit), cmocka_unit_test(test_text),
        cmocka_unit_test(test_sorts),
    };
    fixture_with_host();
    return fixture_run("tuning", tests, sizeof tests / sizeof tests[0]);
}
