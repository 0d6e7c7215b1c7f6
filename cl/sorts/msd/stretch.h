/* stretch.h: keys that lie evenly in a part of their range, stretched over all of it (msd.h).
 *
 * Idea: with 2^B numbers in all and R in the part, which begins at `low`, number d of the part
 * becomes the smallest y for which y * R / 2^B, rounded down, is d. So different keys stay
 * different and in order, the highest bits of y are as even as those of random keys, and a product
 * gives d back. Level 1 stretches, and who stores keys for good shrinks them; all between sees
 * evenly spread keys of B bits. The sample has measured the part, with some room on either side
 * (sample/stretch.h); a key that lies outside is found by level 1, and another sort takes all.
 *
 * d is moved up by as many bits as R has room for. Then 2^B / R is 1 and a fraction, and d with
 * d * fraction, rounded down, is y or y - 1: the fraction is at least the true one, and by less
 * than 2^-B more. (Scaling by a reciprocal and its inverse, as of fixed-point numbers; our own,
 * 2026.) */
#ifndef CLSORT_MSD_STRETCH_H
#define CLSORT_MSD_STRETCH_H

#include "base/key.h"

/* Floats of 64 bits have a map instead. */
#define STRETCH_MAPS (KEY_MANTISSA == 52)

#define STRETCH_LOW (KEY_WORK_BITS - 32) /* bits below the highest 32 */
#define STRETCH_ROOM (MSD_SAMPLE / 8)    /* a part of the range, on either side */
/* A part that is nearly all stays as it is: stretching takes room to round. */
#define STRETCH_MOST (0xffffffffu / 100 * 98)

#define STRETCH_IS_USED (MSD_CONTROL->stretch.is_used)

#if STRETCH_MAPS
#include "sorts/msd/map.h"
#else

/* A part needs no table. */
#define STRETCH_TABLE __global const struct float_map *
struct stretch_place {
    uint number;
};
CLSORT_INLINE struct stretch_place stretch_find(STRETCH_TABLE map, key_t first)
{
    (void)map, (void)first;
    return (struct stretch_place){0};
}

/* An ordered key of the part, stretched. */
CLSORT_INLINE key_t msd_stretch(const struct key_stretch *stretch, STRETCH_TABLE table, key_t key)
{
    (void)table;
    const key_t number = (key - (key_t)stretch->low) << stretch->shift;
    const key_t most = number + mul_hi(number, (key_t)stretch->factor);
    return most + (mul_hi(most, (key_t)stretch->range) < number);
}

/* The ordered key again. */
CLSORT_INLINE key_t msd_shrink(const struct key_stretch *stretch, struct stretch_place place,
                               key_t stretched)
{
    (void)place;
    return (key_t)stretch->low + (mul_hi(stretched, (key_t)stretch->range) >> stretch->shift);
}

/* Whether a key is outside of the part. */
#define STRETCH_IS_BEYOND(stretch, key) \
    ((key) - (key_t)(stretch)->low > ((key_t)(stretch)->range - 1) >> (stretch)->shift)

#define msd_shrink_any msd_shrink

/* The fraction by which a number below `range` grows when range becomes 2^KEY_BITS, rounded up.
 * range: its highest 32 bits, of which the first is set, but not alone. */
CLSORT_INLINE key_t stretch_factor(uint range)
{
    const ulong above = (ulong)(0 - range) << 32;
    const ulong high = above / range;
    if (STRETCH_LOW == 0)
        return (key_t)(high + 1);
    return (key_t)((high << 32 | ((above - high * range) << 32) / range) + 1);
}

/* The part between two keys, and some room; is_used is 0 if it is nearly all of the range, or has
 * less than `least` numbers. */
CLSORT_INLINE struct key_stretch stretch_between(const key_t ends[2], ulong least)
{
    struct key_stretch stretch;
    const key_t room = (ends[1] - ends[0]) / STRETCH_ROOM + 1;
    const key_t low = sub_sat(ends[0], room);
    const key_t range = add_sat(ends[1], room) - low + 1; /* 0: all */
    const uint zeros = (uint)clz(range) % KEY_WORK_BITS;
    /* A little less than a power of two becomes a little more. */
    const uint is_less = (uint)(range << zeros >> STRETCH_LOW) > STRETCH_MOST && zeros > 0;
    const uint shift = zeros - is_less;
    const key_t moved = is_less ? (key_t)1 << (KEY_WORK_BITS - 1) : range << shift;
    /* A multiple of 2^shift whose highest 32 bits say it all, and no power of two. */
    const key_t whole = (moved + (((key_t)1 << STRETCH_LOW) - 1)) >> STRETCH_LOW << STRETCH_LOW;
    const key_t unit = (key_t)1 << max(shift, (uint)STRETCH_LOW);
    stretch.range = (key_t)(whole << 1) ? whole : whole + unit;
    /* What has been added on top may not lie beyond the largest key. */
    stretch.low = min(low, (key_t)0 - (((key_t)stretch.range - 1) >> shift) - 1);
    stretch.factor = stretch_factor((uint)((key_t)stretch.range >> STRETCH_LOW));
    stretch.shift = shift;
    stretch.is_used = range && (uint)(moved >> STRETCH_LOW) <= STRETCH_MOST && range >= least;
    stretch.top = 0;
    return stretch;
}

#endif
#endif
