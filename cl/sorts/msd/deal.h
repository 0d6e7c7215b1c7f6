/* deal.h: which elements of the input a tile of level 1 has (split.cl).
 *
 * Idea: if keys are in any order, a tile of neighbours has a few keys of each digit. Keys may also
 * be spread evenly but lie partly in order: runs that were appended, up and down again, sorted but
 * for some. Then neighbours have the same digit, and its bucket would overflow. So such tiles are
 * dealt as cards are. A unit is a few neighbours. The array is cut into as many stripes as a tile
 * has units, and each tile has one unit of each stripe. From stripe to stripe its place there moves
 * on by the golden ratio of a stripe: without that a tile would have the same places of all runs,
 * if they are as long as a few stripes. Neighbouring tiles are at work at the same time, so that a
 * line of the cache is loaded once.
 *
 * The sample says which it is (sample/sample.cl). Such keys then take as long as random ones.
 *
 * Where equal elements keep their order nothing is dealt. Defined before: COMBINE_RADIX. (Places by
 * multiples of the golden ratio: Fibonacci hashing, Knuth, 1973.) */
#ifndef CLSORT_MSD_DEAL_H
#define CLSORT_MSD_DEAL_H

#include "sorts/msd/msd.h"

/* A work-item's first element of a tile of neighbours, and how far apart they are. */
#define SPLIT_FIRST \
    (MSD_IN_ORDER ? TILE_SUBGROUP_FIRST((uint)get_local_id(0)) : (uint)get_local_id(0))
#define SPLIT_STEP (MSD_IN_ORDER ? TILE_SUBGROUP : GROUP_SIZE)

/* Elements of a unit: eight, or what a tile has of a digit if that is less; a power of two, as the
 * group's size is, which it divides. 32 bytes of keys are better for u32 by 9 %, 64 bytes for u64
 * by 4 %. */
#define DEAL_FITS(size) (MSD_SHARE >= (size) && GROUP_SIZE >= (size))
#define DEAL_UNIT (DEAL_FITS(8) ? 8u : DEAL_FITS(4) ? 4u : DEAL_FITS(2) ? 2u : 1u)
#define DEAL_RATIO 0x9e3779b9u /* of 2^32: the golden one */

/* How a group goes through the input: tile by tile of neighbours, or of units. */
struct split_way {
    uint num_tiles; /* if they are dealt; else 0 */
    uint stride;    /* from a tile to the next: TILE_SLOTS, or 1 if they are dealt */
};

/* With as many tiles as a work-item has elements of one, or more, only a work-item's last element
 * of a tile may lie behind the array. */
CLSORT_INLINE struct split_way split_way_of(uint is_even, uint num_tiles)
{
    const uint is_dealt = !MSD_IN_ORDER && is_even == MSD_DEALT && num_tiles >= ITEMS;
    const struct split_way way = {is_dealt ? num_tiles : 0, is_dealt ? 1 : TILE_SLOTS};
    return way;
}

/* A work-item's element i of a dealt tile. */
CLSORT_INLINE uint deal_element(uint num_tiles, uint tile, uint i)
{
    const uint me = get_local_id(0), stripe = i * (GROUP_SIZE / DEAL_UNIT) + me / DEAL_UNIT;
    const uint place = tile + mul_hi(stripe * DEAL_RATIO, num_tiles);
    const uint unit = stripe * num_tiles + place - (place >= num_tiles ? num_tiles : 0);
    return unit * DEAL_UNIT + me % DEAL_UNIT;
}

/* The same of any tile; first: the tile's, in the way. */
CLSORT_INLINE uint split_element(const struct split_way *way, uint first, uint i)
{
    return way->num_tiles ? deal_element(way->num_tiles, first, i)
                          : first + SPLIT_FIRST + i * SPLIT_STEP;
}

/* A work-item has its element i of a tile if i * SPLIT_STEP is less than this. */
CLSORT_INLINE int split_left(const struct msd_params *q, const struct split_way *way, uint first)
{
    if (!way->num_tiles)
        return (int)min(q->count - first, (uint)TILE_SLOTS) - (int)SPLIT_FIRST;
    const uint last = deal_element(way->num_tiles, first, ITEMS - 1);
    return (last < q->count ? ITEMS : ITEMS - 1) * SPLIT_STEP;
}

/* The tiles of a share: every num_groups-th one, or, in order, those behind one another. */
struct split_tiles {
    uint at, end, step;
};

CLSORT_INLINE struct split_tiles split_tiles_of(const struct msd_params *q, uint share,
                                                uint num_tiles)
{
    struct split_tiles tiles = {share, num_tiles, q->num_groups};
    if (MSD_IN_ORDER) {
        const uint own = (num_tiles + q->num_groups - 1) / q->num_groups;
        tiles.at = min(share * own, num_tiles);
        tiles.end = min(tiles.at + own, num_tiles);
        tiles.step = 1;
    }
    return tiles;
}

#endif
