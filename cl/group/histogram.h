/* histogram.h: how many elements have each digit, counted by a work-group in local memory.
 *
 * Idea: an atomic increment for each element. There are several copies of each counter, so that
 * a frequent digit is not one address for all; they are neighbours, so that work-items with
 * different copies use different banks. HISTOGRAM_COPIES may be defined before.
 *
 * Local memory: HISTOGRAM_COPIES words a bin, which the caller has. */
#ifndef CLSORT_GROUP_HISTOGRAM_H
#define CLSORT_GROUP_HISTOGRAM_H

#include "base/config.h"

#ifndef HISTOGRAM_COPIES
#define HISTOGRAM_COPIES (GROUP_SIZE >= 128 ? 4 : 1)
#endif

/* Zeroes the words. Ends before a barrier. */
CLSORT_INLINE void group_clear(__local uint *words, uint size)
{
    GROUP_LOOP(i, 0, size)
        words[i] = 0;
}

/* The copies that this work-item adds to. */
CLSORT_INLINE __local uint *group_histogram_own(__local uint *counters)
{
    return counters + get_local_id(0) % HISTOGRAM_COPIES;
}

CLSORT_INLINE void group_histogram_add(__local uint *own, uint bin)
{
    atomic_inc(&own[bin * HISTOGRAM_COPIES]);
}

/* After a barrier. */
CLSORT_INLINE uint group_histogram_sum(__local const uint *counters, uint bin)
{
    uint count = 0;
    for (uint copy = 0; copy < HISTOGRAM_COPIES; ++copy)
        count += counters[bin * HISTOGRAM_COPIES + copy];
    return count;
}

#endif
