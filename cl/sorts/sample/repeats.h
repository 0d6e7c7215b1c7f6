/* repeats.h: sees in the sample whether keys are there many times (sample.cl).
 *
 * Idea: each key of the sample puts a mark into the slot of its hash. A key that finds an equal
 * key's mark there, in place of its own, has seen a pair. The more there are of each key in the
 * array, the more pairs of the sample are equal.
 *
 * Keys that lie evenly, but of which there are some 24 or more each, crowd the bins of msd/msd.h's
 * leaves, and counts of the sample in bins are those of random keys: 64 of each make 128 pairs of
 * 2048 keys out of 2^20, beside the 2048 that share a bin.
 *
 * Local memory: a word for each key of the sample. */
#ifndef CLSORT_SAMPLE_REPEATS_H
#define CLSORT_SAMPLE_REPEATS_H

#include "sorts/sample/few.h"

/* msd is not used if there are about as many of each key as the plan says, or more.
 * REPEATS_ALL: all pairs of the sample, times the part of equal ones that is seen. That is 2 / e: a
 * slot has one other key on average, whose mark may be the last. Fewer than REPEATS_SEEN may be
 * chance. */
#define REPEATS_ALL (MSD_SAMPLE * (MSD_SAMPLE / 2) / 4 * 3)
#define REPEATS_SEEN 4u

/* Whether `seen` pairs of the sample are too many for msd. */
#define REPEATS_ARE_MANY(q, seen) \
    ((seen) >= REPEATS_SEEN && (ulong)(seen) * (q)->count >= (ulong)(q)->most_repeats * REPEATS_ALL)

/* The slot is in the hash's lower bits. The mark is the others, and the key's number. */
#define REPEATS_SLOT(hash) ((hash) % MSD_SAMPLE)
#define REPEATS_MARK(hash, number) ((hash) / MSD_SAMPLE * MSD_SAMPLE | (number))

/* Marks this work-item's keys. Ends before a barrier. */
CLSORT_INLINE void repeats_mark(const key_t *own, __local uint *marks)
{
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k) {
        const uint hash = sample_few_hash(own[k], 0);
        const uint number = get_local_id(0) * OWN_SAMPLE + k;
        atomic_xchg(&marks[REPEATS_SLOT(hash)], REPEATS_MARK(hash, number));
    }
}

/* How many of this work-item's keys find an equal one. Begins after a barrier. */
CLSORT_INLINE uint repeats_seen(const key_t *own, __local const uint *marks)
{
    uint seen = 0;
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k) {
        const uint hash = sample_few_hash(own[k], 0);
        const uint mark = marks[REPEATS_SLOT(hash)];
        const uint number = get_local_id(0) * OWN_SAMPLE + k;
        seen += mark / MSD_SAMPLE == hash / MSD_SAMPLE && mark % MSD_SAMPLE != number;
    }
    return seen;
}

#endif
