/* Leaves of the engine for evenly spread keys that are too large for a work-group: those that are
 * cut in two or four, those of which a part is still too large, and those that are too large to be
 * cut. */
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "msd_case.h"
#include "msd_control.h"
#include "sorter.h"

/* Of a leaf's work-group. */
#define SLOTS(p) ((p)->leaf_slots / 7 * 8 >> MSD_LARGE_BITS)

#define ONESWEEP                                                                         \
    "onesweep scatter_group=64 scatter_items=3 registers=0 spin_limit=2^16 min=0 max=0 " \
    "stable_min=0 skew_min=0\n"
/* Leaves of keys, or of pairs of 8 bytes; and of 16 bytes. */
static const struct {
    const char *text;
    uint32_t count, num_descs;
    clsort_desc descs[4];
} tunings[] = {
    {LAUNCHED_LEVELS ONESWEEP MSD "split_group=64 split_items=4 block_lanes=4 groups_per_unit=1 "
                                  "parts=3 onesweep_min=0 pairs_min=0\n",
     MSD_NUM_EVEN,
     4,
     {{.type = CLSORT_I32, .order = CLSORT_DESCENDING},
      {.type = CLSORT_U64},
      {.type = CLSORT_U32, .value_size = 4},
      {.type = CLSORT_I32, .value_size = 2, .order = CLSORT_DESCENDING}}},
    {ONESWEEP "part min=0 scatter_group=64 scatter_items=2 scatter_registers=0 votes=0 "
              "leaf_group=32 leaf_items=16 leaf_registers=0 digit_bits=6 groups_per_unit=0\n"
              "msd pairs_min=0 leaf_group=32 leaf_items=8 leaf_registers=0 bin_bits=14 votes=0 "
              "split_group=64 split_items=8 block_lanes=8 groups_per_unit=1 parts=2\n",
     100003,
     2,
     {{.type = CLSORT_I64, .value_size = 8, .order = CLSORT_DESCENDING},
      {.type = CLSORT_U32, .value_size = 8}}},
};
enum { NUM_TUNINGS = sizeof tunings / sizeof *tunings, NUM_LEAVES = 3 };

/* What the engine has to say. */
typedef enum outcome { CUT, PART_TOO_LARGE, TOO_LARGE } outcome;

/* Sizes of three leaves, in quarters of a work-group's slots. What they have more than others agrees
 * in `same` bits behind the leaf's. */
static const struct {
    uint32_t quarters[NUM_LEAVES], same;
    outcome outcome;
} arrays[] = {
    {{5, 8, 9}, 0, CUT},
    {{10, 5, 9}, 0, CUT},
    {{8, 0, 0}, 2, PART_TOO_LARGE},
    {{10, 5, 8}, 2, PART_TOO_LARGE},
    {{20, 5, 8}, 0, TOO_LARGE},
};
enum { NUM_ARRAYS = sizeof arrays / sizeof *arrays };

/* Even keys, some of which are moved to three leaves where the sample does not see them. */
static unsigned char *make_keys(const clsort_desc *desc, uint32_t array, const struct msd_params *p,
                                uint64_t seed)
{
    const uint32_t count = (uint32_t)desc->count, size = type_infos[desc->type].size;
    const uint32_t bits = 8 * size, leaf_bits = p->bits[0] + p->bits[1];
    const uint32_t fixed = leaf_bits + arrays[array].same, average = count >> leaf_bits;
    unsigned char *keys = test_alloc((uint64_t)count * size);
    uint32_t left[NUM_LEAVES];
    rng r = {seed + array};
    for (uint32_t leaf = 0; leaf < NUM_LEAVES; ++leaf) {
        const uint32_t wanted = arrays[array].quarters[leaf] * SLOTS(p) / 4;
        left[leaf] = wanted > average ? wanted - average : 0;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t key = rng_next(&r) >> (64 - bits);
        const uint32_t leaf = i % NUM_LEAVES;
        if (left[leaf] && i % 5 == 2 && !msd_is_sampled(count, i)) {
            const uint64_t number = (uint64_t)(leaf * 5 + 3) << arrays[array].same;
            key = number << (bits - fixed) | key >> fixed;
            --left[leaf];
        }
        key_store(keys, i, size, key);
    }
    assert_int_equal(left[0] + left[1] + left[2], 0);
    return keys;
}

static cl_mem buffer_of(const fixture *fix, void *bytes, uint64_t size)
{
    cl_int code = CL_SUCCESS;
    cl_mem mem = clCreateBuffer(fix->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                (size_t)size, bytes, &code);
    expect_cl(code);
    return mem;
}

/* Sorts once more, in place, with any values, and looks at what the engine says. */
static void check_outcome(const fixture *fix, const clsort_desc *desc, unsigned char *keys,
                          outcome expected)
{
    const uint64_t size = desc->count * type_infos[desc->type].size;
    const uint64_t values_size = desc->count * desc->value_size;
    unsigned char *values = test_alloc(values_size);
    clsort_desc own = *desc;
    memset(values, 0, values_size);
    own.out_of_place = 0;
    const clsort_buffers buffers = {
        .keys = {buffer_of(fix, keys, size), 0},
        .values = {own.value_size ? buffer_of(fix, values, values_size) : NULL, 0},
    };
    expect_status(clsort_enqueue(fix->sorter, fix->queue, &own, &buffers, 0, NULL, NULL),
                  CLSORT_OK);
    const struct part_control control = msd_control(fix, fix->sorter);
    assert_true(control.is_even);
    assert_false(control.lacks_blocks);
    assert_int_equal(control.lacks_room, expected == TOO_LARGE);
    assert_int_equal(control.is_skewed, expected == PART_TOO_LARGE);
    clReleaseMemObject(buffers.keys.mem);
    if (buffers.values.mem)
        clReleaseMemObject(buffers.values.mem);
    free(values);
}

static void sort_arrays(const fixture *fix, const clsort_desc *given)
{
    clsort_desc desc = *given;
    assert_true(case_launches(fix->sorter, &desc, "msd_finish"));
    assert_int_equal(case_run_desc(fix, &desc, DATA_RANDOM), 1);
    for (uint32_t array = 0; array < NUM_ARRAYS; ++array) {
        unsigned char *keys = make_keys(&desc, array, msd_params_of(fix->sorter), fix->seed);
        desc.out_of_place = array % 2;
        const sort_case c = {
            .desc = desc,
            .bytes = keys,
            .num_bytes = desc.count * type_infos[desc.type].size,
        };
        assert_int_equal(case_run(fix, &c), 1);
        check_outcome(fix, &desc, keys, arrays[array].outcome);
        free(keys);
    }
}

static void test_leaves(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t t = 0; t < NUM_TUNINGS && fixture_takes(CLSORT_RADIX); ++t) {
        fixture own = *fix;
        own.sorter = msd_sorter(fix, tunings[t].text);
        for (uint32_t i = 0; i < tunings[t].num_descs; ++i) {
            clsort_desc desc = tunings[t].descs[i];
            desc.count = tunings[t].count;
            desc.algorithm = CLSORT_RADIX;
            sort_arrays(&own, &desc);
        }
        clsort_destroy(own.sorter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves),
    };
    return fixture_run("msd_large", tests, sizeof tests / sizeof tests[0]);
}
