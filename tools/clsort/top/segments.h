/* segments.h: the places that 'clsort top' takes of each segment. The library writes those of
 * one limit for each; what they have is then moved together. */
#ifndef CLSORT_TOOL_TOP_SEGMENTS_H
#define CLSORT_TOOL_TOP_SEGMENTS_H

#include "numbers/segments.h"

#include <stdbool.h>
#include <stddef.h>

struct top_segments {
    struct segments segments;
    uint64_t skip, limit; /* of each segment; limit 0: all that is behind skip */
    bool is_median;       /* instead: the place in the middle, the lower of two */
};

/* How many places there are of a segment of `length` numbers, and how many are left out before
 * these. */
uint64_t top_segments_places(const struct top_segments *top, uint64_t length, uint64_t *skip_ret);

/* Adds to a description what the library does for them. A limit is no longer than the longest
 * segment. All is sorted where the places would need more room than the keys. */
void top_segments_describe(const struct top_segments *top, clsort_desc *desc);

/* How many elements the library writes for the description. */
uint64_t top_segments_room(const clsort_desc *desc);

/* Moves what was wanted of the elements to their front, without gaps. offsets_ret gets
 * segments.num + 1 offsets of it. Returns how many elements that is. */
uint64_t top_segments_pack(const struct top_segments *top, const clsort_desc *desc, size_t size,
                           void *elements, uint64_t *offsets_ret);

#endif
