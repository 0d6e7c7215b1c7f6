/* tile_load.h: which slots of a tile a work-item's elements come from, and how they are
 * loaded.
 *
 *   arrangement   first slot               step             what it is for
 *   striped       local id                 GROUP_SIZE       neighbours read neighbours
 *   blocked       local id * ITEMS         1                a work-item has neighbouring elements
 *   sub-group     TILE_SUBGROUP_FIRST      TILE_SUBGROUP    striped inside a sub-group's run: ranks
 *                                                           in input order (CUB: "warp-striped")
 *
 * Slots are a work-item's first and a distance that is a constant.
 *
 * Local memory: none. */
#ifndef CLSORT_GROUP_TILE_LOAD_H
#define CLSORT_GROUP_TILE_LOAD_H

#include "base/config.h"

#if CLSORT_SUBGROUP > 1
#define TILE_SUBGROUP CLSORT_SUBGROUP
#else
#define TILE_SUBGROUP 1
#endif

/* The slot of the first element of work-item `me` in the arrangement by sub-groups. */
#define TILE_SUBGROUP_FIRST(me) \
    ((me) / TILE_SUBGROUP * (TILE_SUBGROUP * ITEMS) + (me) % TILE_SUBGROUP)

/* own[i] is FETCH(slot) for each slot of the tile below `size`, and padding behind. */
#define GROUP_TILE_LOAD(own, first, step, size, padding, FETCH)                   \
    do {                                                                          \
        const uint first_ = (first);                                              \
        const int left_ = (int)min((uint)(size), (uint)TILE_SLOTS) - (int)first_; \
        _Pragma("unroll") for (int i_ = 0; i_ < ITEMS; ++i_)(own)[i_] =           \
            i_ * (int)(step) < left_ ? FETCH(first_ + i_ * (step)) : (padding);   \
    } while (0)

#endif
