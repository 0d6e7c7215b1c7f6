/* random.h: where the elements of a sample lie: one in each of many equal parts of the array,
 * at a place that looks random but is the same every time. */
#ifndef CLSORT_QUICK_RANDOM_H
#define CLSORT_QUICK_RANDOM_H

#include "sorts/partition/splitters/quick.h"
#include "base/random.h"

/* Of element number i of a sample of a segment. */
CLSORT_INLINE uint quick_sample_place(const struct quick_params *q, uint begin, uint size, uint i,
                                      uint samples)
{
    const uint room = size / samples, longer = size % samples; /* the first parts by one */
    const uint from = i * room + min(i, longer);
    return begin + from + random_below(begin + from + q->level, room + (i < longer));
}

#endif
