/* segments.h: segments that begin and end at offsets which only the device knows, or arrays of one
 * length, each a segment.
 *
 * Idea: a bit for each element says whether a segment begins there. Empty segments then vanish,
 * offsets that decrease or pass the count only cut elsewhere, and the table is bounded by the
 * number of elements. What lies before the first offset or behind the last one is in no segment:
 * it is never moved. */
#ifndef CLSORT_SEGMENTS_H
#define CLSORT_SEGMENTS_H

#include "base/buffers.h"
#include "base/index.h"

/* A table of scratch; q: the parameters. */
#define SEGMENTS_TABLE(type, table) BUFFER_TABLE(type, q->offsets, scratch, q->table)

/* Offset number i, at most the count. */
CLSORT_INLINE ulong segments_offset(const struct segments_params *q, __global const void *offsets,
                                    ulong i)
{
    if (q->stride)
        return min(i * q->stride, (ulong)q->count);
    const ulong offset = q->offset_size == 8 ? BUFFER_AT(const ulong, q->offsets, offsets, 0)[i]
                                             : BUFFER_AT(const uint, q->offsets, offsets, 0)[i];
    return min(offset, (ulong)q->count);
}

/* Words of bits: of the elements, and one more for the count, where the last segment ends. */
#define SEGMENTS_WORDS(count) ((count) / 32 + 1)

#endif
