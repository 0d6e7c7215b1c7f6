/* group_tile_load.h: which slots of a tile a work-item's elements come from, and how they are
 * loaded.
 *
 *   arrangement   first slot               step             what it is for
 *   striped       local id                 GROUP_SIZE       neighbours read neighbours
 *   blocked       local id * ITEMS         1                a work-item has neighbouring elements
 *   sub-group     TILE_SUBGROUP_FIRST      TILE_SUBGROUP    striped inside a sub-group's run: ranks
 *                                                           in input order (CUB: "warp-striped")
 *   vectors       group_tile_vector_slot()                  16 aligned bytes at once
 *
 * A whole tile is loaded without a test, so that all loads are on their way at once. Slots are a
 * work-item's first and a distance that is a constant.
 *
 * Local memory: none. */
#ifndef CLSORT_GROUP_TILE_LOAD_H
#define CLSORT_GROUP_TILE_LOAD_H

#include "config.h"

#if CLSORT_SUBGROUP > 1
#define TILE_SUBGROUP CLSORT_SUBGROUP
#else
#define TILE_SUBGROUP 1
#endif

/* The slot of the first element of work-item `me` in the arrangement by sub-groups. */
#define TILE_SUBGROUP_FIRST(me) \
    ((me) / TILE_SUBGROUP * (TILE_SUBGROUP * ITEMS) + (me) % TILE_SUBGROUP)

/* own[i] is FETCH(slot) for each slot of the tile below `size`, and padding behind. */
#define GROUP_TILE_LOAD(own, first, step, size, padding, FETCH)                     \
    do {                                                                            \
        const uint first_ = (first);                                                \
        const int left_ = (int)min((uint)(size), (uint)TILE_SLOTS) - (int)first_;   \
        if ((size) >= TILE_SLOTS) {                                                 \
            _Pragma("unroll") for (int i_ = 0; i_ < ITEMS; ++i_)(own)[i_] =         \
                FETCH(first_ + i_ * (step));                                        \
        } else {                                                                    \
            _Pragma("unroll") for (int i_ = 0; i_ < ITEMS; ++i_)(own)[i_] =         \
                i_ * (int)(step) < left_ ? FETCH(first_ + i_ * (step)) : (padding); \
        }                                                                           \
    } while (0)

/* The arrangement by vectors of 16 bytes, of keys of TILE_KEY_SIZE bytes; ITEMS is a multiple of
 * TILE_VECTOR. */
#ifdef TILE_KEY_SIZE
#define TILE_VECTOR (16 / TILE_KEY_SIZE)
#if TILE_KEY_SIZE == 8
typedef ulong tile_key_t;
typedef ulong2 tile_vector_t;
#define TILE_UNPACK(vector, keys) vstore2(vector, 0, keys)
#elif TILE_KEY_SIZE == 4
typedef uint tile_key_t;
typedef uint4 tile_vector_t;
#define TILE_UNPACK(vector, keys) vstore4(vector, 0, keys)
#else
typedef ushort tile_key_t;
typedef ushort8 tile_vector_t;
#define TILE_UNPACK(vector, keys) vstore8(vector, 0, keys)
#endif

/* The slot of element i. */
CLSORT_INLINE uint group_tile_vector_slot(uint i)
{
    return (i / TILE_VECTOR * GROUP_SIZE + (uint)get_local_id(0)) * TILE_VECTOR + i % TILE_VECTOR;
}

/* A tile of which `size` keys are there, padding behind. keys: at a multiple of 16 bytes. */
CLSORT_INLINE void group_tile_load_vectors(tile_key_t *own, __global const tile_key_t *keys,
                                           uint size, tile_key_t padding)
{
    __global const tile_vector_t *vectors = (__global const tile_vector_t *)keys + get_local_id(0);
#pragma unroll
    for (uint i = 0; i < ITEMS; i += TILE_VECTOR) {
        const uint slot = group_tile_vector_slot(i);
        if (slot + TILE_VECTOR <= size) {
            TILE_UNPACK(vectors[i / TILE_VECTOR * GROUP_SIZE], own + i);
        } else {
            for (uint k = 0; k < TILE_VECTOR; ++k)
                own[i + k] = slot + k < size ? keys[slot + k] : padding;
        }
    }
}
#endif

#endif
