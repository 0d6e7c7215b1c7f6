/* Devices with so little room that a piece has few elements, or that samples of the pieces do not
 * fit: CLSORT_LIMIT makes the memory small, or the driver refuses buffers. Every sort ends. It is
 * right, or the device's memory is short and nothing is lost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/calls.h"
#include "support/fixture.h"
#include "support/keep_programs.h"
#include "pieces_case.h"

static const clsort_field fields[] = {{4, CLSORT_I16, CLSORT_DESCENDING},
                                      {0, CLSORT_U8, CLSORT_ASCENDING}};
static const clsort_record record = {.size = 8, .num_fields = 2, .fields = fields};
static const clsort_column columns[] = {{CLSORT_U8, CLSORT_DESCENDING},
                                        {CLSORT_U64, CLSORT_ASCENDING}};

/* In place, so that what a failure leaves can be seen. */
static const clsort_desc shapes[] = {
    {.algorithm = CLSORT_RADIX},
    {.algorithm = CLSORT_RADIX, .value_size = 4, .stable = 1},
    {.type = CLSORT_U64, .index_size = 4},
    {.record = &record, .stable = 1},
    {.num_columns = 2, .columns = columns},
};
enum { num_shapes = sizeof shapes / sizeof shapes[0] };

static const uint64_t counts[] = {2, 3, 7, 40, 300, 1000};
enum { num_counts = sizeof counts / sizeof counts[0] };

/* What the sorts have ended with. */
typedef struct outcome {
    unsigned right, short_of_memory;
} outcome;

/* Elements of one array in any order. */
static int same_bytes(const unsigned char *one, const unsigned char *other, size_t size)
{
    size_t sums[2][256] = {{0}};
    for (size_t i = 0; i < size; ++i) {
        ++sums[0][one[i]];
        ++sums[1][other[i]];
    }
    return memcmp(sums[0], sums[1], sizeof sums[0]) == 0;
}

/* Sorts by the small sorters and compares with the large one's result. */
static void run(clsort_sorter *const *small, uint32_t num, clsort_sorter *large,
                const clsort_desc *desc, int is_unchanged, outcome *outcome_ret)
{
    pieces_arrays one, other;
    pieces_open(&one, desc);
    pieces_open(&other, desc);
    const clsort_status status = clsort_sort_many(small, num, desc, &one.arrays);
    if (status) {
        expect_status(status, CLSORT_ERROR_DEVICE_MEMORY);
        ++outcome_ret->short_of_memory;
        for (int i = 0; i < one.num; ++i) {
            if (is_unchanged)
                assert_memory_equal(one.at[i], other.at[i], one.sizes[i]);
            else
                assert_true(same_bytes(one.at[i], other.at[i], one.sizes[i]));
        }
    } else {
        ++outcome_ret->right;
        expect_status(clsort_sort(large, desc, &other.arrays), CLSORT_OK);
        for (int i = 0; i < one.num; ++i)
            assert_memory_equal(one.at[i], other.at[i], one.sizes[i]);
    }
    pieces_close(&one);
    pieces_close(&other);
}

/* The memory grows by a seventh from some bytes on to all that 1000 elements take. */
static void test_memory(void **state)
{
    const fixture *fix = fixture_of(state);
    outcome outcomes[num_shapes][num_counts];
    memset(outcomes, 0, sizeof outcomes);
    for (unsigned memory = 8; memory < 120000; memory += memory / 7 + 1) {
        char limit[64];
        snprintf(limit, sizeof limit, "unified=0,host=0,memory=%u", memory);
        clsort_sorter *sorters[] = {pieces_sorter(fix, limit, 0), pieces_sorter(fix, limit, 0)};
        for (int i = 0; i < num_shapes; ++i) {
            for (int k = 0; k < num_counts; ++k) {
                clsort_desc desc = shapes[i];
                desc.count = counts[k];
                run(sorters, 1 + memory % 2, fix->sorter, &desc, 1, &outcomes[i][k]);
            }
        }
        clsort_destroy(sorters[0]);
        clsort_destroy(sorters[1]);
    }
    for (int i = 0; i < num_shapes; ++i) {
        for (int k = 0; k < num_counts; ++k) {
            assert_true(outcomes[i][k].short_of_memory > 0);
            assert_true(outcomes[i][k].right > 0);
        }
    }
}

/* The device says that it has memory enough, and refuses buffers above some size. */
static void test_refused(void **state)
{
    const fixture *fix = fixture_of(state);
    outcome all = {0, 0};
    unsigned num_refused = 0;
    calls_start();
    for (size_t size = 8; size < 20000; size += size / 3 + 1) {
        clsort_sorter *sorter = pieces_sorter(fix, "unified=0,host=0", 0);
        for (int i = 0; i < num_shapes; ++i) {
            for (int k = 0; k < num_counts; ++k) {
                clsort_desc desc = shapes[i];
                desc.count = counts[k];
                calls_mark();
                calls_refuse_buffers(size);
                run(&sorter, 1, fix->sorter, &desc, 0, &all);
                calls_refuse_buffers(0);
                num_refused += calls_refused();
                expect_status(clsort_release_scratch(sorter), CLSORT_OK);
            }
        }
        clsort_destroy(sorter);
    }
    calls_stop();
    assert_true(num_refused > 0 && all.right > 0 && all.short_of_memory > 0);
}

static int prepare(void **state)
{
    keep_programs(fixture_of(state)->context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_memory, prepare),
        cmocka_unit_test(test_refused),
    };
    return fixture_run("pieces_room", tests, sizeof tests / sizeof tests[0]);
}
