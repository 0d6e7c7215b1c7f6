/* merge.h: one work-item merges two runs, and no comparison decides a branch.
 *
 * A merge advances from both ends at once; a long merge is first cut in two, which gives four
 * independent chains of steps. A step waits for the comparison of the step before it in its
 * chain, and a processor can wait for several chains in the time of one. A step writes both
 * items that it compares: the one that it places and, beside it, the other, which the next step
 * overwrites. Compilers for CPUs make a branch of a choice between them, and processors predict
 * half of those wrongly.
 *
 * With choices an item takes 5.8 ns, without 2.2, with four chains 1.6 (EPYC, structs). */
#ifndef CLSORT_CPU_MERGE_H
#define CLSORT_CPU_MERGE_H

#define RECORD_BY_ADDRESS 1
#include "group/merge.h"

#if !RECORD_SIZE
#define PRIVATE_LESS(a, b) STORED_LESS(a, b)
#elif KEY_DESCENDING
#define PRIVATE_LESS(a, b) record_less_at(&(b), &(a))
#else
#define PRIVATE_LESS(a, b) record_less_at(&(a), &(b))
#endif

/* Items from which on a merge is cut in two. Anything between 128 and 2048 is as good, so it is no
 * tuning. */
#define SPLIT_MERGE_MIN 512

/* Bytes of a key, up to which writing two is faster than choosing: of 64 bytes 11 million a
 * second are sorted and not 9, of 256 bytes 1.4 to 2.8 and not 4. No tuning: one form is
 * compiled. */
#define WRITES_BOTH_MAX 64

/* Elements as they lie in buffers and, while they are sorted, in scratch. */
struct arrays {
    __global stored_key_t *keys;
    __global payload_t *payload;
};

/* The same from element `at` on. No function: Oclgrind 21.10 stops at what LLVM makes of one
 * that returns a struct. */
#if PAYLOAD_SIZE
#define ARRAYS_AT(all, at) ((struct arrays){(all).keys + (at), (all).payload + (at)})
#else
#define ARRAYS_AT(all, at) ((struct arrays){(all).keys + (at), (all).payload})
#endif

/* Places in arrays: without payloads in bytes, since a processor multiplies an index by 8 at
 * most. */
#if PAYLOAD_SIZE
#define UNIT 1
#else
#define UNIT sizeof(stored_key_t)
#endif
#define KEY_AT(arrays, at)                                       \
    ((__global stored_key_t *)((__global uchar *)(arrays).keys + \
                               (at) * (sizeof(stored_key_t) / UNIT)))

/* Whether the second of two keys is less than the first. Both are loaded before they are
 * compared: of loads behind them, `||` and `&&` make branches. */
CLSORT_INLINE ulong second_is_less(struct arrays arrays, ulong first, ulong second)
{
    const stored_key_t a = *KEY_AT(arrays, first);
    const stored_key_t b = *KEY_AT(arrays, second);
    return PRIVATE_LESS(b, a);
}

CLSORT_INLINE void item_place(struct arrays from, ulong at, struct arrays to, ulong to_at,
                              int moves_keys)
{
    if (moves_keys)
        *KEY_AT(to, to_at) = *KEY_AT(from, at);
    if (PAYLOAD_SIZE)
        to.payload[to_at] = from.payload[at];
}

/* What is left of the two runs of a merge, and of the output. */
struct bidirectional_merge {
    ulong first, first_end;
    ulong second, second_end;
    ulong to, to_end;
};

/* Places the least item that is left. It may write two places, so two items must be left. */
CLSORT_INLINE void merge_front(struct arrays from, struct arrays to,
                               struct bidirectional_merge *left, int moves_keys)
{
    const ulong by_second = second_is_less(from, left->first, left->second) * UNIT;
    const ulong by_first = UNIT - by_second;
    if (sizeof(stored_key_t) > WRITES_BOTH_MAX) {
        item_place(from, by_second ? left->second : left->first, to, left->to, moves_keys);
    } else {
        item_place(from, left->first, to, left->to + by_second, moves_keys);
        item_place(from, left->second, to, left->to + by_first, moves_keys);
    }
    left->first += by_first;
    left->second += by_second;
    left->to += UNIT;
}

/* Places the greatest. */
CLSORT_INLINE void merge_back(struct arrays from, struct arrays to,
                              struct bidirectional_merge *left, int moves_keys)
{
    const ulong first = left->first_end - UNIT;
    const ulong second = left->second_end - UNIT;
    const ulong by_first = second_is_less(from, first, second) * UNIT;
    const ulong by_second = UNIT - by_first;
    left->to_end -= UNIT;
    if (sizeof(stored_key_t) > WRITES_BOTH_MAX) {
        item_place(from, by_first ? first : second, to, left->to_end, moves_keys);
    } else {
        item_place(from, first, to, left->to_end - by_second, moves_keys);
        item_place(from, second, to, left->to_end - by_first, moves_keys);
    }
    left->first_end -= by_first;
    left->second_end -= by_second;
}

/* Steps from the front, and as many from the back, after which neither run has ended, whichever
 * of them the items come from: whatever the comparison says, no item is placed twice. */
CLSORT_INLINE ulong steps_left(const struct bidirectional_merge *left)
{
    return min(left->first_end - left->first, left->second_end - left->second) / (2 * UNIT);
}

CLSORT_INLINE void merge_by_two(struct arrays from, struct arrays to,
                                struct bidirectional_merge left, int moves_keys)
{
    for (ulong steps = steps_left(&left); steps > 0; steps = steps_left(&left)) {
        for (ulong i = 0; i < steps; ++i) {
            merge_front(from, to, &left, moves_keys);
            merge_back(from, to, &left, moves_keys);
        }
    }
    while (left.first < left.first_end && left.second < left.second_end)
        merge_front(from, to, &left, moves_keys);
    for (; left.first < left.first_end; left.first += UNIT, left.to += UNIT)
        item_place(from, left.first, to, left.to, moves_keys);
    for (; left.second < left.second_end; left.second += UNIT, left.to += UNIT)
        item_place(from, left.second, to, left.to, moves_keys);
}

/* Merges items [first, first_end) and [second, second_end) to items from to_begin on. For any
 * comparison the result is a permutation. */
static __attribute__((noinline)) void runs_merge(struct arrays from, ulong first, ulong first_end,
                                                 ulong second, ulong second_end, struct arrays to,
                                                 ulong to_begin, int moves_keys)
{
    const ulong count = (first_end - first) + (second_end - second);
    struct bidirectional_merge low = {first * UNIT,    first_end * UNIT,
                                      second * UNIT,   second_end * UNIT,
                                      to_begin * UNIT, (to_begin + count) * UNIT};
    if (count >= SPLIT_MERGE_MIN) {
        struct bidirectional_merge high = low;
        const ulong cut = count / 2;
        const ulong from_first = merge_cut(from.keys, first, first_end, second, second_end, cut);
        low.first_end = high.first = (first + from_first) * UNIT;
        low.second_end = high.second = (second + (cut - from_first)) * UNIT;
        low.to_end = high.to = (to_begin + cut) * UNIT;
        for (;;) {
            const ulong steps = min(steps_left(&low), steps_left(&high));
            if (steps == 0)
                break;
            for (ulong i = 0; i < steps; ++i) {
                merge_front(from, to, &low, moves_keys);
                merge_back(from, to, &low, moves_keys);
                merge_front(from, to, &high, moves_keys);
                merge_back(from, to, &high, moves_keys);
            }
        }
        merge_by_two(from, to, high, moves_keys);
    }
    merge_by_two(from, to, low, moves_keys);
}

#endif
