/* scan.h: an exclusive scan of an array in local memory by all work-items of a group. Each
 * sums a run of neighbours; the sums are scanned by sub-groups in their registers, or where those
 * cannot vote, by 16 work-items in local memory, and then over these parts; and each goes over its
 * run again. */
#ifndef CLSORT_GROUP_SCAN_H
#define CLSORT_GROUP_SCAN_H

#include "base/config.h"

/* Neighbours that scan their values first. Where sub-groups cannot vote, they read the values of
 * those before them, which are stored behind the sums. */
#ifdef CLSORT_SUBGROUP_VOTES
#define SCAN_LANES CLSORT_SUBGROUP
#define SCAN_STORED 0
#else
#define SCAN_LANES (GROUP_SIZE % 16 ? GROUP_SIZE : 16)
#define SCAN_STORED GROUP_SIZE
#endif
#define SCAN_PARTS (GROUP_SIZE / SCAN_LANES)
/* Many sub-groups are scanned as their values are: a loop over the 31 before the last one takes
 * longer than five exchanges. */
#define SCAN_HAS_MANY (!SCAN_STORED && SCAN_PARTS > 8 && SCAN_PARTS <= SCAN_LANES)

/* Zeroes words, such as the counters that are scanned later. Ends before a barrier. */
CLSORT_INLINE void group_clear(__local uint *words, uint size)
{
    GROUP_LOOP(i, 0, size)
        words[i] = 0;
}

struct group_scan_local {
    uint sums[SCAN_PARTS + SCAN_STORED];
};

/* The sum of the values of the lanes up to this one. */
CLSORT_INLINE uint scan_lanes(__local const uint *sums, uint value)
{
#if SCAN_STORED
    const uint me = get_local_id(0);
    for (uint i = me - me % SCAN_LANES; i < me; ++i)
        value += sums[SCAN_PARTS + i];
#else
    (void)sums;
#pragma unroll
    for (uint step = 1; step < SCAN_LANES; step *= 2)
        value = clsort_subgroup_add_below(value, step);
#endif
    return value;
}

/* The sum of the values of the work-items before this one. Begins after, and has inside, a barrier;
 * in no loop here inside the caller's loop: PoCL 5.0 makes code of that which crashes. */
CLSORT_INLINE uint group_scan_before(__local struct group_scan_local *shared, uint value)
{
    const uint me = get_local_id(0), part = me / SCAN_LANES, lane = me % SCAN_LANES;
#if SCAN_STORED
    shared->sums[SCAN_PARTS + me] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* every value is there */
#endif
    const uint sum = scan_lanes(shared->sums, value);
    if (lane == SCAN_LANES - 1)
        shared->sums[part] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* every part's sum is there */
    uint total = sum - value;
#if SCAN_HAS_MANY
    const uint sums = scan_lanes(shared->sums, lane < SCAN_PARTS ? shared->sums[lane] : 0);
    total += part > 0 ? clsort_subgroup_shuffle(sums, part - 1) : 0;
#else
#pragma unroll 1
    for (uint i = 0; i < part; ++i)
        total += shared->sums[i];
#endif
    return total;
}

/* Ends with a barrier; between two calls lies another. Returns nothing: the sum of all is known to
 * the callers. */
CLSORT_INLINE void group_scan_exclusive(__local struct group_scan_local *shared,
                                        __local uint *values, uint size)
{
    const uint me = get_local_id(0);
    const uint run = (size + GROUP_SIZE - 1) / GROUP_SIZE;
    const uint begin = min(me * run, size);
    const uint end = min(begin + run, size);
    uint sum = 0;
#pragma unroll 1
    for (uint i = begin; i < end; ++i)
        sum += values[i];
    uint total = group_scan_before(shared, sum);
#pragma unroll 1
    for (uint i = begin; i < end; ++i) {
        const uint value = values[i];
        values[i] = total;
        total += value;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the scan is complete */
}

#endif
