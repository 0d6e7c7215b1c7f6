/* quick_pivots.h: which items of a sample in order become pivots (quick.h).
 *
 * Candidates are items of the sample at equal distances, numbered from 1 on. A candidate is a pivot
 * if it is greater than the one before, and heavy if it is not less than the one behind. The caller
 * scans the flags of all candidates; the sums before candidate j are the numbers of pivots (low
 * half) and of heavy pivots (high half) among those before it. */
#ifndef CLSORT_QUICK_PIVOTS_H
#define CLSORT_QUICK_PIVOTS_H

#include "quick.h"

/* LESS(a, b) compares candidates by their numbers. Reads candidates 1 ... wanted - 1. */
#define QUICK_CANDIDATE_FLAGS(j, wanted, LESS)                        \
    ((j) > 0 && (j) < (wanted) && ((j) == 1 || LESS((j)-1, j))        \
         ? 1u | (uint)((j) + 1 < (wanted) && !LESS(j, (j) + 1)) << 16 \
         : 0u)

#define QUICK_PIVOTS_BEFORE(sums) ((sums)&0xffff)

/* The bucket behind all these pivots: each has one in front of it, a heavy one also its own. */
#define QUICK_BUCKET_BEHIND(sums) (QUICK_PIVOTS_BEFORE(sums) + ((sums) >> 16))

/* A pivot's mark, from the sums before its candidate and before the next one. */
CLSORT_INLINE uint quick_pivot_mark(uint before, uint after)
{
    return QUICK_BUCKET_BEHIND(before) | (after >> 16 != before >> 16 ? QUICK_HEAVY : 0);
}

#endif
