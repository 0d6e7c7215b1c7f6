/* Quicksort of one array in a single launch (cl/sorts/whole/whole.cl): with work-groups that all
 * run at the same time, with some that do not, and with pivots that leave buckets larger than local
 * memory. */
#include <stdlib.h>
#include <string.h>

#include "support/case.h"
#include "support/oracle.h"
#include "racer.h"
#include "support/tuning_case.h"

/* As many work-groups as compute units, which poll for long; more than can run at once, with no
 * polling; and almost no pivots. The last form is the device's own. */
static const char *const forms[] = {
    "whole group=64 held=2 leaf_items=5 groups_per_unit=1 bucket_bits=6 bucket_min=16 "
    "sample_group=32 sample_items=8 single_group=32 single_items=3 spin_limit=2^16\n",
    "whole group=16 held=2 leaf_items=3 groups_per_unit=64 bucket_bits=5 sample_group=16 "
    "sample_items=5 single_group=16 single_items=2 spin_limit=0\n",
    "whole group=64 held=6 leaf_items=2 groups_per_unit=1 bucket_bits=2 sample_group=16 "
    "sample_items=2 single_group=16 single_items=2 spin_limit=2^16\n",
    NULL,
};
enum { num_forms = sizeof forms / sizeof *forms };

static clsort_sorter *sorter_of(const fixture *fix, int form)
{
    return forms[form] ? tuned_sorter(fix, forms[form]) : sorter_create(fix);
}

static int takes_one_launch(clsort_sorter *sorter, clsort_desc desc, uint64_t count)
{
    desc.count = count;
    return case_launches(sorter, &desc, "whole_sort");
}

/* Counts from the last for one work-group to the most that one launch takes; 0 if it never is
 * one. */
static uint32_t borders(clsort_sorter *sorter, const clsort_desc *desc, uint64_t counts[8])
{
    enum { most = 1 << 21 };
    uint64_t before = 0, first = 1;
    while (first < most && !takes_one_launch(sorter, *desc, first)) {
        before = first;
        first += first / 16 + 1;
    }
    if (first >= most)
        return 0;
    const uint64_t inside = first;
    while (before + 1 < first) {
        const uint64_t middle = (before + first) / 2;
        if (takes_one_launch(sorter, *desc, middle))
            first = middle;
        else
            before = middle;
    }
    uint64_t last = inside, above = most;
    while (last + 1 < above) {
        const uint64_t middle = (last + above) / 2;
        if (takes_one_launch(sorter, *desc, middle))
            last = middle;
        else
            above = middle;
    }
    const uint64_t all[] = {first - 1, first,    first + 1, (first + last) / 3,
                            last / 2,  last - 1, last};
    memcpy(counts, all, sizeof all);
    return sizeof all / sizeof *all;
}

static const clsort_field fields[] = {{4, CLSORT_U16, CLSORT_DESCENDING},
                                      {8, CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_record record = {.size = 12, .num_fields = 2, .fields = fields};

static void test_forms(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_algorithm a = CLSORT_QUICK;
    const clsort_desc descs[] = {
        {.algorithm = a},
        {.type = CLSORT_F64, .order = CLSORT_DESCENDING, .algorithm = a},
        {.type = CLSORT_U8, .algorithm = a, .value_size = 4},
        {.type = CLSORT_I32, .algorithm = a, .stable = 1, .value_size = 12},
        {.type = CLSORT_I64, .algorithm = a, .value_size = 8},
        {.type = CLSORT_F32, .order = CLSORT_DESCENDING, .algorithm = a, .index_size = 4},
        {.type = CLSORT_U64, .first_bit = 3, .end_bit = 40, .algorithm = a},
    };
    unsigned run = 0;
    for (int form = 0; form < num_forms; ++form) {
        const fixture own = fixture_with(fix, sorter_of(fix, form));
        for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d) {
            clsort_desc desc = descs[d];
            uint64_t counts[8];
            if ((form == 1 || form == 2) && d % 3 != (unsigned)form)
                continue; /* one of the two: they differ only after the leaves */
            const uint32_t num = borders(own.sorter, &desc, counts);
            for (uint32_t i = 0; i < num; ++i)
                for (int kind = 0; kind < NUM_DATA_KINDS; ++kind) {
                    /* One small work-group does it all, on devices that have many: this takes
                     * seconds. */
                    if (counts[i] > 20000 && forms[form])
                        continue;
                    /* Each shape of data meets each description and each count. */
                    const int turns = counts[i] > 100000 ? 6 : 3;
                    if (kind % turns != (int)(i + d) % turns)
                        continue;
                    desc.count = counts[i];
                    desc.out_of_place = !desc.index_size && (i + (uint32_t)kind) % 2;
                    run += (unsigned)case_run_desc(&own, &desc, (data_kind)kind);
                }
        }
        clsort_destroy(own.sorter);
    }
    if (fixture_takes(CLSORT_QUICK))
        assert_true(run >= 7 * 5 * (NUM_DATA_KINDS / 3));
}

/* Records by fields, and by a comparison that is no order: no record is lost. */
static void test_records(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_record no_order = {.size = 12,
                                           .declarations = "typedef struct { uint x, y, z; } row;",
                                           .type = "row",
                                           .less = "(a.x ^ b.x) & 1 || a.y <= b.y"};
    if (!fixture_takes(CLSORT_QUICK))
        return;
    for (int form = 0; form < num_forms; ++form) {
        clsort_sorter *sorter = sorter_of(fix, form);
        for (int is_order = 0; is_order < 2; ++is_order) {
            clsort_desc desc = {.record = is_order ? &record : &no_order,
                                .algorithm = CLSORT_QUICK};
            uint64_t counts[8];
            const uint32_t num = borders(sorter, &desc, counts);
            for (uint32_t i = 0; i < num; ++i) {
                const uint64_t count = desc.count = counts[i];
                if (count > 20000 && forms[form])
                    continue;
                unsigned char *rows = test_alloc(count * 12);
                data_fill(rows, CLSORT_U8, count * 12, i % 2 ? DATA_RANDOM : DATA_FEW, i);
                const multiset before = multiset_of(rows, 12, NULL, 0, count);
                const clsort_arrays arrays = {.keys = rows};
                expect_status(clsort_sort(sorter, &desc, &arrays), CLSORT_OK);
                assert_true(multiset_equal(before, multiset_of(rows, 12, NULL, 0, count)));
                for (uint64_t k = 1; k < count && is_order; ++k) {
                    uint16_t a, b;
                    uint32_t c, d;
                    memcpy(&a, rows + 12 * k - 8, 2);
                    memcpy(&b, rows + 12 * k + 4, 2);
                    memcpy(&c, rows + 12 * k - 4, 4);
                    memcpy(&d, rows + 12 * k + 8, 4);
                    assert_true(a > b || (a == b && c <= d));
                }
                free(rows);
            }
        }
        clsort_destroy(sorter);
    }
}

static void test_at_the_same_time(void **state)
{
    const fixture *fix = fixture_of(state);
    if (!fixture_takes(CLSORT_QUICK))
        return;
    for (int form = 0; form < num_forms; form += 3) {
        racer racers[2];
        for (int i = 0; i < 2; ++i) {
            uint64_t counts[8];
            const clsort_desc desc = {.algorithm = CLSORT_QUICK};
            racers[i] = (racer){.sorter = sorter_of(fix, form),
                                .algorithm = CLSORT_QUICK,
                                .num_rounds = 20};
            racers[i].count =
                borders(racers[i].sorter, &desc, counts) ? counts[form ? 6 : 1] : 1000;
        }
        racers_run(racers);
    }
}

/* ---- Crowded bins of one work-group (cl/sorts/partition/splitters/leaf.h) ---- */
enum { crowd_count = 500 };

/* 500 keys in 512 bins. num_frequent of them are one key, but every sixteenth of those lies near
 * it, in its bin. The others have num_values values, or are random. */
static const struct crowds {
    uint32_t num_frequent, num_values;
} crowds[] = {
    {0, 4},     /* bins of equal keys */
    {80, 0},    /* too many for a bin, whose keys differ, and few enough to be compared */
    {300, 0},   /* too many, so that the leaf is merged */
    {100, 300}, /* and bins with several of a few keys */
};

static uint64_t crowd_key(const struct crowds *kind, uint32_t i)
{
    const uint64_t step = 0x9e3779b97f4a7c15, frequent = 0x3456789a00000000;
    const uint64_t value = (kind->num_values ? i * 7 % kind->num_values : i) * step & INT64_MAX;
    if (i % 5 * 100 + i / 5 >= kind->num_frequent) /* each i < 500 has its own number */
        return value;
    return frequent + (i % 16 ? 0 : (uint64_t)i << 32);
}

static void test_crowds(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_algorithm a = CLSORT_QUICK;
    const clsort_desc descs[] = {
        {.type = CLSORT_U64, .algorithm = a},
        {.type = CLSORT_U32, .algorithm = a, .value_size = 4},
        {.type = CLSORT_I32, .order = CLSORT_DESCENDING, .algorithm = a, .index_size = 4},
        {.type = CLSORT_U64, .algorithm = a, .stable = 1, .value_size = 8},
        {.type = CLSORT_F64, .algorithm = a, .value_size = 8},
        {.type = CLSORT_U64, .first_bit = 3, .end_bit = 60, .algorithm = a},
    };
    if (!fixture_takes(CLSORT_QUICK))
        return;
    clsort_sorter *sorter = tuned_sorter(fix, "whole single_group=64 single_items=8\n");
    const fixture own = fixture_with(fix, sorter);
    unsigned run = 0;
    for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d)
        for (size_t k = 0; k < sizeof crowds / sizeof *crowds; ++k) {
            const int is_wide = descs[d].type == CLSORT_U64 || descs[d].type == CLSORT_F64;
            uint64_t keys[crowd_count];
            for (uint32_t i = 0; i < crowd_count; ++i) {
                const uint64_t key = crowd_key(&crowds[k], i);
                if (is_wide)
                    keys[i] = key;
                else
                    ((uint32_t *)keys)[i] = (uint32_t)(key >> 32);
            }
            sort_case c = {.desc = descs[d], .bytes = keys};
            c.desc.count = crowd_count;
            c.num_bytes = crowd_count * (is_wide ? 8 : 4);
            run += (unsigned)case_run(&own, &c);
        }
    assert_int_equal(run, sizeof descs / sizeof *descs * (sizeof crowds / sizeof *crowds));
    clsort_destroy(sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_at_the_same_time),
        cmocka_unit_test(test_crowds),
    };
    return fixture_run("whole", tests, sizeof tests / sizeof tests[0]);
}
