/* bins.h: the bin of a key, a part of the array's range of keys, for sorts on CPUs, where a
 * work-group is one work-item.
 *
 * A sample gives the range. It is cut into equal bins. If the sample crowds into a few of them,
 * 64 coarse bins are cut further instead, each by the range and the size of its own sample. Keys
 * outside a range go to its first or last bin, so the number of the bin never decreases with the
 * key: a bad sample costs time, never order.
 *
 * If all keys of the sample are equal, this key has a bin of its own, which needs no more levels
 * (refine.h). */
#ifndef CLSORT_CPU_BINS_H
#define CLSORT_CPU_BINS_H

#include "base/item.h"
#include "base/random.h"

#define ITEM_RADIX(item) KEY_DIGITS(ITEM_STORED_KEY(item))

/* Functions too long to be copied to where they are called: half of the time to compile. */
#define CPU_CALLED static __attribute__((noinline))

/* None of these is tuning: they size private arrays, and the host sorts by this code, without a
 * row of tuning. */
#define MAX_SAMPLES 1024
#define COUNT_BLOCK 1024u
/* Bins that are found, by vector instructions, before they are counted: 0.45 ns for a 4-byte key
 * and not 0.67. Only for equal bins; with coarse ones it takes 2.1 ns and not 1.5. */
#define BINS_AT_ONCE 64
#define CROWDED_TIMES 32 /* times its share makes a coarse bin crowded */

CLSORT_INLINE uint bits_of(key_t x)
{
    return KEY_WORK_BITS - (uint)clz(x);
}

/* The key of a buffer as the number to sort by. */
#define RADIX_AT(keys, at) KEY_DIGITS(KEY_ENCODE((key_t)(keys)[at]))

CLSORT_INLINE uint bin_in(key_t radix, key_t low, uint shift, uint last)
{
    const key_t above = sub_sat(radix, low) >> shift;
    return above < last ? (uint)above : last;
}

/* The lowest shift that leaves range below num. */
CLSORT_INLINE uint bin_shift(key_t range, uint num)
{
    const uint bits = bits_of(range);
    const uint bin_bits = 31 - clz(num);
    return sub_sat(bits, bin_bits);
}

/* At most num_bins equal bins for the keys from `low` to `high`. */
CLSORT_INLINE void bins_flat(key_t low, key_t high, uint num_bins, struct cpu_bins *bins)
{
    bins->low = low;
    bins->shift = bin_shift(high - low, num_bins);
    bins->last = num_bins - 1;
    bins->flat = 1;
}

/* At most num_bins bins for the keys of an array of at least one. */
CPU_CALLED void bins_sample(__global const stored_key_t *keys, ulong count, uint num_bins,
                            struct cpu_bins *bins)
{
    key_t sample[MAX_SAMPLES];
    const uint num = count < MAX_SAMPLES ? (uint)count : MAX_SAMPLES;
    const ulong part = count / num;
    key_t low = ~(key_t)0;
    key_t high = 0;
    for (uint i = 0; i < num; ++i) {
        const key_t radix = RADIX_AT(keys, sampled_place(i, part));
        sample[i] = radix;
        low = radix < low ? radix : low;
        high = radix > high ? radix : high;
    }
    low -= low == high && low > 0; /* if all of the sample is one key, it has its own bin */
    bins->low = low;
    bins->shift = bin_shift(high - low, CPU_COARSE);
    bins->last = CPU_COARSE - 1;
    uint shares[CPU_COARSE];
    key_t lows[CPU_COARSE], highs[CPU_COARSE];
    for (uint i = 0; i < CPU_COARSE; ++i) {
        shares[i] = 0;
        lows[i] = ~(key_t)0;
        highs[i] = 0;
    }
    uint largest = 0;
    for (uint i = 0; i < num; ++i) {
        const uint bin = bin_in(sample[i], low, bins->shift, bins->last);
        lows[bin] = sample[i] < lows[bin] ? sample[i] : lows[bin];
        highs[bin] = sample[i] > highs[bin] ? sample[i] : highs[bin];
        shares[bin] += 1;
        largest = shares[bin] > largest ? shares[bin] : largest;
    }
    bins->flat = 0;
    if (largest <= CROWDED_TIMES * num / CPU_COARSE || num_bins <= CPU_COARSE) {
        bins_flat(low, high, num_bins, bins);
        return;
    }
    for (uint i = 0, first = 0, num_cut; i < CPU_COARSE; ++i, first += num_cut) {
        num_cut = 1 + (uint)((ulong)shares[i] * (num_bins - CPU_COARSE) / num);
        bins->coarse[i] = (struct cpu_coarse){lows[i], bin_shift(highs[i] - lows[i], num_cut),
                                              first, num_cut - 1, 0};
    }
}

/* The bin of a key; flat is a constant where it is called, so that each loop has one form. */
CLSORT_INLINE uint bin_of(const struct cpu_bins *bins, key_t radix, int flat)
{
    const uint bin = bin_in(radix, (key_t)bins->low, bins->shift, bins->last);
    if (flat)
        return bin;
    const struct cpu_coarse *coarse = &bins->coarse[bin];
    return coarse->first + bin_in(radix, (key_t)coarse->low, coarse->shift, coarse->last);
}

/* What neighbouring keys are, as bits: whether some key is less than its predecessor, and
 * whether some is greater. Equal keys that can be told apart must not change places: they count
 * as ascending. */
#define DESCENDING 1u
#define ASCENDING 2u
#if PAYLOAD_SIZE || KEY_PARTIAL
#define MONOTONICITY(before, radix) ((radix) < (before) ? DESCENDING : ASCENDING)
#else
#define MONOTONICITY(before, radix) \
    (((radix) < (before) ? DESCENDING : 0) | ((radix) > (before) ? ASCENDING : 0))
#endif

/* Adds the keys [begin, end) to the counts of their bins. Returns their monotonicity; the first
 * one is compared with the key in front of it. */
CLSORT_INLINE uint bins_count(__global const stored_key_t *keys, ulong begin, ulong end,
                              const struct cpu_bins *bins, int flat, __global uint *counts)
{
    uint monotonicity = 0;
    for (ulong first = begin; first < end; first += COUNT_BLOCK) {
        const ulong last = min(first + COUNT_BLOCK, end);
        for (ulong i = max(first, 1ul); i < last; ++i) { /* of vectors */
            const key_t before = RADIX_AT(keys, i - 1);
            const key_t radix = RADIX_AT(keys, i);
            monotonicity |= MONOTONICITY(before, radix);
        }
        ulong i = first;
        for (; flat && i + BINS_AT_ONCE <= last; i += BINS_AT_ONCE) {
            uint own[BINS_AT_ONCE];
            for (uint k = 0; k < BINS_AT_ONCE; ++k)
                own[k] = bin_of(bins, RADIX_AT(keys, i + k), flat);
            for (uint k = 0; k < BINS_AT_ONCE; ++k)
                counts[own[k]] += 1;
        }
        for (; i < last; ++i)
            counts[bin_of(bins, RADIX_AT(keys, i), flat)] += 1;
    }
    return monotonicity;
}

#endif
