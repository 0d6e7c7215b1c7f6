/* Onesweep's passes by the lowest digits of 64-bit keys, which are left out where few keys agree in
 * the others (cl/sorts/onesweep/settle.h): runs of such keys that are short, that are as long as a
 * work-item takes, and that are longer, so that passes by all digits follow. */
#include <stdlib.h>
#include <string.h>

#include "call/sorter.h"
#include "support/case.h"
#include "support/tuning_case.h"

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

static void sort_kind(const fixture *fix, const clsort_desc *desc, enum kind kind)
{
    uint64_t keys[COUNT];
    rng r = {fix->seed + (uint64_t)kind};
    make_keys(keys, kind, &r);
    const sort_case c = {
        .desc = *desc, .own_scratch = 1, .bytes = keys, .num_bytes = sizeof keys, .is_once = 1};
    assert_int_equal(case_run(fix, &c), 1);
    check_control(fix->sorter, fix->queue, kind, desc);
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
    for (size_t t = 0; t < sizeof limits / sizeof *limits; ++t) {
        char text[256] = ROW;
        const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, strcat(text, limits[t])));
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
    return fixture_run_of(CLSORT_RADIX, "settle", tests, sizeof tests / sizeof tests[0]);
}
