/* onesweep_settle.h: passes by the lowest digits that can be left out (onesweep.h).
 *
 * Idea: where keys have many digits, few agree in all of the highest ones. So the sort has passes
 * by these alone. Then each tile of the output lists the runs of keys that agree in them and are
 * not in order, and work-items put these runs in order by the whole keys: most have two elements.
 * Fewer than 2^27 random keys of 64 bits have four passes instead of eight. (cpu_sort.h does the
 * same on CPUs. On GPUs it is our own, 2026.)
 *
 * How much digits tell keys apart is known from their counts: two keys agree in a digit as often
 * as the sum of the squares of its values' shares, and in several as the product says, if digits do
 * not depend on each other. If they do, runs are long. If one is longer than a work-item takes,
 * passes by all digits follow, from the output: equal keys are in their order there, too.
 *
 * Local memory: two words. */
#ifndef CLSORT_ONESWEEP_SETTLE_H
#define CLSORT_ONESWEEP_SETTLE_H

#include "device_phases.h"
#include "onesweep.h"

/* Among the passes' digits: to list runs, and to put them in order. */
#define ONESWEEP_FIND (ONESWEEP_COPY + 1)
#define ONESWEEP_SETTLE (ONESWEEP_COPY + 2)

#define SETTLE_LONGEST 32 /* elements of a run */
/* The kept digits tell 2^5 times as many keys apart as there are. Then at most one element of 2^6
 * agrees with another. */
#define SETTLE_MORE_BITS 5
#define SETTLE_LEAST_PASSES 2 /* that are left out: finding and settling take half of one */

/* The part of all pairs that agree in a digit, as a number of 24 bits: added for one value. */
#define SETTLE_AGREE_BITS 24
CLSORT_INLINE uint settle_agree(uint value_count, uint count)
{
    const float share = (float)value_count / (float)count;
    return (uint)(share * share * (float)(1 << SETTLE_AGREE_BITS));
}

/* The whole bits by which a digit tells keys apart. */
CLSORT_INLINE uint settle_bits(uint agree)
{
    return sub_sat((uint)clz(max(agree, 1u) - 1), 32u - SETTLE_AGREE_BITS);
}

/* Leaves out the lowest of num_passes digits, which are listed, if that pays; bits: of each digit.
 * Returns the number of passes and of what follows them. */
CLSORT_INLINE uint settle_cut(const struct onesweep_params *q,
                              __global struct onesweep_control *control, uint num_passes,
                              __local const uint *bits)
{
    const uint needed = 32 - (uint)clz(q->count) + SETTLE_MORE_BITS;
    if (num_passes < SETTLE_LEAST_PASSES + 2)
        return num_passes;
    uint kept = 0, told = 0;
#pragma unroll 1
    while (kept < num_passes && told < needed)
        told += bits[control->digits[num_passes - 1 - kept++]];
    /* If the lowest of them has frequent values, as Zipf's keys have, some keys are frequent. They
     * must meet no others. */
    if (bits[control->digits[num_passes - kept]] < RADIX_BITS - 1)
        ++kept;
    if (q->flags & FLAG_IN_PLACE)
        kept += kept % 2;
    if (told < needed || kept + SETTLE_LEAST_PASSES > num_passes)
        return num_passes;
#pragma unroll 1
    for (uint i = 0; i < kept; ++i)
        control->digits[i] = control->digits[num_passes - kept + i];
    control->digits[kept] = ONESWEEP_FIND;
    control->digits[kept + 1] = ONESWEEP_SETTLE;
    control->first_end = kept;
    return kept + 2;
}

/* A tile's list, the first element and the size of each run, lies where the passes had their second
 * copy of the tile. How many they are stands in the tile states that ONESWEEP_FIND, pass `number`,
 * does not empty. */
#define SETTLE_RUNS(tile) (ONESWEEP_TABLE(uint2, work_keys) + (tile)*TILE_SLOTS)
#define SETTLE_NUM_RUNS(number, tile) \
    ONESWEEP_TABLE(uint, tile_states)[((number) % 2 * q->num_tiles + (tile)) * RADIX]

/* The run of the element `at`, which is smaller than the one before it: nothing, if an earlier
 * element of the run is so, too. */
CLSORT_INLINE uint2 settle_run(const struct onesweep_params *q, __global void *scratch,
                               __global const stored_key_t *keys, uint at, uint shift)
{
    if (device_load_relaxed(&ONESWEEP_CONTROL->is_unsettled))
        return (uint2)(0);
    const key_t top = ONESWEEP_ORDER(keys[at]) >> shift;
    key_t first = ONESWEEP_ORDER(keys[at - 1]);
    uint begin = at - 1, end = at + 1;
#pragma unroll 1
    while (begin > 0 && at - begin < SETTLE_LONGEST) {
        const key_t before = ONESWEEP_ORDER(keys[begin - 1]);
        if (before >> shift != top)
            break;
        if (before > first)
            return (uint2)(0);
        first = before;
        --begin;
    }
#pragma unroll 1
    while (end < q->count && end - begin <= SETTLE_LONGEST &&
           ONESWEEP_ORDER(keys[end]) >> shift == top)
        ++end;
    if (at - begin >= SETTLE_LONGEST || end - begin > SETTLE_LONGEST) {
        ONESWEEP_CONTROL->is_unsettled = 1;
        return (uint2)(0);
    }
    return (uint2)(begin, end - begin);
}

/* Lists the runs of a tile. Begins and ends with a barrier. */
CLSORT_INLINE void settle_find_tile(const struct onesweep_params *q, __global void *scratch,
                                    __global const stored_key_t *keys, uint number, uint tile,
                                    __local uint *num_runs)
{
    const uint first = tile * TILE_SLOTS, end = first + min(q->count - first, (uint)TILE_SLOTS);
    const uint shift = ONESWEEP_SHIFT(ONESWEEP_CONTROL->digits[0]);
    __global uint2 *runs = SETTLE_RUNS(tile);
    barrier(CLK_LOCAL_MEM_FENCE); /* the last tile's number has been read */
    *num_runs = 0;                /* by all: see merge_local.h */
    barrier(CLK_LOCAL_MEM_FENCE); /* it is 0 */
#pragma unroll 1
    for (uint at = first + (uint)get_local_id(0); at < end; at += GROUP_SIZE) {
        const key_t key = ONESWEEP_ORDER(keys[at]), before = ONESWEEP_ORDER(keys[max(at, 1u) - 1]);
        if (key < before && key >> shift == before >> shift) {
            const uint2 run = settle_run(q, scratch, keys, at, shift);
            if (run.y)
                runs[atomic_inc(num_runs)] = run;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are listed */
    if (get_local_id(0) == 0) {
        SETTLE_NUM_RUNS(number, tile) = *num_runs;
        if (*num_runs)
            ONESWEEP_CONTROL->has_runs = 1;
    }
}

/* Puts a run in order: few elements, most of them in their places. Equal keys stay in order. */
CLSORT_INLINE void settle_sort(const struct onesweep_params *q, __global stored_key_t *keys,
                               __global payload_t *payload, uint2 run)
{
#pragma unroll 1
    for (uint i = run.x + 1; i < run.x + run.y; ++i) {
        const stored_key_t own = keys[i];
        const payload_t moved = PAYLOAD_SIZE ? payload[i] : 0;
        uint at = i;
#pragma unroll 1
        for (; at > run.x && ONESWEEP_ORDER(own) < ONESWEEP_ORDER(keys[at - 1]); --at) {
            keys[at] = keys[at - 1];
            if (PAYLOAD_SIZE)
                payload[at] = payload[at - 1];
        }
        if (at < i) {
            keys[at] = own;
            if (PAYLOAD_SIZE)
                payload[at] = moved;
        }
    }
}

/* In any order, the first pass has counted its digit's offsets up to those of the next value. By
 * one work-item. */
CLSORT_INLINE void settle_restore(const struct onesweep_params *q, __global void *scratch,
                                  uint digit)
{
    volatile __global uint *begins = ONESWEEP_TABLE(uint, bin_offsets) + (digit << RADIX_BITS);
#pragma unroll 1
    for (uint i = RADIX - 1; q->flags & FLAG_UNORDERED && i < RADIX; --i)
        begins[i] = i > 0 ? device_load_relaxed(&begins[i - 1]) : 0;
}

/* By the group that has found the last tile's runs: what comes after pass `number`. Before a
 * barrier. */
CLSORT_INLINE void settle_continue(const struct onesweep_params *q, __global void *scratch,
                                   uint number)
{
    __global struct onesweep_control *control = ONESWEEP_CONTROL;
    if (get_local_id(0) > 0)
        return;
    if (!device_load_relaxed(&control->is_unsettled)) {
        /* Not a smaller num_passes: work-items of a late group may be reading it. */
        if (!device_load_relaxed(&control->has_runs))
            control->tickets[number + 1] = q->num_tiles;
        return;
    }
    settle_restore(q, scratch, control->digits[0]);
    /* Passes by all digits. Their number is even, so that they end in the output, too: a digit may
     * have two passes. */
    uint end = number + 1;
    if (popcount(control->needed) % 2)
        control->digits[end++] = 31 - (uint)clz(control->needed & (0u - control->needed));
#pragma unroll 1
    for (uint digit = 0; digit < q->num_digits; ++digit)
        if (control->needed >> digit & 1)
            control->digits[end++] = digit;
    control->num_passes = end;
}

/* The tiles of ONESWEEP_FIND or ONESWEEP_SETTLE that this group gets; how many they are. Finding
 * empties tile states for the pass that comes after it, if runs are too long. It announces by
 * itself what comes after it, and says that it has done none: in onesweep_sort.cl the same code
 * makes NVIDIA's compiler spill registers of all passes, which are a third slower then. */
CLSORT_INLINE uint settle_tiles(const struct onesweep_params *q, ONESWEEP_ARGS, uint number,
                                __local uint *tile_number, __local uint *num_runs)
{
    /* What is computed of these is not to be kept in registers during passes. */
    ulong at_scratch = (ulong)scratch, at_keys = (ulong)keys_out, at_payload = (ulong)payload_out;
    FORGET_64(at_scratch);
    FORGET_64(at_keys);
    FORGET_64(at_payload);
    FORGET_32(number);
    scratch = (__global void *)at_scratch;
    keys_out = (__global void *)at_keys;
    payload_out = (__global void *)at_payload;
    __global struct onesweep_control *control = ONESWEEP_CONTROL;
    __global stored_key_t *keys = onesweep_keys(q, ONESWEEP_BUFFERS, BUFFER_OUT);
    __global payload_t *payload = onesweep_payload(q, ONESWEEP_BUFFERS, BUFFER_OUT);
    __global uint *next_tile_states =
        ONESWEEP_TABLE(uint, tile_states) + (number + 1) % 2 * (q->num_tiles * RADIX);
    const uint finds = control->digits[number] == ONESWEEP_FIND;
    uint num_done = 0;
    for (uint tile = *tile_number; tile < q->num_tiles; ++num_done) {
        if (finds) {
            settle_find_tile(q, scratch, keys, number, tile, num_runs);
            GROUP_LOOP(digit, 0, RADIX)
                next_tile_states[tile * RADIX + digit] = 0;
        } else {
            __global const uint2 *runs = SETTLE_RUNS(tile);
            const uint num = SETTLE_NUM_RUNS(number - 1, tile);
            GROUP_LOOP(i, 0, num)
                settle_sort(q, keys, payload, runs[i]);
        }
        tile = device_phases_take(&control->tickets[number], tile_number);
    }
    if (!finds)
        return num_done;
    if (device_phases_done(&control->done[number], num_done, q->num_tiles, tile_number)) {
        settle_continue(q, scratch, number);
        device_phases_begin(&control->phases, number + 2);
    }
    return 0;
}

#endif
