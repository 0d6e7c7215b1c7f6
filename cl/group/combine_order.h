/* combine_order.h: elements added to the buckets of combine.h in the order of the
 * input.
 *
 * Idea: sub-groups vote (digit_rank.h), each over its run of the tile, which gives an element
 * its number among those of its digit in the run. A scan over the sub-groups, digit by digit, says
 * how many are before the run: first those that wait in the bucket. So the counts are known before
 * the elements move, and room is taken with the scan.
 *
 * A work-item that has no element votes for the last digit. It votes behind all that have one, so
 * that numbers are right, and its votes are taken off the run's count.
 */
#ifndef CLSORT_GROUP_COMBINE_ORDER_H
#define CLSORT_GROUP_COMBINE_ORDER_H

/* A work-item's elements: their numbers in their buckets, two in a word, and a bit for each that
 * found its bucket full. */
typedef struct {
    uint overflow;
    uint numbers[(ITEMS + 1) / 2];
} combine_overflow_t;

#define COMBINE_OVERFLOW(beyond) ((beyond)->overflow)
#define COMBINE_FILLED(shared, digit) (shared)->filled[digit]
#define COMBINE_NUMBER_BEYOND(beyond, i, filled) combine_number(beyond, i)

/* The number of any element, by an index that is no constant. */
CLSORT_INLINE uint combine_number(const combine_overflow_t *own, uint i)
{
    uint pair = 0;
#pragma unroll
    for (uint j = 0; j < (ITEMS + 1) / 2; ++j)
        pair = i / 2 == j ? own->numbers[j] : pair;
    return pair >> i % 2 * 16 & 0xffff;
}

/* This sub-group's counters, and where in a word they begin. */
#define COMBINE_ROW(shared) \
    ((shared)->rows +       \
     (uint)get_local_id(0) / TILE_SUBGROUP / (COMBINE_SHARES ? 2 : 1) * COMBINE_RADIX)
#define COMBINE_ROW_SHIFT (COMBINE_SHARES ? (uint)get_local_id(0) / TILE_SUBGROUP % 2 * 16 : 0u)

/* Each element's number in the sub-group's run; left: elements of the run from this work-item's
 * first one on. */
CLSORT_INLINE void combine_vote(__local struct group_combine_local *shared,
                                const combine_item_t *items, int left, combine_overflow_t *own,
                                COMBINE_CONTEXT context)
{
    __local uint *row = COMBINE_ROW(shared);
    const uint shift = COMBINE_ROW_SHIFT, me = get_local_id(0);
#pragma unroll
    for (int i = 0; i < (ITEMS + 1) / 2; ++i)
        own->numbers[i] = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const uint digit =
            i * TILE_SUBGROUP < left ? COMBINE_DIGIT(context, items[i]) : COMBINE_RADIX - 1;
        uint number;
        group_number_in_order(row, 1, shift, 1, &digit, &number);
        own->numbers[i / 2] |= (number >> shift & 0xffff) << i % 2 * 16;
    }
    if (me % TILE_SUBGROUP == 0)
        shared->absent[me / TILE_SUBGROUP] =
            (uint)(ITEMS * TILE_SUBGROUP - clamp(left, 0, ITEMS * TILE_SUBGROUP));
}

/* The numbers of each run's first elements, and room for the whole chunks. */
CLSORT_INLINE void combine_scan(__local struct group_combine_local *shared, COMBINE_CONTEXT context)
{
    GROUP_LOOP(digit, 0, COMBINE_RADIX) {
        uint count = shared->counts[digit];
#pragma unroll
        for (uint i = 0; i < COMBINE_ROWS; ++i) {
            const uint absent = digit < COMBINE_RADIX - 1 ? 0
                                : COMBINE_SHARES
                                    ? shared->absent[2 * i] | shared->absent[2 * i + 1] << 16
                                    : shared->absent[i];
            const uint own = shared->rows[i * COMBINE_RADIX + digit] - absent;
            const uint first = COMBINE_SHARES ? own & 0xffff : own;
            shared->rows[i * COMBINE_RADIX + digit] =
                COMBINE_SHARES ? count | (count + first) << 16 : count;
            count += COMBINE_SHARES ? first + (own >> 16) : first;
        }
        combine_take(shared, digit, count, context);
    }
}

/* Adds a tile, of which a work-item has items TILE_SUBGROUP apart. Its numbers are for
 * group_combine_flush(), which follows. Begins after a barrier, and ends before one. */
CLSORT_INLINE void group_combine_add_tile(__local struct group_combine_local *shared,
                                          const combine_item_t *items, int left, int step,
                                          combine_overflow_t *own, COMBINE_CONTEXT context)
{
    __local const uint *row = COMBINE_ROW(shared);
    const uint shift = COMBINE_ROW_SHIFT;
    combine_vote(shared, items, left, own, context);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have voted */
    combine_scan(shared, context);
    barrier(CLK_LOCAL_MEM_FENCE); /* each run's first numbers are there, room has been taken */
    own->overflow = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (i * step < left) {
            const uint digit = COMBINE_DIGIT(context, items[i]);
            const uint before = row[digit] >> shift & 0xffff;
            own->numbers[i / 2] += before << i % 2 * 16;
            const uint number = own->numbers[i / 2] >> i % 2 * 16 & 0xffff;
            if (number < COMBINE_CAPACITY)
                shared->buckets[digit * COMBINE_CAPACITY + number] = items[i];
            else
                own->overflow |= 1u << i;
        }
    }
}

#endif
