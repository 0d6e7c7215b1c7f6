/* rank.h: the place of each element of a tile if the tile were sorted by a digit
 * (group/digit_rank.h).
 *
 * Where equal keys need not keep their order, a digit's elements may come in any: each takes a
 * number from the digit's counter. (One addition for all of a work-item's elements that have a
 * frequent digit gained nothing on an H200.) Where they keep it, sub-groups vote. Registers
 * are what limits the number of tiles on the way, so two places share one. */
#ifndef CLSORT_PARTITION_RANK_H
#define CLSORT_PARTITION_RANK_H

#include "sorts/partition/digits.h"
#include "group/digit_rank.h"

#if !SPLITTERS

#if KEEPS_ORDER
#define DIGITS_COUNTERS NUM_COUNTERS
#define DIGITS_COUNTER(digit) ((digit)*NUM_SUBGROUPS)
#else
#define DIGITS_COUNTERS PARTITION_BUCKETS
#define DIGITS_COUNTER(digit) (digit)
#endif

struct digits_rank_local {
    uint counters[DIGITS_COUNTERS];
    struct group_scan_local scan;
};

#define DIGITS_PLACES ((ITEMS + 1) / 2)
#define DIGITS_PLACE(places, i) ((places)[(i) / 2] >> (i) % 2 * 16 & 0xffff)

/* Numbers of a work-item's elements among those of their digits, added to their places. */
#if KEEPS_ORDER
CLSORT_INLINE void digits_number(__local uint *counters, const stored_key_t *own, int left,
                                 uint shift, uint mask, const struct partition_params *q,
                                 uint *places)
{
    uint numbers[ITEMS]; /* and digits before */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        numbers[i] =
            i * TILE_SUBGROUP < left ? DIGITS_DIGIT(own[i], shift, mask) : PARTITION_BUCKETS - 1u;
#pragma unroll
    for (uint i = 0; i < ITEMS; i += DIGIT_RANK_ROUND)
        group_number_in_order(counters + get_local_id(0) / TILE_SUBGROUP, NUM_SUBGROUPS, 0,
                              DIGIT_RANK_ROUND, numbers + i, numbers + i);
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        places[i / 2] |= numbers[i] << i % 2 * 16;
}
#else
CLSORT_INLINE void digits_number(__local uint *counters, const stored_key_t *own, int left,
                                 uint shift, uint mask, const struct partition_params *q,
                                 uint *places)
{
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * TILE_SUBGROUP < left)
            places[i / 2] |= atomic_inc(&counters[DIGITS_DIGIT(own[i], shift, mask)]) << i % 2 * 16;
}
#endif

/* Element number i of a work-item is i * TILE_SUBGROUP slots behind its first; those from slot
 * `size` on are padding, without a place. Afterwards counters[DIGITS_COUNTER(digit)] is the place
 * of the digit's first element. Begins and ends with a barrier. */
CLSORT_INLINE void digits_rank(__local struct digits_rank_local *shared, const stored_key_t *own,
                               uint shift, uint mask, uint size, const struct partition_params *q,
                               uint *places)
{
    const uint me = get_local_id(0);
    const int left = (int)size - (int)TILE_SUBGROUP_FIRST(me);
    group_clear(shared->counters, DIGITS_COUNTERS);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0, and last tile's readers are done */
#pragma unroll
    for (int i = 0; i < DIGITS_PLACES; ++i)
        places[i] = 0;
    digits_number(shared->counters, own, left, shift, mask, q, places);
    barrier(CLK_LOCAL_MEM_FENCE); /* the counts are complete */
    group_scan_exclusive(&shared->scan, shared->counters, DIGITS_COUNTERS);
    __local const uint *begins = shared->counters + (KEEPS_ORDER ? me / TILE_SUBGROUP : 0);
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * TILE_SUBGROUP < left)
            places[i / 2] += begins[DIGITS_COUNTER(DIGITS_DIGIT(own[i], shift, mask))]
                             << i % 2 * 16;
}

#endif

#endif
