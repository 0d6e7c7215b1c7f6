/* Records by a comparison of products of floats. If the difference were fused with one of the
 * products, which is not rounded then, equal records would be less than one another. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/fixture.h"

typedef struct {
    float x, y;
    uint32_t id;
} point;

static const clsort_record record = {.size = sizeof(point),
                                     .declarations =
                                         "typedef struct { float x, y; uint id; } point;",
                                     .type = "point",
                                     .less = "a.x * a.y - b.x * b.y < 0.0f"};

/* The product, rounded to 32 bits. */
static float product(const point *p)
{
    const volatile float rounded = p->x * p->y;
    return rounded;
}

static int compare_points(const void *a, const void *b)
{
    const point *p = a, *q = b;
    const float one = product(p), other = product(q);
    return one != other ? (one > other) - (one < other) : (p->id > q->id) - (p->id < q->id);
}

/* Points of `kinds` different ones, whose products are rounded up or down. */
static void fill(point *points, uint32_t count, uint32_t kinds, uint64_t seed)
{
    for (uint32_t i = 0; i < count; ++i) {
        rng own = {seed_mix(seed, i % kinds)};
        points[i].x = 1.0f + (float)rng_below(&own, 1 << 23) * 0x1p-23f;
        points[i].y = 1.0f + (float)rng_below(&own, 1 << 23) * 0x1p-23f;
        points[i].id = i;
    }
}

static void run(const fixture *fix, clsort_algorithm algorithm, uint32_t count, uint32_t kinds)
{
    const clsort_desc desc = {
        .count = count, .record = &record, .algorithm = algorithm, .stable = 1};
    point *points = test_alloc(count * sizeof *points);
    point *expected = test_alloc(count * sizeof *expected);
    fill(points, count, kinds, fix->seed);
    memcpy(expected, points, count * sizeof *points);
    qsort(expected, count, sizeof *expected, compare_points);
    expect_status(clsort_sort(fix->sorter, &desc, &(clsort_arrays){.keys = points}), CLSORT_OK);
    if (memcmp(points, expected, count * sizeof *points) != 0)
        fail_msg("%s of %u points, %u kinds: the order is wrong", clsort_algorithm_name(algorithm),
                 (unsigned)count, (unsigned)kinds);
    free(points);
    free(expected);
}

static void test_products(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_algorithm algorithms[] = {CLSORT_AUTO, CLSORT_MERGE, CLSORT_QUICK};
    static const uint32_t counts[] = {2, 300, 20000}, kinds[] = {1, 2, 100000};
    for (int i = 0; i < 27; ++i)
        if (algorithms[i % 3] == CLSORT_AUTO || fixture_takes(algorithms[i % 3]))
            run(fix, algorithms[i % 3], counts[i / 3 % 3], kinds[i / 9]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
    };
    return fixture_run("record_floats", tests, sizeof tests / sizeof tests[0]);
}
