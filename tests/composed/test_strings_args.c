/* Strings: invalid descriptions and buffers; the plan. */
#include <string.h>

#include "support/fixture.h"

static void test_wrong_descriptions(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_field field = {0, CLSORT_U32, CLSORT_ASCENDING};
    const clsort_record record = {.size = 4, .num_fields = 1, .fields = &field};
    const clsort_column column = {CLSORT_U8, CLSORT_ASCENDING};
    const clsort_strings good = {.num_bytes = 100, .offset_size = 4};
    const clsort_strings fixed = {.num_bytes = 100, .width = 10};
    const clsort_strings odd = {.num_bytes = 100, .offset_size = 2};
    const clsort_strings both = {.num_bytes = 100, .offset_size = 4, .width = 10};
    const clsort_strings large = {.num_bytes = (uint64_t)1 << 32, .offset_size = 4};
    const clsort_strings tail = {.num_bytes = 100, .width = 10, .tail_size = 11};
    const clsort_strings reserved = {.num_bytes = 100, .offset_size = 4, .reserved = {0, 1}};
    const clsort_strings huge = {.num_bytes = (uint64_t)1 << 62, .offset_size = 8};
    const struct {
        clsort_desc desc;
        clsort_status expected;
    } cases[] = {
        {{.count = 10, .strings = &good, .index_size = 4}, CLSORT_OK},
        {{.count = 10, .strings = &good, .index_size = 8, .out_of_place = 1}, CLSORT_OK},
        {{.count = 10, .strings = &fixed, .out_of_place = 1}, CLSORT_OK},
        {{.count = 10, .strings = &good, .algorithm = CLSORT_RADIX, .index_size = 4}, CLSORT_OK},
        {{.count = 10, .strings = &good}, CLSORT_ERROR_STRINGS},
        {{.count = 11, .strings = &fixed, .index_size = 4}, CLSORT_ERROR_STRINGS},
        {{.count = 10, .strings = &odd, .index_size = 4}, CLSORT_ERROR_STRINGS},
        {{.count = 10, .strings = &both, .index_size = 4}, CLSORT_ERROR_STRINGS},
        {{.count = 10, .strings = &large, .index_size = 4}, CLSORT_ERROR_STRINGS},
        {{.count = 10, .strings = &tail, .index_size = 4}, CLSORT_ERROR_STRINGS},
        {{.count = 10, .strings = &reserved, .index_size = 4}, CLSORT_ERROR_RESERVED},
        {{.count = 10, .strings = &huge, .index_size = 4}, CLSORT_ERROR_COUNT},
        {{.count = (uint64_t)1 << 32, .strings = &good, .index_size = 8}, CLSORT_ERROR_COUNT},
        {{.count = 10, .strings = &good, .index_size = 2}, CLSORT_ERROR_INDEX_SIZE},
        {{.count = 10, .type = CLSORT_U8, .strings = &good, .index_size = 4}, CLSORT_ERROR_STRINGS},
        {{.count = 10, .strings = &good, .value_size = 4, .index_size = 4}, CLSORT_ERROR_STRINGS},
        {{.count = 10, .num_arrays = 2, .strings = &good, .index_size = 4}, CLSORT_ERROR_STRINGS},
        {{.count = 10, .strings = &good, .end_bit = 8, .index_size = 4}, CLSORT_ERROR_STRINGS},
        {{.count = 10, .record = &record, .strings = &good, .index_size = 4}, CLSORT_ERROR_STRINGS},
        {{.count = 10, .strings = &good, .num_columns = 1, .columns = &column, .index_size = 4},
         CLSORT_ERROR_COLUMNS},
        {{.count = 10, .strings = &good, .algorithm = CLSORT_MERGE, .index_size = 4},
         CLSORT_ERROR_STRINGS},
        {{.count = 10, .strings = &good, .order = (clsort_order)2, .index_size = 4},
         CLSORT_ERROR_ORDER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        clsort_plan plan;
        const clsort_status got = clsort_get_plan(fix->sorter, &cases[i].desc, &plan, NULL, 0);
        if (got != cases[i].expected)
            print_error("description %u\n", (unsigned)i);
        expect_status(got, cases[i].expected);
    }
}

static void test_wrong_buffers(void **state)
{
    const fixture *fix = fixture_of(state);
    cl_mem mem = buffer_create(fix->context, CL_MEM_READ_WRITE, 4096, NULL);
    const clsort_strings strings = {.num_bytes = 100, .offset_size = 4};
    const clsort_desc indices = {.count = 10, .strings = &strings, .index_size = 4};
    const clsort_desc rearranged = {.count = 10, .strings = &strings, .out_of_place = 1};
    const struct {
        const clsort_desc *desc;
        clsort_buffers buffers;
        clsort_status expected;
    } cases[] = {
        {&indices, {.keys = {mem, 1}, .offsets = {mem, 512}}, CLSORT_ERROR_BUFFER_MISSING},
        {&indices, {.keys = {mem, 1}, .indices = {mem, 512}}, CLSORT_ERROR_BUFFER_MISSING},
        {&indices, {.offsets = {mem, 0}, .indices = {mem, 512}}, CLSORT_ERROR_BUFFER_MISSING},
        {&indices,
         {.keys = {mem, 1}, .offsets = {mem, 512}, .keys_out = {mem, 2048}, .indices = {mem, 1024}},
         CLSORT_ERROR_BUFFER_UNEXPECTED},
        {&indices,
         {.keys = {mem, 1}, .offsets = {mem, 514}, .indices = {mem, 1024}},
         CLSORT_ERROR_BUFFER_MISALIGNED},
        {&indices,
         {.keys = {mem, 1}, .offsets = {mem, 4056}, .indices = {mem, 1024}},
         CLSORT_ERROR_BUFFER_TOO_SMALL},
        {&indices,
         {.keys = {mem, 3997}, .offsets = {mem, 512}, .indices = {mem, 1024}},
         CLSORT_ERROR_BUFFER_TOO_SMALL},
        {&indices,
         {.keys = {mem, 1}, .offsets = {mem, 100}, .indices = {mem, 1024}},
         CLSORT_ERROR_BUFFER_OVERLAP},
        {&rearranged,
         {.keys = {mem, 1}, .offsets = {mem, 512}, .keys_out = {mem, 1024}},
         CLSORT_ERROR_BUFFER_MISSING},
        {&rearranged,
         {.keys = {mem, 1},
          .offsets = {mem, 512},
          .keys_out = {mem, 1},
          .offsets_out = {mem, 1024}},
         CLSORT_ERROR_BUFFER_OVERLAP},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const clsort_status got = clsort_enqueue(fix->sorter, fix->queue, cases[i].desc,
                                                 &cases[i].buffers, 0, NULL, NULL);
        if (got != cases[i].expected)
            print_error("buffers %u\n", (unsigned)i);
        expect_status(got, cases[i].expected);
    }
    clReleaseMemObject(mem);
}

static void test_plan(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_strings strings = {.num_bytes = 1 << 20, .offset_size = 4};
    clsort_desc desc = {.count = 1 << 16, .strings = &strings, .index_size = 4, .out_of_place = 1};
    clsort_plan plan;
    char text[64];
    size_t size = 0;
    expect_status(clsort_get_plan(fix->sorter, &desc, &plan, NULL, 0), CLSORT_OK);
    assert_int_equal(plan.algorithm, CLSORT_RADIX);
    assert_int_equal(plan.stable, 1);
    expect_status(clsort_get_plan_text(fix->sorter, &desc, text, sizeof text, &size), CLSORT_OK);
    assert_non_null(strstr(text, "strings"));
    desc.count = 0;
    expect_status(clsort_get_plan(fix->sorter, &desc, &plan, NULL, 0), CLSORT_OK);
    assert_int_equal(plan.num_steps, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_descriptions),
        cmocka_unit_test(test_wrong_buffers),
        cmocka_unit_test(test_plan),
    };
    return fixture_run("strings_args", tests, sizeof tests / sizeof tests[0]);
}
