/* count.h: how many keys have each value of each digit, and which passes there are to
 * be (onesweep.h).
 *
 * Idea: work-groups go over the keys with large steps and count all digits of a key in local
 * memory. The group that is done last turns the counts into offsets, and lists the passes.
 * (Several copies of each counter, so that a frequent digit is not one address for all, gained
 * nothing on an H200, Zipf's keys and few different ones included.) */
#ifndef CLSORT_ONESWEEP_COUNT_H
#define CLSORT_ONESWEEP_COUNT_H

#include "device/phases.h"
#include "sorts/onesweep/few.h"
#include "sorts/onesweep/settle_cut.h"

/* Not tuning: they are unrolled, and the optimum is flat. */
#define COUNT_ITEMS (ITEMS / 2 < 16 ? (ITEMS + 1) / 2 : 16) /* of a work-item, loaded at once */
#define COUNT_ROUND (GROUP_SIZE * COUNT_ITEMS)              /* of a work-group */
#define COUNTERS (ONESWEEP_DIGITS * RADIX)

struct onesweep_count_local {
    uint counters[COUNTERS];
    struct group_scan_local scan;
    uint ways; /* that neighbours go */
    uint is_last;
    uint is_shared; /* all keys have one value of a digit */
#if ONESWEEP_SETTLES
    uint equal;                 /* neighbours that are equal, of those looked at */
    uint agree;                 /* settle_agree() of a digit's values */
    uint bits[ONESWEEP_DIGITS]; /* settle_bits() of each digit */
#endif
    struct onesweep_few_local few;
};

#if ONESWEEP_SETTLES
#define COUNT_SETTLE(call) call
#else
#define COUNT_SETTLE(call) ((void)0)
#endif

/* Estimates how many neighbouring keys are equal. Each group has counted those of its first round;
 * `equal` is the sum. */
CLSORT_INLINE uint onesweep_all_equal(const struct onesweep_params *q, uint equal)
{
    const uint num_rounds = (q->count - 1) / COUNT_ROUND + 1;
    const uint num_groups = (uint)get_num_groups(0);
    return equal * ((num_rounds + num_groups - 1) / num_groups);
}

/* Which digits have passes, and between which buffers: by one work-item. is_spare: a bit for each
 * digit that needs none. may_settle: whether the lowest may be left out. */
CLSORT_INLINE void onesweep_list(const struct onesweep_params *q,
                                 __global struct onesweep_control *control, uint is_spare,
                                 uint may_settle, __local const struct onesweep_count_local *shared)
{
    const uint ways = device_load_relaxed(&control->ways);
    /* Equal keys change places, too. */
    const uint reverses = PAYLOAD_INDEX ? 0 : ways == ONESWEEP_DOWN && q->flags & FLAG_UNORDERED;
    const uint num_digits = (reverses | !(ways & ONESWEEP_DOWN)) ? 0 : q->num_digits;
    uint num_passes = 0;
#pragma unroll 1
    for (uint digit = 0; digit < num_digits; ++digit)
        if (!(is_spare >> digit & 1))
            control->digits[num_passes++] = digit;
    control->needed = ~is_spare & ((1u << num_digits) - 1);
    if (may_settle)
        COUNT_SETTLE(num_passes =
                         settle_cut(q, control, num_passes, shared->bits,
                                    onesweep_all_equal(q, device_load_relaxed(&control->equal))));
    /* In order: elements are only copied; in place they need not be, unless their indices are to be
     * made. */
    control->reverses = reverses;
    if (num_passes == 0) {
        control->digits[0] = ONESWEEP_COPY;
        num_passes = reverses || PAYLOAD_INDEX || !(q->flags & FLAG_IN_PLACE);
    } else if (!control->first_end && num_passes % 2 && q->flags & FLAG_IN_PLACE) {
        /* The first pass must not write where it reads. */
#pragma unroll 1
        for (uint i = num_passes; i > 0; --i)
            control->digits[i] = control->digits[i - 1];
        control->copies_first = 1;
        ++num_passes;
    }
    if (!control->first_end) /* none is left out */
        control->first_end = num_passes;
    control->num_passes = num_passes;
}

/* Empties this group's counters, and its share of the tile states of the first pass. */
CLSORT_INLINE void onesweep_count_begin(const struct onesweep_params *q, __global void *scratch,
                                        __local struct onesweep_count_local *shared)
{
    const uint num_states = q->num_tiles << RADIX_BITS;
    group_clear(shared->counters, COUNTERS);
    if (get_local_id(0) == 0) {
        shared->ways = 0;
        COUNT_SETTLE(shared->equal = 0);
    }
    onesweep_few_load(q, scratch, &shared->few, ONESWEEP_NUM_FEW);
#pragma unroll 1
    for (uint i = (uint)get_global_id(0); i < num_states; i += (uint)get_global_size(0))
        ONESWEEP_TABLE(uint, tile_states)[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
}

/* Counts all digits of the keys of a round, of which `left` are there. */
CLSORT_INLINE void onesweep_count_round(const struct onesweep_params *q, __local uint *counters,
                                        __global const stored_key_t *keys, uint left)
{
    const uint me = get_local_id(0);
    if (left >= COUNT_ROUND) { /* all loads first: more bytes in flight */
        stored_key_t own[COUNT_ITEMS];
#pragma unroll
        for (uint i = 0; i < COUNT_ITEMS; ++i)
            own[i] = (keys + me)[i * GROUP_SIZE];
#pragma unroll 1
        for (uint digit = 0; digit < q->num_digits; ++digit) {
            const uint shift = ONESWEEP_SHIFT(digit) + q->first_bit, mask = ONESWEEP_MASK(digit);
            __local uint *row = counters + (digit << RADIX_BITS);
#pragma unroll
            for (uint i = 0; i < COUNT_ITEMS; ++i)
                atomic_inc(&row[ONESWEEP_DIGIT(own[i], shift, mask)]);
        }
        return;
    }
    GROUP_LOOP(k, 0, left) {
        const stored_key_t key = keys[k];
#pragma unroll 1
        for (uint digit = 0; digit < q->num_digits; ++digit) {
            const uint shift = ONESWEEP_SHIFT(digit) + q->first_bit, mask = ONESWEEP_MASK(digit);
            atomic_inc(&counters[(digit << RADIX_BITS) + ONESWEEP_DIGIT(key, shift, mask)]);
        }
    }
}

/* Which ways it goes from one of this work-item's keys to the key behind it, which the cache has.
 * Keys in no order have soon shown both. */
CLSORT_INLINE uint onesweep_ways(const struct onesweep_params *q, __global const stored_key_t *keys,
                                 uint first)
{
    uint ways = 0;
#pragma unroll 1
    for (uint i = 0; i < COUNT_ITEMS && ways != (ONESWEEP_UP | ONESWEEP_DOWN); ++i) {
        const uint at = first + i * GROUP_SIZE;
        if (at + 1 < q->count) {
            const key_t key = ONESWEEP_ORDER(keys[at]), next = ONESWEEP_ORDER(keys[at + 1]);
            ways |= (key < next ? ONESWEEP_UP : 0) | (key > next ? ONESWEEP_DOWN : 0);
        }
    }
    return ways;
}

/* How many of a work-item's keys of a round are equal to the next key, which is in the cache. */
CLSORT_INLINE uint onesweep_equal(const struct onesweep_params *q,
                                  __global const stored_key_t *keys, uint first)
{
    uint equal = 0;
#pragma unroll 1
    for (uint i = 0; i < COUNT_ITEMS; ++i) {
        const uint at = first + i * GROUP_SIZE;
        equal += at + 1 < q->count && ONESWEEP_ORDER(keys[at]) == ONESWEEP_ORDER(keys[at + 1]);
    }
    return equal;
}

/* Counts this group's share of the keys. */
CLSORT_INLINE void onesweep_count_share(const struct onesweep_params *q, ONESWEEP_ARGS,
                                        __local struct onesweep_count_local *shared)
{
    __global const stored_key_t *keys = onesweep_keys(q, ONESWEEP_BUFFERS, BUFFER_IN);
    const uint num_rounds = (q->count - 1) / COUNT_ROUND + 1, num_few = ONESWEEP_NUM_FEW;
    uint ways = 0, misses = 0, equal = 0;
#pragma unroll 1
    for (uint round = get_group_id(0); round < num_rounds; round += get_num_groups(0)) {
        const uint first = round * COUNT_ROUND;
        onesweep_count_round(q, shared->counters, keys + first, q->count - first);
        if (ways != (ONESWEEP_UP | ONESWEEP_DOWN))
            ways |= onesweep_ways(q, keys, first + (uint)get_local_id(0));
        if (round == get_group_id(0))
            COUNT_SETTLE(equal = onesweep_equal(q, keys, first + (uint)get_local_id(0)));
        if (num_few && !misses)
            misses = onesweep_few_misses(q, &shared->few, num_few, keys,
                                         first + (uint)get_local_id(0), COUNT_ITEMS);
    }
    if (ways)
        atomic_or(&shared->ways, ways);
    if (misses)
        ONESWEEP_CONTROL->few_others = 1;
    if (equal)
        COUNT_SETTLE(atomic_add(&shared->equal, equal));
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
}

/* Adds this group's counts to those of all. */
CLSORT_INLINE void onesweep_count_add(const struct onesweep_params *q, __global void *scratch,
                                      __local struct onesweep_count_local *shared)
{
    __global uint *histogram = ONESWEEP_TABLE(uint, bin_offsets);
    const uint num = q->num_digits << RADIX_BITS;
    GROUP_LOOP(i, 0, num) {
        const uint count = shared->counters[i];
        if (count)
            atomic_add(&histogram[i], count);
    }
    if (get_local_id(0) == 0 && shared->ways)
        atomic_or(&ONESWEEP_CONTROL->ways, shared->ways);
    if (get_local_id(0) == 0)
        COUNT_SETTLE(atomic_add(&ONESWEEP_CONTROL->equal, shared->equal));
}

/* The counts of all keys as offsets; returns a bit for each digit that all keys share. */
CLSORT_INLINE uint onesweep_count_scan(const struct onesweep_params *q, __global void *scratch,
                                       __local struct onesweep_count_local *shared)
{
    __global uint *bin_offsets = ONESWEEP_TABLE(uint, bin_offsets);
    __local uint *row = shared->counters;
    uint is_shared = 0;
#pragma unroll 1
    for (uint digit = 0; digit < q->num_digits; ++digit) {
        if (get_local_id(0) == 0) {
            shared->is_shared = 0;
            COUNT_SETTLE(shared->agree = 0);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the last digit's are read */
        GROUP_LOOP(i, 0, RADIX) {
            row[i] = device_load_relaxed(&bin_offsets[(digit << RADIX_BITS) + i]);
            if (row[i] == q->count)
                shared->is_shared = 1;
            COUNT_SETTLE(atomic_add(&shared->agree, settle_agree(row[i], q->count)));
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* a digit's counts are there */
        group_scan_exclusive(&shared->scan, row, RADIX);
        GROUP_LOOP(i, 0, RADIX)
            bin_offsets[(digit << RADIX_BITS) + i] = row[i];
        is_shared |= shared->is_shared << digit;
        COUNT_SETTLE(shared->bits[digit] = settle_bits(shared->agree));
        barrier(CLK_LOCAL_MEM_FENCE); /* both have been read */
    }
    return is_shared;
}

/* Whether this group is the last: it has to say that all is counted (device/phases.h). */
CLSORT_INLINE uint onesweep_count(const struct onesweep_params *q, ONESWEEP_ARGS,
                                  __local struct onesweep_count_local *shared)
{
    __global struct onesweep_control *control = ONESWEEP_CONTROL;
    onesweep_count_begin(q, scratch, shared);
    onesweep_count_share(q, ONESWEEP_BUFFERS, shared);
    onesweep_count_add(q, scratch, shared);
    if (!device_phases_done(&control->arrived, 1, (uint)get_num_groups(0), &shared->is_last))
        return 0;
    uint is_spare = onesweep_count_scan(q, scratch, shared);
    const uint num_few = device_load_relaxed(&control->few_others) ? 0 : ONESWEEP_NUM_FEW;
    if (num_few)
        is_spare |= onesweep_few_spare(q, &shared->few, num_few);
    if (get_local_id(0) == 0)
        onesweep_list(q, control, is_spare, !num_few, shared);
    return 1;
}

#endif
