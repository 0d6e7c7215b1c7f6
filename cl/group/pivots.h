/* pivots.h: which items of a sample in order become pivots.
 *
 * Candidates are items of the sample at equal distances, numbered from 1 on. A candidate is a pivot
 * if it is greater than the one before, and heavy if it is not less than the one behind. The caller
 * scans the flags of all candidates; the sums before candidate j are the numbers of pivots (low
 * half) and of heavy pivots (high half) among those before it.
 *
 * No candidate behind a heavy pivot is a pivot, so there are no more buckets than candidates. That
 * needs the same answer twice from the comparison, for the same candidates. So both comparisons of
 * a candidate are one piece of code: two inlined copies of a caller's comparison could differ. */
#ifndef CLSORT_PIVOTS_H
#define CLSORT_PIVOTS_H

#include "base/config.h"

/* Sets flags to those of candidate j. LESS(a, b) compares candidates by their numbers. Reads
 * candidates 1 ... wanted - 1. */
#define PIVOT_CANDIDATE_FLAGS(flags, j, wanted, LESS)                        \
    uint flags = (j) == 1 && (wanted) > 1;                                   \
    const uint end_ = min((j) + 2, wanted);                                  \
    _Pragma("unroll 1") for (uint next_ = max(j, 2u); next_ < end_; ++next_) \
    {                                                                        \
        const uint is_less_ = LESS(next_ - 1, next_) ? 1 : 0;                \
        flags |= next_ == (j) ? is_less_ : (flags & ~is_less_) << 16;        \
    }

#define PIVOTS_BEFORE(sums) ((sums)&0xffff)

/* The bucket behind all these pivots: each has one in front of it, a heavy one also its own. */
#define BUCKET_BEHIND(sums) (PIVOTS_BEFORE(sums) + ((sums) >> 16))

/* A pivot's mark, from the sums before its candidate and before the next one. */
CLSORT_INLINE uint pivot_mark(uint before, uint after)
{
    return BUCKET_BEHIND(before) | (after >> 16 != before >> 16 ? PIVOT_HEAVY : 0);
}

#endif
