/* group_bin_sort.h: a tile sorted in local memory by bins that hold one item.
 *
 * Idea: there are several times more bins than items, so most of them hold one item or none, and
 * a bin is a bit: sixteen of them are half a word. An item sets its bit. If it was set the item
 * is "late". A scan over what each word has puts a word's rank into its upper half; an item's
 * rank is that and the number of set bits below its own. Late items go behind the others of
 * their word, and such words are sorted by insertion, one work-item each. Items that crowd few
 * bins are found on the way: then the tile is left as it was, and the caller sorts it otherwise
 * (group_merge_path.h). The order of equal items is not kept.
 *
 * Defined before: BIN_WORDS, a multiple of 4 * GROUP_SIZE. May be: BIN_ITEM, its type,
 * BIN_LESS(a, b), BIN_OF(item, shift), below 16 * BIN_WORDS and not falling in the order of
 * items; BIN_MAX_LATE, late items that there is storage for; BIN_MAX_WORD_LATE, those of a word.
 *
 * Local memory: struct group_bin_sort_local. Bins in local memory with late items are our own
 * (2026); the shape is bucket sort's with a bitmap of occupied buckets. */
#ifndef CLSORT_GROUP_BIN_SORT_H
#define CLSORT_GROUP_BIN_SORT_H

#include "config.h"

#ifndef BIN_ITEM
#define BIN_ITEM uint
#endif
#ifndef BIN_LESS
#define BIN_LESS(a, b) ((a) < (b))
#endif
#ifndef BIN_OF
#define BIN_OF(item, shift) ((uint)((item) >> (shift)))
#endif
#ifndef BIN_MAX_LATE
#define BIN_MAX_LATE (TILE_SLOTS / 8)
#endif
#ifndef BIN_MAX_WORD_LATE
#define BIN_MAX_WORD_LATE 32
#endif

#define BIN_QUADS (BIN_WORDS / 4 / GROUP_SIZE) /* of words, of a work-item */
#if BIN_WORDS % (4 * GROUP_SIZE) || TILE_SLOTS > 32768 || ITEMS > 32
#error \
    "group_bin_sort.h: BIN_WORDS is a multiple of 4 * GROUP_SIZE, at most 32 items of a work-item"
#endif
#define SCAN_ROWS BIN_QUADS
#include "group_scan_rows.h"

typedef uint4 __attribute__((may_alias)) bin_quad_t;

struct group_bin_sort_local {
    uint words[BIN_WORDS]
        __attribute__((aligned(16))); /* bins; above them late items, then a rank */
    BIN_ITEM tile[TILE_SLOTS] __attribute__((aligned(16)));
    BIN_ITEM late[BIN_MAX_LATE];
    ushort late_number[BIN_MAX_LATE]; /* among its word's */
    uint num_late;                    /* above BIN_MAX_LATE: the tile is not sorted */
    struct group_scan_rows_local scan;
};

#define BIN_WORD(bin) ((bin) >> 4)
#define BIN_BIT(bin) (1u << ((bin)&15))
#define BIN_WORD_SIZE(word) (popcount((word)&0xffff) + ((word) >> 16))

/* Sets the bits of a work-item's items, and puts by those that are late; returns which are, a
 * bit each. */
CLSORT_INLINE uint bin_sort_mark(__local struct group_bin_sort_local *shared, const BIN_ITEM *own,
                                 int left, uint shift)
{
    uint is_late = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (i * GROUP_SIZE < left) {
            const uint bin = BIN_OF(own[i], shift);
            const uint before = atomic_or(&shared->words[BIN_WORD(bin)], BIN_BIT(bin));
            is_late |= (before & BIN_BIT(bin)) ? 1u << i : 0;
        }
    }
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (is_late >> i & 1) {
            const uint word = BIN_WORD(BIN_OF(own[i], shift));
            const uint number = atomic_add(&shared->words[word], 0x10000u) >> 16;
            const uint at =
                atomic_add(&shared->num_late, number < BIN_MAX_WORD_LATE ? 1u : BIN_MAX_LATE + 1u);
            if (at < BIN_MAX_LATE) {
                shared->late[at] = own[i];
                shared->late_number[at] = (ushort)number;
            }
        }
    }
    return is_late;
}

/* Turns what each word has into its rank. Begins after a barrier and ends before one. */
CLSORT_INLINE void bin_sort_scan(__local struct group_bin_sort_local *shared)
{
    __local bin_quad_t *quads = (__local bin_quad_t *)shared->words + get_local_id(0);
    uint ranks[BIN_QUADS];
#pragma unroll
    for (uint j = 0; j < BIN_QUADS; ++j) {
        const uint4 quad = quads[j * GROUP_SIZE];
        ranks[j] = BIN_WORD_SIZE(quad.x) + BIN_WORD_SIZE(quad.y) + BIN_WORD_SIZE(quad.z) +
                   BIN_WORD_SIZE(quad.w);
    }
    group_scan_rows(&shared->scan, ranks);
#pragma unroll
    for (uint j = 0; j < BIN_QUADS; ++j) {
        uint4 quad = quads[j * GROUP_SIZE];
        const uint4 size = BIN_WORD_SIZE(quad);
        const uint y = ranks[j] + size.x, z = y + size.y, w = z + size.z;
        quads[j * GROUP_SIZE] = (quad & 0xffff) | (uint4)(ranks[j], y, z, w) << 16;
    }
}

/* Sorts a word's items, of which some were late, in the tile. */
CLSORT_INLINE void bin_sort_word(__local struct group_bin_sort_local *shared, uint word, uint size)
{
    __local BIN_ITEM *tile = shared->tile;
    const uint begin = shared->words[word] >> 16;
    const uint end = word + 1 < BIN_WORDS ? shared->words[word + 1] >> 16 : size;
    for (uint i = begin + 1; i < end; ++i) {
        const BIN_ITEM item = tile[i];
        uint at = i;
        for (; at > begin && BIN_LESS(item, tile[at - 1]); --at)
            tile[at] = tile[at - 1];
        tile[at] = item;
    }
}

/* Sorts `size` items, at most TILE_SLOTS, of which a work-item has those of striped slots, into
 * shared->tile. Whether it did; else `own` still has the items. Begins and ends with a barrier. */
CLSORT_INLINE uint group_bin_sort(__local struct group_bin_sort_local *shared, const BIN_ITEM *own,
                                  uint size, uint shift)
{
    const uint me = get_local_id(0);
    const int left = (int)size - (int)me;
    barrier(CLK_LOCAL_MEM_FENCE); /* the last tile's readers are done */
#pragma unroll
    for (uint j = 0; j < BIN_QUADS; ++j)
        ((__local bin_quad_t *)shared->words)[j * GROUP_SIZE + me] = (uint4)(0);
    shared->num_late = 0;         /* by all: see merge_local.h */
    barrier(CLK_LOCAL_MEM_FENCE); /* bins are empty */
    const uint is_late = bin_sort_mark(shared, own, left, shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* all items are in bins or put by */
    const uint num_late = shared->num_late;
    const uint is_sorted = num_late <= BIN_MAX_LATE;
    bin_sort_scan(shared);
    barrier(CLK_LOCAL_MEM_FENCE); /* every word's rank is there */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (i * GROUP_SIZE < left && !(is_late >> i & 1)) {
            const uint bin = BIN_OF(own[i], shift);
            const uint word = shared->words[BIN_WORD(bin)];
            shared->tile[(word >> 16) + popcount(word & (BIN_BIT(bin) - 1))] = own[i];
        }
    }
    for (uint i = me; is_sorted && i < num_late; i += GROUP_SIZE) {
        const uint word = shared->words[BIN_WORD(BIN_OF(shared->late[i], shift))];
        shared->tile[(word >> 16) + popcount(word & 0xffff) + shared->late_number[i]] =
            shared->late[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* every word's items lie together */
    for (uint i = me; is_sorted && i < num_late; i += GROUP_SIZE)
        if (shared->late_number[i] == 0)
            bin_sort_word(shared, BIN_WORD(BIN_OF(shared->late[i], shift)), size);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order, or it is known that it is not */
    return is_sorted;
}

#endif
