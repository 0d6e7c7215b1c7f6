/* segments_heads.h: where the segments of a tile begin (segments_tile.cl).
 *
 * Idea: a tile has a bit for each position, which says whether a segment begins there, and a bit
 * for each word of these that is not 0. So a few words give the beginning before any position, and
 * the one behind it, however long the segment is. Nothing is scanned, and three barriers are
 * enough.
 *
 * Local memory: struct segments_tile_local. */
#ifndef CLSORT_SEGMENTS_HEADS_H
#define CLSORT_SEGMENTS_HEADS_H

#include "part.h"
#include "segments.h"

/* The bits of the tile, and of as many slots from its last element on. */
#define WORDS ((2 * TILE_SLOTS / 32 + 2 + 3) / 4 * 4)
#define FILLED ((WORDS + 31) / 32)
#define CLASSES 6
/* Elements of a short segment: those that begin among CHUNK slots end in their WINDOW, whose heads
 * are one word (segments_sort.h). Wide items take chunks of half a work-item's slots, or else their
 * windows would take more registers than all other steps. */
#define SHORT (ITEMS < 25 ? 8 : 33 - ITEMS)
#define CHUNK (ITEM_SIZE == 4 ? ITEMS : (ITEMS + 1) / 2)
#define WINDOW (CHUNK + SHORT - 1)

/* Positions count from the tile's first element, slots from `base` on, a multiple of 32. */
struct segments_tile_local {
    ITEM items[TILE_SLOTS + SHORT]; /* the last ones are read, never taken */
    uint heads[WORDS];              /* a bit for each position */
    uint filled[FILLED];            /* a bit for each word of heads that has one */
    uint longer[CLASSES];           /* i: whether one is longer than 2^i / 2, and at most 2^i */
    uint longest;                   /* the elements of one that is longer, or 0 */
    uint first, last, behind;       /* what tile_end and tile_list find */
};

struct tile {
    uint base;
    uint first, end; /* positions of what is sorted */
};

#define LOWEST_BIT(word) (31 - (uint)clz((word) & (0u - (word))))
#define HIGHEST_BIT(word) (31 - (uint)clz(word))
#define BITS_UP_TO(i) (~0u >> (31 - ((i)&31)))
#define NO_HEAD (WORDS * 32)

/* The last head up to position i; 0 if there is none. */
CLSORT_INLINE uint head_before(__local const struct segments_tile_local *shared, uint i)
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
CLSORT_INLINE uint head_after(__local const struct segments_tile_local *shared, uint i)
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
CLSORT_INLINE void tile_read(__local struct segments_tile_local *shared, __global const uint *bits,
                             uint from, uint count)
{
    const uint me = get_local_id(0);
    for (uint i = me; i < FILLED; i += GROUP_SIZE)
        shared->filled[i] = 0;
    for (uint i = me; i < CLASSES; i += GROUP_SIZE)
        shared->longer[i] = 0;
    if (me == 0)
        shared->longest = 0;
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

/* Notes the lengths of the segments: up to 32 elements by classes, and the longest. */
CLSORT_INLINE void tile_measure(__local struct segments_tile_local *shared, struct tile tile)
{
    for (uint w = tile.first / 32 + get_local_id(0); w * 32 < tile.end; w += GROUP_SIZE) {
        const uint word = shared->heads[w];
        uint run = ~word, class = 0; /* runs of zeros, of 1, 2, 4, 8, 16 and more */
        if (w == tile.first / 32)
            run &= ~0u << (tile.first & 31);
        if (tile.end - w * 32 < 32)
            run &= ~(~0u << (tile.end & 31));
#pragma unroll
        for (uint i = 0; i < CLASSES - 1; ++i) {
            class += run != 0;
            run &= run << (1u << i & 31);
        }
        const uint head = w * 32 + HIGHEST_BIT(word | 1);
        if (word && head < tile.end) {
            const uint length = min(head_after(shared, head), tile.end) - head;
            class = max(class, 32 - (uint)clz(length - 1));
            if (class >= CLASSES)
                atomic_max(&shared->longest, length);
        }
        if (class < CLASSES)
            shared->longer[class] = 1;
    }
}

#endif
