/* split.cl: where every tile of a merge begins in its two runs. Before each pass.cl.
 *
 * Idea: a work-item a tile looks for its boundary by merge path in global memory. Where all tiles
 * of a work-group are of one merge, the group first looks for its own two boundaries, each half of
 * it for one: every work-item tries one place, and a round leaves the range between two of them.
 * The tiles' boundaries lie between. For records a work-item looks for the next tile's, too: if the
 * two do not fit together the comparison is no order, and the array is marked as not to be merged
 * in this pass.
 *
 * table: [array] the pass in which its comparison was met as no order, then [array][tile] how
 * many items of the merge in front of the tile come from the first run.
 *
 * Local memory: four words. */
#include "group/merge.h"

/* A merge of runs [begin, middle) and [middle, end), and one of its diagonals. */
struct split {
    __global const stored_key_t *keys;
    ulong begin, middle, end;
};

/* Whether the boundary at `diagonal` lies behind `place` of the first run. */
CLSORT_INLINE int split_is_behind(const struct split *split, ulong diagonal, ulong place)
{
    return !STORED_LESS(split->keys[split->middle + diagonal - 1 - place],
                        split->keys[split->begin + place]);
}

/* Between `low` and `high`, where it is known to be. */
CLSORT_INLINE ulong split_find(const struct split *split, ulong diagonal, ulong low, ulong high)
{
    while (low < high) {
        const ulong place = low + (high - low) / 2;
        if (split_is_behind(split, diagonal, place))
            low = place + 1;
        else
            high = place;
    }
    return low;
}

/* The most and the least that a boundary can be. */
CLSORT_INLINE ulong split_least(const struct split *split, ulong diagonal)
{
    return sub_sat(diagonal, split->end - split->middle);
}

CLSORT_INLINE ulong split_most(const struct split *split, ulong diagonal)
{
    return min(diagonal, split->middle - split->begin);
}

#define SPLIT_TOGETHER (GROUP_SIZE >= 4 && !RECORD_SIZE)
#define SPLIT_HALF (GROUP_SIZE >= 2 ? GROUP_SIZE / 2 : 1)

/* The boundaries of the group's diagonals, by all work-items: found[0] and found[1]. behind: two
 * words for each. Begins and ends with a barrier. */
CLSORT_INLINE void split_find_group(const struct split *split, const ulong *diagonals,
                                    __local uint *behind, ulong *found)
{
    const uint half_number = get_local_id(0) / SPLIT_HALF, me = get_local_id(0) % SPLIT_HALF;
    ulong low[2], high[2];
    for (uint k = 0; k < 2; ++k) {
        low[k] = split_least(split, diagonals[k]);
        high[k] = split_most(split, diagonals[k]);
    }
    for (uint round = 0; low[0] < high[0] || low[1] < high[1]; round ^= 1) {
        if (get_local_id(0) < 2)
            behind[2 * round + get_local_id(0)] = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* no place is counted yet */
        const ulong from = half_number ? low[1] : low[0];
        const ulong size = half_number ? high[1] - low[1] : high[0] - low[0];
        const ulong step = (size + SPLIT_HALF - 1) / SPLIT_HALF;
        const ulong place = from + me * step;
        if (me * step < size && split_is_behind(split, diagonals[half_number], place))
            atomic_inc(&behind[2 * round + half_number]);
        barrier(CLK_LOCAL_MEM_FENCE); /* it is known how many the boundary lies behind */
        for (uint k = 0; k < 2; ++k) {
            const ulong left = high[k] - low[k];
            const ulong stride = (left + SPLIT_HALF - 1) / SPLIT_HALF;
            const uint count = behind[2 * round + k];
            if (left > 0 && count > 0) {
                high[k] = min(high[k], low[k] + count * stride);
                low[k] += (count - 1) * stride + 1;
            } else if (left > 0) {
                high[k] = low[k];
            }
        }
    }
    found[0] = low[0];
    found[1] = low[1];
}

KERNEL void merge_split(const struct merge_params p, __global const void *keys_in,
                        __global void *keys_out, __global const void *payload_in,
                        __global void *payload_out, __global void *table)
{
    const ulong number = get_global_id(0);
    const ulong num_tiles = p.num_arrays * p.tiles_per_array;
    const ulong array = min(number, num_tiles - 1) / p.tiles_per_array;
    const ulong at = min(number, num_tiles - 1) % p.tiles_per_array * p.tile;
    struct split split;
    split.keys = AT(const stored_key_t, keys_in, 0) + array * p.count;
    split.begin = at / p.span * p.span;
    split.middle = min(split.begin + p.run, (ulong)p.count);
    split.end = min(split.begin + p.span, (ulong)p.count);
    const ulong diagonal = at - split.begin;
    ulong low = split_least(&split, diagonal);
    ulong high = split_most(&split, diagonal);
    __local uint behind[4];
    LOCAL_FITS(sizeof(behind));
    const ulong first = get_group_id(0) * GROUP_SIZE;
    const ulong last = min(first + GROUP_SIZE, num_tiles) - 1;
    const ulong first_at = first % p.tiles_per_array * p.tile;
    const ulong last_at = last % p.tiles_per_array * p.tile;
    if (SPLIT_TOGETHER && first / p.tiles_per_array == last / p.tiles_per_array &&
        first_at / p.span == last_at / p.span) {
        ulong diagonals[2], found[2];
        diagonals[0] = first_at - split.begin;
        diagonals[1] = last_at - split.begin;
        split_find_group(&split, diagonals, behind, found);
        low = max(low, found[0]);
        high = max(low, min(high, found[1]));
    }
    if (number >= num_tiles)
        return;
    const ulong bound = split_find(&split, diagonal, low, high);
    __global ulong *splits = AT(ulong, table, 4) + p.num_arrays;
    splits[number] = bound;
    if (RECORD_SIZE) {
        const ulong next_at = min(at + p.tile, split.end);
        const ulong next_diagonal = next_at - split.begin;
        const ulong next = split_find(&split, next_diagonal, split_least(&split, next_diagonal),
                                      split_most(&split, next_diagonal));
        if (next < bound || next - bound > next_at - at)
            AT(ulong, table, 4)[array] = p.pass;
    }
}
