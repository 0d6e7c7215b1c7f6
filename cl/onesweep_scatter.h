/* onesweep_scatter.h: a pass of stable radix sort (onesweep.h).
 *
 * Idea: a work-group takes the next tile and ranks it by the digit: sub-groups vote, as radix.h says, each with
 * a row of counters, and the rows are added up. It publishes its counts as soon as it has them, puts the
 * elements in order in local memory, looks back for how many are before it, and writes runs of equal
 * digits, while the next tile's are on their way. A row has a counter for each digit, next to one another:
 * work-items with different digits then use different banks. */
#ifndef CLSORT_ONESWEEP_SCATTER_H
#define CLSORT_ONESWEEP_SCATTER_H

#include "device_phases.h"
#include "onesweep_item.h"

struct onesweep_scatter_local {
    struct group_scan_local scan;
    uint begins[RADIX]; /* of a digit's in the tile */
    uint next[RADIX];   /* slot 0's element, if all of the tile were of this digit */
    uint tile_number;
    union {
        uint counters[NUM_SUBGROUPS][RADIX];
        onesweep_tile_t tile[TILE_SLOTS];
#if ONESWEEP_APART
        alias_payload_t payload[TILE_SLOTS];
#endif
    } room;
};

#define ONESWEEP_PLACES ((ITEMS + 1) / 2)
#define ONESWEEP_PLACE(places, i) ((places)[(i) / 2] >> (i) % 2 * 16 & 0xffff)
#define ONESWEEP_ROUND 1 /* elements whose votes are counted at once: 4 are 1 % slower on an H200 */
#define OWN_DIGITS ((RADIX + GROUP_SIZE - 1) / GROUP_SIZE)

CLSORT_INLINE void onesweep_publish(volatile __global uint *word, uint value)
{
#if DEVICE_HAS_SCOPES
    __asm__ volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
#else
    atomic_xchg(word, value);
#endif
}

/* The numbers of a work-item's elements among those of their digit in the sub-group's part of the tile, two in
 * a word. */
CLSORT_INLINE void onesweep_vote(__local uint *counters, const onesweep_item_t *own, uint shift,
                                 uint mask, uint *places)
{
#pragma unroll
    for (int i = 0; i < ONESWEEP_PLACES; ++i)
        places[i] = 0;
#if RADIX_SUBGROUP > 1
    const uint below = clsort_subgroup_lanes_below();
#pragma unroll
    for (int round = 0; round < ITEMS; round += ONESWEEP_ROUND) {
        uint found[ONESWEEP_ROUND], before[ONESWEEP_ROUND], first[ONESWEEP_ROUND];
#pragma unroll
        for (int k = 0; k < ONESWEEP_ROUND; ++k) {
            const int i = round + k;
            if (i < ITEMS) {
                const uint digit = ONESWEEP_DIGIT(ONESWEEP_KEY(own[i]), shift, mask);
                const uint same = clsort_subgroup_match(digit, RADIX_BITS);
                before[k] = popcount(same & below);
                first[k] = 31 - clz(same & -same);
                found[k] = 0;
                if (before[k] == 0)
                    found[k] = atomic_add(&counters[digit], popcount(same));
            }
        }
#pragma unroll
        for (int k = 0; k < ONESWEEP_ROUND; ++k)
            if (round + k < ITEMS)
                places[(round + k) / 2] |= (clsort_subgroup_shuffle(found[k], first[k]) + before[k])
                                           << (round + k) % 2 * 16;
    }
#else
    for (int i = 0; i < ITEMS; ++i)
        places[i / 2] |= counters[ONESWEEP_DIGIT(ONESWEEP_KEY(own[i]), shift, mask)]++
                         << i % 2 * 16;
#endif
}

/* Elements of a digit in a tile, counted by the work-item that waits for their number. */
CLSORT_INLINE uint onesweep_recount(const struct onesweep_place *from, uint tile, uint digit,
                                    uint shift, uint mask)
{
    uint count = 0;
    for (uint i = 0; i < TILE_SLOTS; ++i)
        count += ONESWEEP_DIGIT(onesweep_key_at(from, tile * TILE_SLOTS + i), shift, mask) == digit;
    return count;
}

/* Words that are read at once. On an H200 a pass with 1 is 12 % slower, with 12 or 4 2 %. */
#define AHEAD 6

/* Elements of a digit in the tiles before this one; words: of the digit. */
CLSORT_INLINE uint onesweep_look_back(const struct onesweep_params *q, __global uint *words,
                                      const struct onesweep_place *from, uint tile, uint digit,
                                      uint shift, uint mask)
{
    uint before = 0;
    uint is_sum = 0;
    for (uint at = tile; at > 0 && !is_sum;) {
        uint seen[AHEAD];
#pragma unroll
        for (uint i = 0; i < AHEAD; ++i)
            seen[i] = device_look(words + (at > i ? at - 1 - i : 0) * RADIX);
#pragma unroll
        for (uint i = 0; i < AHEAD; ++i) {
            if (at > 0 && !is_sum && (i == 0 || seen[i])) {
                uint word = seen[i];
                for (uint looks = 0; word == 0 && looks < q->patience; ++looks)
                    word = device_look(words + (at - 1) * RADIX);
                if (word == 0)
                    word = ONESWEEP_TILE | onesweep_recount(from, at - 1, digit, shift, mask);
                before += word & ONESWEEP_COUNT;
                is_sum = word & ONESWEEP_SUM;
                --at;
            } else {
                break;
            }
        }
    }
    return before;
}

/* A tile to the same place elsewhere. */
CLSORT_INLINE void onesweep_copy(const struct onesweep_params *q, ONESWEEP_ARGS, uint first,
                                 uint size)
{
    for (uint i = get_local_id(0); i < size; i += GROUP_SIZE) {
        const uint at = first + i;
        if (q->flags & FLAG_STORE_KEYS)
            onesweep_keys(q, ONESWEEP_BUFFERS, ONESWEEP_OUT)[at] =
                onesweep_keys(q, ONESWEEP_BUFFERS, ONESWEEP_IN)[at];
#if PAYLOAD_INDEX
        onesweep_payload(q, ONESWEEP_BUFFERS, ONESWEEP_OUT)[at] = (payload_t)at;
#elif PAYLOAD_SIZE
        onesweep_payload(q, ONESWEEP_BUFFERS, ONESWEEP_OUT)[at] =
            onesweep_payload(q, ONESWEEP_BUFFERS, ONESWEEP_IN)[at];
#endif
    }
}

/* The elements of the next tile, if there is one. */
#define LOAD_NEXT                                                                    \
    {                                                                                \
        const uint next_first = min(shared->tile_number, q->num_tiles) * TILE_SLOTS; \
        onesweep_load(own, &from, next_first, sub_sat(q->count, next_first));        \
    }

/* The tiles of a pass that this group gets; how many they are. Begins and ends with a barrier. */
CLSORT_INLINE uint onesweep_scatter(const struct onesweep_params *q, ONESWEEP_ARGS, uint pass,
                                    __local struct onesweep_scatter_local *shared)
{
    const uint me = get_local_id(0);
    __global struct onesweep_control *control = ONESWEEP_CONTROL;
    const uint num_passes = control->num_passes;
    uint num_done = 0;
    if (me == 0)
        shared->tile_number = atomic_inc(&control->tickets[pass]);
    const uint digit_number = control->digits[pass];
    const uint low = ONESWEEP_SHIFT(digit_number);
    const uint mask = (1u << (ONESWEEP_SHIFT(digit_number + 1) - low)) - 1;
    const uint shift = low + q->first_bit;
    /* What is equal so far need not keep its order in the first pass, unless it is made twice: then tiles take
     * their places as they come, and nobody looks back. */
    const int any_order = pass == 0 && q->flags & FLAG_CURSORS &&
                          (num_passes == 1 || control->digits[1] != digit_number);
    const uint down = KEY_WORK_BITS - popcount(mask), up = down - shift;
    const uint to_number = (num_passes - pass) % 2 ? ONESWEEP_OUT : ONESWEEP_WORK;
    struct onesweep_place from, to;
    onesweep_find(&from, q, ONESWEEP_BUFFERS,
                  pass == 0                   ? ONESWEEP_IN
                  : to_number == ONESWEEP_OUT ? ONESWEEP_WORK
                                              : ONESWEEP_OUT);
    onesweep_find(&to, q, ONESWEEP_BUFFERS, to_number);
    __global uint *starts = ONESWEEP_TABLE(uint, starts) + (digit_number << RADIX_BITS);
    __global uint *words = ONESWEEP_TABLE(uint, words) + pass % 2 * (q->num_tiles * RADIX);
    __global uint *next_words =
        ONESWEEP_TABLE(uint, words) + (pass + 1) % 2 * (q->num_tiles * RADIX);
    __local uint *counters = shared->room.counters[me / RADIX_SUBGROUP];
    const uint own_slot = radix_slot(me, 0);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is known */
    if (control->copies) {
        for (uint number = shared->tile_number; number < q->num_tiles;) {
            onesweep_copy(q, ONESWEEP_BUFFERS, number * TILE_SLOTS,
                          min((uint)TILE_SLOTS, q->count - number * TILE_SLOTS));
            ++num_done;
            number = device_phases_take(&control->tickets[pass], &shared->tile_number);
        }
        return num_done;
    }
    onesweep_item_t own[ITEMS];
    LOAD_NEXT

    for (uint number = shared->tile_number; number < q->num_tiles; number = shared->tile_number) {
        const uint first = number * TILE_SLOTS;
        const uint size = min((uint)TILE_SLOTS, q->count - first);
        /* Slots as distances from a work-item's first, so that they are constants. */
        const int own_left = (int)size - (int)own_slot;
        const int left = (int)size - (int)me;
        for (uint i = me; i < NUM_SUBGROUPS * RADIX; i += GROUP_SIZE)
            shared->room.counters[i / RADIX][i % RADIX] = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0, the number has been read */
        uint places[ONESWEEP_PLACES];
        onesweep_vote(counters, own, shift, mask, places);
        barrier(CLK_LOCAL_MEM_FENCE); /* the counts are complete */
        uint counts[OWN_DIGITS];
#pragma unroll
        for (int i = 0; i < OWN_DIGITS; ++i) {
            const uint digit = me + (uint)i * GROUP_SIZE;
            if (digit < RADIX) {
                uint sum = 0;
#pragma unroll
                for (uint row = 0; row < NUM_SUBGROUPS; ++row) {
                    const uint count = shared->room.counters[row][digit];
                    shared->room.counters[row][digit] = sum;
                    sum += count;
                }
                shared->begins[digit] = sum;
                counts[i] = sum;
                if (any_order) /* padding has the highest digit */
                    counts[i] -= digit == mask ? TILE_SLOTS - size : 0;
                else /* of the last tile with its padding, which nobody asks for */
                    onesweep_publish(&words[number * RADIX + digit],
                                     (number == 0 ? ONESWEEP_SUM : ONESWEEP_TILE) | counts[i]);
                next_words[number * RADIX + digit] = 0; /* for the next pass */
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the digits' sums are there */
        if (me == 0)
            shared->tile_number = atomic_inc(&control->tickets[pass]);
        group_scan_exclusive(&shared->scan, shared->begins, RADIX);
        /* Digits once more, by other shifts: a compiler would otherwise keep those of the votes in registers. */
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
            const uint digit = (uint)(KEY_ENCODE((key_t)ONESWEEP_KEY(own[i])) << up >> down);
            places[i / 2] += (shared->begins[digit] + counters[digit]) << i % 2 * 16;
        }
#if ONESWEEP_APART
        payload_t payload[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (i * RADIX_SUBGROUP < own_left)
                payload[i] = onesweep_payload_at(&from, first + own_slot + i * RADIX_SUBGROUP);
#endif
        barrier(CLK_LOCAL_MEM_FENCE); /* the counters have been read */
        __local onesweep_tile_t *tile = shared->room.tile;
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (i * RADIX_SUBGROUP < own_left)
                tile[ONESWEEP_PLACE(places, i)] = own[i];
#if !ONESWEEP_APART
        LOAD_NEXT
#endif
#pragma unroll
        for (int i = 0; i < OWN_DIGITS; ++i) {
            const uint digit = me + (uint)i * GROUP_SIZE;
            if (digit < RADIX) {
                uint before = 0;
                if (any_order) {
                    before = counts[i] ? atomic_add(&starts[digit], counts[i]) : 0;
                    shared->next[digit] = before - shared->begins[digit];
                    continue;
                }
                if (number > 0) {
                    before =
                        onesweep_look_back(q, words + digit, &from, number, digit, shift, mask);
                    onesweep_publish(&words[number * RADIX + digit],
                                     ONESWEEP_SUM | (before + counts[i]));
                }
                shared->next[digit] = starts[digit] + before - shared->begins[digit];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order, the digits' places are known */
#if ONESWEEP_APART
        uint targets[ITEMS];
#pragma unroll
#else
#pragma unroll 4
#endif
        for (int i = 0; i < ITEMS; ++i) {
            if (i * GROUP_SIZE < left) {
                const onesweep_item_t item = (tile + me)[i * GROUP_SIZE];
                const uint target = shared->next[ONESWEEP_DIGIT(ONESWEEP_KEY(item), shift, mask)] +
                                    me + i * GROUP_SIZE;
                onesweep_store(&to, target, item);
#if ONESWEEP_APART
                targets[i] = target;
#endif
            }
        }
#if ONESWEEP_APART
        barrier(CLK_LOCAL_MEM_FENCE); /* the keys have been written */
        __local alias_payload_t *payload_tile = shared->room.payload;
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (i * RADIX_SUBGROUP < own_left)
                payload_tile[ONESWEEP_PLACE(places, i)] = payload[i];
        barrier(CLK_LOCAL_MEM_FENCE); /* the payloads are in order */
        LOAD_NEXT
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (i * GROUP_SIZE < left)
                to.payload[targets[i]] = (payload_tile + me)[i * GROUP_SIZE];
#endif
        ++num_done;
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile has been written */
    }
    return num_done;
}

#endif
