/* bin_sort.h: a tile sorted in local memory by bins that hold one item.
 *
 * Idea: there are several times more bins than items, so most of them hold one item or none, and a
 * bin is a bit: sixteen of them are half a word. An item sets its bit. If it was set the item is
 * "late". A scan over what each word has puts a word's rank into its upper half; an item's rank is
 * that and the number of set bits below its own. Late items go behind the others of their word, and
 * such words are sorted by insertion, one work-item each. If more are late than there is storage
 * for, or many in one word, as when each key is there several times, words are left unsorted, and
 * an item's rank in its word comes from comparing it with the word's others; or all words are
 * sorted by insertion. Items that crowd few words are found on the way: then the tile is of no use,
 * work-items still have their items, and the caller sorts them otherwise. The
 * order of equal items is not kept.
 *
 * Defined before: BIN_WORDS, a multiple of 4 * GROUP_SIZE; BIN_ITEM, an item's type, and
 * BIN_OF(item, shift), below 16 * BIN_WORDS and not falling in the order of items; BIN_MAX_LATE,
 * late items that there is storage for; and what a work-item holds: BIN_OWN, a type of BIN_ITEMS
 * items, 32 at most, of which BIN_ROW at a time are under way together, and
 *   BIN_HAS_ROW(own, row)  whether any of a row is there
 *   BIN_HAS(own, i)        whether item i is, too
 *   BIN_GET(own, i)        that item; if it is not there, any
 *   BIN_LOAD(own, i)       that item, loaded again, where a loop shall not be unrolled
 *   BIN_PARTS(own)         those items, a bit each, that are there though their rows are not. They
 *                          are late from the beginning, so there should be few
 * May be: BIN_IS_EXACT, 1 if items of one bin are the same; BIN_MAX_RANKED, late items of a word in
 * which items are compared (0: none is); BIN_SORTS_WORDS, 1 if insertion sorts all words instead,
 * which is slower; BIN_SPARE, slots of the tile that may be left free in front of the items.
 *
 * Local memory: struct group_bin_sort_local. Bins in local memory with late items are our own
 * (2026); the shape is bucket sort's with a bitmap of occupied buckets. */
#ifndef CLSORT_GROUP_BIN_SORT_H
#define CLSORT_GROUP_BIN_SORT_H

#include "base/config.h"

#define BIN_MAX_WORD_LATE 32 /* late items of a word that is sorted by insertion */
#ifndef BIN_MAX_RANKED
#define BIN_MAX_RANKED 0
#endif
#ifndef BIN_IS_EXACT
#define BIN_IS_EXACT 0
#endif
#ifndef BIN_SPARE
#define BIN_SPARE 0
#endif
#ifndef BIN_SORTS_WORDS
#define BIN_SORTS_WORDS 0
#endif

/* What has become of a tile. */
#define BIN_UNSORTED 0u
#define BIN_SORTED 1u
#define BIN_IN_WORDS 2u /* words are in order, but not the items of one: see bin_sort_rank() */

#define BIN_ROWS ((BIN_ITEMS + BIN_ROW - 1) / BIN_ROW)
#define BIN_QUADS (BIN_WORDS / 4 / GROUP_SIZE) /* of words, of a work-item */
#if BIN_WORDS % (4 * GROUP_SIZE) || TILE_SLOTS > 32768 || BIN_ITEMS > 32
#error "bin_sort.h: BIN_WORDS is a multiple of 4 * GROUP_SIZE, at most 32 items of a work-item"
#endif
#define SCAN_ROWS BIN_QUADS
#include "group/scan_rows.h"

typedef uint4 __attribute__((may_alias)) bin_quad_t;

struct group_bin_sort_local {
    uint words[BIN_WORDS]
        __attribute__((aligned(16))); /* bins; above them late items, then a rank */
    BIN_ITEM tile[TILE_SLOTS + BIN_SPARE] __attribute__((aligned(16)));
    BIN_ITEM late[BIN_MAX_LATE];
    ushort late_number[BIN_MAX_LATE]; /* among its word's */
    uint num_late;                    /* above BIN_MAX_LATE: they are not in `late` */
    uint is_crowded;                  /* a word has too many of them for insertion, */
    uint is_hopeless;                 /* or for comparing them */
    struct group_scan_rows_local scan;
};

#define BIN_WORD(bin) ((bin) >> 4)
/* The same word by bytes: a mask takes one instruction less than to shift there and back. */
#define BIN_WORD_OF(shared, bin) \
    ((__local uint *)((__local uchar *)(shared)->words + ((bin) >> 2 & ~3u)))
#define BIN_BIT(bin) (1u << ((bin)&15))
#define BIN_WORD_SIZE(word) (popcount((word)&0xffff) + ((word) >> 16))
#define BIN_FIRST(bits) (31 - (uint)clz((bits) & -(bits))) /* the lowest bit that is set */

/* Sets the bits of a work-item's items. Returns which are late, a bit each. */
CLSORT_INLINE uint bin_sort_mark(__local struct group_bin_sort_local *shared, BIN_OWN *own,
                                 uint shift)
{
    uint is_late = BIN_PARTS(own);
#pragma unroll
    for (uint row = 0; row < BIN_ROWS; ++row)
        if (BIN_HAS_ROW(own, row)) {
#pragma unroll
            for (uint i = row * BIN_ROW; i < (row + 1) * BIN_ROW; ++i) {
                const uint bin = i < BIN_ITEMS ? BIN_OF(BIN_GET(own, i), shift) : 0;
                const uint bit = i < BIN_ITEMS && BIN_HAS(own, i) ? BIN_BIT(bin) : 0;
                const uint before = i < BIN_ITEMS ? atomic_or(BIN_WORD_OF(shared, bin), bit) : 0;
                is_late |= (before & bit) ? 1u << i : 0;
            }
        }
    return is_late;
}

/* Puts by a work-item's late items: all of them, or none if there is no room. */
CLSORT_INLINE void bin_sort_put_by(__local struct group_bin_sort_local *shared, const BIN_OWN *own,
                                   uint is_late)
{
    const uint num = popcount(is_late);
    uint at = num ? atomic_add(&shared->num_late, num) : 0;
    const uint has_room = at + num <= BIN_MAX_LATE ? ~0u : 0;
#pragma unroll
    for (uint i = 0; i < BIN_ITEMS; ++i)
        if (is_late & has_room & 1u << i)
            shared->late[at++] = BIN_GET(own, i);
}

/* A late item's number among its word's. */
CLSORT_INLINE uint bin_sort_number(__local struct group_bin_sort_local *shared, BIN_ITEM item,
                                   uint shift)
{
    const uint number = atomic_add(BIN_WORD_OF(shared, BIN_OF(item, shift)), 0x10000u) >> 16;
    if (number >= BIN_MAX_WORD_LATE)
        shared->is_crowded = 1;
    if (BIN_MAX_RANKED > 0 && number >= BIN_MAX_RANKED)
        shared->is_hopeless = 1;
    return number;
}

/* Numbers the late items of each word, or counts them if some found no room. Those are loaded
 * again: with an unrolled loop msd/finish.cl of u32 has 2568 instructions of PTX instead of 2279.
 * When bin_sort_append_all() loaded them again, too, keys that are there several times took 4 to
 * 7 % longer (H200). */
CLSORT_INLINE void bin_sort_count(__local struct group_bin_sort_local *shared, const BIN_OWN *own,
                                  uint is_late, uint shift)
{
    const uint is_listed = shared->num_late <= BIN_MAX_LATE;
    GROUP_LOOP(i, 0, is_listed ? shared->num_late : 0)
        shared->late_number[i] = (ushort)bin_sort_number(shared, shared->late[i], shift);
    uint others = BIN_MAX_RANKED > 0 && !is_listed ? is_late : 0;
#pragma unroll 1
    for (; others; others &= others - 1)
        bin_sort_number(shared, BIN_LOAD(own, BIN_FIRST(others)), shift);
}

/* Turns what each word has into its rank, which `first` is before all. Begins after a barrier and
 * ends before one. */
CLSORT_INLINE void bin_sort_scan(__local struct group_bin_sort_local *shared, uint first)
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
        const uint x = first + ranks[j], y = x + size.x, z = y + size.y, w = z + size.z;
        quads[j * GROUP_SIZE] = (quad & 0xffff) | (uint4)(x, y, z, w) << 16;
    }
}

/* Puts the items that were not late into the tile. If bins are exact, a late one goes where the
 * same value goes: to ask for each costs 2 % of the instructions. */
CLSORT_INLINE void bin_sort_place(__local struct group_bin_sort_local *shared, BIN_OWN *own,
                                  uint is_late, uint shift)
{
#pragma unroll
    for (uint row = 0; row < BIN_ROWS; ++row)
        if (BIN_HAS_ROW(own, row)) {
            uint words[BIN_ROW];
#pragma unroll
            for (uint i = row * BIN_ROW; i < (row + 1) * BIN_ROW; ++i)
                if (i < BIN_ITEMS)
                    words[i % BIN_ROW] = *BIN_WORD_OF(shared, BIN_OF(BIN_GET(own, i), shift));
#pragma unroll
            for (uint i = row * BIN_ROW; i < (row + 1) * BIN_ROW; ++i) {
                const uint stays = BIN_IS_EXACT ? 0 : is_late;
                const uint goes = ~stays & (BIN_HAS(own, i) ? 1u << i : 0);
                if (i < BIN_ITEMS && goes) {
                    const uint word = words[i % BIN_ROW];
                    const uint below = BIN_BIT(BIN_OF(BIN_GET(own, i), shift)) - 1;
                    shared->tile[(word >> 16) + popcount(word & below)] = BIN_GET(own, i);
                }
            }
        }
}

/* Puts a late item behind its word's others. The word's rank grows by 1, so that it is at last the
 * rank of those behind its late items. */
CLSORT_INLINE void bin_sort_append(__local struct group_bin_sort_local *shared, BIN_ITEM item,
                                   uint shift)
{
    const uint word = atomic_add(BIN_WORD_OF(shared, BIN_OF(item, shift)), 0x10000u);
    shared->tile[(word >> 16) + popcount(word & 0xffff)] = item;
}

/* All late items into the tile. */
CLSORT_INLINE void bin_sort_append_all(__local struct group_bin_sort_local *shared, BIN_OWN *own,
                                       uint is_late, uint shift)
{
    const uint is_listed = shared->num_late <= BIN_MAX_LATE;
    GROUP_LOOP(i, 0, is_listed ? shared->num_late : 0)
        bin_sort_append(shared, shared->late[i], shift);
    if (is_listed)
        return;
#pragma unroll
    for (uint i = 0; i < BIN_ITEMS; ++i)
        if (is_late & 1u << i)
            bin_sort_append(shared, BIN_GET(own, i), shift);
}

/* The slot behind a word's items, in a tile whose words are in order. */
#define BIN_END(word) (BIN_WORD_SIZE(word)) /* its rank stands where the number of late ones did */

/* Where the item at `slot` belongs, of a tile whose words are in order; first: slot of the tile's
 * first item. */
CLSORT_INLINE uint bin_sort_rank(__local const struct group_bin_sort_local *shared, uint slot,
                                 uint first, uint shift)
{
    const BIN_ITEM item = shared->tile[slot];
    const uint number = BIN_WORD(BIN_OF(item, shift));
    const uint begin = number ? BIN_END(shared->words[number - 1]) : first;
    const uint end = BIN_END(shared->words[number]);
    uint rank = begin;
#pragma unroll 1
    for (uint other = begin; other < end; ++other) {
        const BIN_ITEM its = shared->tile[other];
        rank += its < item || (its == item && other < slot);
    }
    return rank;
}

/* Sorts by insertion what lies from slot `begin` on, before `end`. */
CLSORT_INLINE void bin_sort_range(__local BIN_ITEM *tile, uint begin, uint end)
{
#pragma unroll 1
    for (uint i = begin + 1; i < end; ++i) {
        const BIN_ITEM item = tile[i];
        uint at = i;
        for (; at > begin && item < tile[at - 1]; --at)
            tile[at] = tile[at - 1];
        tile[at] = item;
    }
}

/* Sorts a word's items, of which some were late, in the tile, which ends at `stop`. */
CLSORT_INLINE void bin_sort_word(__local struct group_bin_sort_local *shared, uint word, uint stop)
{
    const uint end = word + 1 < BIN_WORDS ? shared->words[word + 1] >> 16 : stop;
    bin_sort_range(shared->tile, shared->words[word] >> 16, end);
}

/* Sorts all words, each of which has its items together, and behind them its rank. */
CLSORT_INLINE void bin_sort_words(__local struct group_bin_sort_local *shared, uint first)
{
    __local BIN_ITEM *tile = shared->tile;
    GROUP_LOOP(word, 0, BIN_WORDS) {
        const uint begin = word ? BIN_END(shared->words[word - 1]) : first;
        bin_sort_range(tile, begin, BIN_END(shared->words[word]));
    }
}

/* Sorts `size` items, at most TILE_SLOTS, into shared->tile from slot `first` on, at most
 * BIN_SPARE. Returns what has become of them; if BIN_UNSORTED, BIN_OWN still has the items. Begins
 * and ends with a barrier. */
CLSORT_INLINE uint group_bin_sort(__local struct group_bin_sort_local *shared, BIN_OWN *own,
                                  uint first, uint size, uint shift)
{
    const uint me = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE); /* the last tile's readers are done */
#pragma unroll
    for (uint j = 0; j < BIN_QUADS; ++j)
        ((__local bin_quad_t *)shared->words)[j * GROUP_SIZE + me] = (uint4)(0);
    /* By all: see merge_local.h. */
    shared->num_late = shared->is_crowded = shared->is_hopeless = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* bins are empty */
    const uint is_late = bin_sort_mark(shared, own, shift);
    bin_sort_put_by(shared, own, is_late);
    barrier(CLK_LOCAL_MEM_FENCE); /* all items are in bins or put by */
    bin_sort_count(shared, own, is_late, shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* every word has the number of its items */
    const uint num_late = shared->num_late;
    const uint is_sorted = num_late <= BIN_MAX_LATE && !shared->is_crowded;
    const uint in_words = BIN_MAX_RANKED > 0 && !is_sorted && !shared->is_hopeless;
    bin_sort_scan(shared, first);
    barrier(CLK_LOCAL_MEM_FENCE); /* every word's rank is there */
    bin_sort_place(shared, own, is_late, shift);
#pragma unroll 1
    for (uint i = me; is_sorted && i < num_late; i += GROUP_SIZE) {
        const uint word = shared->words[BIN_WORD(BIN_OF(shared->late[i], shift))];
        shared->tile[(word >> 16) + popcount(word & 0xffff) + shared->late_number[i]] =
            shared->late[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* every word's items lie together, or ranks have been read */
    if (in_words)
        bin_sort_append_all(shared, own, is_late, shift);
#pragma unroll 1
    for (uint i = me; is_sorted && i < num_late; i += GROUP_SIZE)
        if (shared->late_number[i] == 0)
            bin_sort_word(shared, BIN_WORD(BIN_OF(shared->late[i], shift)), first + size);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order, or it is known that it is not */
#if BIN_SORTS_WORDS
    if (in_words)
        bin_sort_words(shared, first);
    barrier(CLK_LOCAL_MEM_FENCE); /* all words are sorted */
    return is_sorted || in_words ? BIN_SORTED : BIN_UNSORTED;
#else
    return is_sorted ? BIN_SORTED : in_words ? BIN_IN_WORDS : BIN_UNSORTED;
#endif
}

#endif
