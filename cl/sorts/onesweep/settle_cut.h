/* settle_cut.h: how many passes by the lowest digits can be left out
 * (settle.h).
 *
 * Idea: the counts tell how well digits tell keys apart. The probability that two keys agree in a
 * digit is the sum of the squares of its values' shares. For several digits it is the product, if
 * they do not depend on each other. */
#ifndef CLSORT_ONESWEEP_SETTLE_CUT_H
#define CLSORT_ONESWEEP_SETTLE_CUT_H

#include "sorts/onesweep/onesweep.h"

/* Among the passes' digits: to put runs in order, and then those that lie in two tiles. */
#define ONESWEEP_SETTLE (ONESWEEP_COPY + 1)
#define ONESWEEP_SETTLE_LAST (ONESWEEP_COPY + 2)

/* The kept digits can tell apart 2^3 times as many keys as there are, or more. Then one element of
 * 2^3 agrees with another on average, at most. In random order, about as many neighbours are equal
 * as an element has equals on average. If there are any, runs are longer, so the digits must tell
 * apart 2^5 times as many. If keys are frequent, one more digit is kept, so that they share their
 * runs with no other key. */
#define SETTLE_MORE_BITS(equal) ((equal) ? 5 : 3)
/* Equal neighbours, if no key is frequent: a run of two keys then seldom has more elements than
 * SETTLE_LONGEST. With 64, keys of which there are 64 each took twice as long. */
#define SETTLE_MOST_EQUAL 40
#define SETTLE_LEAST_PASSES 2 /* that are left out: settling takes about one, and copies */

/* The part of all pairs that agree in a digit, as a number of 24 bits: added for one value. */
#define SETTLE_AGREE_BITS 24
CLSORT_INLINE uint settle_agree(uint value_count, uint count)
{
    const float share = (float)value_count / (float)count;
    return (uint)(share * share * (float)(1 << SETTLE_AGREE_BITS));
}

/* The bits by which a digit tells keys apart, in eighths: a logarithm, whose fraction is taken from
 * the three bits below the highest. */
#define SETTLE_EIGHTHS 8
CLSORT_INLINE uint settle_bits(uint agree)
{
    const uint whole = 31 - (uint)clz(max(agree, 1u));
    const uint agreed = whole * SETTLE_EIGHTHS + (agree * SETTLE_EIGHTHS >> whole) % SETTLE_EIGHTHS;
    return min(sub_sat(SETTLE_AGREE_BITS * (uint)SETTLE_EIGHTHS, agreed),
               RADIX_BITS * (uint)SETTLE_EIGHTHS);
}

/* Leaves out the lowest of num_passes digits, which are listed, if that pays; bits: of each digit,
 * in eighths; equal: an estimate of how many neighbours of the input are equal.
 * Returns the number of passes and of what follows them. An odd number of passes in place ends in
 * scratch; settling then copies. */
CLSORT_INLINE uint settle_cut(const struct onesweep_params *q,
                              __global struct onesweep_control *control, uint num_passes,
                              __local const uint *bits, uint equal)
{
    const uint are_frequent = equal > SETTLE_MOST_EQUAL;
    const uint needed = (32 - (uint)clz(q->count) + SETTLE_MORE_BITS(equal)) * SETTLE_EIGHTHS;
    if (num_passes < SETTLE_LEAST_PASSES + 2)
        return num_passes;
    uint kept = 0, told = 0;
#pragma unroll 1
    while (kept < num_passes && told < needed)
        told += bits[control->digits[num_passes - 1 - kept++]];
    kept += are_frequent;
    if (told < needed || kept + SETTLE_LEAST_PASSES > num_passes)
        return num_passes;
#pragma unroll 1
    for (uint i = 0; i < kept; ++i)
        control->digits[i] = control->digits[num_passes - kept + i];
    control->digits[kept] = ONESWEEP_SETTLE;
    control->digits[kept + 1] = ONESWEEP_SETTLE_LAST;
    control->first_end = kept + (q->flags & FLAG_IN_PLACE && kept % 2);
    return kept + 2;
}

#endif
