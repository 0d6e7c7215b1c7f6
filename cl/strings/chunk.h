/* chunk.h: strings of bytes, and the numbers that stand for parts of them.
 *
 * A chunk is 7 bytes of a string from some depth on, the first one highest, and below them how many
 * bytes of it are left there, 8 standing for more than 7. So chunks at one depth compare as the
 * strings do, as far as they reach; and of strings whose chunks are the same, either all end there,
 * equal, or all go on. */
#ifndef CLSORT_STRING_CHUNK_H
#define CLSORT_STRING_CHUNK_H

#include "base/item.h"
#include "base/random.h"

#define CHUNK_BYTES 7
#define CHUNK_GOES_ON(chunk) (((chunk)&0xff) == CHUNK_BYTES + 1)

struct string_set {
    __global const uchar *bytes;
    __global const uchar *offsets;
    ulong num_bytes;
    uint offset_size, width, tail_size;
};

/* Bytes [begin, begin + size) are compared, the tail is behind them. */
struct string_span {
    ulong begin, size, tail;
};

CLSORT_INLINE void string_open(const struct string_params *p, __global const void *bytes,
                               __global const void *offsets, struct string_set *set)
{
    set->bytes = (__global const uchar *)bytes + p->offsets[0];
    set->offsets = (__global const uchar *)offsets + p->offsets[1];
    set->num_bytes = p->num_bytes;
    set->offset_size = p->offset_size;
    set->width = p->width;
    set->tail_size = p->tail_size;
}

/* Buffers of all kernels that see strings, and a table in the last one. */
#define STRING_ARGS                                                                 \
    __global const void *bytes, __global const void *offsets, __global void *index, \
        __global void *other, __global void *tables
#define STRING_TABLE(type, name) BUFFER_TABLE(type, p.offsets, tables, p.name)

CLSORT_INLINE ulong string_offset(const struct string_set *set, ulong i)
{
    return set->offset_size == 4 ? ((__global const uint *)set->offsets)[i]
                                 : ((__global const ulong *)set->offsets)[i];
}

/* Offsets may say anything; what is found lies in the buffer. */
CLSORT_INLINE void string_find(const struct string_set *set, ulong i, struct string_span *span)
{
    ulong whole = set->width;
    span->begin = i * set->width;
    if (set->offset_size) {
        const ulong end = min(string_offset(set, i + 1), (ulong)set->num_bytes);
        span->begin = min(string_offset(set, i), (ulong)set->num_bytes);
        whole = sub_sat(end, span->begin);
    }
    span->tail = min(whole, (ulong)set->tail_size);
    span->size = whole - span->tail;
}

/* bytes_number(): 8 bytes as a number, the first one highest, where BYTES_ROOM bytes from there on
 * are in the buffer. */
#if RADIX_BITS
#define BYTES_ROOM 8

CLSORT_INLINE ulong bytes_number(__global const uchar *bytes)
{
    return as_ulong(vload8(0, bytes).s76543210);
}

#else
#define BYTES_ROOM 16

/* A GPU loads bytes of unknown alignment one by one. So this loads the aligned words that they lie
 * in. */
CLSORT_INLINE ulong bytes_number(__global const uchar *bytes)
{
    const uint before = (uint)((size_t)bytes % 8);
    __global const ulong *words = (__global const ulong *)(bytes - before);
    const ulong number = words[0] >> 8 * before | words[1] << 1 << (63 - 8 * before);
    return as_ulong(as_uchar8(number).s76543210);
}

#endif

/* The chunk at `depth`, which is at most the size. */
CLSORT_INLINE ulong string_chunk(const struct string_set *set, const struct string_span *span,
                                 ulong depth)
{
    const ulong at = span->begin + depth;
    const ulong left = span->size - depth;
    const uint num = (uint)min(left, (ulong)CHUNK_BYTES);
    ulong word = 0;
    if (at + BYTES_ROOM <= set->num_bytes) {
        word = bytes_number(set->bytes + at);
    } else {
        for (uint i = 0; i < num; ++i)
            word |= (ulong)set->bytes[at + i] << (56 - 8 * i);
    }
    return (word & ~(~0ul >> 8 * num)) | min(left, (ulong)CHUNK_BYTES + 1);
}

/* How many bytes two strings agree in, given that it is `depth` at least; `limit` for more. */
CLSORT_INLINE ulong string_agree(const struct string_set *set, const struct string_span *a,
                                 const struct string_span *b, ulong depth, ulong limit)
{
    const ulong end = min(min(a->size, b->size), limit);
    const ulong room = set->num_bytes - max(a->begin, b->begin);
    const ulong words_end = min(end, sub_sat(room, (ulong)BYTES_ROOM - 8));
    __global const uchar *bytes_a = set->bytes + a->begin;
    __global const uchar *bytes_b = set->bytes + b->begin;
    for (; depth + 8 <= words_end; depth += 8) {
        const ulong differ = bytes_number(bytes_a + depth) ^ bytes_number(bytes_b + depth);
        if (differ)
            return depth + clz(differ) / 8;
    }
    while (depth < end && bytes_a[depth] == bytes_b[depth])
        ++depth;
    return depth;
}

/* Whether a comes before b, ascending; they agree in `depth` bytes. */
CLSORT_INLINE int string_less(const struct string_set *set, const struct string_span *a,
                              const struct string_span *b, ulong depth)
{
    depth = string_agree(set, a, b, depth, ~0ul);
    return string_chunk(set, a, depth) < string_chunk(set, b, depth);
}

/* A key: the bucket, 6 bytes of the string behind those in which its bucket agrees, and how many
 * are left there, 7 standing for more than 6; descending all bits are flipped. Strings with the
 * same key are equal, or go on. */
#define STRING_KEY_BYTES 6
#define STRING_KEY_GOES_ON(key) (((key)&7) == STRING_KEY_BYTES + 1)
#define STRING_KEY_BUCKET(key) ((uint)((key) >> 51))

CLSORT_INLINE ulong string_key(uint bucket, ulong chunk)
{
    return (ulong)bucket << 51 | (chunk >> 16) << 3 |
           min(chunk & 0xff, (ulong)STRING_KEY_BYTES + 1);
}

/* How deep the strings of a key that go on are known to agree. */
CLSORT_INLINE ulong string_key_depth(__global const ulong *depths, ulong key)
{
    return depths[STRING_KEY_BUCKET(key) / 2] + STRING_KEY_BYTES;
}

#endif
