/* group_tile_scatter.h: a tile written to its targets by way of local memory, once its elements
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

#include "config.h"

#define TILE_PRAGMA(text) _Pragma(#text)

/* tile[RANK(i)] = own[i] for the elements i whose slots, `step` apart, are below `left` more
 * than the first. */
#define GROUP_TILE_ORDER(tile, own, RANK, step, left)                                            \
    do {                                                                                         \
        _Pragma("unroll") for (int i_ = 0; i_ < ITEMS;                                           \
                               ++i_) if (i_ * (int)(step) < (left))(tile)[RANK(i_)] = (own)[i_]; \
    } while (0)

/* EMIT(i, slot) for the slots below `size`, GROUP_SIZE apart; UNROLL: how far, as in "unroll 4". */
#define GROUP_TILE_EMIT(size, UNROLL, EMIT)          \
    do {                                             \
        const uint first_ = get_local_id(0);         \
        const int left_ = (int)(size) - (int)first_; \
        TILE_PRAGMA(UNROLL)                          \
        for (int i_ = 0; i_ < ITEMS; ++i_)           \
            if (i_ * GROUP_SIZE < left_)             \
                EMIT(i_, first_ + i_ * GROUP_SIZE);  \
    } while (0)

#endif
