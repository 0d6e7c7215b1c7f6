/* serial_merge.h: merge sort by one work-item: runs of eight by a network in registers, then merges
 * between two arrays in the cache. Comparisons decide no branch.
 *
 * A merge is two chains at once, from the front to the middle and from the middle to the end (the
 * middle found by merge path): each step of a chain waits for the comparison before it, and a
 * processor can wait for two in the time of one. */
#ifndef CLSORT_SERIAL_MERGE_H
#define CLSORT_SERIAL_MERGE_H

#include "merge.h"

#define RUN 8

/* Puts up to RUN neighbours in order: odd-even transposition, which never moves an item past an equal
 * one. */
CLSORT_INLINE void run_sort(__global ITEM *items, uint count)
{
    ITEM own[RUN];
    for (uint i = 0; i < RUN; ++i)
        own[i] = items[min(i, count - 1)];
    for (uint round = 0; round < RUN; ++round) {
        for (uint i = round % 2; i + 1 < RUN; i += 2) {
            const int swap = (i + 1 < count) & ITEM_KEY_LESS(own[i + 1], own[i]);
            const ITEM low = swap ? own[i + 1] : own[i];
            own[i + 1] = swap ? own[i] : own[i + 1];
            own[i] = low;
        }
    }
    for (uint i = 0; i < count; ++i)
        items[i] = own[i];
}

/* One chain of a merge: what is left of its parts of both runs. */
struct chain {
    uint first, first_end;
    uint second, second_end;
};

/* Where the next item lies; reads, but does not use, one item behind either part. */
CLSORT_INLINE uint chain_next(__global const ITEM *items, struct chain *chain)
{
    const uint first = chain->first;
    const uint second = chain->second;
    const int take_second =
        (second < chain->second_end) &
        ((first >= chain->first_end) | ITEM_KEY_LESS(items[second], items[first]));
    chain->first += !take_second;
    chain->second += take_second;
    return take_second ? second : first;
}

/* The middle of a merge of items [begin, middle) and [middle, end). */
CLSORT_INLINE uint chain_split(__global const ITEM *items, uint begin, uint middle, uint end,
                               uint diagonal)
{
    const uint second_size = end - middle;
    uint low = sub_sat(diagonal, second_size);
    uint high = min(diagonal, middle - begin);
    while (low < high) {
        const uint cut = (low + high) / 2;
        if (ITEM_KEY_LESS(items[middle + diagonal - 1 - cut], items[begin + cut]))
            high = cut;
        else
            low = cut + 1;
    }
    return low;
}

CLSORT_INLINE void runs_merge(__global const ITEM *items, __global ITEM *to, uint begin,
                              uint middle, uint end)
{
    const uint cut = (end - begin) / 2;
    const uint split = chain_split(items, begin, middle, end, cut);
    struct chain front = {begin, begin + split, middle, middle + (cut - split)};
    struct chain back = {front.first_end, middle, front.second_end, end};
    for (uint i = 0; i < cut; ++i) {
        to[begin + i] = items[chain_next(items, &front)];
        to[begin + cut + i] = items[chain_next(items, &back)];
    }
    if (begin + 2 * cut < end)
        to[end - 1] = items[chain_next(items, &back)];
}

/* Sorts count items, 1 or more, with as much room in `other`, both with an item to spare behind.
 * Returns whether the result lies in `other`. */
static __attribute__((noinline)) int merge_sort(__global ITEM *items, __global ITEM *other,
                                                uint count)
{
    int in_other = 0;
    for (uint begin = 0; begin < count; begin += RUN)
        run_sort(items + begin, min((uint)RUN, count - begin));
    for (uint run = RUN; run < count; run *= 2) {
        __global const ITEM *from = in_other ? other : items;
        __global ITEM *to = in_other ? items : other;
        for (uint begin = 0; begin < count; begin += 2 * run) {
            const uint middle = min(begin + run, count);
            const uint end = min(middle + run, count);
            runs_merge(from, to, begin, middle, end);
        }
        in_other = !in_other;
    }
    return in_other;
}

#endif
