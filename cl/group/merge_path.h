/* merge_path.h: where a part of a merge begins.
 *
 * Idea: merging two runs is cut into equal parts of the output. Merge path says how many of the
 * first `diagonal` items of the merge come from the first run: found by bisection, by every part
 * for itself (Odeh, Green et al., 2012). The first run's items come first among equals, so every
 * sort made of merges is stable. If the comparison is no order the result still lies within both
 * runs.
 *
 * Local memory: none. */
#ifndef CLSORT_GROUP_MERGE_PATH_H
#define CLSORT_GROUP_MERGE_PATH_H

#include "base/config.h"

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

#endif
