/* scan_rows.h: an exclusive scan of SCAN_ROWS numbers of each work-item, which stand in
 * rows: first number 0 of all work-items, then number 1 of all, and so on.
 *
 * Idea: a work-item that loads its numbers striped, so that neighbours read neighbours, can scan
 * them as they lie. Two rows share a word, so one exchange scans two of them. What all sum up to
 * must be below 65,536.
 *
 * Local memory: for each pair of rows a word of each sub-group, or of each work-item where
 * sub-groups cannot vote. */
#ifndef CLSORT_GROUP_SCAN_ROWS_H
#define CLSORT_GROUP_SCAN_ROWS_H

#include "base/config.h"

#define SCAN_ROW_PAIRS ((SCAN_ROWS + 1) / 2)

#ifdef CLSORT_SUBGROUP_VOTES
#define SCAN_ROW_PARTS (GROUP_SIZE / CLSORT_SUBGROUP)
#else
#define SCAN_ROW_PARTS GROUP_SIZE
#endif

struct group_scan_rows_local {
    uint sums[SCAN_ROW_PAIRS][SCAN_ROW_PARTS];
};

/* From two rows of numbers, in the halves of a word, to what is before them: of their own rows
 * in `below`, of the rows in front in `before`. */
CLSORT_INLINE void scan_rows_split(uint *values, uint pair, uint below, uint all, uint *before)
{
    values[2 * pair] = *before + (below & 0xffff);
    *before += all & 0xffff;
    if (2 * pair + 1 < SCAN_ROWS)
        values[2 * pair + 1] = *before + (below >> 16);
    *before += all >> 16;
}

CLSORT_INLINE uint scan_rows_pair(const uint *values, uint pair)
{
    return values[2 * pair] | (2 * pair + 1 < SCAN_ROWS ? values[2 * pair + 1] << 16 : 0);
}

/* group_scan_rows(): each value becomes the sum of those before it. Begins after a barrier, has
 * some inside, and there is one before the next call. */
#ifdef CLSORT_SUBGROUP_VOTES

CLSORT_INLINE void group_scan_rows(__local struct group_scan_rows_local *shared, uint *values)
{
    const uint me = get_local_id(0);
    const uint lane = me % CLSORT_SUBGROUP;
    uint sums[SCAN_ROW_PAIRS], before = 0;
#pragma unroll
    for (uint p = 0; p < SCAN_ROW_PAIRS; ++p) {
        sums[p] = scan_rows_pair(values, p);
#pragma unroll
        for (uint step = 1; step < CLSORT_SUBGROUP; step *= 2)
            sums[p] = clsort_subgroup_add_below(sums[p], step);
        if (lane == CLSORT_SUBGROUP - 1)
            shared->sums[p][me / CLSORT_SUBGROUP] = sums[p];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* every sub-group's sums are there */
#pragma unroll
    for (uint p = 0; p < SCAN_ROW_PAIRS; ++p) {
        uint below = sums[p] - scan_rows_pair(values, p), all = 0;
#pragma unroll
        for (uint part = 0; part < SCAN_ROW_PARTS; ++part) {
            const uint sum = shared->sums[p][part];
            below += part < me / CLSORT_SUBGROUP ? sum : 0;
            all += sum;
        }
        scan_rows_split(values, p, below, all, &before);
    }
}

#else

/* No barrier in a loop, as in scan.h. */
CLSORT_INLINE void group_scan_rows(__local struct group_scan_rows_local *shared, uint *values)
{
    const uint me = get_local_id(0);
    uint before = 0;
    for (uint p = 0; p < SCAN_ROW_PAIRS; ++p)
        shared->sums[p][me] = scan_rows_pair(values, p);
    barrier(CLK_LOCAL_MEM_FENCE); /* every value is there */
    for (uint p = 0; p < SCAN_ROW_PAIRS; ++p) {
        uint below = 0, all = 0;
        for (uint i = 0; i < GROUP_SIZE; ++i) {
            below += i < me ? shared->sums[p][i] : 0;
            all += shared->sums[p][i];
        }
        scan_rows_split(values, p, below, all, &before);
    }
}

#endif

#endif
