/* lookback.h: for each tile of a launch the sum of what all tiles before it have counted.
 *
 * Idea: a tile publishes its count, and later the sum of all tiles up to it, in one word. A tile
 * goes back over the words of those before it and adds up until it finds a sum ("decoupled
 * look-back": Merrill and Garland, 2016). Tiles are numbered by a ticket, so those before it
 * have begun. None waits without a bound: what is not published in time is counted again by the
 * one that waits, which OpenCL's missing promise of progress asks for ("decoupled fallback":
 * Smith, Levien and Owens, 2025).
 *
 * A kernel file defines before: LOOKBACK_CONTEXT, a type, and LOOKBACK_RECOUNT(context, tile),
 * the count of a tile from its input, which does not change meanwhile. Words begin at 0. Counts
 * are below 2^30.
 *
 * Local memory: none. */
#ifndef CLSORT_DEVICE_LOOKBACK_H
#define CLSORT_DEVICE_LOOKBACK_H

#include "device/barrier.h"

/* What a word says: the tile's count, or the sum of all tiles up to it; 0: nothing yet. */
#define TILE_STATE_PARTIAL 0x40000000u
#define TILE_STATE_INCLUSIVE 0x80000000u
#define TILE_STATE_COUNT 0x3fffffffu

/* Words that are read at once. No tuning: it sizes a private array, and differences are small from
 * 4 on. */
#define LOOKBACK_WINDOW 6

#ifdef LOOKBACK_RECOUNT
/* The sum of the counts of the tiles before this one; words: one a tile, `stride` apart.
 * spin_limit: how often to look for one that is not there yet. */
CLSORT_INLINE uint device_look_back(volatile __global uint *words, uint stride, uint tile,
                                    uint spin_limit, LOOKBACK_CONTEXT context)
{
    uint before = 0;
    uint is_inclusive = 0;
#pragma unroll 1
    for (uint at = tile; at > 0 && !is_inclusive;) {
        uint seen[LOOKBACK_WINDOW];
#pragma unroll
        for (uint i = 0; i < LOOKBACK_WINDOW; ++i)
            seen[i] = device_load_relaxed(words + (at > i ? at - 1 - i : 0) * stride);
#pragma unroll
        for (uint i = 0; i < LOOKBACK_WINDOW; ++i) {
            if (at > 0 && !is_inclusive && (i == 0 || seen[i])) {
                uint word = seen[i];
#pragma unroll 1
                for (uint polls = 0; word == 0 && polls < spin_limit; ++polls)
                    word = device_load_relaxed(words + (at - 1) * stride);
                if (word == 0)
                    word = TILE_STATE_PARTIAL | LOOKBACK_RECOUNT(context, at - 1);
                before += word & TILE_STATE_COUNT;
                is_inclusive = word & TILE_STATE_INCLUSIVE;
                --at;
            } else {
                break;
            }
        }
    }
    return before;
}
#endif

#endif
