/* few.h: sorts few different keys by counting them. The sample has listed them (sample/few.h).
 *
 * Idea: split.cl has nothing else to do then. It counts each listed key, and behind that writes
 * runs of them. If a key turns up that is not listed, nothing is written, and onesweep/onesweep.h
 * sorts.
 *
 * Local memory: the keys and their counters. */
#ifndef CLSORT_MSD_FEW_H
#define CLSORT_MSD_FEW_H

#include "group/few.h"
#include "group/histogram.h"
#include "sorts/msd/msd.h"

#define MSD_FEW_ITEMS 8 /* of a work-item, loaded at once */
#define MSD_FEW_ROUND (GROUP_SIZE * MSD_FEW_ITEMS)
#define MSD_FEW_CONTROL MSD_TABLE_OF(q, struct onesweep_control, onesweep)
/* How many there are, or 0. */
#define MSD_NUM_FEW (MSD_CONTROL->is_left ? MSD_FEW_CONTROL->num_few : 0)

struct msd_few_local {
    key_t keys[ONESWEEP_FEW];
    uint counters[ONESWEEP_FEW * HISTOGRAM_COPIES];
};

/* Counts a work-item's keys, of which those are there whose distance is below `left`. Returns 1 if
 * one is not listed. */
CLSORT_INLINE uint msd_few_add(const struct msd_params *q, __local struct msd_few_local *shared,
                               uint num_few, const stored_key_t *keys, int left)
{
    key_t own[MSD_FEW_ITEMS];
    uint at[MSD_FEW_ITEMS], others = 0;
#pragma unroll
    for (int i = 0; i < MSD_FEW_ITEMS; ++i)
        own[i] = MSD_ORDER(keys[i]);
    few_find(shared->keys, num_few, own, MSD_FEW_ITEMS, at);
#pragma unroll
    for (int i = 0; i < MSD_FEW_ITEMS; ++i) {
        const int is_there = i * GROUP_SIZE < left;
        others |= is_there && at[i] == ONESWEEP_FEW;
        if (is_there && at[i] < ONESWEEP_FEW)
            group_histogram_add(group_histogram_own(shared->counters), at[i]);
    }
    return others;
}

/* Counts a share of the keys, until it meets another. Ends with a barrier. */
CLSORT_INLINE void msd_few_count(const struct msd_params *q, MSD_ARGS,
                                 __local struct msd_few_local *shared, uint share, uint num_shares)
{
    const uint me = get_local_id(0), num_few = MSD_NUM_FEW;
    const uint count = num_few ? q->count : 0;
    __global const stored_key_t *keys = msd_keys(q, MSD_BUFFERS, MSD_IN) + me;
    __global struct onesweep_control *control = MSD_FEW_CONTROL;
    GROUP_LOOP(i, 0, num_few ? ONESWEEP_FEW : 0)
        shared->keys[i] = FEW_KEY(control->few, i, num_few);
    if (num_few)
        group_clear(shared->counters, ONESWEEP_FEW * HISTOGRAM_COPIES);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0, the keys are there */
    uint others = 0;
#pragma unroll 1
    for (uint first = share * MSD_FEW_ROUND; first < count && !others;
         first += num_shares * MSD_FEW_ROUND) {
        const int left = (int)(count - first) - (int)me;
        stored_key_t own[MSD_FEW_ITEMS] = {0};
#pragma unroll
        for (int i = 0; i < MSD_FEW_ITEMS; ++i)
            if (i * GROUP_SIZE < left)
                own[i] = keys[first + i * GROUP_SIZE];
        others |= msd_few_add(q, shared, num_few, own, left);
    }
    if (others)
        control->few_others = 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    GROUP_LOOP(i, 0, num_few)
        atomic_add(&control->few_counts[i], group_histogram_sum(shared->counters, i));
    barrier(CLK_LOCAL_MEM_FENCE); /* the counters have been read */
}

/* Writes a share of the output. */
CLSORT_INLINE void msd_few_write(const struct msd_params *q, MSD_ARGS, uint number, uint num_shares)
{
    __global const struct onesweep_control *control = MSD_FEW_CONTROL;
    const uint num_few = MSD_NUM_FEW && !control->few_others ? control->num_few : 0;
    __global stored_key_t *keys = msd_keys(q, MSD_BUFFERS, MSD_OUT);
    const uint share = (q->count - 1) / num_shares + 1;
    const uint first = number * share;
    uint begin = 0;
#pragma unroll 1
    for (uint i = 0; i < num_few; ++i) {
        const uint end = begin + control->few_counts[i];
        const stored_key_t key = (stored_key_t)KEY_DECODE((key_t)control->few[i]);
        for (uint at = max(first, begin) + (uint)get_local_id(0); at < min(first + share, end);
             at += GROUP_SIZE)
            keys[at] = key;
        begin = end;
    }
}

#endif
