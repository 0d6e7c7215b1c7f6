/* test_host_compare.c: what the calling thread sorts besides plain numbers: records by fields, rows
 * of columns, strings and segments. The result must be the device's, byte for byte: both are asked
 * to be stable, so that only one is right. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/fixture.h"

enum { COUNT = 700, MAX_SIZE = 24, NUM_ARRAYS = 10 };

/* An array of each kind, as large as any description needs it. */
struct memory {
    uint8_t bytes[NUM_ARRAYS][(COUNT + 1) * MAX_SIZE];
    uint32_t offsets_32[COUNT + 1];
    uint64_t offsets_64[COUNT + 1];
};

static const clsort_field fields[] = {{4, CLSORT_I16, CLSORT_DESCENDING},
                                      {8, CLSORT_F64, CLSORT_ASCENDING},
                                      {1, CLSORT_U8, CLSORT_ASCENDING},
                                      {20, CLSORT_F32, CLSORT_DESCENDING}};
static const clsort_record record_1 = {.size = 24, .num_fields = 1, .fields = fields};
static const clsort_record record_4 = {.size = 24, .num_fields = 4, .fields = fields};
static const clsort_record record_odd = {.size = 7, .num_fields = 1, .fields = fields + 2};
static const clsort_column columns[] = {{CLSORT_U8, CLSORT_DESCENDING},
                                        {CLSORT_F64, CLSORT_ASCENDING},
                                        {CLSORT_BF16, CLSORT_ASCENDING}};
static const clsort_strings strings_32 = {.num_bytes = 4000, .offset_size = 4};
static const clsort_strings strings_64 = {.num_bytes = 4000, .offset_size = 8, .tail_size = 1};
static const clsort_strings strings_wide = {.num_bytes = COUNT * 12, .width = 12, .tail_size = 2};
static const uint32_t list[] = {4, 24};

static const clsort_desc descs[] = {
    {.record = &record_1},
    {.record = &record_1, .order = CLSORT_DESCENDING, .value_size = 8, .out_of_place = 1},
    {.record = &record_4, .value_size = 3},
    {.record = &record_4, .index_size = 4},
    {.record = &record_4, .index_size = 8, .out_of_place = 1, .skip = 20, .limit = 300},
    {.record = &record_4, .num_arrays = 7, .num_values = 2, .value_sizes = list},
    {.record = &record_odd, .out_of_place = 1},
    {.columns = columns, .num_columns = 3},
    {.columns = columns, .num_columns = 3, .order = CLSORT_DESCENDING, .index_size = 4},
    {.columns = columns, .num_columns = 2, .index_size = 4, .out_of_place = 1},
    {.columns = columns, .num_columns = 3, .num_values = 2, .value_sizes = list, .out_of_place = 1},
    {.strings = &strings_32, .index_size = 4},
    {.strings = &strings_32, .order = CLSORT_DESCENDING, .out_of_place = 1},
    {.strings = &strings_64, .index_size = 8, .out_of_place = 1},
    {.strings = &strings_wide, .index_size = 4, .out_of_place = 1},
    {.num_segments = 90, .offset_size = 4, .type = CLSORT_F32},
    {.num_segments = 90, .offset_size = 8, .type = CLSORT_U64, .value_size = 4, .out_of_place = 1},
    {.num_segments = 90, .offset_size = 4, .type = CLSORT_I8, .index_size = 4},
    {.num_segments = 90, .offset_size = 4, .type = CLSORT_F16, .index_size = 4, .out_of_place = 1},
    {.num_segments = 90,
     .offset_size = 4,
     .type = CLSORT_U32,
     .num_values = 2,
     .value_sizes = list,
     .out_of_place = 1},
    {.num_segments = 90, .offset_size = 4, .record = &record_4, .value_size = 8},
    {.num_segments = 90, .offset_size = 8, .columns = columns, .num_columns = 3, .out_of_place = 1},
    {.num_segments = 0, .offset_size = 4, .type = CLSORT_U32},
};

/* Few values, so that many keys agree in what is looked at first; offsets that begin late, end
 * early and leave nothing between some. For strings some offsets descend or are too large. */
static void fill(struct memory *m, const clsort_desc *desc, uint64_t seed)
{
    rng r = {seed};
    for (size_t i = 0; i < NUM_ARRAYS; ++i)
        for (size_t j = 0; j < sizeof m->bytes[i]; ++j)
            m->bytes[i][j] = (uint8_t)(rng_below(&r, 3) ? rng_below(&r, 3) : rng_below(&r, 256));
    uint64_t at = rng_below(&r, 20);
    for (size_t i = 0; i <= COUNT; ++i) {
        m->offsets_64[i] = at;
        if (desc->strings && rng_below(&r, 50) == 0)
            m->offsets_64[i] = rng_below(&r, 6000);
        m->offsets_32[i] = (uint32_t)m->offsets_64[i];
        at += rng_below(&r, 3) ? rng_below(&r, desc->strings ? 12 : 13) : 0;
    }
}

/* Sorts with the arrays that the description asks for. */
static void sort_arrays(clsort_sorter *sorter, const clsort_desc *desc, struct memory *m)
{
    void *const places[] = {m->bytes[0], m->bytes[1], m->bytes[2]};
    void *const places_out[] = {m->bytes[3], m->bytes[4], m->bytes[5]};
    void *const values[] = {m->bytes[6], m->bytes[7]}, *const values_out[] = {m->bytes[8],
                                                                              m->bytes[9]};
    const int is_argsort = desc->index_size && !desc->out_of_place;
    const uint32_t offset_size = desc->strings ? desc->strings->offset_size : desc->offset_size;
    clsort_arrays arrays = {0};
    arrays.keys = desc->num_columns ? NULL : m->bytes[0];
    arrays.columns = desc->num_columns ? places : NULL;
    if (offset_size)
        arrays.offsets = offset_size == 4 ? (void *)m->offsets_32 : m->offsets_64;
    arrays.values = desc->value_size ? m->bytes[6] : NULL;
    arrays.values_list = desc->num_values ? values : NULL;
    arrays.indices = desc->index_size ? m->bytes[9] : NULL;
    if (desc->out_of_place && !is_argsort) {
        arrays.keys_out = desc->num_columns ? NULL : m->bytes[3];
        arrays.columns_out = desc->num_columns ? places_out : NULL;
        arrays.values_out = desc->value_size ? m->bytes[8] : NULL;
        arrays.values_list_out = desc->num_values ? values_out : NULL;
        if (desc->strings && offset_size)
            arrays.offsets_out = m->bytes[4];
    }
    expect_status(clsort_sort(sorter, desc, &arrays), CLSORT_OK);
}

static void test_as_the_device(void **state)
{
    const fixture *fix = fixture_of(state);
    static struct memory here, there;
    clsort_sorter *device = sorter_limited(fix, "host=0");
    for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d)
        for (uint64_t seed = 0; seed < 3; ++seed) {
            clsort_desc desc = descs[d];
            desc.count = desc.num_arrays ? COUNT / desc.num_arrays : COUNT;
            desc.stable = !desc.strings;
            assert_true(clsort_sorts_on_host(fix->sorter, &desc));
            assert_false(clsort_sorts_on_host(device, &desc));
            fill(&here, &desc, seed_mix(fix->seed, seed));
            fill(&there, &desc, seed_mix(fix->seed, seed));
            sort_arrays(fix->sorter, &desc, &here);
            sort_arrays(device, &desc, &there);
            for (size_t i = 0; i < NUM_ARRAYS; ++i)
                if (memcmp(here.bytes[i], there.bytes[i], sizeof here.bytes[i]) != 0)
                    fail_msg("description %zu, seed %d: array %zu differs", d, (int)seed, i);
        }
    clsort_destroy(device);
}

/* What needs the caller's text, or places of segments, goes to the device, and so does much. */
static void test_others(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_record compared = {
        .size = 4, .declarations = "typedef int number;", .type = "number", .less = "a < b"};
    const clsort_desc others[] = {
        {.count = 9, .record = &compared},
        {.count = 9, .num_segments = 2, .offset_size = 4, .limit = 1, .out_of_place = 1},
        {.count = 9, .record = &record_1, .algorithm = CLSORT_MERGE},
        {.count = 8193, .record = &record_1},
        {.count = 8193, .strings = &strings_32, .index_size = 4},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        assert_false(clsort_sorts_on_host(fix->sorter, &others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_the_device),
        cmocka_unit_test(test_others),
    };
    fixture_with_host();
    return fixture_run("host_compare", tests, sizeof tests / sizeof tests[0]);
}
