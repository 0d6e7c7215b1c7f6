/* skip and limit: top-k, k-th element, median, partial sort; and keys with their indices. Always
 * in order, the lowest index first among equals: of arrays and rows, numbers of every type,
 * records and columns, in place and out of place, with values or indices. */
#include "places.h"

/* What moves and where: value_size, index_size, out_of_place. */
static const uint32_t forms[][3] = {{0, 0, 0}, {4, 0, 0}, {12, 0, 0}, {0, 0, 1}, {8, 0, 1},
                                    {3, 0, 1}, {0, 4, 0}, {0, 8, 0},  {0, 4, 1}, {0, 8, 1}};
enum { NUM_FORMS = sizeof forms / sizeof forms[0] };

/* skip and limit of a count, in the variety that users want. */
static const struct wish {
    const char *name;
    uint32_t skip, of_count, limit; /* skip + of_count / 16 of the count; 0: to the end */
} wishes[] = {{"first", 0, 0, 1}, {"ten", 0, 0, 10},      {"median", 0, 8, 1}, {"middle", 3, 5, 30},
              {"rest", 0, 15, 0}, {"hundred", 1, 0, 100}, {"all", 0, 0, 0}};
enum { NUM_WISHES = sizeof wishes / sizeof wishes[0] };

static int wish(clsort_desc *desc, uint32_t number)
{
    const struct wish *w = &wishes[number % NUM_WISHES];
    desc->skip = w->skip + desc->count / 16 * w->of_count;
    desc->limit = w->limit;
    desc->stable = !desc->skip && !desc->limit; /* a sort of all promises no order among equals */
    return desc->skip <= desc->count && desc->limit <= desc->count - desc->skip;
}

static void set_form(clsort_desc *desc, uint32_t number)
{
    const uint32_t *form = forms[number % NUM_FORMS];
    desc->value_size = form[0];
    desc->index_size = form[1];
    desc->out_of_place = form[2];
}

/* Compiling takes most of the time, so a type has every second form here, and the others on a
 * limited device. */
static void test_every_type_and_form(void **state)
{
    const fixture *fix = fixture_of(state);
    unsigned run = 0;
    for (uint32_t type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (uint32_t f = (type + (fix->limited != 0)) % 2; f < NUM_FORMS; f += 2) {
            places_case c = {.desc = {.count = 700 + 97 * f,
                                      .type = (clsort_type)type,
                                      .order = (clsort_order)((type + f / 2) % 2)},
                             .data = (type / 2 + f) / 2 % 2 ? DATA_EXTREMES : DATA_SPRINKLED};
            set_form(&c.desc, f);
            if (wish(&c.desc, type + 3 * f))
                places_run(fix, &c);
            ++run;
        }
    assert_int_equal(run, CLSORT_NUM_TYPES * NUM_FORMS / 2);
}

/* Every wish of every size, among many equal keys. */
static void test_every_wish(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t counts[] = {1, 2, 31, 100, 1000, 5000, 70001};
    static const data_kind datas[] = {DATA_EQUAL, DATA_TWO, DATA_RANDOM, DATA_SORTED, DATA_BORDERS};
    unsigned run = 0;
    for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        for (uint32_t w = 0; w < NUM_WISHES; ++w)
            for (uint32_t d = 0; d < 5; ++d) {
                places_case c = {.desc = {.count = counts[i], .order = (clsort_order)(d % 2)},
                                 .data = datas[d]};
                set_form(&c.desc, i + 3 * w + d);
                if (d % 3 == 2)
                    c.desc.type = CLSORT_F64;
                if (!wish(&c.desc, w) || (counts[i] > 50000 && d % 2 != w % 2))
                    continue;
                places_run(fix, &c);
                ++run;
            }
    assert_true(run > 100);
}

static void test_rows(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t shapes[][2] = {{1, 40},   {33, 7},   {128, 50},
                                         {1024, 9}, {9000, 3}, {3, 200}};
    for (uint32_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i)
        for (uint32_t f = 0; f < NUM_FORMS; ++f) {
            places_case c = {.desc = {.count = shapes[i][0],
                                      .num_arrays = shapes[i][1],
                                      .type = f % 3 ? CLSORT_F32 : CLSORT_I64,
                                      .order = (clsort_order)(f / 2 % 2)},
                             .data = f % 2 ? DATA_FEW : DATA_RANDOM};
            set_form(&c.desc, f);
            if (wish(&c.desc, i + f))
                places_run(fix, &c);
        }
}

static void test_records_and_columns(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t shapes[][2] = {{500, 1}, {3000, 1}, {60, 20}};
    for (uint32_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i)
        for (uint32_t f = 0; f < NUM_FORMS; ++f)
            for (int kind = PLACES_RECORDS; kind <= PLACES_COLUMNS; ++kind) {
                places_case c = {.desc = {.count = shapes[i][0],
                                          .num_arrays = shapes[i][1],
                                          .order = (clsort_order)(f % 2)},
                                 .kind = (places_kind)kind,
                                 .data = DATA_FEW};
                set_form(&c.desc, f);
                if (wish(&c.desc, i + 2 * f))
                    places_run(fix, &c);
            }
}

/* Keys that agree in the bits sorted by are equal: the lowest index comes first, all bits stay. */
static void test_bit_ranges(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t f = 0; f < NUM_FORMS; ++f) {
        places_case c = {.desc = {.count = 3000,
                                  .type = f % 2 ? CLSORT_U64 : CLSORT_I32,
                                  .first_bit = 8,
                                  .end_bit = 12 + f,
                                  .order = (clsort_order)(f % 3 == 0)},
                         .data = DATA_RANDOM};
        set_form(&c.desc, f);
        assert_true(wish(&c.desc, f));
        places_run(fix, &c);
    }
}

static void test_every_algorithm(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int algorithm = CLSORT_AUTO; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (uint32_t f = 0; f < NUM_FORMS; f += 3) {
            places_case c = {.desc = {.count = 2000, .algorithm = (clsort_algorithm)algorithm},
                             .data = DATA_FEW};
            clsort_plan plan;
            set_form(&c.desc, f);
            if (!fixture_takes(c.desc.algorithm) || !wish(&c.desc, f))
                continue;
            places_run(fix, &c);
            expect_status(clsort_get_plan(fix->sorter, &c.desc, &plan, NULL, 0), CLSORT_OK);
            assert_true(plan.stable);
            assert_true(algorithm == CLSORT_AUTO || (int)plan.algorithm == algorithm);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_and_form),
        cmocka_unit_test(test_every_wish),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_records_and_columns),
        cmocka_unit_test(test_bit_ranges),
        cmocka_unit_test(test_every_algorithm),
    };
    return fixture_run("places", tests, sizeof tests / sizeof tests[0]);
}
