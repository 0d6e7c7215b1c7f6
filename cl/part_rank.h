/* part_rank.h: the place of each element of a tile if the tile were sorted by a digit.
 *
 * Where equal keys need not keep their order, a digit's elements may come in any: each takes the number that
 * an atomic increment of the digit's counter returns; of a digit that many have ("hot"), which would be
 * one counter for all, a sub-group's elements take theirs with one addition. Where they must, sub-groups
 * vote, as in radix.h. */
#ifndef CLSORT_PART_RANK_H
#define CLSORT_PART_RANK_H

#include "part.h"
#include "radix.h"

#if KEEPS_ORDER
#define PART_STABLE 1
#define PART_COUNTERS NUM_COUNTERS
#define PART_COUNTER(digit) ((digit)*NUM_SUBGROUPS)
#else
#define PART_STABLE 0
#define PART_COUNTERS PART_RADIX
#define PART_COUNTER(digit) (digit)
#endif

struct part_rank_local {
    uint counters[PART_COUNTERS];
    struct group_scan_local scan;
};

/* Element number i of a work-item is at slot radix_slot(me, i) of the tile; those from slot `size` on
 * are padding, with the last digit; their places are behind all others (keys alone: they have none).
 * Afterwards counters[PART_COUNTER(digit)] is the place of the digit's first element. Begins and ends
 * with a barrier. Two places share a register, and digits are taken from the keys once more at the end, by
 * other shifts, since a compiler would otherwise keep them: registers are what limits the number
 * of tiles on the way. */
#define PART_PLACES ((ITEMS + 1) / 2)
#define PART_PLACE(places, i) ((places)[(i) / 2] >> (i) % 2 * 16 & 0xffff)
#define PART_WORK_BITS (KEY_BITS == 64 ? 64 : 32)

CLSORT_INLINE void part_rank(__local struct part_rank_local *shared, const stored_key_t *own,
                             uint shift, uint width, uint hot, uint size,
                             const struct part_params *q, uint *places)
{
    const uint me = get_local_id(0);
    const uint mask = (1u << width) - 1;
    (void)hot;
    const int left = (int)size - (int)radix_slot(me, 0);
    for (uint i = me; i < PART_COUNTERS; i += GROUP_SIZE)
        shared->counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0, and last tile's readers are done */
#pragma unroll
    for (int i = 0; i < PART_PLACES; ++i)
        places[i] = 0;
#if PART_STABLE && RADIX_SUBGROUP > 1
    uint numbers[ITEMS]; /* and digits before */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        numbers[i] = i * RADIX_SUBGROUP < left ? (uint)(PART_ORDER(own[i]) >> shift) & mask
                                               : (uint)PART_RADIX - 1;
    radix_votes(shared->counters, numbers);
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        places[i / 2] |= numbers[i] << i % 2 * 16;
#else
#if !PART_STABLE && RADIX_SUBGROUP > 1
    if (hot < PART_RADIX) {
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
            const int is_there = i * RADIX_SUBGROUP < left;
            const uint digit = (uint)(PART_ORDER(own[i]) >> shift) & mask;
            const uint is_hot = is_there && digit == hot;
            const uint voters = clsort_subgroup_match(is_hot, 1);
            const uint below = popcount(voters & clsort_subgroup_lanes_below());
            uint number = 0;
            if (is_there && (!is_hot || below == 0))
                number = atomic_add(&shared->counters[digit], is_hot ? popcount(voters) : 1);
            const uint first =
                clsort_subgroup_shuffle(number, 31 - (uint)clz(voters & (0u - voters)));
            places[i / 2] |= (is_hot ? first + below : number) << i % 2 * 16;
        }
    } else
#endif
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
            if (i * RADIX_SUBGROUP < left) {
                const uint digit = (uint)(PART_ORDER(own[i]) >> shift) & mask;
#if PART_STABLE
                places[i / 2] |= shared->counters[PART_COUNTER(digit) + me]++ << i % 2 * 16;
#else
            places[i / 2] |= atomic_inc(&shared->counters[digit]) << i % 2 * 16;
#endif
            }
        }
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the counts are complete */
    group_scan_exclusive(&shared->scan, shared->counters, PART_COUNTERS);
    const uint up = PART_WORK_BITS - shift - width, down = PART_WORK_BITS - width;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (i * RADIX_SUBGROUP < left) {
            const uint digit = (uint)(PART_ORDER(own[i]) << up >> down);
            places[i / 2] +=
                shared->counters[PART_COUNTER(digit) + (PART_STABLE ? me / RADIX_SUBGROUP : 0)]
                << i % 2 * 16;
        }
    }
}

#endif
