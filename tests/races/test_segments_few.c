/* A few short sorts of segments, for Oclgrind, which reports every access outside of a buffer and
 * every race: the shapes of segments, longer ones than a tile, and offsets that lie. */
#include <stdlib.h>
#include <string.h>

#include "support/fixture.h"
#include "support/guard.h"
#include "support/oracle.h"
#include "composed/segments/segments.h"

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

/* Segments of 3 lie in a work-item's elements or across two's. Segments of 1700 end more than a
 * block of 1024 behind their tile. */
static void test_lengths(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t lengths[][2] = {{3, 400}, {1700, 4200}};
    for (uint32_t i = 0; i < 2; ++i) {
        segments s = {.desc = {.count = lengths[i][1]}, .length = lengths[i][0], .seed = fix->seed};
        segments_run(fix, &s);
    }
}

/* Records of which some segments are short, some take rounds of merges in a tile, and one is merged
 * from pieces. */
static void test_records(void **state)
{
    const fixture *fix = fixture_of(state);
    static const segment_record records[] = {
        {.size = 16, .key = 2, .second = 16, .values = 20},
        {.size = 20, .key = 7, .second = 3, .values = 3},
    };
    static const uint64_t lengths[][2] = {{6, 150}, {40, 230}, {300, 420}};
    for (uint32_t i = 0; i < 6; ++i) {
        segments s = {.desc = {.count = lengths[i % 3][1]},
                      .form = i / 3 * 2,
                      .record = &records[i / 3],
                      .length = lengths[i % 3][0],
                      .seed = fix->seed};
        segments_run(fix, &s);
    }
}

enum { LIES = 301, LYING_SEGMENTS = 12 };

/* Random bytes, which are no indices, for a sort to use as scratch. */
static void lie_scratch(const fixture *fix, const clsort_desc *desc, guard *scratch)
{
    uint64_t size = 0;
    expect_status(clsort_scratch_size(fix->sorter, desc, &size), CLSORT_OK);
    if (size)
        guard_create_scratch(scratch, fix->context, size, 6);
}

/* Each index is of an element, or what was there before, all ones. */
static void lie_check_indices(const uint32_t *indices, uint64_t num)
{
    for (uint64_t i = 0; i < num; ++i)
        assert_true(indices[i] < LIES || indices[i] == UINT32_MAX);
}

/* The result is a permutation or lies in outputs of their own, and nothing else is written. */
static void lie_one(const fixture *fix, clsort_desc desc, const uint64_t *offsets,
                    const uint32_t *keys)
{
    const uint64_t num_out = desc.limit ? desc.limit * LYING_SEGMENTS : LIES;
    const int stays = desc.out_of_place || desc.index_size;
    guard k = {0}, o = {0}, out = {0}, indices = {0}, scratch = {0};
    static uint32_t ones[LIES * LYING_SEGMENTS];
    desc.count = LIES;
    desc.num_segments = LYING_SEGMENTS;
    desc.offset_size = 8;
    guard_create(&k, fix->context, CL_MEM_READ_WRITE, keys, LIES * 4, 4, 4, 1);
    guard_create(&o, fix->context, CL_MEM_READ_ONLY, offsets, (LYING_SEGMENTS + 1) * 8, 8, 8, 2);
    if (desc.out_of_place)
        guard_create(&out, fix->context, CL_MEM_READ_WRITE, NULL, num_out * 4, 4, 4, 3);
    memset(ones, 0xff, sizeof ones);
    if (desc.index_size)
        guard_create(&indices, fix->context, CL_MEM_READ_WRITE, ones, num_out * 4, 4, 4, 4);
    lie_scratch(fix, &desc, &scratch);
    const clsort_buffers buffers = {.keys = guard_buffer(&k),
                                    .offsets = guard_buffer(&o),
                                    .keys_out = guard_buffer(&out),
                                    .indices = guard_buffer(&indices),
                                    .scratch = guard_buffer(&scratch)};
    expect_status(fixture_enqueue(fix, &desc, &buffers), CLSORT_OK);
    const void *sorted = guard_read(&k, fix->queue);
    assert_true(stays ? guard_unchanged(&k) : guard_intact(&k));
    assert_true(
        multiset_equal(multiset_of(sorted, 4, NULL, 0, LIES), multiset_of(keys, 4, NULL, 0, LIES)));
    guard_read(&o, fix->queue);
    assert_true(guard_unchanged(&o));
    if (desc.index_size)
        lie_check_indices(guard_read(&indices, fix->queue), num_out);
    guard *const outputs[] = {&out, &indices, &scratch};
    for (int i = 0; i < 3; ++i) {
        if (outputs[i]->mem)
            guard_read(outputs[i], fix->queue);
        assert_true(!outputs[i]->mem || guard_intact(outputs[i]));
        guard_free(outputs[i]);
    }
    guard_free(&k);
    guard_free(&o);
}

static void test_offsets_that_lie(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.skip = 0},
        {.skip = 3, .limit = 5},
        {.limit = 4, .out_of_place = 1},
        {.limit = LIES, .out_of_place = 1},
        {.skip = 2, .out_of_place = 1},
        {.skip = 1, .limit = 4, .index_size = 4},
        {.skip = 1, .index_size = 4},
    };
    rng random = {fix->seed};
    for (int round = 0; round < 4; ++round) {
        uint64_t offsets[LYING_SEGMENTS + 1];
        uint32_t keys[LIES];
        for (int i = 0; i <= LYING_SEGMENTS; ++i)
            offsets[i] = round % 2 ? rng_next(&random) : rng_below(&random, LIES + 10);
        data_bytes(keys, sizeof keys, rng_next(&random));
        for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
            lie_one(fix, descs[i], offsets, keys);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_offsets_that_lie),
    };
    return fixture_run("segments_few", tests, sizeof tests / sizeof tests[0]);
}
