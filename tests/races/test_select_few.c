/* A few short selections, for Oclgrind, which reports every access outside of a buffer and every
 * race: of one array, with bounds that hold and that do not, of rows, and of short rows. */
#include <stdlib.h>

#include "support/case.h"
#include "composed/places.h"
#include "support/tuning_case.h"

/* One work-group for a device of one compute unit: Oclgrind ignores the order that atomics make
 * between groups. */
static const struct {
    const char *kernel, *tuning;
    uint64_t count, num_arrays;
} forms[] = {
    {"select_collect",
     "select min=512 group=16 items=4 groups_per_unit=1 digit_bits=4 margin=5 row_max=0\n", 9001,
     1},
    {"select_collect",
     "select min=512 group=16 items=2 groups_per_unit=1 digit_bits=4 margin=0 row_max=0\n", 3000,
     1},
    {"select_rows", "select group=16 items=2 digit_bits=4 row_min=1 row_max=2^20 short_max=0\n",
     170, 2},
    /* More than a group counts by ranks. */
    {"select_rows", "select group=16 items=8 digit_bits=4 row_min=1 row_max=2^20 short_max=0\n",
     170, 2},
    {"select_short", "select short_group=16 short_items=4 short_max=64\n", 31, 5},
};

static void test_forms(void **state)
{
    static const clsort_desc descs[] = {
        {.type = CLSORT_U32, .limit = 10},
        {.type = CLSORT_U64, .limit = 7, .skip = 11, .value_size = 4},
        {.type = CLSORT_F32, .limit = 10, .index_size = 4, .order = CLSORT_DESCENDING},
    };
    static const data_kind datas[] = {DATA_RANDOM, DATA_CROWDS, DATA_EQUAL};
    const fixture *fix = fixture_of(state);
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; ++f) {
        const fixture own = fixture_with(fix, tuned_sorter(fix, forms[f].tuning));
        for (int d = 0; d < 3; ++d)
            for (int k = 0; k < 3; ++k) {
                places_case c = {.desc = descs[d], .data = datas[k]};
                c.desc.count = forms[f].count;
                if (f == 1 && d == 1) /* counts what is below the lower bound */
                    c.desc.skip = forms[f].count / 2;
                if (f == 3)
                    c.desc.limit = 60;
                c.desc.num_arrays = forms[f].num_arrays;
                c.desc.out_of_place = 1;
                assert_true(case_launches(own.sorter, &c.desc, forms[f].kernel));
                places_run(&own, &c);
            }
        clsort_destroy(own.sorter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
    };
    return fixture_run("select_few", tests, sizeof tests / sizeof tests[0]);
}
