/* range.h: what is known of the first and the last wanted element, digit by digit.
 *
 * Idea: elements that agree with a bound so far are counted by their next digit, from the highest
 * down, first of the keys and then of the indices. A bound's digit is the one into which its place
 * falls. Elements are ordered by key and index, so this ends with two elements at the latest.
 *
 * All work-items of a group keep the same range in registers. Local memory: struct
 * select_range_local. */
#ifndef CLSORT_SELECT_RANGE_H
#define CLSORT_SELECT_RANGE_H

#include "group/scan.h"
#include "select/select.h"

struct select_range {
    key_t key[SELECT_BOUNDS],
        free_key; /* what is known of the bounds' keys, and bits that are not */
    uint index[SELECT_BOUNDS], free_index;
    uint before[SELECT_BOUNDS]; /* elements before those that agree with it, */
    uint size[SELECT_BOUNDS];   /* and these */
    uint key_left, index_left;  /* bits */
};

/* A digit: where it lies, and whether both bounds agree, so that one histogram serves both. */
struct select_digit {
    uint is_index, shift, is_common;
};

struct select_range_local {
    struct group_scan_local scan;
    uint bins[SELECT_BOUNDS * SELECT_BINS];
    uint digit[SELECT_BOUNDS], before[SELECT_BOUNDS], size[SELECT_BOUNDS];
};

CLSORT_INLINE void select_range_begin(struct select_range *range, uint index_bits, uint count)
{
    range->free_key = ~(key_t)0 >> (KEY_WORK_BITS - KEY_NUM_BITS);
    range->free_index = ~0u;
    range->key_left = KEY_NUM_BITS;
    range->index_left = index_bits;
#pragma unroll
    for (uint bound = 0; bound < SELECT_BOUNDS; ++bound) {
        range->key[bound] = 0;
        range->index[bound] = range->before[bound] = 0;
        range->size[bound] = count;
    }
}

/* The elements between the bounds. */
CLSORT_INLINE uint select_range_between(const struct select_range *range)
{
    return range->before[1] + range->size[1] - range->before[0];
}

CLSORT_INLINE void select_range_bounds(const struct select_range *range,
                                       struct select_bounds *bounds)
{
    bounds->low = range->key[0];
    bounds->low_index = range->index[0];
    bounds->high = range->key[1] | range->free_key;
    bounds->high_index = range->index[1] | range->free_index;
}

CLSORT_INLINE struct select_digit select_range_digit(const struct select_range *range)
{
    struct select_digit digit;
    digit.is_index = range->key_left == 0;
    digit.shift = sub_sat(digit.is_index ? range->index_left : range->key_left, (uint)RADIX_BITS);
    digit.is_common = (range->key[0] == range->key[1]) & (range->index[0] == range->index[1]);
    return digit;
}

/* Counters of a digit. */
#define SELECT_DIGIT_BINS(digit) ((digit).is_common ? SELECT_BINS : SELECT_BOUNDS * SELECT_BINS)

/* Clears them. Ends with a barrier. */
CLSORT_INLINE void select_range_clear(struct select_digit digit,
                                      __local struct select_range_local *shared)
{
    GROUP_LOOP(i, 0, SELECT_DIGIT_BINS(digit))
        shared->bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* all are 0 */
}

CLSORT_INLINE void select_range_count(const struct select_range *range, struct select_digit digit,
                                      key_t key, uint index,
                                      __local struct select_range_local *shared)
{
    const uint bin =
        (digit.is_index ? index >> digit.shift : (uint)(key >> digit.shift)) % SELECT_BINS;
#pragma unroll
    for (uint bound = 0; bound < SELECT_BOUNDS; ++bound)
        if ((bound == 0 || !digit.is_common) && (key & ~range->free_key) == range->key[bound] &&
            (index & ~range->free_index) == range->index[bound])
            atomic_inc(&shared->bins[bound * SELECT_BINS + bin]);
}

/* Adds the digits of the places first and last, as the counters show them. Begins with a barrier,
 * and has one behind the last use of the counters. select_range_clear() comes before the next. */
CLSORT_INLINE void select_range_narrow(struct select_range *range, struct select_digit digit,
                                       uint first, uint last,
                                       __local struct select_range_local *shared)
{
    const uint num_bins = SELECT_DIGIT_BINS(digit);
    const uint skipped = digit.is_common ? 0 : range->size[0]; /* counted for the first bound */
    const uint total = skipped + range->size[1];
    barrier(CLK_LOCAL_MEM_FENCE); /* all are counted */
    group_scan_exclusive(&shared->scan, shared->bins, num_bins);
    GROUP_LOOP(i, 0, num_bins) {
        const uint begin = shared->bins[i], end = i + 1 < num_bins ? shared->bins[i + 1] : total;
#pragma unroll
        for (uint bound = 0; bound < SELECT_BOUNDS; ++bound) {
            const uint place = (bound ? last + skipped : first) - range->before[bound];
            if (begin <= place && place < end) { /* true of one bin */
                shared->digit[bound] = i % SELECT_BINS;
                shared->before[bound] = begin - (bound ? skipped : 0);
                shared->size[bound] = end - begin;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the digits are found */
#pragma unroll
    for (uint bound = 0; bound < SELECT_BOUNDS; ++bound) {
        range->before[bound] += shared->before[bound];
        range->size[bound] = shared->size[bound];
        if (digit.is_index)
            range->index[bound] |= shared->digit[bound] << digit.shift;
        else
            range->key[bound] |= (key_t)shared->digit[bound] << digit.shift;
    }
    if (digit.is_index) {
        range->index_left = digit.shift;
        range->free_index = (1u << digit.shift) - 1;
    } else {
        range->key_left = digit.shift;
        range->free_key = ((key_t)1 << digit.shift) - 1;
    }
}

#endif
