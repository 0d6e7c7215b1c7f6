/* cpu_sort.h: sorting by one work-item, in its cache: stable, by digits from the lowest of those
 * that matter.
 *
 * A few bits more than the number of items has set nearly all items apart, so digits below the top
 * log2(count) + 4 bits of the range are left out, and the few neighbours that agree in the upper
 * bits are put in order by insertion. (The idea of leaving the low digits out: LearnedSort and
 * "spreadsort", S. Ross 2002.) Where many agree, all digits are sorted by after all, so the work
 * is bounded: twice the digits of the range, whatever the input. */
#ifndef CLSORT_CPU_SORT_H
#define CLSORT_CPU_SORT_H

#include "cpu_cells.h"

#define DIGITS (1u << RADIX_BITS)
#define AT_ONCE 4    /* digits counted in one reading */
#define SLACK_BITS 4 /* 1/16 of random items agree with another one in the upper bits */
#define FEW_AGREE 8  /* up to one in so many is few */
#define INSERTION_MAX 32
#define FEW 16 /* sorted by rank: 2.5 times as fast as by insertion */

#define GAVE_UP (-1)
#define STORED_AT_ONCE 16

/* How many of count items will agree with another one in digits of which each value has as many items
 * as counts says, if the digits are independent of each other. */
CLSORT_INLINE float expect_agreeing(uint (*counts)[DIGITS], uint num_digits, uint mask, uint count)
{
    float expected = (float)count * (float)count;
    for (uint i = 0; i < num_digits; ++i) {
        ulong squares = 0;
        for (uint j = 0; j <= mask; ++j)
            squares += (ulong)counts[i][j] * counts[i][j];
        expected *= (float)squares / ((float)count * (float)count);
    }
    return expected;
}

/* Sorts by the num_bits bits from first_bit on of (radix - low), in digits of at most digit_bits
 * bits. Returns whether the result lies in `other` instead of `items`. May give up, without having
 * moved anything, where more than max_agreeing items are to be expected to agree in these bits. */
CPU_CALLED int digits_sort(__global ITEM *items, __global ITEM *other, uint count, key_t low,
                           uint first_bit, uint num_bits, uint digit_bits, float max_agreeing)
{
    uint places[AT_ONCE][DIGITS];
    int in_other = 0;
    const uint num_digits = (num_bits + digit_bits - 1) / digit_bits;
    const uint width = num_digits ? (num_bits + num_digits - 1) / num_digits : 0;
    const uint mask = (1u << width) - 1;
    for (uint digit = 0; digit < num_digits; digit += AT_ONCE) {
        const uint num = min(num_digits - digit, (uint)AT_ONCE);
        const uint shift = first_bit + digit * width;
        __global const ITEM *all = in_other ? other : items;
        for (uint i = 0; i < num; ++i)
            for (uint j = 0; j <= mask; ++j)
                places[i][j] = 0;
        if (num == 1) {
            for (uint i = 0; i < count; ++i)
                places[0][(uint)((ITEM_RADIX(all[i]) - low) >> shift) & mask] += 1;
        } else if (num == 2) {
            for (uint i = 0; i < count; ++i) {
                const key_t radix = (ITEM_RADIX(all[i]) - low) >> shift;
                places[0][(uint)radix & mask] += 1;
                places[1][(uint)(radix >> width) & mask] += 1;
            }
        } else {
            for (uint i = 0; i < count; ++i) {
                const key_t radix = (ITEM_RADIX(all[i]) - low) >> shift;
                places[0][(uint)radix & mask] += 1;
                places[1][(uint)(radix >> width) & mask] += 1;
                places[2][(uint)(radix >> 2 * width) & mask] += 1;
                if (num == AT_ONCE)
                    places[3][(uint)(radix >> 3 * width) & mask] += 1;
            }
        }
        if (max_agreeing > 0 && num == num_digits &&
            expect_agreeing(places, num, mask, count) > max_agreeing)
            return GAVE_UP;
        for (uint i = 0; i < num; ++i) {
            __global const ITEM *from = in_other ? other : items;
            __global ITEM *to = in_other ? items : other;
            const uint down = shift + i * width;
            if (places[i][(uint)((ITEM_RADIX(from[0]) - low) >> down) & mask] == count)
                continue; /* one digit for all */
            uint sum = 0;
            for (uint j = 0; j <= mask; ++j) {
                const uint size = places[i][j];
                places[i][j] = sum;
                sum += size;
            }
            for (uint j = 0; j < count; ++j) {
                const ITEM item = from[j];
                to[places[i][(uint)((ITEM_RADIX(item) - low) >> down) & mask]++] = item;
            }
            in_other = !in_other;
        }
    }
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

/* A few items by the place that each one's smaller ones leave it: no branch depends on a key. */
CPU_CALLED void rank_few(__global ITEM *items, uint count)
{
    key_t radixes[FEW];
    uint places[FEW];
    ITEM copies[FEW];
    for (uint i = 0; i < FEW; ++i) {
        copies[i] = items[i < count ? i : 0];
        radixes[i] = i < count ? ITEM_RADIX(copies[i]) : ~(key_t)0;
        places[i] = 0;
    }
    for (uint j = 0; j < count; ++j) {
        const key_t other = radixes[j];
        for (uint i = 0; i < FEW; ++i) /* of vectors; an equal key in front counts as smaller */
            places[i] += j < i ? other <= radixes[i] : other < radixes[i];
    }
    for (uint i = 0; i < count; ++i)
        items[places[i]] = copies[i];
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
        const uint last = min(first + 16, count);
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
            if (i + 1 - begin <= INSERTION_MAX) {
                insertion_sort(items, begin, i + 1);
            } else if (digits_sort(items + begin, other, i + 1 - begin, low, 0, shift,
                                   min(digit_bits, 8u), 0)) {
                for (uint j = 0; j < i + 1 - begin; ++j)
                    items[begin + j] = other[j];
            }
            next = max(last, i + 1);
        }
        first = next;
    }
}

/* Sorts count items, 1 or more, with as much room in `other`. Returns whether the result lies there.
 */
CPU_CALLED int items_sort(__global ITEM *items, __global ITEM *other, uint count)
{
    key_t low = ITEM_RADIX(items[0]);
    key_t high = low;
    uint directions = 0;
    for (uint i = 1; i < count; ++i) {
        const key_t radix = ITEM_RADIX(items[i]);
        low = radix < low ? radix : low;
        high = radix > high ? radix : high;
        directions |= DIRECTION(ITEM_RADIX(items[i - 1]), radix);
    }
    if (!(directions & GOES_DOWN))
        return 0;
    if (!(directions & GOES_UP)) {
        for (uint i = 0; i < count; ++i)
            other[i] = items[count - 1 - i];
        return 1;
    }
    if (count <= FEW) {
        rank_few(items, count);
        return 0;
    }
    const uint count_bits = 32 - clz(count - 1);
    const uint range_bits = bits_of(high - low);
    const uint digit_bits = min(max(count_bits - 1, 4u), (uint)RADIX_BITS);
    const uint num_digits = (count_bits + SLACK_BITS + digit_bits - 1) / digit_bits;
    const uint wanted = num_digits * digit_bits;
    const uint shift = sub_sat(range_bits, wanted);
    const int in_other = digits_sort(items, other, count, low, shift, range_bits - shift,
                                     digit_bits, shift == 0 ? 0 : (float)count / FEW_AGREE);
    if (in_other == GAVE_UP)
        return digits_sort(items, other, count, low, 0, range_bits, digit_bits, 0);
    if (shift == 0)
        return in_other;
    __global ITEM *sorted = in_other ? other : items;
    __global ITEM *spare = in_other ? items : other;
    uint num_unsettled = 0;
    for (uint i = 1; i < count; ++i)
        num_unsettled += UNSETTLED(sorted, i);
    if (num_unsettled > count / FEW_AGREE) /* from the top bits' order: still stable */
        return in_other ^ digits_sort(sorted, spare, count, low, 0, range_bits, digit_bits, 0);
    if (num_unsettled)
        settle_few(sorted, spare, count, low, shift, digit_bits);
    return in_other;
}

/* The same for more items than fit in the cache, without a second array of items: from items to the
 * output, where keys and payloads lie apart, and back, an odd number of times. */
CPU_CALLED void items_sort_long(__global ITEM *items, ulong count, __global stored_key_t *keys,
                                __global payload_t *payloads, uint flags)
{
    ulong places[DIGITS];
    key_t low = ITEM_RADIX(items[0]);
    key_t high = low;
    uint directions = 0;
    for (ulong i = 1; i < count; ++i) {
        const key_t radix = ITEM_RADIX(items[i]);
        low = radix < low ? radix : low;
        high = radix > high ? radix : high;
        directions |= DIRECTION(ITEM_RADIX(items[i - 1]), radix);
    }
    if (!(directions & GOES_DOWN)) {
        for (ulong i = 0; i < count; ++i)
            item_store(keys, payloads, i, items[i], flags);
        return;
    }
    const uint range_bits = bits_of(high - low);
    const uint num_digits = ((range_bits + RADIX_BITS - 1) / RADIX_BITS) | 1;
    const uint width = (range_bits + num_digits - 1) / num_digits;
    const uint mask = (1u << width) - 1;
    for (uint digit = 0; digit < num_digits; ++digit) {
        const uint shift = digit * width;
        for (uint j = 0; j <= mask; ++j)
            places[j] = 0;
        if (digit % 2 == 0) {
            for (ulong i = 0; i < count; ++i)
                places[(uint)((ITEM_RADIX(items[i]) - low) >> shift) & mask] += 1;
        } else {
            for (ulong i = 0; i < count; ++i)
                places[(uint)((RADIX_AT(keys, i) - low) >> shift) & mask] += 1;
        }
        ulong sum = 0;
        for (uint j = 0; j <= mask; ++j) {
            const ulong size = places[j];
            places[j] = sum;
            sum += size;
        }
        for (ulong i = 0; i < count; ++i) {
            const ITEM item = digit % 2 == 0
                                  ? items[i]
                                  : item_load(keys, payloads, i, i, flags & ~FLAG_MAKE_INDEX);
            const ulong at = places[(uint)((ITEM_RADIX(item) - low) >> shift) & mask]++;
            if (digit % 2 == 0)
                item_store(keys, payloads, at, item, flags | FLAG_STORE_KEYS | FLAG_STORE_PAYLOAD);
            else
                items[at] = item;
        }
    }
}

/* Writes items to the output, sixteen at a time: all of them are read before one is written, so that
 * compilers can take vectors for them. */
CLSORT_INLINE void items_store(__global stored_key_t *keys, __global payload_t *payloads,
                               __global const ITEM *items, uint count, uint flags)
{
    ITEM own[STORED_AT_ONCE];
    uint first = 0;
    for (; count - first >= STORED_AT_ONCE; first += STORED_AT_ONCE) {
        for (uint i = 0; i < STORED_AT_ONCE; ++i)
            own[i] = items[first + i];
        for (uint i = 0; i < STORED_AT_ONCE; ++i)
            item_store(keys + first, payloads + first, i, own[i], flags);
    }
    for (; first < count; ++first)
        item_store(keys, payloads, first, items[first], flags);
}

#endif
