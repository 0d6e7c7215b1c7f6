/* msd_case.c: see msd_case.h. */
#include "msd_case.h"

/* The key of a part of the array that the sample takes: cl/base/random.h. */
static uint32_t sampled(uint32_t seed, uint32_t bound)
{
    uint32_t x = seed * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return (uint32_t)((uint64_t)(x ^ x >> 16) * bound >> 32);
}

int msd_is_sampled(uint32_t count, uint32_t i)
{
    const uint32_t part = count / 2048, stratum = i / part;
    return stratum < 2048 && i % part == sampled(stratum, part);
}

/* Every 32nd of the unseen keys is in one of three leaves, by its highest eight bits. */
static uint32_t some_leaves_key(uint32_t i, uint32_t random)
{
    static const uint32_t leaves[] = {0x07000000, 0x63000000, 0x63000000, 0xc9000000};
    return i % 32 ? random : leaves[i / 32 % 4] | random >> 8;
}

uint32_t msd_even_key(msd_adversary adversary, uint32_t i, rng *r)
{
    const uint32_t random = (uint32_t)rng_next(r);
    const int is_seen = msd_is_sampled(MSD_NUM_EVEN, i);
    switch (adversary) {
    case RUNS:
        return is_seen ? random : i / 100 * 0x9e3779b9u >> 24 << 24 | random >> 8;
    case ONE_LEAF:
        return is_seen ? random : 0x5a000000u | random >> 8;
    case FEW_BINS:
        return random & 0xffc00003u;
    case SOME_LEAVES:
        return is_seen ? random : some_leaves_key(i, random);
    default:
        return is_seen ? random : 0x5a5a5a5au;
    }
}

const struct msd_params *msd_params_of(const clsort_sorter *sorter)
{
    const struct plan *plan = &sorter->plan;
    uint32_t i = 0;
    while (i < plan->num_steps && plan->steps[i].kernel != KERNEL_MSD_SPLIT)
        ++i;
    assert_true(i < plan->num_steps);
    return &plan->steps[i].params.msd;
}

struct msd_control msd_control(const fixture *fix)
{
    const struct step *sample = fix->sorter->plan.steps;
    struct msd_control control = {0};
    assert_int_equal(sample->kernel, KERNEL_MSD_SAMPLE);
    expect_cl(clEnqueueReadBuffer(fix->queue, fix->sorter->scratch, CL_TRUE,
                                  (size_t)sample->params.msd.control, sizeof control, &control, 0,
                                  NULL, NULL));
    return control;
}

void msd_sort_even(const fixture *fix, const clsort_desc *desc)
{
    const sort_case c = {
        .desc = *desc, .data = DATA_RANDOM, .seed = fix->seed + desc->count, .own_scratch = 1};
    assert_true(case_launches(fix->sorter, desc, "msd_finish"));
    assert_true(case_launches(fix->sorter, desc, "onesweep_sort"));
    assert_int_equal(case_run(fix, &c), 1);
    const struct msd_control control = msd_control(fix);
    if (fix->seed == 1)
        assert_true(control.is_even && !control.split_gave_up && !control.leaf_gave_up &&
                    !control.is_left);
}
