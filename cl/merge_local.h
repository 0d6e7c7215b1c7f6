/* merge_local.h: a work-item's part of a merge in local memory. */
#ifndef CLSORT_MERGE_LOCAL_H
#define CLSORT_MERGE_LOCAL_H

#include "merge.h"

/* Puts the first count of a work-item's items in order: odd-even transposition, stable. */
CLSORT_INLINE void own_sort(ITEM *own, uint count)
{
    for (uint round = 0; round < ITEMS; ++round) {
        for (uint i = round % 2; i + 1 < ITEMS; i += 2) {
            if (i + 1 < count && ITEM_KEY_LESS(own[i + 1], own[i])) {
                const ITEM low = own[i + 1];
                own[i + 1] = own[i];
                own[i] = low;
            }
        }
    }
}

CLSORT_INLINE void own_write(const ITEM *own, __local ITEM *tile, uint first, uint size)
{
    for (uint i = 0; i < ITEMS; ++i)
        if (first + i < size)
            tile[first + i] = own[i];
}

/* Merge path (merge.h) between runs [begin, middle) and [middle, end) of a tile. */
CLSORT_INLINE uint local_path(__local const ITEM *tile, uint begin, uint middle, uint end,
                              uint diagonal)
{
    const uint second_size = end - middle;
    uint low = sub_sat(diagonal, second_size);
    uint high = min(diagonal, middle - begin);
    while (low < high) {
        const uint cut = (low + high) / 2;
        if (ITEM_KEY_LESS(tile[middle + diagonal - 1 - cut], tile[begin + cut]))
            high = cut;
        else
            low = cut + 1;
    }
    return low;
}

/* This work-item's ITEMS items of the merge of [begin, middle) and [middle, end), from slot `first`
 * of the result on, with the parts' bounds known. If the comparison is no order, parts may not fit
 * together: that is noted in broken[0], and the result is not to be used. */
CLSORT_INLINE void own_merge(ITEM *own, __local const ITEM *tile, __local const uint *bounds,
                             __local uint *broken, uint begin, uint middle, uint end, uint first)
{
    const uint me = first / ITEMS;
    uint from_first = begin + bounds[me];
    uint from_second = middle + (first - begin - bounds[me]);
    for (uint i = 0; i < ITEMS; ++i) {
        const int take_second =
            from_second < end &&
            (from_first >= middle || ITEM_KEY_LESS(tile[from_second], tile[from_first]));
        if (first + i < end)
            own[i] = tile[take_second ? from_second : from_first];
        from_first += first + i < end ? !take_second : 0;
        from_second += first + i < end ? take_second : 0;
    }
#if RECORD_SIZE
    const uint next = first + ITEMS;
    if (next < end && from_first - begin != bounds[me + 1])
        broken[0] = 1;
#else
    (void)broken;
#endif
}

#endif
