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
    uint broken[1];
    uint turn;                   /* which list is the order */
    ushort order[2][TILE_SLOTS]; /* slots of the tile */
};

/* The item at a place of the order. */
#define LOCAL_ITEM(shared, tile, place) (tile)[(shared)->order[(shared)->turn][place]]
#define SLOT_LESS(a, b) MERGE_LESS_LOCAL(tile[a], tile[b])

/* Merge path between runs [begin, middle) and [middle, end) of a list. */
CLSORT_INLINE uint slots_path(__local const MERGE_ITEM *tile, __local const ushort *order,
                              uint begin, uint middle, uint end, uint diagonal)
{
#define SLOTS_PATH_LESS(j, i) SLOT_LESS(order[middle + (j)], order[begin + (i)])
    MERGE_PATH(uint, cut, middle - begin, end - middle, diagonal, SLOTS_PATH_LESS)
    return cut;
}

/* This work-item's part, [first, last), of the merge of two runs of `order`, to `to`. If the
 * comparison is no order, parts may not fit together: that is noted in shared->broken, and `to`
 * is not to be used. */
CLSORT_INLINE void slots_merge(__local struct local_sort *shared, __local const MERGE_ITEM *tile,
                               __local const ushort *order, __local ushort *to, uint begin,
                               uint middle, uint end, uint first, uint last)
{
    const uint me = get_local_id(0);
    uint from_first = begin + shared->bounds[me];
    uint from_second = middle + (first - begin - shared->bounds[me]);
#pragma unroll 1
    for (uint i = first; i < last; ++i) {
        const uint one = min(from_first, end - 1), other = min(from_second, end - 1);
        const int takes_second =
            from_second < end && (from_first >= middle || SLOT_LESS(order[other], order[one]));
        to[i] = order[takes_second ? other : one];
        from_first += !takes_second;
        from_second += takes_second;
    }
    if (last < end && from_first - begin != shared->bounds[me + 1])
        shared->broken[0] = 1;
}

/* One round of merging: this work-item makes `items` slots, from `first` on, of the merge of
 * runs [start, middle) and [middle, end), from list `turn` to the other. Returns the list that
 * is the order then. Begins with a barrier, and ends before one. (Every work-item keeps the
 * turn: PoCL 3.1 loses what one alone does between the last two barriers of a loop.) */
CLSORT_INLINE uint slots_round(__local struct local_sort *shared, __local const MERGE_ITEM *tile,
                               uint turn, uint items, uint start, uint middle, uint end, uint first)
{
    const uint me = get_local_id(0);
    const uint last = min(first + items, end);
    __local const ushort *order = shared->order[turn];
    barrier(CLK_LOCAL_MEM_FENCE); /* the list is in runs; whether it broke is known to all */
    shared->broken[0] = 0;        /* by all: see merge_local.h */
    if (first < last)
        shared->bounds[me] = slots_path(tile, order, start, middle, end, first - start);
    barrier(CLK_LOCAL_MEM_FENCE); /* every part's begin is known */
    if (first < last)
        slots_merge(shared, tile, order, shared->order[1 - turn], start, middle, end, first, last);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have merged */
    return shared->broken[0] ? turn : 1 - turn;
}

/* The order is in list `turn`. */
CLSORT_INLINE void slots_finish(__local struct local_sort *shared, uint turn)
{
    shared->turn = turn;          /* by all, as above */
    barrier(CLK_LOCAL_MEM_FENCE); /* the order is there, and the turn */
}

/* Puts the tile's first `size` items in order: each work-item its own, then runs twice as long
 * in each round. Stable. */
CLSORT_INLINE void local_sort(__local struct local_sort *shared, __local const MERGE_ITEM *tile,
                              uint size)
{
    const uint me = get_local_id(0);
    const uint items = min((uint)LOCAL_SORT_ITEMS(size), (uint)ITEMS);
    const uint first = min(me * items, size);
    const uint last = min(first + items, size);
    __local ushort *order = shared->order[0];
#pragma unroll 1
    for (uint i = first; i < last; ++i) {
        uint at = i;
        for (; at > first && SLOT_LESS(i, order[at - 1]); --at)
            order[at] = order[at - 1];
        order[at] = (ushort)i;
    }
    uint turn = 0;
    for (uint run = items; run < size; run *= 2) {
        const uint start = first / (2 * run) * (2 * run);
        const uint middle = min(start + run, size);
        turn =
            slots_round(shared, tile, turn, items, start, middle, min(middle + run, size), first);
    }
    slots_finish(shared, turn);
}

/* Makes one run of runs [0, first_size) and [first_size, size), unless the comparison is met as
 * no order, and if `merges` is true. */
CLSORT_INLINE void local_merge(__local struct local_sort *shared, __local const MERGE_ITEM *tile,
                               uint size, uint first_size, int merges)
{
    const uint me = get_local_id(0);
    for (uint slot = me; slot < size; slot += GROUP_SIZE)
        shared->order[0][slot] = (ushort)slot;
    const uint middle = merges ? first_size : size;
    slots_finish(shared,
                 slots_round(shared, tile, 0, ITEMS, 0, middle, size, min(me * ITEMS, size)));
}

#endif
