/* merge.h: where a part of a merge of two runs begins. A run is items in order.
 *
 * Idea: merging two runs is cut into equal parts of the output. Merge path says how many of the
 * first `diagonal` items of the merge come from the first run: found by bisection, by every part
 * for itself (Odeh, Green et al., 2012). The first run's items come first among equals, so every
 * sort made of merges is stable. If the comparison is no order the result still lies within both
 * runs.
 *
 * Local memory: none. */
#ifndef CLSORT_MERGE_H
#define CLSORT_MERGE_H

#include "base/item.h"

/* Sets cut, of the type of numbers, to it. SECOND_LESS(j, i): item j of the second run comes
 * before item i of the first. */
#define MERGE_PATH(type, cut, first_size, second_size, diagonal, SECOND_LESS)    \
    type cut = sub_sat((type)(diagonal), (type)(second_size));                   \
    for (type high_ = min((type)(diagonal), (type)(first_size)); cut < high_;) { \
        const type middle_ = cut + (high_ - cut) / 2;                            \
        if (SECOND_LESS((diagonal)-1 - middle_, middle_))                        \
            high_ = middle_;                                                     \
        else                                                                     \
            cut = middle_ + 1;                                                   \
    }

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
