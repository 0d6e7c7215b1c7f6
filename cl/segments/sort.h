/* sort.h: puts the segments of a tile in order, in local memory (tile.cl).
 *
 * Idea: each work-item sorts its ITEMS neighbours by a network in registers. A comparator that
 * reaches across the beginning of a segment does nothing, as if elements were ordered by segment
 * first.
 *
 * If all segments of the tile are short, a work-item sorts those that begin among its neighbours,
 * with the few elements that they have beyond these. That is all: no runs are merged.
 *
 * For longer segments runs are merged, and become twice as long in each round. Elements stay within
 * their segment, so a round only has to merge the one segment that lies across the middle of two
 * runs. Once runs are as long as the longest segment, one more round merges the segments across
 * all middles. So segments of 1000 elements take seven rounds.
 *
 * Local memory: struct segments_tile_local. */
#ifndef CLSORT_SEGMENTS_SORT_H
#define CLSORT_SEGMENTS_SORT_H

#include "group/merge.h"
#include "sorts/partition/digits.h"
#include "segments/heads.h"

/* Elements of a short segment: those that begin among CHUNK slots end in their WINDOW, whose heads
 * are one word. Wide items take chunks of half a work-item's slots, or else their windows would
 * take more registers than all other steps. */
#define SHORT (ITEMS < 25 ? 8 : 33 - ITEMS)
#define CHUNK (ITEM_SIZE == 4 ? ITEMS : (ITEMS + 1) / 2)
#define WINDOW (CHUNK + SHORT - 1)

struct segments_tile_local {
    ITEM items[TILE_SLOTS + SHORT]; /* the last ones are read, never taken */
    struct segments_heads heads;
};

/* Items i and j, in order unless a segment begins after i and up to j. */
#if PAYLOAD_INDEX
#define OWN_LESS(a, b) ITEM_LESS(a, b)
#else
#define OWN_LESS(a, b) ITEM_KEY_LESS(a, b)
#endif
#define OWN_COMPARE(i, j)                                                                    \
    {                                                                                        \
        const ITEM low_ = own[j];                                                            \
        if (!(heads >> ((i) + 1) & (~0u >> (32 - ((j) - (i))))) && OWN_LESS(low_, own[i])) { \
            own[j] = own[i];                                                                 \
            own[i] = low_;                                                                   \
        }                                                                                    \
    }

/* A step of odd-even merge sort (Batcher, 1968): merges runs of `run` by comparing elements that
 * are `stride` apart. */
CLSORT_INLINE void own_step(ITEM *own, uint heads, uint run, uint stride, uint longest)
{
    if (stride >= longest) /* such elements have no common segment */
        return;
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        if (i + stride < ITEMS && i >= stride % run && (i - stride % run) / stride % 2 == 0 &&
            i / (2 * run) == (i + stride) / (2 * run))
            OWN_COMPARE(i, i + stride)
}

/* Sorts a work-item's neighbours, not across heads: bit i of heads says whether one is at i. The
 * network exchanges equal elements, unless they carry their index. */
CLSORT_INLINE void own_sort(ITEM *own, uint heads, uint longest)
{
#if KEEPS_ORDER && PAYLOAD_SIZE && !PAYLOAD_INDEX
#pragma unroll
    for (uint round = 0; round < ITEMS; ++round) {
        if (round < longest) {
#pragma unroll
            for (uint i = round % 2; i + 1 < ITEMS; i += 2)
                OWN_COMPARE(i, i + 1)
        }
    }
#else
#pragma unroll
    for (uint run = 1; run < ITEMS; run *= 2) {
#pragma unroll
        for (uint stride = run; stride > 0; stride /= 2)
            own_step(own, heads, run, stride, longest);
    }
#endif
}

/* Where a merge stands: the next item of each part. */
struct merge {
    uint low, high;
    ITEM low_item, high_item;
};

/* The merge's state at slot `at`, which is in the segment or before it. */
CLSORT_INLINE struct merge merge_begin(__local const ITEM *items, struct parts parts, uint at)
{
    struct merge merge = {at, parts.middle, 0, 0};
    if (at > parts.begin) {
#define MEND_LESS(j, i) ITEM_KEY_LESS(items[parts.middle + (j)], items[parts.begin + (i)])
        MERGE_PATH(uint, cut, parts.middle - parts.begin, parts.end - parts.middle,
                   at - parts.begin, MEND_LESS)
        merge.low = parts.begin + cut;
        merge.high = parts.middle + (at - merge.low);
    }
    merge.low_item = items[merge.low];
    merge.high_item = items[merge.high];
    return merge;
}

/* Takes the next item. Those before the segment come from `low`, those behind it from `high`: both
 * are then at their slots. */
CLSORT_INLINE ITEM merge_next(__local const ITEM *items, struct parts parts, struct merge *merge)
{
    const int takes_high =
        (merge->low >= parts.middle) | ((merge->high < parts.end) & (merge->low >= parts.begin) &
                                        (ITEM_KEY_LESS(merge->high_item, merge->low_item)));
    const ITEM item = takes_high ? merge->high_item : merge->low_item;
    merge->low += !takes_high;
    merge->high += takes_high;
    const ITEM next = items[takes_high ? merge->high : merge->low];
    merge->high_item = takes_high ? next : merge->high_item;
    merge->low_item = takes_high ? merge->low_item : next;
    return item;
}

/* Mends a segment, as far as this work-item's ITEMS neighbours from slot `mine` on lie in it.
 * Returns whether one does. */
CLSORT_INLINE int own_mend(__local const struct segments_tile_local *shared, struct parts parts,
                           ITEM *own, uint mine)
{
    if (parts.begin >= mine + ITEMS || parts.end <= mine)
        return 0;
    struct merge merge = merge_begin(shared->items, parts, mine);
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        own[i] = merge_next(shared->items, parts, &merge);
    return 1;
}

/* The same of two segments, of which `left` begins before slot `mine`. */
CLSORT_INLINE int own_mend_two(__local const struct segments_tile_local *shared, struct parts left,
                               struct parts right, ITEM *own, uint mine)
{
    const int has_left = left.end > mine;
    const int has_right = right.begin < mine + ITEMS && right.end > mine;
    if (!has_left && !has_right)
        return 0;
    /* Before both, items stay. */
    struct parts parts = {mine, mine + ITEMS, 0};
    if (has_left)
        parts = left;
    else if (right.begin < mine)
        parts = right;
    struct merge merge = merge_begin(shared->items, parts, mine);
    const uint turn = has_right && right.begin >= mine ? right.begin - mine : ITEMS;
    parts.begin = 0; /* from here on it is known that the segment has begun */
    const ITEM low_item = shared->items[right.begin], high_item = shared->items[right.middle];
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const int turns = i == turn;
        parts.middle = turns ? right.middle : parts.middle;
        parts.end = turns ? right.end : parts.end;
        merge.low = turns ? right.begin : merge.low;
        merge.high = turns ? right.middle : merge.high;
        merge.low_item = turns ? low_item : merge.low_item;
        merge.high_item = turns ? high_item : merge.high_item;
        own[i] = merge_next(shared->items, parts, &merge);
    }
    return 1;
}

/* Writes a work-item's neighbours, by a pointer to them: their distances from it are constants. */
CLSORT_INLINE void own_write(__local ITEM *items, const ITEM *own)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        items[i] = own[i];
}

/* Which of the `num` positions from `at` on are heads. Those that are not sorted are. */
CLSORT_INLINE uint own_heads(__local const struct segments_tile_local *shared, struct tile tile,
                             uint at, uint num)
{
    uint heads = shared->heads.heads[at / 32] >> (at & 31);
    if (at & 31)
        heads |= shared->heads.heads[at / 32 + 1] << (32 - (at & 31));
    if (at < tile.first)
        heads |= ~(~0u << (tile.first - at));
    if (tile.end < at + num)
        heads |= tile.end > at ? ~0u << (tile.end - at) : ~0u;
    return heads;
}

/* Sorts short segments, by odd-even transposition: as many rounds as the longest has elements.
 * Begins after, and ends with, a barrier. */
CLSORT_INLINE void tile_sort_short(__local struct segments_tile_local *shared, struct tile tile,
                                   uint longest)
{
    const uint mine = get_local_id(0) * ITEMS;
#pragma unroll 1
    for (uint first = 0; first < ITEMS; first += CHUNK) {
        __local ITEM *items = shared->items + mine + first;
        const uint heads = own_heads(shared, tile, tile.base + mine + first, WINDOW);
        const uint chunk = ~0u >> (32 - min((uint)CHUNK, ITEMS - first));
        const uint begins = heads & chunk, ends = heads & ~chunk;
        ITEM own[WINDOW];
#pragma unroll
        for (uint i = 0; i < WINDOW; ++i)
            own[i] = items[i];
#pragma unroll 1
        for (uint round = 0; round < longest; round += 2) {
#pragma unroll
            for (uint i = 0; i + 1 < WINDOW; i += 2)
                OWN_COMPARE(i, i + 1)
#pragma unroll
            for (uint i = 1; i + 1 < WINDOW; i += 2)
                OWN_COMPARE(i, i + 1)
        }
        /* From the first head on, up to the first one beyond the chunk. */
        const uint is_own = (0u - (begins & (0u - begins))) & ((ends & (0u - ends)) - 1);
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
#pragma unroll
        for (uint i = 0; i < WINDOW; ++i)
            if (is_own >> i & 1)
                items[i] = own[i];
        barrier(CLK_LOCAL_MEM_FENCE); /* the segments that begin in the chunks are in order */
    }
}

/* Sorts segments of any length, by runs that are merged. Begins after, and ends with, a barrier. */
CLSORT_INLINE void tile_sort_long(__local struct segments_tile_local *shared, struct tile tile,
                                  uint longest)
{
    const uint me = get_local_id(0), mine = me * ITEMS;
    const int is_used = tile.base + mine < tile.end;
    __local ITEM *items = shared->items + mine;
    ITEM own[ITEMS];
    if (is_used) {
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            own[i] = items[i];
        own_sort(own, own_heads(shared, tile, tile.base + mine, ITEMS), longest);
        own_write(items, own);
    }
    uint owners = 1; /* work-items whose neighbours are a run */
    for (; owners * ITEMS < longest && owners < GROUP_SIZE; owners *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* runs are in order */
        const uint middle = ((me & ~(2 * owners - 1)) + owners) * ITEMS;
        const int is_set =
            is_used &&
            own_mend(shared, parts_across(&shared->heads, tile, middle, owners * ITEMS), own, mine);
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
        if (is_set)
            own_write(items, own);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* runs are as long as the longest segment */
    const uint run = me & ~(owners - 1);
    int is_set = 0;
    if (is_used)
        is_set =
            own_mend_two(shared, parts_across(&shared->heads, tile, run * ITEMS, owners * ITEMS),
                         parts_across(&shared->heads, tile, (run + owners) * ITEMS, owners * ITEMS),
                         own, mine);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
    if (is_set)
        own_write(items, own);
    barrier(CLK_LOCAL_MEM_FENCE); /* the segments are in order */
}

/* Puts each segment of the tile in order. Begins after, and ends with, a barrier. */
CLSORT_INLINE void tile_sort(__local struct segments_tile_local *shared, struct tile tile)
{
    const uint longest = shared->heads.longest;
    if (longest == 1)
        return;
    if (longest <= SHORT)
        tile_sort_short(shared, tile, longest);
    else
        tile_sort_long(shared, tile, longest);
}

#endif
