/* heads.h: where the segments of a tile begin, and where the last one ends
 * (tile.cl, records.cl).
 *
 * Idea: a tile has a bit for each position, which says whether a segment begins there, and a bit
 * for each word of these that is not 0. So a few words give the beginning before any position, and
 * the one behind it, however long the segment is. Nothing is scanned, and three barriers are
 * enough.
 *
 * Only the last segment of a tile can be too long for local memory. Its end is found by words of
 * which a bit stands for 1024 elements.
 *
 * Local memory: struct segments_heads. */
#ifndef CLSORT_SEGMENTS_HEADS_H
#define CLSORT_SEGMENTS_HEADS_H

#include "base/item.h"
#include "segments/segments.h"

/* The bits of the tile, and of as many slots from its last element on. */
#define WORDS ((2 * TILE_SLOTS / 32 + 2 + 3) / 4 * 4)
#define FILLED ((WORDS + 31) / 32)

/* Positions count from the tile's first element, slots from `base` on, a multiple of 32. */
struct segments_heads {
    uint heads[WORDS];        /* a bit for each position */
    uint filled[FILLED];      /* a bit for each word of heads that has one */
    uint longest;             /* elements of one: up to 32, perhaps the next power of two */
    uint behind;              /* what tile_end finds */
    uint number, first_block; /* of a segment that is listed */
};

struct tile {
    uint base;
    uint first, end; /* positions of what is sorted */
    uint last;       /* where the last segment begins, */
    uint fits;       /* which is sorted if it fits */
};

#define LOWEST_BIT(word) (31 - (uint)clz((word) & (0u - (word))))
#define HIGHEST_BIT(word) (31 - (uint)clz(word))
#define BITS_UP_TO(i) (~0u >> (31 - ((i)&31)))
#define NO_HEAD (WORDS * 32)

/* Asks for the elements of the tile, which are read once its heads are known. */
CLSORT_INLINE void tile_prefetch(__global const stored_key_t *keys,
                                 __global const payload_t *payloads, uint size, int makes_index)
{
    const uint size_of_keys = size * sizeof(stored_key_t);
    const uint size_of_payloads = PAYLOAD_SIZE && !makes_index ? size * sizeof(payload_t) : 0;
    GROUP_LOOP(i, 0, (size_of_keys + PREFETCHED - 1) / PREFETCHED)
        PREFETCH((__global const uchar *)keys + i * PREFETCHED);
    GROUP_LOOP(i, 0, (size_of_payloads + PREFETCHED - 1) / PREFETCHED)
        PREFETCH((__global const uchar *)payloads + i * PREFETCHED);
}

/* The last head up to position i; 0 if there is none. */
CLSORT_INLINE uint head_before(__local const struct segments_heads *shared, uint i)
{
    uint w = i / 32, word = shared->heads[w] & BITS_UP_TO(i);
    if (!word) {
        uint f = w / 32, filled = shared->filled[f] & ~(~0u << (w & 31));
        while (!filled && f)
            filled = shared->filled[--f];
        if (!filled)
            return 0;
        w = f * 32 + HIGHEST_BIT(filled);
        word = shared->heads[w];
    }
    return w * 32 + HIGHEST_BIT(word);
}

/* The first head behind position i, or NO_HEAD. */
CLSORT_INLINE uint head_after(__local const struct segments_heads *shared, uint i)
{
    uint w = i / 32, word = shared->heads[w] & ~BITS_UP_TO(i);
    if (!word) {
        uint f = w / 32, filled = shared->filled[f] & ~BITS_UP_TO(w);
        while (!filled && ++f < FILLED)
            filled = shared->filled[f];
        if (!filled)
            return NO_HEAD;
        w = f * 32 + LOWEST_BIT(filled);
        word = shared->heads[w];
    }
    return w * 32 + LOWEST_BIT(word);
}

/* Reads the bits. Ends with a barrier. */
CLSORT_INLINE void tile_read(__local struct segments_heads *shared, __global const uint *bits,
                             uint from, uint count)
{
    const uint me = get_local_id(0);
    for (uint i = me; i < FILLED; i += GROUP_SIZE)
        shared->filled[i] = 0;
    if (me == 0)
        shared->longest = 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* all are empty */
    for (uint quad = me; quad < WORDS / 4; quad += GROUP_SIZE) {
        uint has = 0;
        for (uint i = 0; i < 4; ++i) {
            const uint w = quad * 4 + i;
            const uint word = from / 32 + w <= count / 32 ? bits[from / 32 + w] : 0;
            shared->heads[w] = word;
            has |= (uint)(word != 0) << i;
        }
        if (has)
            atomic_or(&shared->filled[quad / 8], has << (quad % 8 * 4));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the bits are there */
}

/* What this group sorts: the segments that begin in `size` elements. Returns whether there are
 * any. */
CLSORT_INLINE int tile_take(__local const struct segments_heads *shared, uint size,
                            struct tile *tile)
{
    tile->first = shared->heads[0] & 1 ? 0 : head_after(shared, 0);
    if (tile->first >= size)
        return 0;
    tile->base = tile->first & ~31u;
    tile->last = head_before(shared, size - 1);
    const uint behind = head_after(shared, size - 1);
    tile->fits = behind - tile->base <= TILE_SLOTS;
    tile->end = tile->fits ? behind : tile->last;
    return 1;
}

/* Notes the length of the longest segment. */
CLSORT_INLINE void tile_measure(__local struct segments_heads *shared, struct tile tile)
{
    uint longest = 1;
    for (uint w = tile.first / 32 + get_local_id(0); w * 32 < tile.end; w += GROUP_SIZE) {
        const uint word = shared->heads[w];
        uint run = ~word, class = 0; /* runs of zeros, of 1, 2, 4, 8, 16 and more */
        if (w == tile.first / 32)
            run &= ~0u << (tile.first & 31);
        if (tile.end - w * 32 < 32)
            run &= ~(~0u << (tile.end & 31));
#pragma unroll
        for (uint i = 0; i < 5; ++i) {
            class += run != 0;
            run &= run << (1u << i & 31);
        }
        longest = max(longest, 1u << class);
        const uint head = w * 32 + HIGHEST_BIT(word | 1);
        if (word && head < tile.end)
            longest = max(longest, min(head_after(shared, head), tile.end) - head);
    }
    if (longest > 1)
        atomic_max(&shared->longest, longest);
}

/* A segment whose parts [begin, middle) and [middle, end) are in order; slots. */
struct parts {
    uint begin, middle, end;
};

/* Those of the segment across slot `middle`, no further than `width` from there. If there is none
 * they are empty. */
CLSORT_INLINE struct parts parts_across(__local const struct segments_heads *shared,
                                        struct tile tile, uint middle, uint width)
{
    struct parts parts = {middle, middle, middle};
    const uint at = tile.base + middle;
    if (at > tile.first && at < tile.end && !(shared->heads[at / 32] >> (at & 31) & 1)) {
        parts.begin = max(head_before(shared, at), at - width) - tile.base;
        parts.end = min(min(head_after(shared, at), tile.end), at + width) - tile.base;
    }
    return parts;
}

/* The first of the bits from `begin` to `end` that is set, or `end`. By all work-items. */
CLSORT_INLINE uint bits_first(__local uint *found, __global const uint *bits, uint begin, uint end)
{
    uint first = end;
    const uint last = (end - 1) / 32;
    for (uint from = begin / 32; from <= last && first == end; from += GROUP_SIZE) {
        const uint w = from + get_local_id(0);
        if (get_local_id(0) == 0)
            *found = end;
        barrier(CLK_LOCAL_MEM_FENCE); /* none is found */
        if (w <= last) {
            const uint word = bits[w] & (w == begin / 32 ? ~0u << (begin & 31) : ~0u);
            if (word)
                atomic_min(found, w * 32 + LOWEST_BIT(word));
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* these have been seen */
        first = *found;
        barrier(CLK_LOCAL_MEM_FENCE); /* all know the first */
    }
    return first;
}

/* The first head from element `at` on, beyond the tile's own bits. By all work-items. */
CLSORT_INLINE uint tile_end(__local struct segments_heads *shared, __global const uint *bits,
                            __global const uint *tops, uint count, uint at)
{
    /* What is left of 1024 elements, then 1024 at once. */
    const uint end = at / 1024 < count / 1024 ? (at / 1024 + 1) * 1024 : count;
    const uint head = bits_first(&shared->behind, bits, at, end);
    if (head < end || end == count)
        return head;
    const uint block = bits_first(&shared->behind, tops, end / 1024, count / 1024 + 1);
    return bits_first(&shared->behind, bits, block * 1024,
                      block < count / 1024 ? block * 1024 + 1024 : count);
}

#endif
