/* map.h: makes the map by which floats of 64 bits are spread evenly (msd/map.h), from the
 * sample.
 *
 * Idea: the sample's keys are counted in cells. A cell's density is that of itself and its next
 * neighbours, on the side that has more: as few as have MAP_ENOUGH of the sample. So a border, as
 * that at 1 of keys from 0 to 1, makes no cell before it look empty.
 * Where many keys share a cell, or are equal, they may be anywhere in it, and there is no map.
 *
 * The part of the scale has room on either side: half of what the sample spans, as far as the scale
 * goes. And it has 0, if that is not far.
 *
 * Local memory: the cells are the bins of sample.cl; a few words; a scan's. */
#ifndef CLSORT_SAMPLE_MAP_H
#define CLSORT_SAMPLE_MAP_H

#include "group/scan.h"
#include "sorts/sample/stretch.h"

#define MAP_ENOUGH 32u                         /* of the sample */
#define MAP_WIDEST 16u                         /* neighbours, at most */
#define MAP_CROWDED 96u                        /* of the sample, in one cell */
#define MAP_LEAST (MAP_STEPS / MAP_CELLS / 16) /* step; densities are added, and 1 to even ones */
#define OWN_CELLS (MAP_CELLS / GROUP_SIZE)

struct sample_map_local {
    uint top;  /* exponent */
    uint most; /* of the sample in a cell */
    uint sum;  /* of all densities */
    struct group_scan_local scan;
};

/* The part of the scale around the sample's keys, whose least and largest number are given; is_used
 * is 0. A part with 0 inside goes as far below it as above. */
CLSORT_INLINE struct key_stretch map_part(const key_t ends[2], uint top)
{
    struct key_stretch stretch;
    const key_t span = ends[1] - ends[0];
    const key_t room = span / 2 + MAP_CELLS;
    key_t first = max(ends[0] - room, KEY_SIGN - SCALE_NUMBERS);
    key_t last = min(ends[1] + room, KEY_SIGN + SCALE_NUMBERS);
    if (first < KEY_SIGN && last > KEY_SIGN) {
        const key_t far = max(KEY_SIGN - first, last - KEY_SIGN);
        first = KEY_SIGN - far;
        last = KEY_SIGN + far;
    } else if (first >= KEY_SIGN && first - KEY_SIGN < 2 * span) {
        first = KEY_SIGN - 1;
    } else if (last <= KEY_SIGN && KEY_SIGN - last < 2 * span) {
        last = KEY_SIGN;
    }
    stretch.low = first;
    stretch.range = stretch.factor = 0;
    stretch.shift = (uint)clz(last - first) - (KEY_WORK_BITS - MAP_BITS);
    stretch.top = top;
    stretch.is_used = 0;
    return stretch;
}

/* The density of a cell, in sixteenths of a key; cells: the scan of the sample's counts. */
CLSORT_INLINE uint map_density(__local const uint *cells, uint cell)
{
    uint num = 1, keys = 0;
#pragma unroll 1
    for (; num <= MAP_WIDEST; num *= 2) {
        const uint end = cell + num < MAP_CELLS ? cells[cell + num] : MSD_SAMPLE;
        const uint next = cell + 1 < MAP_CELLS ? cells[cell + 1] : MSD_SAMPLE;
        keys = max(end - cells[cell], next - cells[sub_sat(cell + 1, num)]);
        if (keys >= MAP_ENOUGH || num == MAP_WIDEST)
            break;
    }
    return keys * (MAP_WIDEST / num);
}

/* Turns the scan of the sample's counts into cells' steps, and returns this work-item's. Begins
 * after a barrier, and ends with one. */
CLSORT_INLINE void map_steps(__local struct sample_map_local *shared, __local uint *cells,
                             uint own[OWN_CELLS])
{
    const uint me = get_local_id(0);
    uint sum = 0;
#pragma unroll
    for (uint k = 0; k < OWN_CELLS; ++k) {
        own[k] = map_density(cells, k * GROUP_SIZE + me);
        sum += own[k];
    }
    GROUP_JOIN_ADD(&shared->sum, sum);
    barrier(CLK_LOCAL_MEM_FENCE); /* the sum is there, the counts have been read */
    const ulong all = MAP_STEPS - MAP_CELLS * (MAP_LEAST + 1);
    const ulong each = (all << 32) / shared->sum;
#pragma unroll
    for (uint k = 0; k < OWN_CELLS; ++k) {
        own[k] = (MAP_LEAST + (uint)(own[k] * each >> 32)) | 1;
        cells[k * GROUP_SIZE + me] = own[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all steps are there */
}

/* Writes the map; begins: the scan of the steps. Begins after a barrier. */
CLSORT_INLINE void map_write(__local const uint *begins, const uint own[OWN_CELLS],
                             __global struct float_map *map)
{
#pragma unroll
    for (uint k = 0; k < OWN_CELLS; ++k) {
        const uint cell = k * GROUP_SIZE + get_local_id(0);
        map->cells[cell] = begins[cell] << 16 | own[k];
        map->inverses[cell] = map_inverse(own[k]);
    }
}

/* The part of the scale with the sample's keys, and the sample's counts in its cells, scanned;
 * is_used: whether there is to be a map. Begins and ends with a barrier. */
CLSORT_INLINE struct key_stretch map_count(const struct msd_params *q, const key_t *own,
                                           __local struct sample_stretch_local *ends_local,
                                           __local struct sample_map_local *shared,
                                           __local uint *cells)
{
    key_t numbers[OWN_SAMPLE], ends[2];
    uint top = 0, most = 0;
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k)
        top = max(top, SCALE_EXPONENT(own[k]));
    shared->top = shared->most = shared->sum = 0; /* by all: see group/merge_local.h */
    barrier(CLK_LOCAL_MEM_FENCE);                 /* all is 0 */
    GROUP_JOIN_MAX(&shared->top, top);
    barrier(CLK_LOCAL_MEM_FENCE); /* the exponents are joined */
    top = shared->top;
    uint is_beyond = !SCALE_FITS(top);
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k) {
        is_beyond |= scale_is_beyond(own[k], top);
        numbers[k] = scale_number(own[k], top);
    }
    stretch_ends(numbers, ends_local, ends);
    struct key_stretch stretch = map_part(ends, top);
    GROUP_LOOP(i, 0, MAP_CELLS)
        cells[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counts are 0 */
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k) {
        const key_t at = (numbers[k] - (key_t)stretch.low) << stretch.shift;
        const uint cell = (uint)(at >> MAP_CELL_BITS) % MAP_CELLS;
        most = max(most, atomic_inc(&cells[cell]));
    }
    /* A key beyond counts as too many. */
    GROUP_JOIN_MAX(&shared->most, is_beyond ? MAP_CROWDED : most);
    barrier(CLK_LOCAL_MEM_FENCE); /* all are counted */
    /* A float of the even part takes up to 2^(SCALE_EVEN - 1) numbers. */
    stretch.is_used =
        shared->most < MAP_CROWDED && (ends[1] - ends[0]) >> SCALE_EVEN >= q->least_range;
    group_scan_exclusive(&shared->scan, cells, MAP_CELLS);
    return stretch;
}

/* Whether there is a map now; may_map: whether there may be. Begins and ends with a barrier. */
CLSORT_INLINE uint map_make(const struct msd_params *q, const key_t *own, uint may_map,
                            __local struct sample_stretch_local *ends_local,
                            __local struct sample_map_local *shared, __local uint *cells,
                            __global struct float_map *map, struct key_stretch *stretch_ret)
{
    *stretch_ret = map_count(q, own, ends_local, shared, cells);
    stretch_ret->is_used &= may_map;
    uint own_cells[OWN_CELLS];
    map_steps(shared, cells, own_cells);
    group_scan_exclusive(&shared->scan, cells, MAP_CELLS);
    if (stretch_ret->is_used)
        map_write(cells, own_cells, map);
    barrier(CLK_LOCAL_MEM_FENCE); /* the cells have been read */
    GROUP_LOOP(i, 0, MAP_CELLS)
        cells[i] = 0;             /* for few.h */
    barrier(CLK_LOCAL_MEM_FENCE); /* the cells are empty */
    return stretch_ret->is_used;
}

#endif
