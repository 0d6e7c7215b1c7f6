/* What tests of msd (cl/sorts/msd/msd.h) share: tuning that has it
 * sort small arrays, keys that look even to its sample, and what it says of itself in scratch. */
#ifndef TESTS_MSD_CASE_H
#define TESTS_MSD_CASE_H

#include "call/sorter.h"
#include "support/case.h"
#include "support/tuning_case.h"

/* Onesweep, which stands behind msd. Its portions are short, but few: a tile looks back
 * through each. For millions of keys it has fewer counters for each, too. */
#define ONESWEEP                                                                          \
    "onesweep scatter_group=64 scatter_items=3 registers=0 spin_limit=2^16 portion=2^12 " \
    "min=0\n"
#define ONESWEEP_LONG ONESWEEP "onesweep scatter_group=16 scatter_items=32 portion=2^18\n"
/* msd takes all that it can; in order, what keeps order on the way. */
#define MSD "msd min=0 float_min=0 leaf_registers=0 split_registers=0 votes=0 "
#define MSD_IN_ORDER MSD "stable_min=0 order_leaf_registers=0 order_split_registers=0 "
/* 64 leaf slots and digits of 3 and 4 bits: two levels from 2048 to 14000 keys. */
#define SMALL ONESWEEP MSD "digit_bits=4 leaf_group=16 leaf_items=4 bin_bits=10 "
enum { MSD_NUM_EVEN = 12345 };

/* RUNS: neighbours have one digit, so each bucket overflows. ONE_LEAF: all that the sample does not
 * see are in one leaf. FEW_BINS: keys of a leaf differ in few bits. SOME_LEAVES: three of
 * them have two to four tiles. ONE_VALUE: all unseen keys are equal. */
typedef enum msd_adversary {
    RUNS,
    ONE_LEAF,
    FEW_BINS,
    SOME_LEAVES,
    ONE_VALUE,
    MSD_NUM_ADVERSARIES
} msd_adversary;

/* Whether the sample of `count` keys, at least 2048, has the i-th. */
int msd_is_sampled(uint32_t count, uint32_t i);

/* The i-th of MSD_NUM_EVEN keys. */
uint32_t msd_even_key(msd_adversary adversary, uint32_t i, rng *r);

/* Sorts random keys, which msd is to do: it leaves nothing to onesweep. With other seeds a leaf of
 * so few keys may be too large. */
void msd_sort_even(const fixture *fix, const clsort_desc *desc);

/* What the sample and msd have said of the last sort, and msd's parameters in it. */
struct msd_control msd_control(const fixture *fix);
const struct msd_params *msd_params_of(const clsort_sorter *sorter);

#endif
