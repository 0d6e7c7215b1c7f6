/* scatter.h: a pass of stable radix sort (onesweep.h).
 *
 * Idea: a work-group takes the next tile and counts its digits, each sub-group in a row of counters
 * of its own. It publishes the sums at once: groups that look back then seldom wait. A scan turns
 * the rows into the ranks of each digit's first elements. Sub-groups vote (group/digit_rank.h) and
 * count their rows up, which gives every element its rank. The group puts the elements in order in
 * local memory, looks back for how many are before it, and writes runs of equal digits, while the
 * next tile's elements are on their way. A row has its counters next to one another: work-items
 * with different digits then use different banks.
 *
 * Counting first is CUB's idea: 51 Gkeys/s instead of 47 when counts came from ranking. */
#ifndef CLSORT_ONESWEEP_SCATTER_H
#define CLSORT_ONESWEEP_SCATTER_H

#include "device/phases.h"
#include "group/tile_scatter.h"
#include "sorts/onesweep/copy.h"
#include "sorts/onesweep/settle.h"

struct onesweep_scatter_local {
    struct group_scan_local scan;
    uint next[RADIX]; /* target of slot 0, if all of the tile were of this digit */
    uint tile_number;
    union {
        uint counters[NUM_SUBGROUPS * RADIX]; /* [sub-group][digit] */
        onesweep_tile_t tile[TILE_SLOTS];
        onesweep_second_t payload[TILE_SLOTS];
    } storage;
};

/* Elements of a digit in a tile, counted by the work-item that waits for their number. */
CLSORT_INLINE uint onesweep_recount(const struct onesweep_pass *pass, uint digit, uint tile)
{
    uint count = 0;
#pragma unroll 1
    for (uint i = 0; i < TILE_SLOTS; ++i)
        count += ONESWEEP_DIGIT(onesweep_key_at(&pass->from, tile * TILE_SLOTS + i), pass->shift,
                                pass->mask) == digit;
    return count;
}

/* Who looks back: for a digit, in a pass; among the tiles from `first` on. */
struct onesweep_lookback {
    const struct onesweep_pass *pass;
    uint digit, first;
};
#define LOOKBACK_CONTEXT const struct onesweep_lookback *
#define LOOKBACK_RECOUNT(lookback, tile) \
    onesweep_recount((lookback)->pass, (lookback)->digit, (lookback)->first + (tile))
#include "device/lookback.h"

/* Two ranks share a register. */
#define ONESWEEP_RANKS ((ITEMS + 1) / 2)
#define ONESWEEP_RANK(i) (ranks[(i) / 2] >> (i) % 2 * 16 & 0xffff)
#define OWN_DIGITS ((RADIX + GROUP_SIZE - 1) / GROUP_SIZE)
#define OWN_DIGIT(i) ((uint)get_local_id(0) * OWN_DIGITS + (uint)(i))

/* Elements of the next tile, if there is one. */
CLSORT_INLINE void onesweep_load_next(const struct onesweep_pass *pass,
                                      const struct onesweep_params *q,
                                      __local const struct onesweep_scatter_local *shared,
                                      onesweep_item_t *own)
{
    const uint first = min(shared->tile_number, q->num_tiles) * TILE_SLOTS;
    onesweep_load(own, &pass->from, first, sub_sat(q->count, first));
}

/* Counts the elements of each digit in the sub-group's run of the tile. */
CLSORT_INLINE void onesweep_count_tile(const struct onesweep_pass *pass, __local uint *counters,
                                       const onesweep_item_t *own)
{
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        atomic_inc(&counters[ONESWEEP_DIGIT(ONESWEEP_KEY(own[i]), pass->shift, pass->mask)]);
}

/* Publishes the tile's counts. begins: it is its portion's first. Returns the sum of the counts of
 * the work-item's digits. */
CLSORT_INLINE uint onesweep_publish(const struct onesweep_pass *pass,
                                    __local struct onesweep_scatter_local *shared, uint tile,
                                    int begins, uint size, uint *counts)
{
    uint total = 0;
#pragma unroll
    for (int i = 0; i < OWN_DIGITS; ++i) {
        const uint digit = OWN_DIGIT(i);
        counts[i] = 0;
        if (digit < RADIX) {
#pragma unroll
            for (uint row = 0; row < NUM_SUBGROUPS; ++row)
                counts[i] += shared->storage.counters[row * RADIX + digit];
            total += counts[i];
            if (pass->any_order) /* padding has the highest digit */
                counts[i] -= digit == pass->mask ? TILE_SLOTS - size : 0;
            else /* of the last tile with its padding, which none asks for */
                device_store_relaxed(&pass->tile_states[tile * RADIX + digit],
                                     (begins ? TILE_STATE_INCLUSIVE : TILE_STATE_PARTIAL) |
                                         counts[i]);
            pass->next_tile_states[tile * RADIX + digit] = 0;
        }
    }
    return total;
}

/* Turns the sub-groups' counters into the ranks of each digit's first elements in each row. before:
 * the elements with a smaller digit than the work-item's first. */
CLSORT_INLINE void onesweep_rank_rows(__local struct onesweep_scatter_local *shared, uint before)
{
#pragma unroll
    for (int i = 0; i < OWN_DIGITS; ++i) {
        const uint digit = OWN_DIGIT(i);
        if (digit < RADIX) {
            shared->next[digit] = 0u - before; /* the target is added later */
#pragma unroll
            for (uint row = 0; row < NUM_SUBGROUPS; ++row) {
                const uint count = shared->storage.counters[row * RADIX + digit];
                shared->storage.counters[row * RADIX + digit] = before;
                before += count;
            }
        }
    }
}

/* The ranks of a work-item's elements in the tile. The counters hold the rank of each digit's next
 * element, and are counted up. Digits are taken by other shifts than for the counts: a compiler
 * would otherwise keep the digits in registers. One element at a time: four, whose votes are
 * counted together, are 1 % slower. */
CLSORT_INLINE void onesweep_rank(const struct onesweep_pass *pass, __local uint *counters,
                                 const onesweep_item_t *own, uint *ranks)
{
#pragma unroll
    for (int i = 0; i < ONESWEEP_RANKS; ++i)
        ranks[i] = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const uint digit =
            (uint)(KEY_ENCODE((key_t)ONESWEEP_KEY(own[i])) << pass->up >> pass->down);
        uint rank;
        group_number_in_order(counters, 1, 0, 1, &digit, &rank);
        ranks[i / 2] |= rank << i % 2 * 16;
    }
}

/* How many elements of a digit are in the tiles before this one, by looking back through each
 * portion; published as far as they are in the tile's own. */
CLSORT_INLINE uint onesweep_before(const struct onesweep_pass *pass, uint portion, uint digit,
                                   uint tile, uint count)
{
    struct onesweep_lookback lookback = {pass, digit, 0};
    uint all = 0, own = 0;
#pragma unroll 1
    for (; lookback.first <= tile; lookback.first += portion) {
        own = device_look_back(pass->tile_states + lookback.first * RADIX + digit, RADIX,
                               min(tile - lookback.first, portion), pass->spin_limit, &lookback);
        all += own;
    }
    device_store_relaxed(&pass->tile_states[tile * RADIX + digit],
                         TILE_STATE_INCLUSIVE | (own + count));
    return all;
}

/* Finds where each digit's elements go: by looking back, or in any order by an atomic addition. */
CLSORT_INLINE void onesweep_find_targets(const struct onesweep_pass *pass, uint portion,
                                         __local struct onesweep_scatter_local *shared, uint tile,
                                         const uint *counts)
{
#pragma unroll
    for (int i = 0; i < OWN_DIGITS; ++i) {
        const uint digit = OWN_DIGIT(i);
        if (digit < RADIX) {
            if (pass->any_order) {
                shared->next[digit] +=
                    counts[i] ? atomic_add(&pass->bin_offsets[digit], counts[i]) : 0;
                continue;
            }
            const uint begin = pass->bin_offsets[digit]; /* on its way meanwhile */
            shared->next[digit] +=
                begin + (tile ? onesweep_before(pass, portion, digit, tile, counts[i]) : 0);
        }
    }
}

/* All at once if targets stay in registers. */
#define ONESWEEP_ROUND (ONESWEEP_SPLIT ? ITEMS : TILE_ROUND)

/* Writes the tile, which is in order in local memory, as runs; targets: where each element went,
 * for its payload if that is split. */
CLSORT_INLINE void onesweep_write(const struct onesweep_pass *pass,
                                  __local const struct onesweep_scatter_local *shared, uint size,
                                  uint *targets)
{
#define ONESWEEP_TARGET(item, slot) \
    (shared->next[ONESWEEP_DIGIT(ONESWEEP_KEY(item), pass->shift, pass->mask)] + (slot))
#define ONESWEEP_EMIT(i, slot)                                    \
    do {                                                          \
        const onesweep_item_t item_ = shared->storage.tile[slot]; \
        const uint target_ = ONESWEEP_TARGET(item_, slot);        \
        onesweep_store(&pass->to, target_, item_);                \
        if (ONESWEEP_SPLIT)                                       \
            targets[i] = target_;                                 \
    } while (0)
    GROUP_TILE_EMIT(size, ONESWEEP_ROUND, ONESWEEP_EMIT);
}

/* A work-item's payloads of the tile that begins at `first`, by sub-groups. */
CLSORT_INLINE void onesweep_load_payload(const struct onesweep_pass *pass, uint first, int own_left,
                                         payload_t *payload)
{
    first += TILE_SUBGROUP_FIRST((uint)get_local_id(0));
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * TILE_SUBGROUP < own_left)
            payload[i] = onesweep_payload_at(&pass->from, first + i * TILE_SUBGROUP);
}

/* The payloads of a tile, whose keys have been written, by the same ranks to the same targets.
 * Meanwhile the next tile's keys are loaded. */
CLSORT_INLINE void onesweep_write_payload(const struct onesweep_pass *pass,
                                          const struct onesweep_params *q,
                                          __local struct onesweep_scatter_local *shared, uint size,
                                          int own_left, const payload_t *payload, const uint *ranks,
                                          const uint *targets, onesweep_item_t *own)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys have been written */
    GROUP_TILE_ORDER(shared->storage.payload, payload, ONESWEEP_RANK, TILE_SUBGROUP, own_left);
    barrier(CLK_LOCAL_MEM_FENCE); /* the payloads are in order */
    onesweep_load_next(pass, q, shared, own);
#define ONESWEEP_EMIT_PAYLOAD(i, slot) pass->to.payload[targets[i]] = shared->storage.payload[slot]
    GROUP_TILE_EMIT(size, ONESWEEP_ROUND, ONESWEEP_EMIT_PAYLOAD);
}

/* One tile, which `own` holds: count, publish, rank, put in order, look back, write. Ends with the
 * next one in `own`, and with a barrier. */
CLSORT_INLINE void onesweep_tile(const struct onesweep_pass *pass, const struct onesweep_params *q,
                                 __global uint *tickets,
                                 __local struct onesweep_scatter_local *shared, uint tile,
                                 onesweep_item_t *own)
{
    const uint me = get_local_id(0);
    const uint first = tile * TILE_SLOTS;
    const uint size = min((uint)TILE_SLOTS, q->count - first);
    const int own_left = (int)size - (int)TILE_SUBGROUP_FIRST(me);
    __local uint *counters = shared->storage.counters + me / TILE_SUBGROUP * RADIX;
    uint ranks[ONESWEEP_RANKS], counts[OWN_DIGITS], targets[ITEMS];
    payload_t payload[ITEMS];

    group_clear(shared->storage.counters, NUM_SUBGROUPS * RADIX);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0, the number has been read */
    onesweep_count_tile(pass, counters, own);
    barrier(CLK_LOCAL_MEM_FENCE); /* the counts are complete */
    const uint own_total =
        onesweep_publish(pass, shared, tile, tile % q->portion == 0, size, counts);
    onesweep_rank_rows(shared, group_scan_before(&shared->scan, own_total));
    barrier(CLK_LOCAL_MEM_FENCE); /* each row's ranks are there */
    onesweep_rank(pass, counters, own, ranks);
    if (me == 0)
        shared->tile_number = atomic_inc(tickets);
    if (ONESWEEP_SPLIT)
        onesweep_load_payload(pass, first, own_left, payload);
    barrier(CLK_LOCAL_MEM_FENCE);                                         /* all ranks are taken */
    GROUP_TILE_ORDER(shared->storage.tile, own, ONESWEEP_RANK, 1, ITEMS); /* padding is last */
    if (!ONESWEEP_SPLIT)
        onesweep_load_next(pass, q, shared, own);
    onesweep_find_targets(pass, q->portion, shared, tile, counts);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order, the digits' targets are known */
    onesweep_write(pass, shared, size, targets);
    if (ONESWEEP_SPLIT)
        onesweep_write_payload(pass, q, shared, size, own_left, payload, ranks, targets, own);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile has been written */
}

/* What is no pass. One branch for all of it: with two, NVIDIA's compiler keeps more in registers
 * during passes, and 2^20 u64+u64 are 5 % slower. */
CLSORT_INLINE uint onesweep_move(const struct onesweep_params *q, ONESWEEP_ARGS, uint number,
                                 __local struct onesweep_scatter_local *shared)
{
    __global struct onesweep_control *control = ONESWEEP_CONTROL;
    __local uint *tile_number = &shared->tile_number;
    if (ONESWEEP_SETTLES && control->digits[number] > ONESWEEP_COPY)
        return settle_tiles(q, ONESWEEP_BUFFERS, number, tile_number, shared->next,
                            shared->storage.counters);
    return onesweep_copy(q, ONESWEEP_BUFFERS, &control->tickets[number], tile_number);
}

/* The tiles of a pass that this group gets; how many they are. Begins and ends with a barrier. */
CLSORT_INLINE uint onesweep_scatter(const struct onesweep_params *q, ONESWEEP_ARGS, uint number,
                                    __local struct onesweep_scatter_local *shared)
{
    __global struct onesweep_control *control = ONESWEEP_CONTROL;
    __global uint *tickets = &control->tickets[number];
    struct onesweep_pass pass;
    uint num_done = 0;
    if (get_local_id(0) == 0)
        shared->tile_number = atomic_inc(tickets);
    onesweep_open(&pass, q, ONESWEEP_BUFFERS, number);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is known */
    if (control->digits[number] >= ONESWEEP_COPY)
        return onesweep_move(q, ONESWEEP_BUFFERS, number, shared);
    if (number < control->copies_first)
        return onesweep_put_aside(&pass, q, tickets, &shared->tile_number);
    onesweep_item_t own[ITEMS];
    onesweep_load_next(&pass, q, shared, own);
    for (uint tile = shared->tile_number; tile < q->num_tiles;
         tile = shared->tile_number, ++num_done)
        onesweep_tile(&pass, q, tickets, shared, tile, own);
    return num_done;
}

#endif
