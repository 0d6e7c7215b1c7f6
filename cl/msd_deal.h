/* msd_deal.h: which elements of the input a tile of level 1 has (msd_split.cl).
 *
 * Idea: of keys in any order a tile has neighbours, and so a few keys of each digit. Of keys that
 * are spread evenly but lie partly in order, as runs that were appended, up and down again, or
 * sorted but for some, neighbours have the same digit, and its bucket would overflow. So their
 * tiles are dealt as cards are: a unit is as many neighbours as a tile has keys of a digit, and
 * units go to the tiles in turn. Each tile then has units from all over the array. Neighbouring
 * tiles are at work at the same time, so that a line of the cache is loaded once. The sample says
 * which it is (part_sample.cl). 2^24 u64 that go up and down again take an H100 0.39 ms, as random
 * ones do, and by onesweep.h 0.93.
 *
 * Where equal elements keep their order nothing is dealt. Defined before: COMBINE_RADIX. */
#ifndef CLSORT_MSD_DEAL_H
#define CLSORT_MSD_DEAL_H

#include "msd.h"

/* A work-item's first element of a tile of neighbours, and how far apart they are. */
#define SPLIT_FIRST \
    (MSD_IN_ORDER ? TILE_SUBGROUP_FIRST((uint)get_local_id(0)) : (uint)get_local_id(0))
#define SPLIT_STEP (MSD_IN_ORDER ? TILE_SUBGROUP : GROUP_SIZE)

/* Elements of a unit: a power of two that divides the group's size. */
#define DEAL_UNIT_OF(size) \
    (MSD_SHARE >= (size) && GROUP_SIZE % (size) == 0 && (size) <= GROUP_SIZE ? (size) : 1)
#define DEAL_UNIT \
    (DEAL_UNIT_OF(16) > 1 ? 16u : DEAL_UNIT_OF(8) > 1 ? 8u : DEAL_UNIT_OF(4) > 1 ? 4u : 1u)

/* How a work-item goes through the input. */
struct split_way {
    uint base;   /* its first element of the first tile */
    uint step;   /* to its next element of a tile */
    uint stride; /* to the same element of the next tile */
    uint is_dealt;
};

/* With as many tiles as a work-item has elements of one, or more, only a work-item's last element
 * of a tile may lie behind the array. */
CLSORT_INLINE struct split_way split_way_of(const struct part_params *q, uint is_even,
                                            uint num_tiles)
{
    const uint me = get_local_id(0);
    struct split_way way = {SPLIT_FIRST, SPLIT_STEP, TILE_SLOTS, 0};
    if (!MSD_IN_ORDER && is_even == PART_EVEN_DEALT && num_tiles >= ITEMS) {
        way.base = me / DEAL_UNIT * num_tiles * DEAL_UNIT + me % DEAL_UNIT;
        way.step = GROUP_SIZE * num_tiles;
        way.stride = DEAL_UNIT;
        way.is_dealt = 1;
    }
    return way;
}

/* Which elements a work-item has of the tile whose first one, in the way, is given: those of which
 * i * SPLIT_STEP is less than the result. */
CLSORT_INLINE int split_left(const struct part_params *q, const struct split_way *way, uint first)
{
    if (!way->is_dealt)
        return (int)min(q->count - first, (uint)TILE_SLOTS) - (int)SPLIT_FIRST;
    const uint last = way->base + first + (ITEMS - 1) * way->step;
    return (last < q->count ? ITEMS : ITEMS - 1) * SPLIT_STEP;
}

/* The tiles of a share: every p.num_groups-th one, or, in order, those behind one another. */
struct split_tiles {
    uint at, end, step;
};

CLSORT_INLINE struct split_tiles split_tiles_of(const struct msd_params *p, uint share,
                                                uint num_tiles)
{
    struct split_tiles tiles = {share, num_tiles, p->num_groups};
    if (MSD_IN_ORDER) {
        const uint own = (num_tiles + p->num_groups - 1) / p->num_groups;
        tiles.at = min(share * own, num_tiles);
        tiles.end = min(tiles.at + own, num_tiles);
        tiles.step = 1;
    }
    return tiles;
}

#endif
