/* Onesweep's passes by the lowest digits of 64-bit keys, which are left out where few keys agree in
 * the others (cl/sorts/onesweep/settle.h): runs of such keys that are short, that are as long as a
 * work-item takes, and that are longer, so that passes by all digits follow. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/fixture.h"
#include "sorts/msd/msd_case.h"
#include "call/sorter.h"

#define ROW                                                                                 \
    "onesweep scatter_group=64 scatter_items=3 registers=0 digit_bits=8 groups_per_unit=2 " \
    "min=0 spin_limit="
enum { COUNT = 12347, LONGEST = 128 };

/* RANDOM: hardly a run. SHORT: four neighbours of the order agree in their highest 32 bits, and
 * some in all. FULL: runs have LONGEST elements, LONGER: one more. HEAVY: an element agrees with
 * many equal ones. ALIKE: the highest digits have one value, so they tell less apart than each
 * seems to. FIVES: digits have five bits, so an even number of passes is kept. OFTEN: one key is
 * frequent, and neighbours show it. */
enum kind { RANDOM, SHORT, FULL, LONGER, HEAVY, ALIKE, FIVES, OFTEN, NUM_KINDS };
static const struct {
    uint32_t kept;    /* passes */
    int crosses;      /* there are runs to be put in order that lie in two tiles; -1: either */
    int is_unsettled; /* a run is too long */
} kinds[] = {
    [RANDOM] = {3, -1, 0}, [SHORT] = {3, 1, 0},  [FULL] = {3, -1, 0},  [LONGER] = {3, -1, 1},
    [HEAVY] = {3, -1, 1},  [ALIKE] = {3, -1, 1}, [FIVES] = {4, -1, 0}, [OFTEN] = {6, -1, 0},
};

static uint64_t spread(uint64_t number)
{
    return number * 0x9e3779b97f4a7c15u >> 32 << 32;
}

static void make_keys(uint64_t *keys, enum kind kind, rng *r)
{
    const uint64_t low = UINT32_MAX;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint64_t random = rng_next(r);
        keys[i] = random;
        if (kind == SHORT)
            keys[i] = spread(i % (COUNT / 4) + 1) | (random & 3) * 0x01010101;
        if (kind == FULL || kind == LONGER) /* the first few values are frequent */
            keys[i] =
                i < 3 * (LONGEST + (kind == LONGER)) ? spread(i % 3 + 1) | (random & low) : random;
        if (kind == HEAVY && i > COUNT - COUNT / 16)
            keys[i] = spread(1) | 7;
        if (kind == ALIKE)
            keys[i] = (random & 0x3f) * 0x0101010101000000u | (random >> 40);
        if (kind == OFTEN && random % 32 < 7)
            keys[i] = spread(1);
        if (kind == FIVES)
            keys[i] = random & 0x1f1f1f1f1f1f1f1fu;
    }
    if (kind == HEAVY)
        keys[COUNT - 1] = spread(1) | 3;
}

/* Whether the sort has left passes out, and what came of it. In place, an odd number of passes ends
 * in scratch, and settling copies. */
static void check_control(clsort_sorter *sorter, cl_command_queue queue, enum kind kind,
                          const clsort_desc *desc)
{
    const uint32_t kept = kinds[kind].kept;
    const uint32_t copies = !desc->out_of_place && kept % 2;
    const struct plan *plan = &sorter->plan;
    struct onesweep_control control;
    uint32_t i = 0;
    while (i < plan->num_steps && plan->steps[i].kernel != KERNEL_ONESWEEP_SORT)
        ++i;
    assert_true(i < plan->num_steps);
    expect_cl(clEnqueueReadBuffer(queue, sorter->scratch, CL_TRUE,
                                  (size_t)plan->steps[i].params.onesweep.control, sizeof control,
                                  &control, 0, NULL, NULL));
    assert_int_equal(control.first_end, kept + copies);
    if (kinds[kind].crosses >= 0)
        assert_int_equal(control.num_runs > 0, kinds[kind].crosses);
    if (kind != HEAVY || desc->stable) /* else it may happen to be the first of its run */
        assert_int_equal(control.is_unsettled, kinds[kind].is_unsettled);
    if (control.is_unsettled)
        assert_true(control.num_passes >= kept + 1 + 8);
    else
        assert_int_equal(control.num_passes, kept + 2);
}

/* The i-th of the order: keys ascend, or descend, and equal ones keep their order. */
static void check_order(const uint64_t *before, const uint64_t *keys, const uint64_t *values,
                        const clsort_desc *desc)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        assert_true(values[i] < COUNT && keys[i] == before[values[i]]);
        if (i == 0)
            continue;
        if (desc->order == CLSORT_DESCENDING)
            assert_true(keys[i - 1] >= keys[i]);
        else
            assert_true(keys[i - 1] <= keys[i]);
        if (desc->stable && keys[i - 1] == keys[i])
            assert_true(values[i - 1] < values[i]);
    }
}

static cl_mem buffer_of_size(const fixture *fix, size_t size, void *bytes)
{
    cl_mem mem = buffer_create(fix->context, CL_MEM_READ_WRITE | (bytes ? CL_MEM_COPY_HOST_PTR : 0),
                               size, bytes);
    return mem;
}

/* Pairs, whose values are the indices; keys alone are compared with qsort()'s. */
static void sort_kind(const fixture *fix, const clsort_desc *desc, enum kind kind)
{
    static uint64_t before[COUNT], keys[COUNT], values[COUNT];
    rng r = {fix->seed + (uint64_t)kind};
    make_keys(before, kind, &r);
    for (uint32_t i = 0; i < COUNT; ++i)
        values[i] = i;
    cl_mem in = buffer_of_size(fix, sizeof before, before);
    cl_mem in_values = buffer_of_size(fix, sizeof values, values);
    cl_mem out = buffer_of_size(fix, sizeof keys, NULL);
    cl_mem out_values = buffer_of_size(fix, sizeof values, NULL);
    clsort_buffers buffers = {.keys = {in, 0}};
    if (desc->value_size)
        buffers.values.mem = in_values;
    if (desc->out_of_place)
        buffers.keys_out.mem = out;
    if (desc->out_of_place && desc->value_size)
        buffers.values_out.mem = out_values;
    expect_status(clsort_enqueue(fix->sorter, fix->queue, desc, &buffers, 0, NULL, NULL),
                  CLSORT_OK);
    check_control(fix->sorter, fix->queue, kind, desc);
    buffer_read(fix->queue, desc->out_of_place ? out : in, keys, sizeof keys);
    if (desc->value_size) {
        buffer_read(fix->queue, desc->out_of_place ? out_values : in_values, values, sizeof values);
        check_order(before, keys, values, desc);
    } else {
        qsort(before, COUNT, sizeof *before, msd_compare_u64);
        assert_memory_equal(keys, before, sizeof keys);
    }
    clReleaseMemObject(in);
    clReleaseMemObject(in_values);
    clReleaseMemObject(out);
    clReleaseMemObject(out_values);
}

static void test_kinds(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_desc descs[] = {
        {.type = CLSORT_U64},
        {.type = CLSORT_U64, .value_size = 8, .stable = 1},
        {.type = CLSORT_U64, .value_size = 8, .order = CLSORT_DESCENDING},
    };
    static const char *const limits[] = {"2^16\n", "0\n"};
    if (!fixture_takes(CLSORT_RADIX))
        return;
    for (size_t t = 0; t < sizeof limits / sizeof *limits; ++t) {
        char text[256] = ROW;
        const fixture own = fixture_with(fix, msd_sorter(fix, strcat(text, limits[t])));
        for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d)
            for (int kind = 0; kind < NUM_KINDS; ++kind)
                for (uint32_t out_of_place = 0; out_of_place < 2; ++out_of_place) {
                    clsort_desc desc = descs[d];
                    desc.count = COUNT;
                    desc.algorithm = CLSORT_RADIX;
                    desc.out_of_place = out_of_place;
                    sort_kind(&own, &desc, (enum kind)kind);
                }
        clsort_destroy(own.sorter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
    };
    return fixture_run("settle", tests, sizeof tests / sizeof tests[0]);
}
