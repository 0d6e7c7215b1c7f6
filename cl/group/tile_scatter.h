/* tile_scatter.h: a tile written to its targets by way of local memory, once its elements
 * are ranked.
 *
 * Idea: elements are put in the order of their ranks; then neighbouring work-items write
 * neighbouring slots. What has the same digit lies together and goes to neighbouring targets, so
 * writes are runs. One number for each digit says where: the target that slot 0 would have if
 * all of the tile were of that digit.
 *
 *   GROUP_TILE_ORDER    own elements to the slots of their ranks
 *   GROUP_TILE_EMIT     each slot's element to wherever EMIT(i, slot) writes it
 *
 * with a barrier between them. Loops that a work-item's distances make constant are macros,
 * since an element's type and its target are the caller's.
 *
 * Local memory: the tile, and a number for each digit, which the caller has. */
#ifndef CLSORT_GROUP_TILE_SCATTER_H
#define CLSORT_GROUP_TILE_SCATTER_H

#include "base/config.h"

/* Elements that a work-item emits at once. Not tuning: it divides ITEMS. */
#define TILE_ROUND            \
    (ITEMS <= 12      ? ITEMS \
     : ITEMS % 8 == 0 ? 8     \
     : ITEMS % 7 == 0 ? 7     \
     : ITEMS % 6 == 0 ? 6     \
     : ITEMS % 5 == 0 ? 5     \
                      : ITEMS)

/* tile[RANK(i)] = own[i] for the elements i whose slots, `step` apart, are below `left` more
 * than the first. */
#define GROUP_TILE_ORDER(tile, own, RANK, step, left)                                            \
    do {                                                                                         \
        _Pragma("unroll") for (int i_ = 0; i_ < ITEMS;                                           \
                               ++i_) if (i_ * (int)(step) < (left))(tile)[RANK(i_)] = (own)[i_]; \
    } while (0)

/* EMIT(i, slot) for the slots below `size`, GROUP_SIZE apart, `round` of them at once, which
 * divides ITEMS. A whole tile is emitted without a test, so that what EMIT reads for all of a round
 * is on its way at once. */
#define GROUP_TILE_EMIT(size, round, EMIT)                                                 \
    do {                                                                                   \
        const uint first_ = get_local_id(0);                                               \
        if ((size) >= TILE_SLOTS) {                                                        \
            _Pragma("unroll 1") for (uint i_ = 0; i_ < ITEMS; i_ += (round))               \
            {                                                                              \
                _Pragma("unroll") for (uint k_ = 0; k_ < (round); ++k_)                    \
                    EMIT(i_ + k_, first_ + (i_ + k_) * GROUP_SIZE);                        \
            }                                                                              \
        } else {                                                                           \
            _Pragma("unroll 1") for (uint i_ = 0; i_ < ITEMS; i_ += (round))               \
            {                                                                              \
                _Pragma("unroll") for (uint k_ = 0; k_ < (round);                          \
                                       ++k_) if (first_ + (i_ + k_) * GROUP_SIZE < (size)) \
                    EMIT(i_ + k_, first_ + (i_ + k_) * GROUP_SIZE);                        \
            }                                                                              \
        }                                                                                  \
    } while (0)

#endif
