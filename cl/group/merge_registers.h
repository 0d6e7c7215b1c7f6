/* merge_registers.h: merge_local.h for items of a few words: a work-item has its part of the
 * tile in registers while others write theirs. */
#ifndef CLSORT_MERGE_REGISTERS_H
#define CLSORT_MERGE_REGISTERS_H

/* In what follows, a work-item has `items` neighbours, ITEMS at most, in registers: the same
 * number for all of the group, so that loops of ITEMS rounds, which registers need, are cut
 * short by a branch that all take. */

/* A round of odd-even transposition: pairs of neighbours from `first` on, below count, in order. */
CLSORT_INLINE void own_sort_pairs(MERGE_ITEM *own, uint first, uint count)
{
#pragma unroll
    for (uint i = first; i + 1 < ITEMS; i += 2) {
        if (i + 1 < count && MERGE_LESS(own[i + 1], own[i])) {
            const MERGE_ITEM low = own[i + 1];
            own[i + 1] = own[i];
            own[i] = low;
        }
    }
}

/* Puts the first count of a work-item's items in order, stably. Rounds are not unrolled: a compiler
 * would take seconds for them. */
CLSORT_INLINE void own_sort(MERGE_ITEM *own, uint items, uint count)
{
#pragma unroll 1
    for (uint round = 0; round < items; round += 2) {
        own_sort_pairs(own, 0, count);
        own_sort_pairs(own, 1, count);
    }
}

CLSORT_INLINE void own_write(const MERGE_ITEM *own, __local MERGE_ITEM *tile, uint items,
                             uint first, uint size)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        if (i < items && first + i < size)
            tile[first + i] = own[i];
}

/* Merge path between runs [begin, middle) and [middle, end) of a tile. */
CLSORT_INLINE uint local_path(__local const MERGE_ITEM *tile, uint begin, uint middle, uint end,
                              uint diagonal)
{
#define LOCAL_PATH_LESS(j, i) MERGE_LESS(tile[middle + (j)], tile[begin + (i)])
    MERGE_PATH(uint, cut, middle - begin, end - middle, diagonal, LOCAL_PATH_LESS)
    return cut;
}

/* This work-item's items of the merge of [begin, middle) and [middle, end), from slot `first` of
 * the result on, with the parts' bounds known; behind the end they are any items. If the comparison
 * is no order, parts may not fit together: that is noted in broken[0], and the result is not to be
 * used.
 *
 * A branch for slots behind the end would cost 2 to 8 %. */
CLSORT_INLINE void own_merge(MERGE_ITEM *own, __local const MERGE_ITEM *tile,
                             __local const uint *bounds, __local uint *broken, uint items,
                             uint begin, uint middle, uint end, uint first)
{
    const uint me = get_local_id(0);
    const uint stop = RECORD_SIZE ? end : ~0u; /* it is checked what records are taken */
    uint from_first = begin + bounds[me];
    uint from_second = middle + (first - begin - bounds[me]);
    /* The next item of each run is in registers, so a step reads one. */
    MERGE_ITEM head_first = tile[min(from_first, end - 1)];
    MERGE_ITEM head_second = tile[min(from_second, end - 1)];
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        if (i < items && first + i < stop) {
            const int takes_second =
                from_second < end && (from_first >= middle || MERGE_LESS(head_second, head_first));
            own[i] = takes_second ? head_second : head_first;
            from_first += !takes_second;
            from_second += takes_second;
            const MERGE_ITEM next = tile[min(takes_second ? from_second : from_first, end - 1)];
            if (takes_second)
                head_second = next;
            else
                head_first = next;
        }
    }
    if (RECORD_SIZE) {
        const uint next = first + items;
        if (next < end && from_first - begin != bounds[me + 1])
            broken[0] = 1;
    }
}

/* What sorting a tile needs beside it. */
struct local_sort {
    uint bounds[GROUP_SIZE + 1]; /* where each work-item's part of a merge begins */
    uint broken[LOCAL_ARRAYS];
};

/* Puts the items of arrays in order, by all work-items of the group: each its neighbours, by a
 * network that never moves an item past an equal one; then pairs of runs are merged, twice as long
 * in each round, until one is left. */
CLSORT_INLINE void local_sort_arrays(__local struct local_sort *shared, __local MERGE_ITEM *tile,
                                     struct local_array array)
{
    const uint me = get_local_id(0);
    const uint items = min((uint)LOCAL_SORT_ITEMS(array.size), (uint)ITEMS);
    const uint first = array.begin + array.me * items, last = array.begin + array.size;
    MERGE_ITEM own[ITEMS];
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        if (i < items)
            own[i] = tile[min(first + i, max(last, 1u) - 1)];
    own_sort(own, items, first < last ? min(last - first, items) : 0);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read the tile */
    own_write(own, tile, items, first, last);
    for (uint owners = 1; owners * items < array.size; owners *= 2) {
        /* A run has the items of `owners` work-items; twice as many merge two runs. */
        const uint start = array.begin + (array.me & ~(2 * owners - 1)) * items;
        const uint middle = min(start + owners * items, last);
        const uint end = min(middle + owners * items, last);
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in runs; whether it broke is known to all */
        shared->broken[array.number] = 0;
        if (first < last)
            shared->bounds[me] = local_path(tile, start, middle, end, first - start);
        barrier(CLK_LOCAL_MEM_FENCE); /* every part's begin is known */
        if (first < last)
            own_merge(own, tile, shared->bounds, shared->broken + array.number, items, start,
                      middle, end, first);
        barrier(CLK_LOCAL_MEM_FENCE); /* all have merged; the tile is no longer read */
        if (!shared->broken[array.number])
            own_write(own, tile, items, first, last);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order */
}

/* Makes one run of an array's first `first_size` items and the others, as local_merge() does. */
CLSORT_INLINE void local_merge_arrays(__local struct local_sort *shared, __local MERGE_ITEM *tile,
                                      struct local_array array, uint first_size, int merges)
{
    const uint me = get_local_id(0);
    const uint first = array.begin + array.me * ITEMS, last = array.begin + array.size;
    const uint middle = array.begin + first_size;
    MERGE_ITEM own[ITEMS];
    shared->broken[array.number] = 0; /* by all: see merge_local.h */
    if (first < last)
        shared->bounds[me] = local_path(tile, array.begin, middle, last, array.me * ITEMS);
    barrier(CLK_LOCAL_MEM_FENCE); /* every part's begin is known */
    if (first < last)
        own_merge(own, tile, shared->bounds, shared->broken + array.number, ITEMS, array.begin,
                  middle, last, first);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have merged; the tile is no longer read */
    if (merges && !shared->broken[array.number])
        own_write(own, tile, ITEMS, first, last);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order */
}

#define LOCAL_ITEM_OF(shared, tile, array, place) (tile)[place]

#endif
