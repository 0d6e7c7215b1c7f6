/* bins.cl: group_bin_sort.h, and a merge sort of the tiles that it refuses. BIN_WIDE: items of
 * 64 bits. BIN_MAX_RANKED: late items of a word in which items are compared. */
#include "base/config.h"
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

struct own {
    BIN_ITEM items[ITEMS + 2];
    uint n;
    __global const uint *in;
};
#define BIN_OWN struct own
#define BIN_ITEMS (ITEMS / 2 * 2 + 2)
#define BIN_ROW 2 /* neighbours */
#define OWN_AT(i) (((i) / 2 * GROUP_SIZE + (uint)get_local_id(0)) * 2 + (i) % 2)
#define BIN_HAS_ROW(own, row) (OWN_AT(2 * (row) + 1) < (own)->n)
#define BIN_HAS(own, i) (BIN_HAS_ROW(own, (i) / 2))
/* The last of an odd number is there, and its run is not. */
#define BIN_PARTS(own)                                            \
    ((own)->n % 2 && (own)->n / 2 % GROUP_SIZE == get_local_id(0) \
         ? 1u << (own)->n / 2 / GROUP_SIZE * 2                    \
         : 0)
#define BIN_GET(own, i) (own)->items[i]
#define BIN_LOAD(own, i) MAKE((own)->in[OWN_AT(i)])
#define BIN_OF(item, shift) ((uint)((item) >> (shift)))
#define BIN_MAX_LATE (TILE_SLOTS / 8)
#define BIN_SPARE 3
#include "group/bin_sort.h"
#define MERGE_ITEM BIN_ITEM
#define MERGE_LESS(a, b) ((a) < (b))
#include "group/merge_local.h"

/* Where an item belongs. */
#define PLACE(i) \
    (state == BIN_IN_WORDS ? bin_sort_rank(&shared, first + (i), first, BIN_SHIFT) - first : (i))

/* out[0]: what bins made of them; then the items in order, upper halves first. Twice, to see what
 * the first leaves; the second time they begin further behind in the tile. */
KERNEL void bins(__global const uint *in, __global uint *out, uint n, uint parameter)
{
    __local struct group_bin_sort_local shared;
    __local struct local_sort merging;
    const uint me = get_local_id(0);
    uint state = BIN_UNSORTED, first = 0;
    struct own own;
    own.n = n;
    own.in = in;
    for (uint round = 0; round < 2; ++round) {
        first = round * BIN_SPARE;
        for (uint i = 0; i < BIN_ITEMS; ++i)
            if (OWN_AT(i) < n)
                own.items[i] = MAKE(in[OWN_AT(i)]);
        state = group_bin_sort(&shared, &own, first, n, BIN_SHIFT);
    }
    if (state == BIN_UNSORTED)
        for (uint i = 0; i < BIN_ITEMS; ++i)
            if (OWN_AT(i) < n)
                shared.tile[first + OWN_AT(i)] = own.items[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is there */
    local_sort(&merging, shared.tile + first, state == BIN_UNSORTED ? n : 0);
    if (me == 0)
        out[0] = state;
    for (uint slot = me; slot < n; slot += GROUP_SIZE) {
        const ulong item = shared.tile[first + slot];
        const uint place = PLACE(slot);
        out[1 + place * sizeof(BIN_ITEM) / 4] = (uint)(item >> 8 * (sizeof(BIN_ITEM) - 4));
        if (sizeof(BIN_ITEM) == 8)
            out[2 + 2 * place] = (uint)item;
    }
}
