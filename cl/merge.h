/* merge.h: where a part of a merge begins. Merging two runs is cut into equal parts of the output, and
 * merge path says how many of the first `diagonal` items of the merge come from the first run: found
 * by bisection, by every part for itself (Odeh, Green et al. 2012). A run is items in order; those
 * of the first run come first among equals, so every sort made of merges is stable. */
#ifndef CLSORT_MERGE_H
#define CLSORT_MERGE_H

#include "item.h"

/* Of runs [first, first_end) and [second, second_end) of keys as they are stored. */
CLSORT_INLINE ulong merge_cut(__global const stored_key_t *keys, ulong first, ulong first_end,
                              ulong second, ulong second_end, ulong diagonal)
{
    const ulong second_size = second_end - second;
    ulong low = sub_sat(diagonal, second_size);
    ulong high = min(diagonal, first_end - first);
    while (low < high) {
        const ulong cut = low + (high - low) / 2;
        if (STORED_LESS(keys[second + diagonal - 1 - cut], keys[first + cut]))
            high = cut;
        else
            low = cut + 1;
    }
    return low;
}

/* Of runs [begin, middle) and [middle, end). */
CLSORT_INLINE ulong merge_path(__global const stored_key_t *keys, ulong begin, ulong middle,
                               ulong end, ulong diagonal)
{
    return merge_cut(keys, begin, middle, middle, end, diagonal);
}

/* Where a boundary that was found can be, given the one `step` items of the output in front of it.
 * Changes nothing where the comparison is an order. Where it is none, parts still neither overlap nor
 * leave gaps, and the result is a permutation. */
CLSORT_INLINE ulong merge_bound(ulong found, ulong before, ulong step)
{
    return clamp(found, before, before + step);
}

#endif
