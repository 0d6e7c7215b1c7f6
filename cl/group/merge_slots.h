/* merge_slots.h: merge_local.h for wide records, and for those that take long to compare.
 *
 * Idea: a record stays in the slot that it was loaded to, and the numbers of the slots are put
 * in order. A work-item sorts its own by insertion; then runs are merged between two lists, a
 * record being read only to be compared. No loop is unrolled, so a kernel holds three
 * comparisons, whatever ITEMS is: with records in registers merge_tile had 117,000 PTX
 * instructions for 31 bytes ordered by 11 fields, and drivers compiled it for a minute. */
#ifndef CLSORT_MERGE_SLOTS_H
#define CLSORT_MERGE_SLOTS_H

struct local_sort {
    uint bounds[GROUP_SIZE + 1]; /* where each work-item's part of a merge begins */
    uint broken[LOCAL_ARRAYS];
    uint turn[LOCAL_ARRAYS];     /* which list is the order */
    ushort order[2][TILE_SLOTS]; /* slots of the tile */
};

/* The item at a place of the order. */
#define LOCAL_ITEM_OF(shared, tile, array, place) \
    (tile)[(shared)->order[(shared)->turn[array]][place]]
#define SLOT_LESS(a, b) MERGE_LESS_LOCAL(tile[a], tile[b])

/* Puts slot i among those of the list from `begin` on, which are in order, behind equal ones. */
CLSORT_INLINE void slots_insert(__local const MERGE_ITEM *tile, __local ushort *order, uint begin,
                                uint i)
{
    uint at = i;
    for (; at > begin && SLOT_LESS(i, order[at - 1]); --at)
        order[at] = order[at - 1];
    order[at] = (ushort)i;
}

/* Merge path between runs [begin, middle) and [middle, end) of a list. */
CLSORT_INLINE uint slots_path(__local const MERGE_ITEM *tile, __local const ushort *order,
                              uint begin, uint middle, uint end, uint diagonal)
{
#define SLOTS_PATH_LESS(j, i) SLOT_LESS(order[middle + (j)], order[begin + (i)])
    MERGE_PATH(uint, cut, middle - begin, end - middle, diagonal, SLOTS_PATH_LESS)
    return cut;
}

/* This work-item's part, [first, last), of the merge of two runs of `order`, to `to`. If the
 * comparison is no order, parts may not fit together: that is noted in broken[0], and `to` is not
 * to be used. */
CLSORT_INLINE void slots_merge(__local const uint *bounds, __local uint *broken,
                               __local const MERGE_ITEM *tile, __local const ushort *order,
                               __local ushort *to, uint begin, uint middle, uint end, uint first,
                               uint last)
{
    const uint me = get_local_id(0);
    uint from_first = begin + bounds[me];
    uint from_second = middle + (first - begin - bounds[me]);
#pragma unroll 1
    for (uint i = first; i < last; ++i) {
        const uint one = min(from_first, end - 1), other = min(from_second, end - 1);
        const int takes_second =
            from_second < end && (from_first >= middle || SLOT_LESS(order[other], order[one]));
        to[i] = order[takes_second ? other : one];
        from_first += !takes_second;
        from_second += takes_second;
    }
    if (last < end && from_first - begin != bounds[me + 1])
        broken[0] = 1;
}

/* One round of merging: this work-item makes `items` slots, from `first` on, of the merge of
 * runs [start, middle) and [middle, end), from list `turn` to the other. Returns the list that
 * is the array's order then. Begins with a barrier, and ends before one. (Every work-item keeps the
 * turn: PoCL 3.1 loses what one alone does between the last two barriers of a loop.) */
CLSORT_INLINE uint slots_round(__local struct local_sort *shared, __local const MERGE_ITEM *tile,
                               uint array, uint turn, uint items, uint start, uint middle, uint end,
                               uint first)
{
    const uint me = get_local_id(0);
    const uint last = min(first + items, end);
    __local const ushort *order = shared->order[turn];
    barrier(CLK_LOCAL_MEM_FENCE); /* the list is in runs; whether it broke is known to all */
    shared->broken[array] = 0;    /* by all: see merge_local.h */
    if (first < last)
        shared->bounds[me] = slots_path(tile, order, start, middle, end, first - start);
    barrier(CLK_LOCAL_MEM_FENCE); /* every part's begin is known */
    if (first < last)
        slots_merge(shared->bounds, shared->broken + array, tile, order, shared->order[1 - turn],
                    start, middle, end, first, last);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have merged */
    return shared->broken[array] ? turn : 1 - turn;
}

/* The array's order is in list `turn`. */
CLSORT_INLINE void slots_finish(__local struct local_sort *shared, uint array, uint turn)
{
    shared->turn[array] = turn;   /* by all, as above */
    barrier(CLK_LOCAL_MEM_FENCE); /* the order is there, and the turn */
}

/* Puts the items of arrays in order: each work-item its own, then runs twice as long in each round.
 * Stable. */
CLSORT_INLINE void local_sort_arrays(__local struct local_sort *shared,
                                     __local const MERGE_ITEM *tile, struct local_array array)
{
    const uint items = min((uint)LOCAL_SORT_ITEMS(array.size), (uint)ITEMS);
    const uint end = array.begin + array.size;
    const uint first = min(array.begin + array.me * items, end);
    const uint last = min(first + items, end);
#pragma unroll 1
    for (uint i = first; i < last; ++i)
        slots_insert(tile, shared->order[0], first, i);
    uint turn = 0;
    for (uint run = items; run < array.size; run *= 2) {
        const uint start = array.begin + (first - array.begin) / (2 * run) * (2 * run);
        const uint middle = min(start + run, end);
        turn = slots_round(shared, tile, array.number, turn, items, start, middle,
                           min(middle + run, end), first);
    }
    slots_finish(shared, array.number, turn);
}

/* Makes one run of an array's first `first_size` items and the others, as local_merge() does. */
CLSORT_INLINE void local_merge_arrays(__local struct local_sort *shared,
                                      __local const MERGE_ITEM *tile, struct local_array array,
                                      uint first_size, int merges)
{
    const uint end = array.begin + array.size;
    const uint first = min(array.begin + array.me * ITEMS, end);
    const uint middle = merges ? array.begin + first_size : end;
    for (uint slot = first; slot < min(first + ITEMS, end); ++slot)
        shared->order[0][slot] = (ushort)slot;
    slots_finish(shared, array.number,
                 slots_round(shared, tile, array.number, 0, ITEMS, array.begin, middle, end,
                             first));
}

#endif
