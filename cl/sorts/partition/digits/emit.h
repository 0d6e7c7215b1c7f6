/* emit.h: what becomes of a segment and of its digits' elements (part.h). The group
 * that counts a segment's last block decides it, and writes the lists. */
#ifndef CLSORT_PART_EMIT_H
#define CLSORT_PART_EMIT_H

#include "sorts/partition/digits/part.h"
#include "device/barrier.h"

struct part_digits {
    uint begin[PART_RADIX + 1]; /* element of the segment where a digit's begin */
    uint is_one;                /* all elements have one digit */
    uint dominant; /* the most frequent digit, and its share from bit 16 on; 0: none is frequent */
    uint number[PART_RADIX]; /* of the digit's segment; NO_SEGMENT: it is none */
};
#define NO_SEGMENT 0xffffffffu

struct part_action {
    int moves;       /* elements are scattered */
    int fills;       /* their values are written instead */
    int is_ordered;  /* the first level: the array was in order before */
    int is_reversed; /* or in the reversed one */
    uint bits;       /* in which a digit's elements differ still */
    uint place;      /* where they lie afterwards */
};

/* Loads how many elements each digit has to begin[], and sees whether all have one digit. Ends with
 * a barrier. */
CLSORT_INLINE void part_begin_digits(__local struct part_digits *digits, __global uint *totals,
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
#define PART_SAME (PAYLOAD_SIZE == 0 && q->num_bits == KEY_BITS)

CLSORT_INLINE void part_decide(const struct part_params *q, const struct part_segment *segment,
                               const struct part_seen *seen, uint shift, int is_one,
                               struct part_action *action)
{
    const ulong below = seen->differing & ((1ul << shift) - 1);
    action->bits = 64 - (uint)clz(below);
    action->is_ordered = q->level == 0 && !(seen->directions & PART_DOWN);
    action->is_reversed = PART_OF_ARRAYS && !action->is_ordered && !(seen->directions & PART_UP) &&
                          (PART_SAME || !(seen->directions & PART_EQUAL));
    const int is_done = action->is_ordered || action->is_reversed;
    action->fills = !is_done && PART_SAME && action->bits == 0 && !is_one;
    action->moves = !is_done && !action->fills && !is_one;
    action->place = action->moves   ? PART_NEXT(segment->place)
                    : action->fills ? PART_OUT
                                    : segment->place;
}

/* The same as a number, for a table. */
#define PART_ACTION_MOVES 1u
#define PART_ACTION_FILLS 2u
#define PART_ACTION_PLACE 8 /* shift; a byte, since Oclgrind 21.10 misreads numbers of two bits */
#define PART_ACTION_DOMINANT \
    16 /* shift: a digit that many elements have; PART_RADIX if there is none */
#define PART_DOMINANT_SHARE 8 /* one in 8 is many */

/* The smallest key that those of a digit can be: what a segment's keys agree in, and the digit. */
CLSORT_INLINE ulong part_low(const struct part_segment *segment, const struct part_seen *seen,
                             uint shift, uint digit, uint bits)
{
    const ulong known = segment->bits >= 64 ? 0 : seen->first >> segment->bits << segment->bits;
    const ulong below = seen->first & ((1ul << shift) - 1);
    return known | (ulong)digit << shift | (bits >= 64 ? 0 : below >> bits << bits);
}

/* What becomes of the elements of a digit. */
#define PART_SMALL 0u /* part of a leaf, with its neighbours */
#define PART_ALONE 1u /* a leaf */
#define PART_LARGE 2u /* a segment of the next level */

CLSORT_INLINE uint part_size_class(const struct part_params *q, uint size)
{
    /* Half of the room: then all small digits that begin in the same half leaf fit in one. */
    return size > q->leaf_size ? PART_LARGE : size > q->leaf_size / 2 ? PART_ALONE : PART_SMALL;
}

CLSORT_INLINE void part_add_leaf(const struct part_params *q, __global void *scratch, uint number,
                                 ulong low, uint begin, uint size, uint bits, uint place)
{
    __global struct part_leaf *leaf = PART_TABLE(struct part_leaf, leaves) + number;
    leaf->low = low;
    leaf->begin = begin;
    leaf->size = size;
    leaf->bits = bits;
    leaf->place = place;
}

/* Returns the segment's number. */
CLSORT_INLINE uint part_add_segment(const struct part_params *q, __global void *scratch, ulong low,
                                    uint begin, uint size, uint bits, uint place)
{
    const uint num_blocks = (size + q->block_size - 1) / q->block_size;
    const uint number = atomic_inc(&PART_CONTROL->num_segments[q->level + 1]);
    const uint first = atomic_add(&PART_CONTROL->num_blocks[q->level + 1], num_blocks);
    __global struct part_segment *next = PART_TABLE(struct part_segment, next_segments) + number;
    next->low = low;
    next->begin = begin;
    next->size = size;
    next->bits = bits;
    next->place = place;
    next->first_block = first;
    next->num_blocks = num_blocks;
    return number;
}

/* Lists leaves that copy or reverse what is in order, each of the plain size. In place, a leaf
 * swaps two ends of the array. They also make the index, if it is not there yet, for the middle
 * element too. */
CLSORT_INLINE void part_emit_copies(const struct part_params *q, __global void *scratch,
                                    const struct part_segment *segment,
                                    const struct part_action *action)
{
    const int in_place =
        action->place == PART_OUT || (action->place == PART_IN && (q->flags & FLAG_IN_PLACE));
    const int makes_index = PAYLOAD_INDEX && action->place == PART_IN;
    const int is_out = !makes_index && in_place;
    const uint size = action->is_reversed && in_place ? (segment->size + 1) / 2 : segment->size;
    const uint num_copies =
        action->is_reversed || !is_out ? (size + q->leaf_size - 1) / q->leaf_size : 0;
    GROUP_LOOP(i, 0, num_copies)
        part_add_leaf(q, scratch, atomic_inc(&PART_CONTROL->num_leaves), 0,
                      segment->begin + i * q->leaf_size, min(q->leaf_size, size - i * q->leaf_size),
                      0, action->place | (action->is_reversed ? PART_REVERSE : PART_COPY));
}

/* A leaf of small digits that begin in the same half leaf, which the first of them writes. */
CLSORT_INLINE void part_emit_small(const struct part_params *q, __global void *scratch,
                                   const struct part_segment *segment, const struct part_seen *seen,
                                   uint shift, const struct part_action *action,
                                   __local const struct part_digits *digits, uint digit)
{
    const uint radix = 1u << q->digit_bits, cell = q->leaf_size / 2;
    const uint begin = digits->begin[digit];
    if (digit > 0 && part_size_class(q, begin - digits->begin[digit - 1]) == PART_SMALL &&
        digits->begin[digit - 1] / cell == begin / cell)
        return;
    uint last = digit;
    uint last_end = digits->begin[digit + 1];
#pragma unroll 1
    while (last + 1 < radix && last_end / cell == begin / cell) {
        const uint next_end = digits->begin[last + 2];
        if (part_size_class(q, next_end - last_end) != PART_SMALL)
            break;
        ++last;
        last_end = next_end;
    }
    if (last_end == begin)
        return;
    const uint width = 32 - (uint)clz(last - digit); /* of the digits' numbers from the first */
    const uint bits = last == digit ? action->bits : shift;
    part_add_leaf(q, scratch, atomic_inc(&PART_CONTROL->num_leaves),
                  part_low(segment, seen, shift, digit, bits), segment->begin + begin,
                  last_end - begin, last == digit ? action->bits : shift + width, action->place);
}

/* The lists of a segment, by all work-items of one group; but blocks' owners are left to
 * part_cursors(). */
CLSORT_INLINE void part_emit(const struct part_params *q, __global void *scratch,
                             const struct part_segment *segment, const struct part_seen *seen,
                             uint shift, const struct part_action *action,
                             __local struct part_digits *digits)
{
    const uint radix = 1u << q->digit_bits;
    if (action->is_ordered || action->is_reversed || action->bits == 0) {
        part_emit_copies(q, scratch, segment, action);
        return;
    }
    GROUP_LOOP(digit, 0, radix) {
        const uint begin = segment->begin + digits->begin[digit];
        const uint size = digits->begin[digit + 1] - digits->begin[digit];
        const uint class = part_size_class(q, size);
        const ulong low = part_low(segment, seen, shift, digit, action->bits);
        if (class == PART_LARGE) {
            digits->number[digit] =
                part_add_segment(q, scratch, low, begin, size, action->bits, action->place);
        } else if (class == PART_SMALL) {
            part_emit_small(q, scratch, segment, seen, shift, action, digits, digit);
        } else if (size > 0) {
            part_add_leaf(q, scratch, atomic_inc(&PART_CONTROL->num_leaves), low, begin, size,
                          action->bits, action->place);
        }
    }
}

/* Writes elements [begin, end) of a segment whose keys are given by their digits, which begin where
 * the cursors say. */
CLSORT_INLINE void part_fill(const struct part_params *q, PART_ARGS,
                             const struct part_segment *segment, uint number, uint shift,
                             uint begin, uint end)
{
    __global const uint *begins = PART_TABLE(uint, cursors) + (number << q->digit_bits);
    __global stored_key_t *keys = part_keys(q, PART_BUFFERS, PART_OUT) + segment->begin;
    const struct part_seen seen = PART_TABLE(struct part_seen, seen)[number];
    const ulong low = part_low(segment, &seen, shift, 0, 0);
#pragma unroll 1
    for (uint at = begin + get_local_id(0); at < end; at += GROUP_SIZE) {
        uint digit = 0;
#pragma unroll 1
        for (uint step = PART_RADIX / 2; step > 0; step /= 2)
            if (digit + step < 1u << q->digit_bits && begins[digit + step] <= at)
                digit += step;
        keys[at] = (stored_key_t)KEY_DECODE((key_t)(low | (ulong)digit << shift));
    }
}

#endif
