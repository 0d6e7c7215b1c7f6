/* list_digits.h: where every digit of a segment begins, and what becomes of the segment and of its
 * digits' elements (digits.h).
 *
 * Idea: the blocks add their counts to the segment's totals. The last work-group to do so scans the
 * totals, and writes the lists for later steps. A launch of its own would take five microseconds a
 * level, even on levels that have nothing to do. */
#ifndef CLSORT_LIST_DIGITS_H
#define CLSORT_LIST_DIGITS_H

#include "sorts/partition/digits.h"
#include "sorts/partition/list.h"

#if !SPLITTERS

/* Keys without payload, sorted by all their bits: equal ones are the same. */
#define DIGITS_SAME (PAYLOAD_SIZE == 0 && q->num_bits == KEY_BITS)

/* Whether the first level has met an array in reversed order. What turns it knows arrays alone. */
CLSORT_INLINE int digits_is_reversed(const struct partition_params *q, const segment_t *segment)
{
    return q->level == 0 && segment->size == q->count &&
           (segment->directions & (DIGITS_UP | DIGITS_DOWN)) == DIGITS_DOWN &&
           (DIGITS_SAME || !(segment->directions & DIGITS_EQUAL));
}

/* Decides what becomes of a segment's elements. Returns in how many bits those of a digit differ
 * still; 0 if nothing is left to be sorted. */
CLSORT_INLINE uint digits_decide(const struct partition_params *q, segment_t *segment, uint shift,
                                 int is_one)
{
    const ulong below = segment->differing & ((1ul << shift) - 1);
    const uint bits = 64 - (uint)clz(below);
    const int is_done = (q->level == 0 && !(segment->directions & DIGITS_DOWN)) ||
                        digits_is_reversed(q, segment); /* the array was in order, or is turned */
    segment->moves = !is_done && !is_one;
    segment->target = segment->moves ? PLACE_NEXT(segment->place) : segment->place;
    return is_done ? 0 : bits;
}

/* The smallest key that those of a digit can be: what a segment's keys agree in, and the digit. */
CLSORT_INLINE ulong digits_low(const segment_t *segment, uint shift, uint digit, uint bits)
{
    const ulong known = segment->bits >= 64 ? 0 : segment->first >> segment->bits << segment->bits;
    const ulong below = segment->first & ((1ul << shift) - 1);
    return known | (ulong)digit << shift | (bits >= 64 ? 0 : below >> bits << bits);
}

/* Lists leaves that copy or reverse what is in order, each of the plain size. In place, a leaf
 * swaps two ends of the array. They also make the index, if it is not there yet, for the middle
 * element too. */
CLSORT_INLINE void digits_list_copies(const struct partition_params *q, __global void *scratch,
                                      const segment_t *segment)
{
    const uint place = segment->target;
    const int makes_index = PAYLOAD_INDEX && place == PLACE_IN;
    const int is_out = place == PLACE_OUT || (place == PLACE_IN && (q->flags & FLAG_IN_PLACE));
    const int is_reversed = digits_is_reversed(q, segment);
    const uint size = is_reversed && is_out ? (segment->size + 1) / 2 : segment->size;
    const int is_there = !makes_index && is_out && !is_reversed;
    const uint num_copies = is_there ? 0 : (size + q->leaf_size - 1) / q->leaf_size;
    GROUP_LOOP(i, 0, num_copies)
        digits_add_leaf(q, scratch, atomic_inc(&PARTITION_CONTROL->num_leaves), 0,
                        segment->begin + i * q->leaf_size,
                        min(q->leaf_size, size - i * q->leaf_size), 0, place,
                        is_reversed ? LEAF_REVERSE : LEAF_COPY);
}

/* Leaf k of a segment. Its keys agree above the digits from its first element's to its last's, and
 * those of a digit differ in digit_bits bits. */
CLSORT_INLINE void digits_list_leaf(const struct partition_params *q, __global void *scratch,
                                    __local const struct buckets_local *shared,
                                    const segment_t *segment, uint shift, uint digit_bits, uint k)
{
    const uint begin = shared->begins[shared->leaf_first[k]];
    const uint end = shared->begins[shared->ends[shared->leaf_first[k]]];
    uint first = shared->leaf_first[k], last = shared->ends[first] - 1;
#pragma unroll 1
    while (buckets_size(shared, first) == 0)
        ++first;
#pragma unroll 1
    while (buckets_size(shared, last) == 0)
        --last;
    const uint width = 32 - (uint)clz(last - first); /* of the digits' numbers from the first */
    const uint bits = last == first ? digit_bits : shift;
    digits_add_leaf(q, scratch, shared->leaves_begin + k, digits_low(segment, shift, first, bits),
                    segment->begin + begin, end - begin, bits + width, segment->target, LEAF_SORT);
}

struct digits_list_local {
    struct buckets_local buckets;
    uint is_one; /* all elements have one digit */
};

/* By all work-items of the group that has added the last counts, and knows of the others'. */
CLSORT_INLINE void digits_list(const struct partition_params *q, PARTITION_ARGS, uint number,
                               const segment_t *segment, __local struct digits_list_local *shared)
{
    __local struct buckets_local *buckets = &shared->buckets;
    __global segment_t *listed = PARTITION_SEGMENT(number);
    __global uint *halves = (__global uint *)&listed->differing;
    segment_t known = *segment;
    known.first_bucket = number << q->digit_bits;
    known.num_buckets = 1u << q->digit_bits;
    known.differing =
        (ulong)device_load_relaxed(&halves[1]) << 32 | device_load_relaxed(&halves[0]);
    known.directions = device_load_relaxed(&listed->directions);
    known.first = DIGITS_ORDER(place_keys(q, PARTITION_BUFFERS, segment->place)[segment->begin]);
    shared->is_one = 0; /* by all: see group/merge_local.h */
    buckets_load(q, scratch, buckets, &known);
    GROUP_LOOP(digit, 0, known.num_buckets)
        if (buckets->begins[digit] == known.size)
            shared->is_one = 1;
    buckets_scan(q, scratch, buckets, &known);
    const uint shift = DIGITS_SHIFT(known);
    const uint bits = digits_decide(q, &known, shift, shared->is_one);
    const uint num_left = bits ? known.num_buckets : 0;
    if (bits == 0)
        digits_list_copies(q, scratch, &known);
    buckets_fill(q, buckets, num_left);
    buckets_find(q, scratch, buckets, num_left, 0);
    GROUP_LOOP(k, 0, buckets->num_leaves)
        digits_list_leaf(q, scratch, buckets, &known, shift, bits, k);
    const uint num_large = buckets->num_large;
    GROUP_LOOP(k, 0, num_large) {
        const uint digit = buckets->large[k];
        const uint next =
            partition_add_segment(q, scratch, known.begin + buckets->begins[digit],
                                  buckets_size(buckets, digit), known.target, q->block_size);
        PARTITION_NEXT_SEGMENT(next)->bits = bits;
        buckets->number[k] = next;
    }
    if (get_local_id(0) == 0) {
        listed->first = known.first;
        listed->first_bucket = known.first_bucket;
        listed->num_buckets = known.num_buckets;
        listed->moves = known.moves;
        listed->target = known.target;
    }
    /* Segments are known, also their places in the list. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    WRITERS_LOOP(k, num_large)
        partition_own_blocks(q, scratch, buckets->number[k]);
}

#endif

#endif
