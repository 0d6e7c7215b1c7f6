/* Counting sort (cl/sorts/counting/counting.cl): types, orders and all shapes of data; a slice for
 * all values and several; counters that run full; arrays that begin at any key of an aligned
 * vector. */
#include <stdlib.h>
#include <string.h>

#include "support/case.h"
#include "support/tuning_case.h"

/* The second has several slices of 16-bit values, and few copies of 8-bit counters. */
static const struct {
    const char *limit, *rows;
} tunings[] = {
    {"cpu=0", "counting min=0 group=64 items=2 groups_per_unit=2\n"},
    {"cpu=0,local=8192", "counting min=0 group=512 items=1 groups_per_unit=16\n"},
};
enum { num_tunings = sizeof tunings / sizeof *tunings };

static clsort_sorter *sorter_of(const fixture *fix, int tuning)
{
    fixture_limit(fix, tunings[tuning].limit);
    clsort_sorter *sorter = tuned_sorter(fix, tunings[tuning].rows);
    fixture_end_limit();
    return sorter;
}

static void test_shapes(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.type = CLSORT_U8},  {.type = CLSORT_I8, .order = CLSORT_DESCENDING},
        {.type = CLSORT_U16}, {.type = CLSORT_I16},
        {.type = CLSORT_F16}, {.type = CLSORT_BF16, .order = CLSORT_DESCENDING},
    };
    /* The last has two keys more often than a counter of 16 bits can tell. */
    static const uint64_t counts[] = {2, 15, 16, 17, 1000, 33333, 600007};
    for (int t = 0; t < num_tunings; ++t) {
        const fixture own = fixture_with(fix, sorter_of(fix, t));
        for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d)
            for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
                clsort_desc desc = descs[d];
                /* Compiling takes most of the time: the second has those of test_begins(). */
                if (t > 0 && type_infos[desc.type].kind != KIND_UNSIGNED)
                    continue;
                desc.count = counts[i];
                /* Auto may take quicksort in one launch, where that is tuned for. */
                desc.algorithm = (d + i) % 2 || desc.count > 100000 ? CLSORT_RADIX : CLSORT_AUTO;
                if (desc.algorithm == CLSORT_RADIX)
                    assert_true(case_launches(own.sorter, &desc, "counting_fill"));
                for (int kind = 0; kind < NUM_DATA_KINDS; ++kind) {
                    if (kind != DATA_RANDOM && kind != DATA_TWO &&
                        (desc.count > 100000 || kind % 6 != (int)(i + d) % 6))
                        continue;
                    desc.out_of_place = (i + (uint32_t)kind) % 2;
                    assert_int_equal(case_run_desc(&own, &desc, (data_kind)kind), 1);
                }
            }
        clsort_destroy(own.sorter);
    }
}

static int compare_u8(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

static int compare_u16(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* Arrays that begin with the first keys of a buffer left out, and end before its last ones. Each
 * sort scans the counters of all values, so 16-bit keys have fewer sorts. */
static void check_begins(const fixture *fix, clsort_type type, uint32_t size)
{
    enum { max_count = 100, room = 33 };
    unsigned char before[(max_count + 2 * room) * 2], after[sizeof before];
    const cl_mem buffer = buffer_create(fix->context, CL_MEM_READ_WRITE, sizeof before, NULL);
    for (uint32_t begin = 0; begin < room / size + 1; ++begin)
        for (uint32_t count = 1; count < max_count; count += size == 1 ? 7 : 29) {
            const clsort_desc desc = {.count = count, .type = type, .algorithm = CLSORT_RADIX};
            const clsort_buffers buffers = {.keys = {buffer, (uint64_t)begin * size}};
            data_bytes(before, sizeof before, seed_mix(fix->seed, begin * 1000 + count));
            buffer_write(fix->queue, buffer, before, sizeof before);
            expect_status(fixture_enqueue(fix, &desc, &buffers), CLSORT_OK);
            buffer_read(fix->queue, buffer, after, sizeof after);
            qsort(before + begin * size, count, size, size == 1 ? compare_u8 : compare_u16);
            assert_memory_equal(after, before, sizeof before);
        }
    clReleaseMemObject(buffer);
}

static void test_begins(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int t = 0; t < num_tunings; ++t) {
        const fixture own = fixture_with(fix, sorter_of(fix, t));
        check_begins(&own, CLSORT_U8, 1);
        check_begins(&own, CLSORT_U16, 2);
        clsort_destroy(own.sorter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_begins),
    };
    return fixture_run_of(CLSORT_RADIX, "counting", tests, sizeof tests / sizeof tests[0]);
}
