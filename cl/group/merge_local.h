/* merge_local.h: a work-group's items put in order in local memory, and two runs of them merged
 * there.
 *
 * Items of a few words are sorted in registers (merge_registers.h). Wide records stay where they
 * lie, and the slots of the tile that they lie in are sorted (merge_slots.h). Either way
 *
 *   local_sort()    puts the tile in order
 *   local_merge()   makes one run of a tile that is two
 *   LOCAL_ITEM()    is the item at a place of the order
 *
 * The first two begin after, and end with, a barrier. With _ARRAYS or _OF at the end of their names
 * they are for several arrays in the tile, all of one size, with work-items of their own.
 *
 * Whether a merge broke is set to 0 by all work-items, not by one: where a branch of one
 * work-item stood there between two barriers, PoCL 3.1 lost it in some kernels, and one sort in
 * twenty went by what an earlier kernel had left.
 *
 * A work-item's number of items is odd if it can be: where local memory has banks work-items then
 * begin in different ones. Tiles of 8 items each take twice as long as tiles of 7. */
#ifndef CLSORT_MERGE_LOCAL_H
#define CLSORT_MERGE_LOCAL_H

#include "group/merge.h"

/* What is merged, and its order; with an index as payload it may decide between equal keys. */
#ifndef MERGE_ITEM
#define MERGE_ITEM ITEM
#endif
#ifndef MERGE_LESS
#define MERGE_LESS(a, b) ITEM_KEY_LESS(a, b)
#define MERGE_LESS_LOCAL(a, b) ITEM_KEY_LESS_IN(local, a, local, b)
#endif

/* The number of items that each work-item sorts. Where tiles are full it is ITEMS: a number unknown
 * to the compiler costs 10 to 25 %. */
#ifndef LOCAL_SORT_ITEMS
#define LOCAL_SORT_ITEMS(size) ITEMS
#endif

/* Arrays in a tile, at most. */
#ifndef LOCAL_ARRAYS
#define LOCAL_ARRAYS 1
#endif

/* The array of a work-item: its number, its slots in the tile, and the work-item's number among
 * those that have the array. A work-item without an array has the number `size` in any. */
struct local_array {
    uint number;
    uint begin, size;
    uint me;
};

/* Whether records stay in their slots. */
#ifndef MERGE_KEEPS_SLOTS
#define MERGE_KEEPS_SLOTS RECORD_IS_WIDE
#endif
#if MERGE_KEEPS_SLOTS
#include "group/merge_slots.h"
#else
#include "group/merge_registers.h"
#endif

#define LOCAL_ITEM(shared, tile, place) LOCAL_ITEM_OF(shared, tile, 0, place)

/* Puts the tile's first `size` items in order. */
CLSORT_INLINE void local_sort(__local struct local_sort *shared, __local MERGE_ITEM *tile,
                              uint size)
{
    const struct local_array array = {0, 0, size, (uint)get_local_id(0)};
    local_sort_arrays(shared, tile, array);
}

/* If `merges` is true, makes one run of runs [0, first_size) and [first_size, size). It does not if
 * the comparison turns out to be no order. */
CLSORT_INLINE void local_merge(__local struct local_sort *shared, __local MERGE_ITEM *tile,
                               uint size, uint first_size, int merges)
{
    const struct local_array array = {0, 0, size, (uint)get_local_id(0)};
    local_merge_arrays(shared, tile, array, first_size, merges);
}

#endif
