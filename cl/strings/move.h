/* move.h: what the steps that rearrange strings share: their buffers and the new offsets.
 * The order is cut into chunks; where a chunk begins in the new bytes is known from its first
 * offset. */
#ifndef CLSORT_STRING_MOVE_H
#define CLSORT_STRING_MOVE_H

/* Strings that overlap may have more bytes in all than a number can say. */
#define SCAN_WIDE_ADD(a, b) add_sat(a, b)
#include "group/scan_wide.h"
#include "strings/chunk.h"

#define STRING_MOVE_ARGS                                                                  \
    __global const void *bytes, __global const void *offsets, __global const void *index, \
        __global void *bytes_out, __global void *offsets_out

/* Offsets stop at the largest number that they can be: strings that overlap may have more bytes
 * in all. */
CLSORT_INLINE void string_offset_store(const struct string_params *p, __global void *offsets_out,
                                       ulong i, ulong offset)
{
    __global uchar *to = (__global uchar *)offsets_out + p->offsets[4];
    if (p->offset_size == 4)
        ((__global uint *)to)[i] = (uint)min(offset, (ulong)UINT_MAX);
    else if (p->offset_size)
        ((__global ulong *)to)[i] = offset;
}

CLSORT_INLINE ulong string_offset_load(const struct string_params *p, __global void *offsets_out,
                                       ulong i)
{
    __global const uchar *from = (__global const uchar *)offsets_out + p->offsets[4];
    if (p->offset_size == 0)
        return i * p->width;
    return p->offset_size == 4 ? ((__global const uint *)from)[i]
                               : ((__global const ulong *)from)[i];
}

#endif
