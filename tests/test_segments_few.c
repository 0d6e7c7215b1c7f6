/* A few short sorts of segments, for Oclgrind, which reports every access outside of a buffer and
 * every race: the shapes of segments, longer ones than a tile, and offsets that lie. */
#include <stdlib.h>

#include "fixture.h"
#include "guard.h"
#include "oracle.h"
#include "segments.h"

static void test_shapes(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t shapes[] = {0, 1, 2, 4, 5};
    for (uint32_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        /* Keys alone, pairs and indices: three programs. */
        segments s = {.desc = {.count = 150 + 97 * i, .stable = 1},
                      .form = i % 3,
                      .shape = shapes[i],
                      .seed = fix->seed + 3 * i};
        segments_run(fix, &s);
    }
}

static void test_offsets_that_lie(void **state)
{
    const fixture *fix = fixture_of(state);
    rng random = {fix->seed};
    for (int round = 0; round < 4; ++round) {
        enum { n = 301, num = 12 };
        uint64_t offsets[num + 1];
        uint32_t keys[n];
        for (int i = 0; i <= num; ++i)
            offsets[i] = round % 2 ? rng_next(&random) : rng_below(&random, n + 10);
        data_bytes(keys, sizeof keys, rng_next(&random));
        const clsort_desc desc = {.count = n, .num_segments = num, .offset_size = 8};
        guard k = {0}, o = {0};
        guard_create(&k, fix->context, CL_MEM_READ_WRITE, keys, sizeof keys, 4, 4, 1);
        guard_create(&o, fix->context, CL_MEM_READ_ONLY, offsets, sizeof offsets, 8, 8, 2);
        const clsort_buffers buffers = {.keys = guard_buffer(&k), .offsets = guard_buffer(&o)};
        expect_status(clsort_enqueue(fix->sorter, fix->queue, &desc, &buffers, 0, NULL, NULL),
                      CLSORT_OK);
        const void *sorted = guard_read(&k, fix->queue);
        assert_true(guard_intact(&k));
        assert_true(
            multiset_equal(multiset_of(sorted, 4, NULL, 0, n), multiset_of(keys, 4, NULL, 0, n)));
        guard_free(&k);
        guard_free(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_offsets_that_lie),
    };
    return fixture_run("segments_few", tests, sizeof tests / sizeof tests[0]);
}
