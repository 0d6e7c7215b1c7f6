/* Selection (cl/select/select.h): places of one array and of some, types, orders, payloads and
 * shapes of data, by the forms of GPUs and of CPUs; samples that mislead, by bounds without a
 * margin and by an adversary that knows where samples are taken. */
#include <stdlib.h>
#include <string.h>

#include "support/case.h"
#include "places.h"
#include "support/tuning_case.h"

/* The second has bounds that seldom hold, and few bits a digit: its passes run again. */
static const char *const tunings[] = {
    "select min=1024 group=16 items=4 groups_per_unit=2 digit_bits=8 margin=5 row_max=0\n",
    "select min=1024 group=32 items=2 groups_per_unit=1 digit_bits=4 margin=0 row_max=0\n",
};
static const char *const limits[] = {"cpu=0,host=0", "host=0"};
enum { NUM_FORMS = 6 };

static clsort_sorter *sorter_of(const fixture *fix, const char *tuning, const char *limit)
{
    fixture_limit_to(limit);
    clsort_sorter *sorter = tuned_sorter(fix, tuning);
    fixture_end_limit();
    return sorter;
}

static void set_form(clsort_desc *desc, uint32_t number)
{
    static const uint32_t forms[NUM_FORMS][3] = {{0, 0, 1}, {4, 0, 1}, {12, 0, 1},
                                                 {0, 4, 0}, {0, 8, 1}, {0, 4, 1}};
    desc->value_size = forms[number % NUM_FORMS][0];
    desc->index_size = forms[number % NUM_FORMS][1];
    desc->out_of_place = forms[number % NUM_FORMS][2];
}

/* Every form with every second kind, from `first` on. Returns how many ran. */
static unsigned run_shapes(const fixture *fix, const clsort_desc *kinds, uint32_t first,
                           uint32_t num_kinds)
{
    static const uint64_t counts[] = {2048, 5000, 9011};
    unsigned run = 0;
    for (uint32_t k = first; k < num_kinds; k += 2)
        for (uint32_t i = 0; i < 3; ++i)
            for (uint32_t wish = 0; wish < 4; ++wish)
                for (int data = 0; data < NUM_DATA_KINDS; data += 3 + (int)(k + i + wish) % 5) {
                    places_case c = {.desc = kinds[k], .data = (data_kind)data};
                    const uint64_t count = counts[i];
                    c.desc.count = count;
                    c.desc.skip = wish == 1 ? count / 2 : wish == 2 ? count - 7 : wish == 3;
                    c.desc.limit = wish == 0 ? 10 : wish == 1 ? 1 : wish == 2 ? 0 : 30;
                    set_form(&c.desc, k + i + wish + (uint32_t)data);
                    if (!case_launches(fix->sorter, &c.desc, "select_collect"))
                        continue;
                    places_run(fix, &c);
                    ++run;
                }
    return run;
}

static void test_shapes(void **state)
{
    static const clsort_desc kinds[] = {
        {.type = CLSORT_U32},
        {.type = CLSORT_F32, .order = CLSORT_DESCENDING, .num_arrays = 3},
        {.type = CLSORT_U64, .order = CLSORT_DESCENDING},
        {.type = CLSORT_F64, .first_bit = 30, .end_bit = 37},
        {.type = CLSORT_I8},
        {.type = CLSORT_U32, .first_bit = 3, .end_bit = 20, .order = CLSORT_DESCENDING},
    };
    const fixture *fix = fixture_of(state);
    /* Compiling takes most of the time: each kind meets either tuning, and either limit, once. */
    for (uint32_t t = 0; t < 2; ++t)
        for (uint32_t l = 0; l < 2; ++l) {
            const fixture own = fixture_with(fix, sorter_of(fix, tunings[t], limits[l]));
            assert_true(run_shapes(&own, kinds, (t + l) % 2, sizeof kinds / sizeof kinds[0]) > 30);
            clsort_destroy(own.sorter);
        }
}

static void test_types(void **state)
{
    const fixture *fix = fixture_of(state);
    const fixture own = fixture_with(fix, sorter_of(fix, tunings[0], limits[1]));
    for (uint32_t type = 0; type < CLSORT_NUM_TYPES; ++type) {
        places_case c = {.desc = {.count = 9001,
                                  .type = (clsort_type)type,
                                  .order = (clsort_order)(type % 2),
                                  .limit = 20},
                         .data = DATA_SPRINKLED};
        set_form(&c.desc, type);
        assert_true(case_launches(own.sorter, &c.desc, "select_collect"));
        places_run(&own, &c);
    }
    clsort_destroy(own.sorter);
}

/* Rows by a work-group each: from one that is in a tile to many tiles, of all keys equal, too. */
static void test_rows(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t shapes[][2] = {{5, 90},   {64, 9},    {65, 33},
                                         {1000, 7}, {20000, 2}, {9001, 1}};
    static const clsort_desc kinds[] = {
        {.type = CLSORT_F32, .order = CLSORT_DESCENDING},
        {.type = CLSORT_I64},
        {.type = CLSORT_U16, .first_bit = 2, .end_bit = 9},
    };
    static const char tuning[] = "select group=32 items=2 digit_bits=5 row_min=1 row_max=2^20 "
                                 "short_max=0\n";
    static const data_kind datas[] = {DATA_EQUAL, DATA_TWO, DATA_SPRINKLED, DATA_SORTED};
    const fixture own = fixture_with(fix, sorter_of(fix, tuning, limits[0]));
    for (uint32_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s)
        for (uint32_t k = 0; k < 3; ++k)
            for (uint32_t d = 0; d < 4; ++d) {
                places_case c = {.desc = kinds[k], .data = datas[d]};
                const uint64_t count = shapes[s][0];
                c.desc.count = count;
                c.desc.num_arrays = shapes[s][1];
                c.desc.skip = (d + k) % 2 ? count / 2 : 0;
                c.desc.limit = d / 2 ? 2 : (count < 80 ? count / 2 : 40);
                set_form(&c.desc, s + k + d);
                assert_true(case_launches(own.sorter, &c.desc, "select_rows"));
                places_run(&own, &c);
            }
    clsort_destroy(own.sorter);
}

/* Short rows, several to a work-group: of one slot to all of a tile, and runs from a work-item's
 * elements to the whole row. Values of a piece, of three, and of more than move at once. */
static void test_short(void **state)
{
    const fixture *fix = fixture_of(state);
    static const char *const shorts[] = {
        "select short_group=8 short_items=4 short_max=512\n",
        "select short_group=64 short_items=16 short_max=512\n",
    };
    static const uint64_t shapes[][2] = {{1, 9}, {3, 50}, {31, 33}, {32, 5}, {100, 21}, {512, 3}};
    static const clsort_desc kinds[] = {
        {.type = CLSORT_F32, .order = CLSORT_DESCENDING},
        {.type = CLSORT_I64},
        {.type = CLSORT_U16, .first_bit = 2, .end_bit = 9},
        {.type = CLSORT_U32},
    };
    static const data_kind datas[] = {DATA_EQUAL, DATA_TWO, DATA_SPRINKLED, DATA_RANDOM};
    unsigned run = 0;
    for (uint32_t t = 0; t < 2; ++t) {
        const fixture own = fixture_with(fix, sorter_of(fix, shorts[t], limits[0]));
        for (uint32_t i = 0; i < 6 * 4 * 4; i += 1 + 4 * t) {
            const uint32_t k = i % 4, d = i / 4 % 4, s = i / 16;
            places_case c = {.desc = kinds[k], .data = datas[d]};
            const uint64_t count = shapes[s][0];
            c.desc.count = count;
            c.desc.num_arrays = shapes[s][1];
            c.desc.skip = (d + k) % 2 ? count / 3 : 0;
            c.desc.limit = d < 2 ? (count + 7) / 8 : count - c.desc.skip;
            set_form(&c.desc, s + k + d);
            if (c.desc.value_size && d == 1)
                c.desc.value_size = 44; /* gathered */
            if (!case_launches(own.sorter, &c.desc, "select_short"))
                continue;
            places_run(&own, &c);
            ++run;
        }
        clsort_destroy(own.sorter);
    }
    assert_true(run > 40);
}

/* What cl/base/random.h gives. */
static uint32_t random_below(uint32_t seed, uint32_t bound)
{
    uint32_t x = seed * UINT32_C(0x9e3779b9);
    x = (x ^ x >> 16) * UINT32_C(0x85ebca6b);
    x = (x ^ x >> 13) * UINT32_C(0xc2b2ae35);
    return (uint32_t)((uint64_t)(x ^ x >> 16) * bound >> 32);
}

/* The sampled keys, for every size of a sample, are all large, or all small. */
static void test_adversaries(void **state)
{
    enum { count = 30000 };
    const fixture *fix = fixture_of(state);
    uint32_t *keys = test_alloc(count * sizeof *keys), result[9];
    for (int is_small = 0; is_small < 2; ++is_small)
        for (int l = 0; l < 2; ++l) {
            const clsort_desc desc = {.count = count, .limit = 9, .out_of_place = 1};
            clsort_sorter *sorter = sorter_of(fix, tunings[0], limits[l]);
            assert_true(case_launches(sorter, &desc, "select_collect"));
            for (uint32_t i = 0; i < count; ++i)
                keys[i] = 1000000 + count - i;
            for (uint32_t size = 64; size <= count / 16; size *= 2)
                for (uint32_t i = 0; i < size; ++i)
                    keys[(uint64_t)i * count / size + random_below(i, count / size)] =
                        is_small ? 7 : UINT32_MAX;
            keys[count - 1] = 3;
            expect_status(clsort_sort(sorter, &desc,
                                      &(clsort_arrays){.keys = keys, .keys_out = result}),
                          CLSORT_OK);
            assert_int_equal(result[0], 3);
            for (uint32_t i = 1; i < 9; ++i) { /* the last ones that are not sampled are least */
                uint32_t before = 0, equal = 0;
                for (uint32_t j = 0; j < count; ++j) {
                    before += keys[j] < result[i];
                    equal += keys[j] == result[i];
                }
                assert_in_range(i, before, before + equal - 1);
            }
            clsort_destroy(sorter);
        }
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),      cmocka_unit_test(test_types),
        cmocka_unit_test(test_rows),        cmocka_unit_test(test_short),
        cmocka_unit_test(test_adversaries),
    };
    return fixture_run("select", tests, sizeof tests / sizeof tests[0]);
}
