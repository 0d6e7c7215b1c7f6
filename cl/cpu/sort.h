/* sort.h: one work-item sorts items in its cache, stably, from the lowest digit up; numbers by
 * vectors (vectors.h), where the processor has those.
 *
 * The top log2(count) + 4 bits of the range tell nearly all items apart, so lower digits are
 * left out. The few neighbours that agree in the upper bits are then sorted by insertion (the
 * idea of leaving low digits out: LearnedSort, and "spreadsort", S. Ross 2002). If many agree,
 * all bits are sorted by after all: by vectors (joined.h), or by digits. So the work is bounded
 * by twice the digits of the range, whatever the input. */
#ifndef CLSORT_CPU_SORT_H
#define CLSORT_CPU_SORT_H

#include "cpu/rank.h"
#include "cpu/vectors.h"

/* Joined items are sorted faster by their ranks up to about 20 (EPYC with AVX-512). */
#define RANKED_MAX (VECTORS_OF_ITEMS ? 0 : VECTORS_OF_JOINED ? 20 : RANK_SORT_MAX)

/* None of the numbers is tuning, since the host sorts by this code, without a row of tuning. */
#define DIGITS (1u << RADIX_BITS)
#define EXTRA_BITS 4      /* above log2(count): 1 of 16 random items agrees with another in these */
#define AGREEING_ONE_IN 8 /* items that agree are few up to this fraction, 1/8 */
#define INSERTION_SORT_MAX 32

/* One digit of the items' keys minus `low`. */
#define DIGIT_OF(item, low, shift, mask) ((uint)((ITEM_RADIX(item) - (low)) >> (shift)) & (mask))

/* Moves items to the order of one digit. Returns 0, and moves none, if all have the same digit. */
CLSORT_INLINE int digit_move(__global const ITEM *from, __global ITEM *to, uint count, key_t low,
                             uint shift, uint mask)
{
    uint offsets[DIGITS]; /* counts first */
    for (uint j = 0; j <= mask; ++j)
        offsets[j] = 0;
    for (uint i = 0; i < count; ++i)
        offsets[DIGIT_OF(from[i], low, shift, mask)] += 1;
    if (offsets[DIGIT_OF(from[0], low, shift, mask)] == count)
        return 0;
    uint sum = 0;
    for (uint j = 0; j <= mask; ++j) {
        const uint size = offsets[j];
        offsets[j] = sum;
        sum += size;
    }
    for (uint j = 0; j < count; ++j) {
        const ITEM item = from[j];
        to[offsets[DIGIT_OF(item, low, shift, mask)]++] = item;
    }
    return 1;
}

/* Sorts by the num_bits bits from first_bit on of (radix - low), in digits of at most digit_bits
 * bits. Returns whether the result lies in `other` instead of `items`. */
CPU_CALLED int digits_sort(__global ITEM *items, __global ITEM *other, uint count, key_t low,
                           uint first_bit, uint num_bits, uint digit_bits)
{
    int in_other = 0;
    const uint num_digits = (num_bits + digit_bits - 1) / digit_bits;
    const uint width = num_digits ? (num_bits + num_digits - 1) / num_digits : 0;
    for (uint digit = 0; digit < num_digits; ++digit)
        in_other ^= digit_move(in_other ? other : items, in_other ? items : other, count, low,
                               first_bit + digit * width, (1u << width) - 1);
    return in_other;
}

CPU_CALLED void insertion_sort(__global ITEM *items, uint begin, uint end)
{
    for (uint i = begin + 1; i < end; ++i) {
        const ITEM item = items[i];
        uint at = i;
        for (; at > begin && ITEM_KEY_LESS(item, items[at - 1]); --at)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

#define AGREE(items, i) \
    ((ITEM_RADIX(items[i]) - low) >> shift == (ITEM_RADIX(items[(i)-1]) - low) >> shift)
#define UNSETTLED(items, i) (AGREE(items, i) & (ITEM_RADIX(items[i]) != ITEM_RADIX(items[(i)-1])))

/* Items in order by the bits from `shift` up: those that agree in them are put in order by the
 * lower ones. They are few. */
CPU_CALLED void settle_few(__global ITEM *items, __global ITEM *other, uint count, key_t low,
                           uint shift, uint digit_bits)
{
    for (uint first = 1; first < count;) {
        const uint last = first + min(count - first, 16u);
        uint unsettled = 0;
        for (uint i = first; i < last; ++i) /* of vectors: nearly always none */
            unsettled |= UNSETTLED(items, i);
        uint next = last;
        for (uint i = first; i < last && unsettled; ++i) {
            if (!UNSETTLED(items, i))
                continue;
            uint begin = i - 1;
            while (begin > 0 && AGREE(items, begin))
                --begin;
            while (i + 1 < count && AGREE(items, i + 1))
                ++i;
            if (i + 1 - begin <= INSERTION_SORT_MAX) {
                insertion_sort(items, begin, i + 1);
            } else if (digits_sort(items + begin, other, i + 1 - begin, low, 0, shift,
                                   min(digit_bits, 8u))) {
                for (uint j = 0; j < i + 1 - begin; ++j)
                    items[begin + j] = other[j];
            }
            next = max(last, i + 1);
        }
        first = next;
    }
}

/* Whether no two neighbours show a direction, DESCENDING or ASCENDING. Random keys soon do. */
CLSORT_INLINE int items_lack(__global const ITEM *items, ulong count, uint direction)
{
    ulong i = 1;
    while (i < count && !(MONOTONICITY(ITEM_RADIX(items[i - 1]), ITEM_RADIX(items[i])) & direction))
        ++i;
    return i >= count;
}

CPU_CALLED void items_reverse(__global ITEM *items, ulong count)
{
    for (ulong i = 0; i < count / 2; ++i) {
        const ITEM item = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = item;
    }
}

/* The smallest key and the largest: a loop of which LLVM 14 makes vectors. When it compared
 * neighbours too, PoCL's sorts of keys took 13 % more time. */
CLSORT_INLINE void items_range(__global const ITEM *items, ulong count, key_t *lowest,
                               key_t *highest)
{
    key_t low = ITEM_RADIX(items[0]);
    key_t high = low;
    for (ulong i = 1; i < count; ++i) {
        const key_t radix = ITEM_RADIX(items[i]);
        low = radix < low ? radix : low;
        high = radix > high ? radix : high;
    }
    *lowest = low;
    *highest = high;
}

CLSORT_INLINE uint digit_bits_of(uint count)
{
    return min(max(32 - clz(count - 1) - 1, 4u), (uint)RADIX_BITS);
}

/* Sorts by all bits, where items agree in many upper ones. Returns whether the result lies in
 * `other`. */
#if VECTORS_OF_JOINED
/* The numbers fill the end of `other`: each is read before an item is written over it. */
CLSORT_INLINE int items_sort_whole(__global const ITEM *items, __global ITEM *other, uint count,
                                   key_t low, uint range_bits)
{
    __global lane_t *numbers = (__global lane_t *)(other + count) - count;
    const uint place_bits = JOINED_PLACE_BITS(count);
    const uint num_left_out = joined_make(items, numbers, count, low, range_bits, place_bits);
    NUMBERS_SORT(numbers, count);
    joined_settle(items, numbers, count, low, num_left_out, place_bits);
    for (uint i = 0; i < count; ++i)
        other[i] = items[numbers[i] & JOINED_PLACES(place_bits)];
    return 1;
}
#else
CLSORT_INLINE int items_sort_whole(__global ITEM *items, __global ITEM *other, uint count,
                                   key_t low, uint range_bits)
{
    return digits_sort(items, other, count, low, 0, range_bits, digit_bits_of(count));
}
#endif

/* Sorts more than a few items by the digits that set them apart, and settles the few that agree
 * in those; or by all bits. Returns whether the result lies in `other`. */
CLSORT_INLINE int items_sort_upper(__global ITEM *items, __global ITEM *other, uint count,
                                   key_t low, uint range_bits)
{
    const uint digit_bits = digit_bits_of(count);
    const uint num_digits = (32 - clz(count - 1) + EXTRA_BITS + digit_bits - 1) / digit_bits;
    const uint wanted = num_digits * digit_bits;
    const uint shift = sub_sat(range_bits, wanted);
    if (shift > 0 && count <= JOINED_MAX)
        return items_sort_whole(items, other, count, low, range_bits);
    const int in_other =
        digits_sort(items, other, count, low, shift, range_bits - shift, digit_bits);
    if (shift == 0)
        return in_other;
    __global ITEM *sorted = in_other ? other : items;
    __global ITEM *spare = in_other ? items : other;
    uint num_unsettled = 0;
    for (uint i = 1; i < count; ++i)
        num_unsettled += UNSETTLED(sorted, i);
    if (num_unsettled > count / AGREEING_ONE_IN) /* from the top bits' order: still stable */
        return in_other ^ items_sort_whole(sorted, spare, count, low, range_bits);
    if (num_unsettled)
        settle_few(sorted, spare, count, low, shift, digit_bits);
    return in_other;
}

/* Sorts items that are not in order. Returns whether the result lies in `other`. */
#if VECTORS_OF_ITEMS
CLSORT_INLINE int items_sort_mixed(__global ITEM *items, __global ITEM *other, ulong count)
{
    (void)other; /* quicksort moves them in place, and needs no cache that holds them */
    sort_numbers(items, count);
    return 0;
}
#else
CLSORT_INLINE int items_sort_mixed(__global ITEM *items, __global ITEM *other, uint count)
{
    key_t low, high;
    items_range(items, count, &low, &high);
    return items_sort_upper(items, other, count, low, bits_of(high - low));
}
#endif

/* Sorts count items, 1 or more, with as much storage in `other`; what vectors sort in place needs
 * none and may be any number. Returns whether the result lies in `other`. */
CPU_CALLED int items_sort(__global ITEM *items, __global ITEM *other, ulong count)
{
    if (RANKED_MAX && count <= RANKED_MAX) {
        rank_few(items, other, count);
        return 1;
    }
    if (items_lack(items, count, DESCENDING))
        return 0;
    if (items_lack(items, count, ASCENDING)) {
        items_reverse(items, count);
        return 0;
    }
    return items_sort_mixed(items, other, count);
}

/* Sorts items that fit in the cache, by vectors any number, and writes them. */
CPU_CALLED void bucket_sort(__global ITEM *items, __global ITEM *spare, ulong count,
                            __global stored_key_t *keys, __global payload_t *payloads, uint flags)
{
    __global const ITEM *sorted = count && items_sort(items, spare, count) ? spare : items;
    for (ulong i = 0; i < count; ++i)
        item_store(keys, payloads, i, sorted[i], flags);
}

#endif
