/* merge.cl: group/merge.h's path, and merge_local.h's sort and merge of a tile: an item's key is
 * its upper half, its lower half says where it was, so that a sort that is not stable shows. */
#include "base/config.h"
#define MERGE_ITEM uint
#define MERGE_LESS(a, b) ((a) >> 16 < (b) >> 16)
#define MERGE_LESS_LOCAL(a, b) MERGE_LESS(a, b)
#include "group/merge.h"
#ifdef MERGE_BY_SLOTS
#undef RECORD_IS_WIDE
#define RECORD_IS_WIDE 1
#endif
#include "group/merge_local.h"

/* out[d]: how many of the first d items of the merge of [0, first_size) and [first_size, n) are
 * from the first. */
KERNEL void path(__global const uint *in, __global uint *out, uint n, uint first_size)
{
    for (uint diagonal = get_local_id(0); diagonal <= n; diagonal += GROUP_SIZE) {
#define SECOND_LESS(j, i) MERGE_LESS(in[first_size + (j)], in[i])
        MERGE_PATH(uint, cut, first_size, n - first_size, diagonal, SECOND_LESS)
        out[diagonal] = cut;
    }
}

/* A tile sorted; or, if it is two runs, merged. */
CLSORT_INLINE void put_in_order(__global const uint *in, __global uint *out, uint n,
                                uint first_size, __local uint *tile,
                                __local struct local_sort *shared)
{
    for (uint slot = get_local_id(0); slot < n; slot += GROUP_SIZE)
        tile[slot] = in[slot];
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is there */
    if (first_size <= n)
        local_merge(shared, tile, n, first_size, 1);
    else
        local_sort(shared, tile, n);
    for (uint slot = get_local_id(0); slot < n; slot += GROUP_SIZE)
        out[slot] = LOCAL_ITEM(shared, tile, slot);
}

KERNEL void sort(__global const uint *in, __global uint *out, uint n, uint parameter)
{
    __local uint tile[TILE_SLOTS];
    __local struct local_sort shared;
    put_in_order(in, out, n, ~0u, tile, &shared);
}

KERNEL void merge(__global const uint *in, __global uint *out, uint n, uint first_size)
{
    __local uint tile[TILE_SLOTS];
    __local struct local_sort shared;
    put_in_order(in, out, n, first_size, tile, &shared);
}
