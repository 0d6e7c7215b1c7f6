/* Which rows of 'clsort-bench --sweep' stand out beside their neighbours, by made-up times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/developer/developer.h"

#define MICROSECOND 1e-6
enum { MAX_ROWS = 8 };

/* A row whose best run is its median. */
static struct bench_row row(uint64_t count, enum bench_distribution distribution, double time)
{
    const struct bench_summary summary = {.best = time * MICROSECOND, .median = time * MICROSECOND};
    return (struct bench_row){.count = count,
                              .type = {.key = CLSORT_U32},
                              .distribution = distribution,
                              .sort = "clsort",
                              .algorithm = "auto",
                              .num_runs = 3,
                              .times = {[BENCH_DEVICE] = summary}};
}

static struct bench_row row_of(enum bench_layout layout, uint64_t length, double time)
{
    struct bench_row made = row(1 << 16, BENCH_RANDOM, time);
    made.shape = (struct bench_shape){.work = BENCH_SEGMENTS, .layout = layout, .length = length};
    return made;
}

/* One row stands out, by that neighbour and ratio. */
static void expect_one(const struct bench_row *rows, int num_rows, int row, int other,
                       enum bench_neighbour neighbour, double ratio)
{
    struct bench_outlier found[MAX_ROWS];
    assert_int_equal(bench_find_outliers(rows, num_rows, 1.5, found), 1);
    assert_int_equal(found[0].row, row);
    assert_int_equal(found[0].other, other);
    assert_int_equal(found[0].neighbour, neighbour);
    assert_float_equal(found[0].ratio, ratio, 1e-6);
}

static void expect_none(const struct bench_row *rows, int num_rows)
{
    struct bench_outlier found[MAX_ROWS];
    assert_int_equal(bench_find_outliers(rows, num_rows, 1.5, found), 0);
}

/* The time of each key may rise by the factor from one count to the next, and no more. */
static void test_rate_that_falls(void **state)
{
    (void)state;
    struct bench_row rows[] = {row(4096, BENCH_RANDOM, 160), row(1024, BENCH_RANDOM, 50),
                               row(2048, BENCH_RANDOM, 90)};
    expect_none(rows, 3);
    rows[0] = row(4096, BENCH_RANDOM, 1.49 * 2 * 90);
    expect_none(rows, 3);
    rows[0] = row(4096, BENCH_RANDOM, 1.6 * 2 * 90);
    expect_one(rows, 3, 0, 2, BENCH_FEWER, 1.6);
    struct bench_outlier found[3];
    bench_find_outliers(rows, 3, 1.5, found);
    assert_float_equal(found[0].expected, 2 * 90 * MICROSECOND, 1e-12);
    assert_int_equal(bench_find_outliers(rows, 3, 1.61, found), 0);
    assert_int_equal(bench_find_outliers(rows, 0, 1.5, found), 0);
}

/* Few keys cost launches: only more time than for more keys stands out. */
static void test_more_keys_in_less_time(void **state)
{
    (void)state;
    struct bench_row rows[] = {row(1024, BENCH_RANDOM, 50), row(2048, BENCH_RANDOM, 50),
                               row(4096, BENCH_RANDOM, 60)};
    expect_none(rows, 3);
    rows[1] = row(2048, BENCH_RANDOM, 2 * 60);
    rows[0] = row(1024, BENCH_RANDOM, 100);
    expect_one(rows, 3, 1, 2, BENCH_MORE, 2);
}

static void test_beside_random_keys(void **state)
{
    (void)state;
    struct bench_row rows[] = {row(1024, BENCH_ZIPF, 100), row(1024, BENCH_SORTED, 20),
                               row(1024, BENCH_RANDOM, 50), row(4096, BENCH_ZIPF, 200)};
    expect_one(rows, 4, 0, 2, BENCH_AT_RANDOM, 2);
    rows[0] = row(1024, BENCH_ZIPF, 70);
    expect_none(rows, 4);
}

static void test_lengths(void **state)
{
    (void)state;
    struct bench_row rows[] = {row_of(BENCH_ROWS, 32, 100), row_of(BENCH_ROWS, 64, 140),
                               row_of(BENCH_ROWS, 128, 140)};
    expect_none(rows, 3);
    rows[1] = row_of(BENCH_ROWS, 64, 160);
    expect_one(rows, 3, 1, 0, BENCH_SHORTER, 1.6);
    rows[1] = row_of(BENCH_ROWS, 64, 140);
    rows[0] = row_of(BENCH_ROWS, 32, 280);
    expect_one(rows, 3, 0, 1, BENCH_LONGER, 2);
    rows[0] = row_of(BENCH_LENGTH, 32, 280);
    expect_none(rows, 3);
}

/* What differs in more than one thing, or in another, is no neighbour. */
static void test_strangers(void **state)
{
    (void)state;
    struct bench_row rows[] = {row(1024, BENCH_RANDOM, 50), row(2048, BENCH_ZIPF, 900),
                               row(2048, BENCH_RANDOM, 800), row(2048, BENCH_RANDOM, 300),
                               row(1024, BENCH_ZIPF, 300)};
    rows[2].type.value_size = 4;
    rows[3].algorithm = "quick";
    rows[4].shape.limit = 10;
    expect_none(rows, 5);
    rows[2].type.value_size = 0;
    expect_one(rows, 3, 2, 0, BENCH_FEWER, 8);
}

static void test_rows_that_were_not_measured(void **state)
{
    (void)state;
    struct bench_row rows[] = {row(1024, BENCH_RANDOM, 50), row(2048, BENCH_RANDOM, 0),
                               row(4096, BENCH_RANDOM, 400)};
    rows[1].num_runs = 0;
    expect_one(rows, 3, 2, 0, BENCH_FEWER, 2);
}

/* Launches vary by some microseconds, and noise has good runs among the bad ones. */
static void test_noise(void **state)
{
    (void)state;
    struct bench_row rows[] = {row(1024, BENCH_RANDOM, 4), row(1024, BENCH_ZIPF, 8.9)};
    expect_none(rows, 2);
    rows[1] = row(1024, BENCH_ZIPF, 9.2);
    expect_one(rows, 2, 1, 0, BENCH_AT_RANDOM, 2.3);
    rows[1].times[BENCH_DEVICE].best = 5 * MICROSECOND;
    expect_none(rows, 2);
    /* A base that is noisy itself is told by its best run. */
    rows[0].times[BENCH_DEVICE].best = 3 * MICROSECOND;
    expect_one(rows, 2, 1, 0, BENCH_AT_RANDOM, 2.3);
    rows[0].times[BENCH_DEVICE].best = 20 * MICROSECOND;
    rows[1] = row(1024, BENCH_ZIPF, 70);
    rows[0].times[BENCH_DEVICE].median = 50 * MICROSECOND;
    expect_none(rows, 2);
}

/* By the host's clock where one of the two has no other. */
static void test_clocks(void **state)
{
    (void)state;
    struct bench_row rows[] = {row(1024, BENCH_RANDOM, 50), row(1024, BENCH_ZIPF, 100)};
    struct bench_outlier found[2];
    const struct bench_summary host = {.best = 300 * MICROSECOND, .median = 300 * MICROSECOND};
    rows[0].times[BENCH_HOST] = rows[1].times[BENCH_HOST] = host;
    assert_int_equal(bench_find_outliers(rows, 2, 1.5, found), 1);
    assert_int_equal(found[0].clock, BENCH_DEVICE);
    rows[0].times[BENCH_DEVICE].median = 0;
    expect_none(rows, 2);
    rows[1].times[BENCH_HOST].median = rows[1].times[BENCH_HOST].best = 900 * MICROSECOND;
    assert_int_equal(bench_find_outliers(rows, 2, 1.5, found), 1);
    assert_int_equal(found[0].clock, BENCH_HOST);
}

/* A row is there once, by its worst neighbour, and the worst row first. */
static void test_worst_first(void **state)
{
    (void)state;
    struct bench_row rows[] = {row(1024, BENCH_RANDOM, 50), row(2048, BENCH_RANDOM, 140),
                               row(1024, BENCH_ZIPF, 150),  row(2048, BENCH_ZIPF, 100),
                               row(1024, BENCH_FEW16, 60),  row(2048, BENCH_FEW16, 900)};
    struct bench_outlier found[6];
    assert_int_equal(bench_find_outliers(rows, 6, 1.5, found), 2);
    assert_int_equal(found[0].row, 5);
    assert_int_equal(found[0].other, 4);
    assert_int_equal(found[1].row, 2);
    assert_int_equal(found[1].other, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate_that_falls),
        cmocka_unit_test(test_more_keys_in_less_time),
        cmocka_unit_test(test_beside_random_keys),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_rows_that_were_not_measured),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_worst_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
