/* map.h: floats of 64 bits, spread over all numbers as evenly as the sample tells (msd.h).
 *
 * Idea: a float has a number of a scale (base/float_scale.h). The part of the scale in which the
 * sample's keys lie is moved up to most of 2^59 numbers and cut into cells. Each cell has a step,
 * the larger, the more of the sample it has, and its numbers are spread out by that. So different
 * keys stay different and in order. Steps are odd, so that a product modulo 2^64 goes back. Level 1
 * maps keys, and who stores keys for good maps them back. All between sees keys that are even, or
 * nearly: leaves have room for more than twice as many keys as they have on average.
 *
 * In a simulation of 2^21 keys of 17 distributions (uniform, normal, exponential, lognormal,
 * Pareto's, Cauchy's, two peaks, ...) the largest of 1024 leaves has 1.5 to 2.2 times the average,
 * in the median of eight arrays each.
 * (A piecewise linear distribution function, as of learned sorts, Kristo and others, 2020; the
 * scale, the steps and the exact way back are our own, 2026.) */
#ifndef CLSORT_MSD_MAP_H
#define CLSORT_MSD_MAP_H

#include "base/float_scale.h"

#define MAP_BITS 59                                       /* of the part */
#define MAP_CELL_BITS 49                                  /* of a cell */
#define MAP_STEPS (1u << (KEY_WORK_BITS - MAP_CELL_BITS)) /* of all cells, at most */
#define MAP_BEGIN(cell) ((cell) >> 16)
#define MAP_STEP(cell) ((cell)&0xffff)

/* By what keys are mapped. */
#define STRETCH_TABLE __global const struct float_map *

#define STRETCH_IS_BEYOND(stretch, key) map_is_beyond(stretch, key)
CLSORT_INLINE uint map_is_beyond(const struct key_stretch *stretch, key_t key)
{
    const key_t at = scale_number(key, stretch->top) - (key_t)stretch->low;
    return scale_is_beyond(key, stretch->top) | (at >> (MAP_BITS - stretch->shift) > 0);
}

/* An ordered key, mapped. */
CLSORT_INLINE key_t msd_stretch(const struct key_stretch *stretch, STRETCH_TABLE map, key_t key)
{
    const key_t at = (scale_number(key, stretch->top) - (key_t)stretch->low) << stretch->shift;
    const uint cell = map->cells[(uint)(at >> MAP_CELL_BITS) % MAP_CELLS];
    const key_t inside = at & (((key_t)1 << MAP_CELL_BITS) - 1);
    return ((key_t)MAP_BEGIN(cell) << MAP_CELL_BITS) + inside * MAP_STEP(cell);
}

/* A cell to which mapped keys belong, or one before. */
struct stretch_place {
    STRETCH_TABLE map;
    ulong inverse;
    uint number, cell;
};

/* The cell of the first mapped key of a leaf. */
CLSORT_INLINE struct stretch_place stretch_find(STRETCH_TABLE map, key_t first)
{
    struct stretch_place place = {.map = map, .number = 0};
#pragma unroll 1
    for (uint step = MAP_CELLS / 2; step; step /= 2) {
        const uint begin = MAP_BEGIN(map->cells[place.number + step]);
        place.number += begin <= (uint)(first >> MAP_CELL_BITS) ? step : 0;
    }
    place.cell = map->cells[place.number];
    place.inverse = map->inverses[place.number];
    return place;
}

/* The place of a mapped number, from one before. Most leaves lie in one cell, so that their keys
 * load nothing. */
CLSORT_INLINE struct stretch_place map_place(struct stretch_place place, key_t mapped)
{
    const uint high = (uint)(mapped >> MAP_CELL_BITS);
#pragma unroll 1
    while (high - MAP_BEGIN(place.cell) >= MAP_STEP(place.cell) && place.number + 1 < MAP_CELLS) {
        place.cell = place.map->cells[++place.number];
        place.inverse = place.map->inverses[place.number];
    }
    return place;
}

/* The ordered key of what is `inside` a place's cell. */
CLSORT_INLINE key_t map_order(const struct key_stretch *stretch, const struct stretch_place *place,
                              key_t inside)
{
    const key_t at = ((key_t)place->number << MAP_CELL_BITS) + inside;
    return scale_order((key_t)stretch->low + (at >> stretch->shift), stretch->top);
}

/* The ordered key that was mapped to this; place: its cell's, or one before. */
CLSORT_INLINE key_t msd_shrink(const struct key_stretch *stretch, struct stretch_place place,
                               key_t mapped)
{
    place = map_place(place, mapped);
    const key_t far = mapped - ((key_t)MAP_BEGIN(place.cell) << MAP_CELL_BITS);
    return map_order(stretch, &place, far * (key_t)place.inverse);
}

/* The same of any number: of one that no key was mapped to, at most the next key's, and at least
 * the last one's before. */
CLSORT_INLINE key_t msd_shrink_any(const struct key_stretch *stretch, struct stretch_place place,
                                   key_t mapped)
{
    place = map_place(place, mapped);
    const key_t far = mapped - ((key_t)MAP_BEGIN(place.cell) << MAP_CELL_BITS);
    const key_t inside = min(far / MAP_STEP(place.cell), ((key_t)1 << MAP_CELL_BITS) - 1);
    return map_order(stretch, &place, inside);
}

/* What an odd number is to be multiplied by, so that 1 is the result (Newton's method: a number is
 * right in three bits itself). */
CLSORT_INLINE ulong map_inverse(uint step)
{
    ulong inverse = step;
#pragma unroll 1
    for (uint bits = 3; bits < 64; bits *= 2)
        inverse *= 2 - step * inverse;
    return inverse;
}

#endif
