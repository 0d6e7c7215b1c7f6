/* stretch.h: the part of their range in which the sample's keys lie, with room on either side;
 * level 1 of msd/msd.h stretches it over all of the range, if that makes the keys even.
 *
 * Idea: if keys lie evenly in a part, about a 2048th of them is less than all 2048 of the sample,
 * and as many are more. Room for eight times that on either side is too little in one of 1500
 * sorts. Then level 1 finds a key beyond, and another sort takes all.
 *
 * Local memory: the sample's least and largest key, each in two words. */
#ifndef CLSORT_SAMPLE_STRETCH_H
#define CLSORT_SAMPLE_STRETCH_H

#include "group/join.h"
#include "sorts/msd/stretch.h"
#include "sorts/sample/few.h"

struct sample_stretch_local {
    uint least[2], most[2]; /* high one first */
};

/* Joins words of the sample's keys: of those that agree with `highs` above, or of all. Begins after
 * a barrier and ends with one. */
CLSORT_INLINE void stretch_join(const key_t *own, const uint *highs, int word,
                                __local struct sample_stretch_local *shared)
{
    uint least = 0xffffffff, most = 0;
    if (get_local_id(0) == 0) {
        shared->least[word] = 0xffffffff;
        shared->most[word] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* nothing is joined yet */
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k) {
        const uint high = (uint)((ulong)own[k] >> STRETCH_LOW);
        const uint part = word ? (uint)own[k] : high;
        least = word == 0 || high == highs[0] ? min(least, part) : least;
        most = word == 0 || high == highs[1] ? max(most, part) : most;
    }
    GROUP_JOIN_MIN(&shared->least[word], least);
    GROUP_JOIN_MAX(&shared->most[word], most);
    barrier(CLK_LOCAL_MEM_FENCE); /* all are joined */
}

/* The sample's least and largest key. Begins after a barrier and ends with one. */
CLSORT_INLINE void stretch_ends(const key_t *own, __local struct sample_stretch_local *shared,
                                key_t ends_ret[2])
{
    uint highs[2] = {0, 0};
    stretch_join(own, highs, 0, shared);
    highs[0] = shared->least[0];
    highs[1] = shared->most[0];
    ends_ret[0] = (key_t)((ulong)highs[0] << STRETCH_LOW);
    ends_ret[1] = (key_t)((ulong)highs[1] << STRETCH_LOW);
    if (STRETCH_LOW) {
        stretch_join(own, highs, 1, shared);
        ends_ret[0] |= shared->least[1];
        ends_ret[1] |= shared->most[1];
    }
}

#endif
