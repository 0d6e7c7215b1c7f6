/* settle.h: passes by the lowest digits that can be left out (onesweep.h).
 *
 * Idea: where keys have many digits, few agree in all of the highest ones. So the sort has passes
 * by these alone. Then each tile of the output lists the runs of keys that agree in them and are
 * not in order, and work-items put these runs in order by the whole keys: most have two elements.
 * Runs that lie in two tiles come last: until then, other groups read them. Fewer than 2^21 random
 * keys of 64 bits have three passes instead of eight, fewer than 2^29 have four. (cpu/sort.h does
 * the same on CPUs. On GPUs it is our own, 2026.)
 *
 * If a run is longer than a work-item takes, passes by all digits follow, from the output: equal
 * keys are in their order there, too.
 *
 * Local memory: two words, and one for each run of a tile. */
#ifndef CLSORT_ONESWEEP_SETTLE_H
#define CLSORT_ONESWEEP_SETTLE_H

#include "sorts/onesweep/copy.h"
#include "sorts/onesweep/settle_cut.h"

#define SETTLE_LONGEST 128 /* elements of a run */
#define SETTLE_SIZE_BITS 8 /* of its number of elements */
#define SETTLE_ITEMS 4     /* of a work-item, that are loaded at once */

/* Runs that lie in two tiles, fewer than tiles: the first element of each, and how many it has.
 * Their list is in the tile states that settling, pass `number`, does not empty. */
#define SETTLE_RUNS(number) \
    (__global uint2 *)(ONESWEEP_TABLE(uint, tile_states) + (number) % 2 * (q->num_tiles * RADIX))

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

/* A tile, and the list of its runs. */
struct settle_tile {
    uint first, end;
    __local uint *runs; /* where they begin in the tile, and how many elements they have */
    __local uint *num_runs;
    __global uint2 *others; /* that do not lie in one tile */
};

/* A run of the tile's list. */
CLSORT_INLINE uint2 settle_own(const struct settle_tile *tile, uint i)
{
    const uint entry = tile->runs[i];
    return (uint2)(tile->first + (entry >> SETTLE_SIZE_BITS),
                   entry & ((1u << SETTLE_SIZE_BITS) - 1));
}

/* Lists the run of the element `at`, which is smaller than the one before it. */
CLSORT_INLINE void settle_list(const struct onesweep_params *q, __global void *scratch,
                               __global const stored_key_t *keys, uint at, uint shift,
                               const struct settle_tile *tile)
{
    const uint2 run = settle_run(q, scratch, keys, at, shift);
    if (run.y == 0)
        return;
    if (run.x >= tile->first && run.x + run.y <= tile->end)
        tile->runs[atomic_inc(tile->num_runs)] = (run.x - tile->first) << SETTLE_SIZE_BITS | run.y;
    else
        tile->others[atomic_inc(&ONESWEEP_CONTROL->num_runs)] = run;
}

/* Lists the runs of a tile. Begins and ends with a barrier. */
CLSORT_INLINE void settle_find(const struct onesweep_params *q, __global void *scratch,
                               __global const stored_key_t *keys, const struct settle_tile *tile)
{
    const uint shift = ONESWEEP_SHIFT(ONESWEEP_CONTROL->digits[0]);
    barrier(CLK_LOCAL_MEM_FENCE); /* the last tile's runs have been read */
    *tile->num_runs = 0;          /* by all: see group/merge_local.h */
    barrier(CLK_LOCAL_MEM_FENCE); /* it is 0 */
#pragma unroll 1
    for (uint at = tile->first + (uint)get_local_id(0); at < tile->end;
         at += SETTLE_ITEMS * GROUP_SIZE) {
        stored_key_t own[SETTLE_ITEMS], before[SETTLE_ITEMS];
        uint found = 0;
#pragma unroll
        for (uint i = 0; i < SETTLE_ITEMS; ++i) {
            const uint from = min(at + i * GROUP_SIZE, tile->end - 1);
            own[i] = keys[from];
            before[i] = keys[max(from, 1u) - 1];
        }
#pragma unroll
        for (uint i = 0; i < SETTLE_ITEMS; ++i) {
            const key_t key = ONESWEEP_ORDER(own[i]), other = ONESWEEP_ORDER(before[i]);
            const uint is_first = key < other && key >> shift == other >> shift;
            found |= (is_first && at + i * GROUP_SIZE < tile->end) << i;
        }
#pragma unroll 1
        for (; found; found &= found - 1)
            settle_list(q, scratch, keys, at + (31 - (uint)clz(found & (0u - found))) * GROUP_SIZE,
                        shift, tile);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all are listed, the tile is copied */
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

/* By the group that has settled the last tile: what comes after pass `number`. Before a barrier. */
CLSORT_INLINE void settle_continue(const struct onesweep_params *q, __global void *scratch,
                                   uint number)
{
    __global struct onesweep_control *control = ONESWEEP_CONTROL;
    if (get_local_id(0) > 0)
        return;
    if (!device_load_relaxed(&control->is_unsettled)) {
        /* As many tickets are left as there are tasks. Not a smaller num_passes: work-items of a
         * late group may be reading it. */
        const uint num_runs = device_load_relaxed(&control->num_runs);
        control->tickets[number + 1] = q->num_tiles - (num_runs + GROUP_SIZE - 1) / GROUP_SIZE;
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

/* Settles the tiles of ONESWEEP_SETTLE that this group gets, or its shares of the runs that are
 * left for ONESWEEP_SETTLE_LAST. Returns how many. ONESWEEP_SETTLE also empties the tile states,
 * since a pass follows if a run is too long. It announces what follows by itself and returns 0: in
 * sort.cl the same code makes NVIDIA's compiler spill registers of all passes, which are
 * a third slower then. */
CLSORT_INLINE uint settle_tiles(const struct onesweep_params *q, ONESWEEP_ARGS, uint number,
                                __local uint *tile_number, __local uint *num_runs,
                                __local uint *runs)
{
    __global struct onesweep_control *control = ONESWEEP_CONTROL;
    const uint is_last = control->digits[number] == ONESWEEP_SETTLE_LAST;
    const uint copies = number < control->first_end;
    __global uint *next_tile_states =
        ONESWEEP_TABLE(uint, tile_states) + (number + 1) % 2 * (q->num_tiles * RADIX);
    struct onesweep_arrays from, to;
    onesweep_bind(&from, q, ONESWEEP_BUFFERS, copies ? BUFFER_SCRATCH : BUFFER_OUT);
    onesweep_bind(&to, q, ONESWEEP_BUFFERS, BUFFER_OUT);
    struct settle_tile tile = {.runs = runs, .num_runs = num_runs};
    tile.others = SETTLE_RUNS(number - is_last);
    uint num_done = 0;
    for (uint at = *tile_number; at < q->num_tiles; ++num_done) {
        uint begin = (q->num_tiles - 1 - at) * GROUP_SIZE;
        uint end = is_last ? min(begin + GROUP_SIZE, control->num_runs) : 0;
        if (!is_last) {
            tile.first = at * TILE_SLOTS;
            tile.end = tile.first + min(q->count - tile.first, (uint)TILE_SLOTS);
            if (copies)
                onesweep_copy_tile(&from, &to, tile.first, tile.end);
            settle_find(q, scratch, from.keys, &tile);
            GROUP_LOOP(digit, 0, RADIX)
                next_tile_states[at * RADIX + digit] = 0;
            begin = 0;
            end = *num_runs;
        }
        GROUP_LOOP(i, begin, end)
            settle_sort(q, to.keys, to.payload, is_last ? tile.others[i] : settle_own(&tile, i));
        at = device_phases_take(&control->tickets[number], tile_number);
    }
    if (is_last)
        return num_done;
    if (device_phases_done(&control->done[number], num_done, q->num_tiles, tile_number)) {
        settle_continue(q, scratch, number);
        device_phases_begin(&control->phases, number + 2);
    }
    return 0;
}

#endif
