/* list_digits.h: where every digit of a segment begins, and what becomes of the segment and of its
 * digits' elements (digits.h).
 *
 * Idea: the blocks add their counts to the segment's totals. The last work-group to do so scans the
 * totals, and writes the lists for later steps. A launch of its own would take five microseconds a
 * level, even on levels that have nothing to do. */
#ifndef CLSORT_LIST_DIGITS_H
#define CLSORT_LIST_DIGITS_H

#include "sorts/partition/digits.h"
#include "group/scan.h"
#include "device/barrier.h"

#if !SPLITTERS

struct digits_begins {
    uint begin[PARTITION_BUCKETS + 1]; /* element of the segment where a digit's begin */
    uint is_one;                       /* all elements have one digit */
    uint dominant; /* the most frequent digit, and its share from bit 16 on; 0: none is frequent */
    uint number[PARTITION_BUCKETS]; /* of the digit's segment; NO_SEGMENT: it is none */
};
#define NO_SEGMENT 0xffffffffu

struct digits_action {
    int moves;      /* elements are scattered */
    int fills;      /* their values are written instead */
    int is_ordered; /* the first level: the array was in order before */
    uint bits;      /* in which a digit's elements differ still */
    uint place;     /* where they lie afterwards */
};

/* Loads how many elements each digit has to begin[], and sees whether all have one digit. Ends with
 * a barrier. */
CLSORT_INLINE void digits_load_totals(__local struct digits_begins *digits, __global uint *totals,
                                      uint radix, uint size)
{
    const uint me = get_local_id(0);
    digits->is_one = 0;           /* by all: see group/merge_local.h */
    barrier(CLK_LOCAL_MEM_FENCE); /* it is 0 */
    GROUP_LOOP(digit, 0, radix) {
        const uint total = device_load_relaxed(&totals[digit]);
        digits->begin[digit] = total;
        if (total == size)
            digits->is_one = 1;
    }
    if (me == 0)
        digits->begin[radix] = size;
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there */
}

/* Keys without payload, sorted by all their bits: equal ones are the same. */
#define DIGITS_SAME (PAYLOAD_SIZE == 0 && q->num_bits == KEY_BITS)

CLSORT_INLINE void digits_decide(const struct partition_params *q,
                                 const struct partition_segment *segment, uint shift, int is_one,
                                 struct digits_action *action)
{
    const ulong below = segment->differing & ((1ul << shift) - 1);
    action->bits = 64 - (uint)clz(below);
    action->is_ordered = q->level == 0 && !segment->falls;
    action->fills = !action->is_ordered && DIGITS_SAME && action->bits == 0 && !is_one;
    action->moves = !action->is_ordered && !action->fills && !is_one;
    action->place = action->moves   ? PLACE_NEXT(segment->place)
                    : action->fills ? PLACE_OUT
                                    : segment->place;
}

#define DIGITS_DOMINANT_SHARE 8 /* one in 8 is many */

/* The smallest key that those of a digit can be: what a segment's keys agree in, and the digit. */
CLSORT_INLINE ulong digits_low(const struct partition_segment *segment, uint shift, uint digit,
                               uint bits)
{
    const ulong known = segment->bits >= 64 ? 0 : segment->first >> segment->bits << segment->bits;
    const ulong below = segment->first & ((1ul << shift) - 1);
    return known | (ulong)digit << shift | (bits >= 64 ? 0 : below >> bits << bits);
}

/* What becomes of the elements of a digit. */
#define DIGITS_SMALL 0u /* part of a leaf, with its neighbours */
#define DIGITS_ALONE 1u /* a leaf */
#define DIGITS_LARGE 2u /* a segment of the next level */

CLSORT_INLINE uint digits_size_class(const struct partition_params *q, uint size)
{
    /* Half of the room: then all small digits that begin in the same half leaf fit in one. */
    return size > q->leaf_size       ? DIGITS_LARGE
           : size > q->leaf_size / 2 ? DIGITS_ALONE
                                     : DIGITS_SMALL;
}

/* Lists leaves that copy what is in order, each of the plain size. They also make the index, if it
 * is not there yet. */
CLSORT_INLINE void digits_list_copies(const struct partition_params *q, __global void *scratch,
                                      const struct partition_segment *segment,
                                      const struct digits_action *action)
{
    const int makes_index = PAYLOAD_INDEX && action->place == PLACE_IN;
    const int is_out =
        action->place == PLACE_OUT || (action->place == PLACE_IN && (q->flags & FLAG_IN_PLACE));
    const uint size = segment->size;
    const uint num_copies = makes_index || !is_out ? (size + q->leaf_size - 1) / q->leaf_size : 0;
    GROUP_LOOP(i, 0, num_copies)
        digits_add_leaf(q, scratch, 0, segment->begin + i * q->leaf_size,
                        min(q->leaf_size, size - i * q->leaf_size), 0, action->place, LEAF_COPY);
}

/* A leaf of small digits that begin in the same half leaf, which the first of them writes. */
CLSORT_INLINE void digits_list_small(const struct partition_params *q, __global void *scratch,
                                     const struct partition_segment *segment, uint shift,
                                     const struct digits_action *action,
                                     __local const struct digits_begins *digits, uint digit)
{
    const uint radix = 1u << q->digit_bits, cell = q->leaf_size / 2;
    const uint begin = digits->begin[digit];
    if (digit > 0 && digits_size_class(q, begin - digits->begin[digit - 1]) == DIGITS_SMALL &&
        digits->begin[digit - 1] / cell == begin / cell)
        return;
    uint last = digit;
    uint last_end = digits->begin[digit + 1];
#pragma unroll 1
    while (last + 1 < radix && last_end / cell == begin / cell) {
        const uint next_end = digits->begin[last + 2];
        if (digits_size_class(q, next_end - last_end) != DIGITS_SMALL)
            break;
        ++last;
        last_end = next_end;
    }
    if (last_end == begin)
        return;
    const uint width = 32 - (uint)clz(last - digit); /* of the digits' numbers from the first */
    const uint bits = last == digit ? action->bits : shift;
    digits_add_leaf(q, scratch, digits_low(segment, shift, digit, bits), segment->begin + begin,
                    last_end - begin, last == digit ? action->bits : shift + width, action->place,
                    LEAF_SORT);
}

/* The lists of a segment, by all work-items of one group; but blocks' owners are left to
 * digits_list(). */
CLSORT_INLINE void digits_list_children(const struct partition_params *q, __global void *scratch,
                                        const struct partition_segment *segment, uint shift,
                                        const struct digits_action *action,
                                        __local struct digits_begins *digits)
{
    const uint radix = 1u << q->digit_bits;
    if (action->is_ordered || action->bits == 0) {
        digits_list_copies(q, scratch, segment, action);
        return;
    }
    GROUP_LOOP(digit, 0, radix) {
        const uint begin = segment->begin + digits->begin[digit];
        const uint size = digits->begin[digit + 1] - digits->begin[digit];
        const uint class = digits_size_class(q, size);
        const ulong low = digits_low(segment, shift, digit, action->bits);
        if (class == DIGITS_LARGE) {
            const uint number =
                partition_add_segment(q, scratch, begin, size, action->place, q->block_size);
            PARTITION_NEXT_SEGMENT(number)->bits = action->bits;
            digits->number[digit] = number;
        } else if (class == DIGITS_SMALL) {
            digits_list_small(q, scratch, segment, shift, action, digits, digit);
        } else if (size > 0) {
            digits_add_leaf(q, scratch, low, begin, size, action->bits, action->place, LEAF_SORT);
        }
    }
}

/* Writes elements [begin, end) of a segment whose keys are given by their digits, which begin where
 * the cursors say. */
CLSORT_INLINE void digits_fill(const struct partition_params *q, PARTITION_ARGS,
                               const struct partition_segment *segment, uint number, uint shift,
                               uint begin, uint end)
{
    __global const uint *begins = PARTITION_TABLE(uint, cursors) + (number << q->digit_bits);
    __global stored_key_t *keys = place_keys(q, PARTITION_BUFFERS, PLACE_OUT) + segment->begin;
    const ulong low = digits_low(segment, shift, 0, 0);
#pragma unroll 1
    for (uint at = begin + get_local_id(0); at < end; at += GROUP_SIZE) {
        uint digit = 0;
#pragma unroll 1
        for (uint step = PARTITION_BUCKETS / 2; step > 0; step /= 2)
            if (digit + step < 1u << q->digit_bits && begins[digit + step] <= at)
                digit += step;
        keys[at] = (stored_key_t)KEY_DECODE((key_t)(low | (ulong)digit << shift));
    }
}

struct digits_list_local {
    struct digits_begins digits;
    struct group_scan_local scan;
};

/* By all work-items of the group that has added the last counts, and knows of the others'. */
CLSORT_INLINE void digits_list(const struct partition_params *q, PARTITION_ARGS, uint number,
                               const struct partition_segment *segment,
                               __local struct digits_list_local *shared)
{
    const uint me = get_local_id(0);
    const uint radix = 1u << q->digit_bits;
    __global uint *totals = PARTITION_TABLE(uint, totals) + number * radix;
    __global struct partition_segment *listed = PARTITION_SEGMENT(number);
    GROUP_LOOP(digit, 0, radix)
        shared->digits.number[digit] = NO_SEGMENT;
    shared->digits.dominant = 0; /* by all: see group/merge_local.h */
    digits_load_totals(&shared->digits, totals, radix, segment->size);
    GROUP_LOOP(digit, 0, radix) {
        const uint count = shared->digits.begin[digit];
        if (count > segment->size / DIGITS_DOMINANT_SHARE)
            atomic_max(&shared->digits.dominant, count / (segment->size / 256 + 1) << 16 | digit);
    }
    group_scan_exclusive(&shared->scan, shared->digits.begin, radix);
    GROUP_LOOP(digit, 0, radix)
        PARTITION_TABLE(uint, cursors)[number * radix + digit] = shared->digits.begin[digit];
    __global uint *halves = (__global uint *)&listed->differing;
    struct partition_segment known = *segment;
    known.differing =
        (ulong)device_load_relaxed(&halves[1]) << 32 | device_load_relaxed(&halves[0]);
    known.falls = device_load_relaxed(&listed->falls);
    known.first = DIGITS_ORDER(place_keys(q, PARTITION_BUFFERS, segment->place)[segment->begin]);
    const uint shift = DIGITS_SHIFT(*segment);
    struct digits_action action;
    digits_decide(q, &known, shift, shared->digits.is_one, &action);
    digits_list_children(q, scratch, &known, shift, &action, &shared->digits);
    if (me == 0) {
        listed->first = known.first;
        listed->moves = action.moves;
        listed->fills = action.fills;
        listed->target = action.place;
        listed->dominant =
            shared->digits.dominant ? shared->digits.dominant & 0xffff : PARTITION_BUCKETS;
        listed->first_bucket = number * radix;
        listed->num_buckets = radix;
    }
    /* Segments are known, also their places in the list. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    WRITERS_LOOP(digit, radix)
        if (shared->digits.number[digit] != NO_SEGMENT)
            partition_own_blocks(q, scratch, shared->digits.number[digit]);
}

#endif

#endif
