/* The tool's cuts through sorted runs: every cut is compared with a plain merge. Numbers, records
 * and lines, many of them equal, in runs of all lengths and both orders; and lines whose sizes read
 * back wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "external/runs.h"

enum { NUM_RUNS = 5, MAX_COUNT = 3000 };

/* The value of each element. A line is its decimal with leading zeros, so both have the same
 * order. */
static uint32_t values[NUM_RUNS][MAX_COUNT];
static const uint64_t counts[NUM_RUNS] = {700, 0, 3000, 1, 513};

static int compare_values(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorted runs of numbers below `limit`. */
static void make_values(uint32_t limit, clsort_order order)
{
    uint32_t state = 7;
    for (int i = 0; i < NUM_RUNS; i++) {
        for (uint64_t j = 0; j < counts[i]; j++)
            values[i][j] = (state = state * 1664525 + 1013904223) % limit;
        qsort(values[i], counts[i], sizeof(uint32_t), compare_values);
        for (uint64_t j = 0; order == CLSORT_DESCENDING && j < counts[i] / 2; j++) {
            const uint32_t value = values[i][j];
            values[i][j] = values[i][counts[i] - 1 - j];
            values[i][counts[i] - 1 - j] = value;
        }
    }
}

enum { LINE = 11 }; /* including its line feed */

/* A run's values as numbers, or as what lies in records. */
static const char *elements_of(const struct runs *runs, int i)
{
    static char records[MAX_COUNT * 12];
    const uint32_t size = runs->keys.size;
    if (size == sizeof(uint32_t))
        return (const char *)values[i];
    for (uint64_t j = 0; j < counts[i]; j++)
        memcpy(records + j * size + runs->keys.offset, &values[i][j], sizeof(uint32_t));
    return records;
}

static void write_runs(struct runs *runs)
{
    static char text[MAX_COUNT * LINE + 1];
    static uint32_t starts[MAX_COUNT + 1];
    for (int i = 0; i < NUM_RUNS; i++) {
        struct run *run = runs_add(runs, counts[i], counts[i] * LINE);
        assert_non_null(run);
        if (runs->keys.size) {
            assert_true(runs_begin_samples(runs, run));
            /* In two parts, as threads supply them. */
            const char *elements = elements_of(runs, i);
            const uint64_t half = counts[i] / 2, size = runs->keys.size;
            runs_sample(runs, run, elements + half * size, NULL, half, counts[i] - half);
            runs_sample(runs, run, elements, NULL, 0, half);
            assert_true(spill_write_few(&runs->spill, elements, counts[i] * size, run->keys_at));
            continue;
        }
        for (uint64_t j = 0; j <= counts[i]; j++) {
            starts[j] = (uint32_t)(j * LINE);
            if (j < counts[i])
                snprintf(text + j * LINE, LINE + 1, "%010u\n", (unsigned)values[i][j]);
        }
        assert_true(spill_write_few(&runs->spill, starts, (counts[i] + 1) * 4, run->starts_at));
        assert_true(spill_write_few(&runs->spill, text, counts[i] * LINE, run->text_at));
    }
}

/* Takes the merge's next element; of equal elements, the first run's. */
static void advance(uint64_t *positions, clsort_order order)
{
    int best = -1;
    for (int i = 0; i < NUM_RUNS; i++) {
        if (positions[i] == counts[i])
            continue;
        const uint32_t value = values[i][positions[i]];
        const uint32_t least = best < 0 ? 0 : values[best][positions[best]];
        if (best < 0 || (order == CLSORT_DESCENDING ? value > least : value < least))
            best = i;
    }
    positions[best]++;
}

/* key_size 0: of lines; 12: of records with the number 5 bytes behind their begin. */
static void check_cuts(uint32_t key_size, uint32_t limit, clsort_order order, uint64_t step)
{
    struct runs runs = {.order = order, .keys = {CLSORT_U32, key_size, key_size == 12 ? 5 : 0}};
    uint64_t expected[NUM_RUNS] = {0}, from[NUM_RUNS] = {0}, cuts[NUM_RUNS];
    runs.has_lines = key_size == 0;
    make_values(limit, order);
    assert_true(spill_open(&runs.spill, NULL, 0));
    write_runs(&runs);
    for (uint64_t target = 0; target <= runs.total; target++) {
        if (target > 0)
            advance(expected, order);
        if (target % step != 0 && target < runs.total)
            continue;
        assert_true(runs_cut(&runs, target, from, cuts));
        assert_memory_equal(cuts, expected, sizeof(cuts));
        memcpy(from, cuts, sizeof(cuts));
    }
    runs_close(&runs);
}

static void test_numbers(void **state)
{
    (void)state;
    static const uint32_t limits[] = {1, 2, 50, UINT32_MAX};
    for (int i = 0; i < 4; i++) {
        check_cuts(4, limits[i], CLSORT_ASCENDING, 1 + 7 * (uint64_t)i);
        check_cuts(4, limits[i], CLSORT_DESCENDING, 11);
        check_cuts(12, limits[i], CLSORT_ASCENDING, 17);
        check_cuts(12, limits[i], CLSORT_DESCENDING, 23);
    }
}

static void test_lines(void **state)
{
    (void)state;
    static const uint32_t limits[] = {1, 2, 50, UINT32_MAX};
    for (int i = 0; i < 4; i++) {
        check_cuts(0, limits[i], CLSORT_ASCENDING, 97);
        check_cuts(0, limits[i], CLSORT_DESCENDING, 101);
    }
}

/* Where the fourth line of the first run begins, and whether the third's size is taken. */
static bool takes_start(struct runs *runs, uint32_t start)
{
    uint64_t begin, size;
    const struct run *run = runs_at(runs, 0);
    assert_true(spill_write_few(&runs->spill, &start, sizeof(start), run->starts_at + 3 * 4));
    return runs_text_between(runs, 0, 2, 3, &begin, &size) && begin == 2 * LINE &&
           size == start - 2 * LINE;
}

static void test_damage(void **state)
{
    (void)state;
    struct runs runs = {.has_lines = true};
    make_values(50, CLSORT_ASCENDING);
    assert_true(spill_open(&runs.spill, NULL, 0));
    write_runs(&runs);
    const uint32_t text_size = (uint32_t)counts[0] * LINE;
    assert_true(takes_start(&runs, 3 * LINE));
    assert_true(takes_start(&runs, 2 * LINE + 1));
    assert_true(takes_start(&runs, text_size));
    assert_false(takes_start(&runs, text_size + 1));
    assert_false(takes_start(&runs, UINT32_MAX));
    assert_false(takes_start(&runs, 2 * LINE)); /* a line has its line feed */
    assert_false(takes_start(&runs, 0));
    runs_close(&runs);
}

/* A cut looks at where lines begin, too. */
static void test_damaged_cut(void **state)
{
    (void)state;
    struct runs runs = {.has_lines = true};
    static const uint32_t starts[MAX_COUNT];
    const uint64_t from[NUM_RUNS] = {0};
    uint64_t cuts[NUM_RUNS];
    make_values(50, CLSORT_ASCENDING);
    assert_true(spill_open(&runs.spill, NULL, 0));
    write_runs(&runs);
    assert_true(spill_write_few(&runs.spill, starts, counts[0] * sizeof(starts[0]),
                                runs_at(&runs, 0)->starts_at));
    assert_false(runs_cut(&runs, runs.total / 2, from, cuts));
    runs_close(&runs);
}

/* Lines longer than what is kept of a run, which differ near their ends. */
static void test_long_lines(void **state)
{
    (void)state;
    enum { SIZE = 9000, NUM = 4 };
    static char text[NUM * SIZE];
    struct runs runs = {.has_lines = true};
    const uint64_t from[2] = {0};
    assert_true(spill_open(&runs.spill, NULL, 0));
    for (int i = 0; i < 2; i++) {
        struct run *run = runs_add(&runs, NUM, sizeof(text));
        assert_non_null(run);
        uint32_t starts[NUM + 1];
        memset(text, 'x', sizeof(text));
        for (int j = 0; j <= NUM; j++)
            starts[j] = (uint32_t)(j * SIZE);
        for (int j = 0; j < NUM; j++) {
            text[(j + 1) * SIZE - 2] = (char)('a' + 2 * j + i); /* in turns with the other run's */
            text[(j + 1) * SIZE - 1] = '\n';
        }
        assert_true(spill_write_few(&runs.spill, starts, sizeof(starts), run->starts_at));
        assert_true(spill_write_few(&runs.spill, text, sizeof(text), run->text_at));
    }
    for (uint64_t target = 0; target <= 2 * NUM; target++) {
        uint64_t cuts[2];
        assert_true(runs_cut(&runs, target, from, cuts));
        assert_int_equal(cuts[0], (target + 1) / 2);
        assert_int_equal(cuts[1], target / 2);
    }
    runs_close(&runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_damage),
                                       cmocka_unit_test(test_damaged_cut),
                                       cmocka_unit_test(test_long_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
