/* few.h: few different keys need few passes (onesweep.h). The sample has listed them
 * (sample/few.h).
 *
 * Idea: two keys are told apart by the digit of the highest bit in which they differ. So passes by
 * the digits that tell apart neighbours in the list are enough: of 16 random keys mostly one. Each
 * key is looked up while digits are counted; if one is not listed, all digits have passes. (Our
 * own, 2026.)
 *
 * Local memory: the keys, and a word. */
#ifndef CLSORT_ONESWEEP_FEW_H
#define CLSORT_ONESWEEP_FEW_H

#include "sorts/onesweep/onesweep.h"

struct onesweep_few_local {
    key_t keys[ONESWEEP_FEW];
    uint needed; /* a bit for each digit that tells keys apart */
};

/* How many are listed, or 0. */
#define ONESWEEP_NUM_FEW (ONESWEEP_CONTROL->num_few)

/* Before a barrier. */
CLSORT_INLINE void onesweep_few_load(const struct onesweep_params *q, __global void *scratch,
                                     __local struct onesweep_few_local *shared, uint num_few)
{
    GROUP_LOOP(i, 0, num_few ? ONESWEEP_FEW : 0)
        shared->keys[i] = i < num_few ? (key_t)ONESWEEP_CONTROL->few[i] : (key_t)KEY_ALL;
    shared->needed = 0; /* by all: see group/merge_local.h */
}

/* Whether a key is among `num_few`, at least 1, that are in order and filled up with KEY_ALL. */
CLSORT_INLINE uint onesweep_few_has(__local const key_t *keys, uint num_few, key_t key)
{
    uint at = 0;
#pragma unroll 1
    for (uint step = num_few > 1 ? 1u << (31 - clz(num_few - 1)) : 0; step > 0; step /= 2)
        at += keys[at + step] <= key ? step : 0;
    return keys[min(at, num_few - 1)] == key; /* KEY_ALL may be listed */
}

/* Whether one of a work-item's keys, `num` at steps of GROUP_SIZE, is not listed. */
CLSORT_INLINE uint onesweep_few_misses(const struct onesweep_params *q,
                                       __local const struct onesweep_few_local *shared,
                                       uint num_few, __global const stored_key_t *keys, uint first,
                                       uint num)
{
    uint misses = 0;
#pragma unroll 1
    for (uint i = 0; i < num && !misses; ++i) {
        const key_t key = ONESWEEP_ORDER(keys[min(first + i * GROUP_SIZE, q->count - 1)]);
        misses = !onesweep_few_has(shared->keys, num_few, key);
    }
    return misses;
}

/* A bit for each digit that need not have a pass. Begins after, and ends with, a barrier. */
CLSORT_INLINE uint onesweep_few_spare(const struct onesweep_params *q,
                                      __local struct onesweep_few_local *shared, uint num_few)
{
    GROUP_LOOP(i, 1, num_few) {
        const uint highest =
            KEY_WORK_BITS - 1 - (uint)clz((key_t)(shared->keys[i - 1] ^ shared->keys[i]));
        uint digit = q->num_digits - 1;
#pragma unroll 1
        while (ONESWEEP_SHIFT(digit) > highest)
            --digit;
        atomic_or(&shared->needed, 1u << digit);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all neighbours have told */
    return num_few ? ~shared->needed : 0;
}

#endif
