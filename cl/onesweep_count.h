/* onesweep_count.h: how many keys have each value of each digit, and which passes there are to be (onesweep.h).
 *
 * Idea: work-groups go over the keys with large steps and count all digits of a key in local memory, in
 * several copies of the counters, so that a frequent digit is not one address for all. The group that
 * is done last makes the counts to beginnings, and lists the passes. */
#ifndef CLSORT_ONESWEEP_COUNT_H
#define CLSORT_ONESWEEP_COUNT_H

#include "onesweep.h"

/* Copies of a counter lie next to one another: work-items with different ones then use different banks. */
#define COPIES (GROUP_SIZE >= 128 ? (ONESWEEP_DIGITS > 4 ? 4 : 8) : 1)
#define COUNT_ITEMS (ITEMS / 2 < 16 ? (ITEMS + 1) / 2 : 16) /* of a work-item, loaded at once */
#define COUNTERS (ONESWEEP_DIGITS * RADIX)

struct onesweep_count_local {
    uint counters[COUNTERS * COPIES];
    struct group_scan_local scan;
    uint falls; /* there is a key before a smaller one */
    uint is_last;
    uint most; /* of a digit's counts */
};

/* Which digits have passes, and over which places: by one work-item. is_one: bit of a digit that all keys
 * agree in. */
CLSORT_INLINE void onesweep_list(const struct onesweep_params *q,
                                 __global struct onesweep_control *control, uint is_one)
{
    uint num_passes = 0;
    for (uint digit = 0; digit < q->num_digits; ++digit)
        if (!(is_one >> digit & 1))
            control->digits[num_passes++] = digit;
    /* In order: the elements are only copied; in place they need not be, unless their indices are to be made. */
    control->copies = num_passes == 0;
    if (num_passes == 0) {
        control->digits[0] = 0;
        num_passes = PAYLOAD_INDEX || !(q->flags & FLAG_IN_PLACE);
    } else if (num_passes % 2 && q->flags & FLAG_IN_PLACE) {
        /* The first pass must not write where it reads. Once more by the first digit changes nothing. */
        for (uint i = num_passes; i > 0; --i)
            control->digits[i] = control->digits[i - 1];
        ++num_passes;
    }
    control->num_passes = num_passes;
}

/* Whether this group is the last: it has to say that all is counted (device_phases.h). */
CLSORT_INLINE uint onesweep_count(const struct onesweep_params *q, ONESWEEP_ARGS,
                                  __local struct onesweep_count_local *shared)
{
    const uint me = get_local_id(0);
    const uint used = q->num_digits << RADIX_BITS;
    __global const stored_key_t *keys = onesweep_keys(q, ONESWEEP_BUFFERS, ONESWEEP_IN);
    for (uint i = me; i < COPIES * COUNTERS; i += GROUP_SIZE)
        shared->counters[i] = 0;
    if (me == 0)
        shared->falls = 0;
    /* The first pass looks for words that are not there yet. */
    const uint words = q->num_tiles << RADIX_BITS;
    for (uint i = (uint)get_global_id(0); i < words; i += (uint)get_global_size(0))
        ONESWEEP_TABLE(uint, words)[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */

    __local uint *counters = shared->counters + me % COPIES;
    uint falls = 0;
    const uint round = GROUP_SIZE * COUNT_ITEMS;
    const uint num_rounds = (q->count - 1) / round + 1;
    for (uint number = get_group_id(0); number < num_rounds; number += get_num_groups(0)) {
        const uint first = number * round + me;
        const uint left = q->count - number * round;
        if (left >= round) { /* all loads first: more bytes in flight */
            stored_key_t own[COUNT_ITEMS];
#pragma unroll
            for (uint i = 0; i < COUNT_ITEMS; ++i)
                own[i] = (keys + first)[i * GROUP_SIZE];
            for (uint digit = 0; digit < q->num_digits; ++digit) {
                const uint low = ONESWEEP_SHIFT(digit);
                const uint mask = (1u << (ONESWEEP_SHIFT(digit + 1) - low)) - 1;
                __local uint *row = counters + (digit << RADIX_BITS) * COPIES;
#pragma unroll
                for (uint i = 0; i < COUNT_ITEMS; ++i)
                    atomic_inc(&row[ONESWEEP_DIGIT(own[i], low + q->first_bit, mask) * COPIES]);
            }
        } else {
            for (uint k = me; k < left; k += GROUP_SIZE) {
                const stored_key_t key = keys[number * round + k];
                for (uint digit = 0; digit < q->num_digits; ++digit) {
                    const uint low = ONESWEEP_SHIFT(digit);
                    const uint mask = (1u << (ONESWEEP_SHIFT(digit + 1) - low)) - 1;
                    atomic_inc(&counters[((digit << RADIX_BITS) +
                                          ONESWEEP_DIGIT(key, low + q->first_bit, mask)) *
                                         COPIES]);
                }
            }
        }
        /* The key behind each: from the cache. Keys in no order have soon shown it. */
        const key_t all = ~KEY_CONST(0) >> (KEY_WORK_BITS - q->num_bits);
        for (uint i = 0; i < COUNT_ITEMS && !falls; ++i) {
            const uint at = first + i * GROUP_SIZE;
            if (at + 1 < q->count)
                falls |= (KEY_ENCODE((key_t)keys[at]) >> q->first_bit & all) >
                         (KEY_ENCODE((key_t)keys[at + 1]) >> q->first_bit & all);
        }
    }
    if (falls)
        shared->falls = 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    __global struct onesweep_control *control = ONESWEEP_CONTROL;
    __global uint *starts = ONESWEEP_TABLE(uint, starts);
    for (uint i = me; i < used; i += GROUP_SIZE) {
        uint count = 0;
        for (uint copy = 0; copy < COPIES; ++copy)
            count += shared->counters[i * COPIES + copy];
        if (count)
            atomic_add(&starts[i], count);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* this group's are added */
    if (me == 0) {
        if (shared->falls)
            atomic_or(&control->falls, 1u);
        device_fence();
        shared->is_last = atomic_inc(&control->arrived) == get_num_groups(0) - 1;
        device_fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* it is known which group is the last */
    if (!shared->is_last)
        return 0;
    uint is_one = 0;
    for (uint digit = 0; digit < q->num_digits; ++digit) {
        __local uint *row = shared->counters;
        if (me == 0)
            shared->most = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* the last digit's are read */
        for (uint i = me; i < RADIX; i += GROUP_SIZE) {
            row[i] = device_look(&starts[(digit << RADIX_BITS) + i]);
            if (row[i] == q->count)
                shared->most = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* a digit's counts are there */
        group_scan_exclusive(&shared->scan, row, RADIX);
        for (uint i = me; i < RADIX; i += GROUP_SIZE)
            starts[(digit << RADIX_BITS) + i] = row[i];
        is_one |= shared->most << digit;
        barrier(CLK_LOCAL_MEM_FENCE); /* both have been read */
    }
    if (me == 0)
        onesweep_list(q, control, device_look(&control->falls) ? is_one : ~0u);
    return 1;
}

#endif
