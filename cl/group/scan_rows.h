/* scan_rows.h: an exclusive scan of SCAN_ROWS numbers of each work-item, which stand in
 * rows: first number 0 of all work-items, then number 1 of all, and so on.
 *
 * Idea: a work-item that loads its numbers striped, so that neighbours read neighbours, can scan
 * them as they lie. Two rows share a word, so one exchange scans two of them. What all sum up to
 * must be below 65,536.
 *
 * Local memory: for each pair of rows what scan.h needs. */
#ifndef CLSORT_GROUP_SCAN_ROWS_H
#define CLSORT_GROUP_SCAN_ROWS_H

#include "group/scan.h"

#define SCAN_ROW_PAIRS ((SCAN_ROWS + 1) / 2)

struct group_scan_rows_local {
    uint sums[SCAN_ROW_PAIRS][SCAN_PARTS + SCAN_STORED];
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

/* Each value becomes the sum of those before it. Begins after a barrier, has some inside, and there
 * is one before the next call. */
CLSORT_INLINE void group_scan_rows(__local struct group_scan_rows_local *shared, uint *values)
{
    const uint me = get_local_id(0), own_part = me / SCAN_LANES, lane = me % SCAN_LANES;
    uint sums[SCAN_ROW_PAIRS], before = 0;
#if SCAN_STORED
    for (uint p = 0; p < SCAN_ROW_PAIRS; ++p)
        shared->sums[p][SCAN_PARTS + me] = scan_rows_pair(values, p);
    barrier(CLK_LOCAL_MEM_FENCE); /* every value is there */
#endif
#pragma unroll
    for (uint p = 0; p < SCAN_ROW_PAIRS; ++p) {
        sums[p] = scan_lanes(shared->sums[p], scan_rows_pair(values, p));
        if (lane == SCAN_LANES - 1)
            shared->sums[p][own_part] = sums[p];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* every part's sums are there */
#pragma unroll
    for (uint p = 0; p < SCAN_ROW_PAIRS; ++p) {
        uint below = sums[p] - scan_rows_pair(values, p), all = 0;
#pragma unroll
        for (uint part = 0; part < SCAN_PARTS; ++part) {
            const uint sum = shared->sums[p][part];
            below += part < own_part ? sum : 0;
            all += sum;
        }
        scan_rows_split(values, p, below, all, &before);
    }
}

#endif
