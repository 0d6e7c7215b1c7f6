/* sort.h: strings sorted by one work-item.
 *
 * Idea: an item is a string's chunk at some depth and its index. Items are sorted as numbers
 * (cpu/sort.h); those whose chunks are the same are sorted again by the next one, and so on.
 * What all have in common is skipped first. So every byte is looked at a few times at most,
 * however long the strings are and however alike. The largest part of a sorted run is done last,
 * so at most log2(count) parts wait. */
#ifndef CLSORT_STRING_SORT_H
#define CLSORT_STRING_SORT_H

#include "strings/chunk.h"

#include "cpu/sort.h"

/* Not tuning: the optimum is flat, and the second is a bound. */
#define STRING_FEW 12   /* sorted by insertion */
#define STRING_WAITS 33 /* more than log2 of the most strings */

/* A sorted run: from `next` on its parts are still to be sorted, and [big, big_end) before. */
struct string_frame {
    ulong depth;
    uint next, end;
    uint big, big_end;
};

/* Loads the chunks of items [begin, end) at `depth`. */
CLSORT_INLINE void strings_load(const struct string_set *set, __global ITEM *items, uint begin,
                                uint end, ulong depth, ulong flip)
{
    for (uint i = begin; i < end; ++i) {
        struct string_span span;
        string_find(set, items[i].y, &span);
        items[i].x = string_chunk(set, &span, depth) ^ flip;
    }
}

CLSORT_INLINE int strings_same(__global const ITEM *items, uint begin, uint end)
{
    ulong differ = 0;
    for (uint i = begin + 1; i < end; ++i)
        differ |= items[i].x ^ items[begin].x;
    return differ == 0;
}

/* Items whose chunks at `depth` are loaded. */
CPU_CALLED void strings_sort_few(const struct string_set *set, __global ITEM *items, uint begin,
                                 uint end, ulong depth, ulong flip)
{
    for (uint i = begin + 1; i < end; ++i) {
        const ITEM item = items[i];
        struct string_span own, before;
        string_find(set, item.y, &own);
        uint at = i;
        for (; at > begin && item.x <= items[at - 1].x; --at) {
            if (item.x == items[at - 1].x) {
                if (!CHUNK_GOES_ON(item.x ^ flip))
                    break;
                string_find(set, items[at - 1].y, &before);
                if (flip ? !string_less(set, &before, &own, depth + CHUNK_BYTES)
                         : !string_less(set, &own, &before, depth + CHUNK_BYTES))
                    break;
            }
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

/* In how many bytes all of [begin, end) agree, which is more than `depth`. */
CPU_CALLED ulong strings_agree(const struct string_set *set, __global const ITEM *items, uint begin,
                               uint end, ulong depth)
{
    struct string_span first, span;
    ulong agreed = ~0ul;
    string_find(set, items[begin].y, &first);
    for (uint i = begin + 1; i < end && agreed > depth; ++i) {
        string_find(set, items[i].y, &span);
        agreed = string_agree(set, &first, &span, depth, agreed);
    }
    return agreed;
}

/* Sorts items [begin, end) by their chunks, loaded at *depth, which is moved to where they
 * differ. Returns whether some may still have to be told apart by deeper ones. */
CPU_CALLED int strings_sort_once(const struct string_set *set, __global ITEM *items,
                                 __global ITEM *other, uint begin, uint end, ulong *depth,
                                 ulong flip)
{
    if (end - begin <= STRING_FEW) {
        strings_sort_few(set, items, begin, end, *depth, flip);
        return 0;
    }
    if (strings_same(items, begin, end)) {
        if (!CHUNK_GOES_ON(items[begin].x ^ flip))
            return 0;
        *depth = strings_agree(set, items, begin, end, *depth + CHUNK_BYTES);
        strings_load(set, items, begin, end, *depth, flip);
        if (strings_same(items, begin, end))
            return 0; /* all agree and end */
    }
    if (items_sort(items + begin, other + begin, end - begin))
        for (uint i = begin; i < end; ++i)
            items[i] = other[i];
    return 1;
}

/* The next part of a sorted run that is still to be sorted, [*begin_ret, *end_ret). Returns 0 if
 * there is none. */
CLSORT_INLINE int strings_next(__global const ITEM *items, struct string_frame *frame, ulong flip,
                               uint *begin_ret, uint *end_ret)
{
    while (frame->next < frame->end) {
        const uint begin = frame->next;
        const ulong chunk = items[begin].x;
        uint end = begin + 1;
        while (end < frame->end && items[end].x == chunk)
            ++end;
        frame->next = end;
        if (end - begin == 1 || !CHUNK_GOES_ON(chunk ^ flip))
            continue;
        const int larger = end - begin > frame->big_end - frame->big;
        *begin_ret = larger ? frame->big : begin;
        *end_ret = larger ? frame->big_end : end;
        frame->big = larger ? begin : frame->big;
        frame->big_end = larger ? end : frame->big_end;
        if (*begin_ret < *end_ret)
            return 1;
    }
    return 0;
}

/* Sorts count items by the strings that they are indices of, which agree in `depth` bytes and whose
 * chunks there are loaded; stable. flip: all ones for descending. As much room in `other`. */
CPU_CALLED void strings_sort(const struct string_set *set, __global ITEM *items,
                             __global ITEM *other, uint count, ulong depth, ulong flip)
{
    struct string_frame frames[STRING_WAITS];
    uint num = 0;
    uint begin = 0;
    uint end = count;
    for (;;) {
        if (strings_sort_once(set, items, other, begin, end, &depth, flip)) {
            const struct string_frame sorted = {depth + CHUNK_BYTES, begin, end, begin, begin};
            frames[num++] = sorted;
        }
        int found = 0;
        while (num > 0 && !found) {
            struct string_frame *frame = &frames[num - 1];
            depth = frame->depth;
            found = strings_next(items, frame, flip, &begin, &end);
            if (!found) {
                begin = frame->big;
                end = frame->big_end;
                found = begin < end;
                num -= 1;
            }
        }
        if (!found)
            return;
        strings_load(set, items, begin, end, depth, flip);
    }
}

#endif
