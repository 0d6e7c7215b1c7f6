/* The launches in which work-groups wait for each other, once with groups that run at the same time
 * and once with some that do not: onesweep (cl/sorts/onesweep/onesweep.h), alone and behind
 * msd (cl/sorts/msd/msd.h); the tail levels of radix sort from the highest digit
 * (cl/sorts/partition/levels.cl); and quicksort's merges (cl/sorts/partition/merges.cl). */
#include <stdlib.h>
#include <string.h>

#include "support/case.h"
#include "racer.h"
#include "support/tuning_case.h"

#define ALWAYS "min=0"
#define NO_ONESWEEP "onesweep min=2^40\n"

/* Each kernel to launch, and the tuning that makes plans use it. With spin_limit 0 a group recounts
 * a tile itself if the count is missing, and ends if a phase is not complete. */
#define ONESWEEP "onesweep scatter_group=64 scatter_items=3 registers=0 portion=400 "
#define PART                                                                           \
    "digits min=0 scatter_group=64 scatter_items=2 scatter_registers=0 leaf_group=32 " \
    "leaf_items=2 "                                                                    \
    "leaf_registers=0 digit_bits=3 groups_per_unit=2 "
#define MSD                                                                                  \
    "msd min=0 float_min=0 leaf_group=16 leaf_items=4 leaf_registers=0 bin_bits=10 votes=0 " \
    "digit_bits=5\n"
/* A sample of one element for each bucket leaves much to merges. */
#define QUICK                                                                         \
    "whole groups_per_unit=0\nsplitters leaf_group=16 leaf_items=2 leaf_registers=0 " \
    "sample_group=16 "                                                                \
    "sample_items=2 bucket_bits=4 groups_per_unit=2 "
static const struct form {
    clsort_algorithm algorithm;
    const char *kernel;
    const char *rows;
    int any_payload; /* what it sorts, in any order of equal keys if not */
    uint64_t least;  /* smallest count for which the kernel is launched */
} forms[] = {
#define R CLSORT_RADIX
#define Q CLSORT_QUICK
    {R, "onesweep_sort", ONESWEEP "spin_limit=2^16 " ALWAYS "\n", 1, 2},
    {R, "onesweep_sort", ONESWEEP "digit_bits=4 groups_per_unit=8 spin_limit=0 " ALWAYS "\n", 1, 2},
    {R, "msd_finish", ONESWEEP "digit_bits=4 " ALWAYS "\n" MSD, 0, 2048},
    {R, "partition_levels", NO_ONESWEEP PART "spin_limit=2^16\n", 0, 300},
    {R, "partition_levels", NO_ONESWEEP PART "spin_limit=0\n", 0, 300},
    {R, "partition_rests", NO_ONESWEEP PART "\n", 1, 300},
    {Q, "partition_merges", QUICK "spin_limit=2^16\n", 1, 200},
    {Q, "partition_merges", QUICK "spin_limit=0\n", 1, 200},
};
enum { num_forms = sizeof forms / sizeof *forms };

static void test_forms(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_desc descs[] = {
        {.type = CLSORT_U32},
        {.type = CLSORT_F64, .order = CLSORT_DESCENDING},
        {.type = CLSORT_I16},
        {.type = CLSORT_U8, .stable = 1, .value_size = 4},
        {.type = CLSORT_I32, .stable = 1, .value_size = 12},
        {.type = CLSORT_I64, .stable = 1, .value_size = 8},
        {.type = CLSORT_F32, .order = CLSORT_DESCENDING, .index_size = 4},
        {.type = CLSORT_U64, .first_bit = 3, .end_bit = 40, .stable = 1},
        {.type = CLSORT_U32, .first_bit = 5, .end_bit = 14, .stable = 1, .value_size = 2},
        {.type = CLSORT_F32, .value_size = 4},
        {.type = CLSORT_U64, .order = CLSORT_DESCENDING, .value_size = 8},
    };
    /* Even and odd ones for each shape: one in three meets it. */
    static const uint64_t counts[] = {2, 31, 32, 33, 192, 191, 193, 2047, 2048, 5000, 12345};
    unsigned run = 0;
    for (int f = 0; f < num_forms; ++f) {
        if (!fixture_takes(forms[f].algorithm))
            continue;
        const fixture own = fixture_with(fix, tuned_sorter_as_gpu(fix, forms[f].rows));
        /* Compiling takes most of the time, so two forms of a kernel share the descriptions. */
        for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d) {
            clsort_desc desc = descs[d];
            desc.algorithm = forms[f].algorithm;
            const int keeps_order = desc.stable || desc.index_size;
            if (forms[f].any_payload ? (d + (size_t)f) % 2 != 0 : keeps_order)
                continue;
            /* MSD radix sort does not sort by some bits of keys alone: keeping the order would need
             * a payload. */
            if (desc.first_bit && !desc.value_size &&
                strcmp(forms[f].kernel, "partition_rests") == 0)
                continue;
            for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
                desc.count = counts[i];
                /* 16-bit keys have neither tail levels nor two levels of msd. */
                const int needs_wide = !strcmp(forms[f].kernel, "partition_levels") ||
                                       !strcmp(forms[f].kernel, "msd_finish");
                if (counts[i] >= forms[f].least && (desc.type != CLSORT_I16 || !needs_wide))
                    assert_true(case_launches(own.sorter, &desc, forms[f].kernel));
                for (int kind = 0; kind < NUM_DATA_KINDS; ++kind) {
                    /* Each shape of data meets each description and each count. */
                    if (kind % 3 != (int)(i + d) % 3)
                        continue;
                    desc.out_of_place = !desc.index_size && (i + (uint32_t)kind) % 2;
                    run += (unsigned)case_run_desc(&own, &desc, (data_kind)kind);
                }
            }
        }
        clsort_destroy(own.sorter);
    }
    assert_true(run >= 300);
}

/* More deep segments than the tables hold with the widest digits, so the digits are narrower. */
static void test_many_deep(void **state)
{
    enum { count = 12345, num_tops = 100 };
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = count, .algorithm = CLSORT_RADIX};
    if (!fixture_takes(CLSORT_RADIX))
        return;
    const fixture own = fixture_with(
        fix,
        tuned_sorter_as_gpu(fix, NO_ONESWEEP
                            "digits min=0 scatter_group=64 scatter_items=2 scatter_registers=0 "
                            "leaf_group=32 leaf_items=2 leaf_registers=0 digit_bits=8 "
                            "groups_per_unit=2\n"));
    uint32_t keys[count];
    rng r = {fix->seed};
    for (uint32_t i = 0; i < count; ++i)
        keys[i] = (uint32_t)(rng_below(&r, num_tops) << 24 | rng_below(&r, (uint64_t)1 << 24));
    assert_true(case_launches(own.sorter, &desc, "partition_levels"));
    case_run_keys(&own, &desc, keys);
    clsort_destroy(own.sorter);
}

static void test_at_the_same_time(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int f = 0; f < num_forms; f += 3) {
        if (!fixture_takes(forms[f].algorithm))
            continue;
        racer racers[2];
        for (int i = 0; i < 2; ++i)
            racers[i] = (racer){.sorter = tuned_sorter_as_gpu(fix, forms[f].rows),
                                .algorithm = forms[f].algorithm,
                                .count = 30000,
                                .num_rounds = 10};
        racers_run(racers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_many_deep),
        cmocka_unit_test(test_at_the_same_time),
    };
    return fixture_run("passes", tests, sizeof tests / sizeof tests[0]);
}
