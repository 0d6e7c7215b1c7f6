/* merge.h: where a part of a merge of two runs in global memory begins (merge_path.h). A
 * run is items in order; those of the first run come first among equals. */
#ifndef CLSORT_MERGE_H
#define CLSORT_MERGE_H

#include "group/merge_path.h"
#include "base/item.h"

/* The cut of two runs, [first, first_end) and [second, second_end), of keys as they are stored. */
CLSORT_INLINE ulong merge_cut(__global const stored_key_t *keys, ulong first, ulong first_end,
                              ulong second, ulong second_end, ulong diagonal)
{
#define MERGE_CUT_LESS(j, i) STORED_LESS(keys[second + (j)], keys[first + (i)])
    MERGE_PATH(ulong, cut, first_end - first, second_end - second, diagonal, MERGE_CUT_LESS)
    return cut;
}

/* The same for neighbouring runs, [begin, middle) and [middle, end). */
CLSORT_INLINE ulong merge_path(__global const stored_key_t *keys, ulong begin, ulong middle,
                               ulong end, ulong diagonal)
{
    return merge_cut(keys, begin, middle, middle, end, diagonal);
}

/* Where a boundary that was found can be, given the one `step` items of the output in front of
 * it. It changes nothing where the comparison is an order. Where it is none, parts still neither
 * overlap nor leave gaps, and the result is a permutation. */
CLSORT_INLINE ulong merge_bound(ulong found, ulong before, ulong step)
{
    return clamp(found, before, before + step);
}

#endif
