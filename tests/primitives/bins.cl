/* bins.cl: group_bin_sort.h, and a merge sort of the tiles that it refuses. BIN_WIDE: items of
 * 64 bits. */
#include "config.h"
#if BIN_WIDE
#define BIN_ITEM ulong
#define MAKE(number) ((ulong)(number) << 32 | (0x9e3779b9u * (number)))
#else
#define BIN_ITEM uint
#define MAKE(number) (number)
#endif
#define BIN_WORDS (4 * GROUP_SIZE)
/* Bins by the highest bits: 6 + log2(GROUP_SIZE) of them. */
#define BIN_SHIFT (8 * (uint)sizeof(BIN_ITEM) - 6 - (31 - clz((uint)GROUP_SIZE)))
#include "group_bin_sort.h"
#define MERGE_ITEM BIN_ITEM
#define MERGE_LESS(a, b) BIN_LESS(a, b)
#include "merge_local.h"

/* out[0]: whether bins did; then the items in order, upper halves first. Twice, to see what the
 * first leaves. */
KERNEL void bins(__global const uint *in, __global uint *out, uint n, uint parameter)
{
    __local struct group_bin_sort_local shared;
    __local struct local_sort merging;
    const uint me = get_local_id(0);
    uint is_sorted = 0;
    BIN_ITEM own[ITEMS];
    for (uint round = 0; round < 2; ++round) {
        for (uint i = 0; i < ITEMS; ++i)
            if (i * GROUP_SIZE + me < n)
                own[i] = MAKE(in[i * GROUP_SIZE + me]);
        is_sorted = group_bin_sort(&shared, own, n, BIN_SHIFT);
    }
    if (!is_sorted)
        for (uint i = 0; i < ITEMS; ++i)
            if (i * GROUP_SIZE + me < n)
                shared.tile[i * GROUP_SIZE + me] = own[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is there */
    local_sort(&merging, shared.tile, is_sorted ? 0 : n);
    if (me == 0)
        out[0] = is_sorted;
    for (uint slot = me; slot < n; slot += GROUP_SIZE) {
        const ulong item = shared.tile[slot];
        out[1 + slot * sizeof(BIN_ITEM) / 4] = (uint)(item >> 8 * (sizeof(BIN_ITEM) - 4));
        if (sizeof(BIN_ITEM) == 8)
            out[2 + 2 * slot] = (uint)item;
    }
}
