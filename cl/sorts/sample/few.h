/* few.h: lists the different keys of the sample, if they are few (onesweep/few.h).
 *
 * Idea: each element whose key is not listed yet writes its number into a slot, chosen by a hash of
 * the key. The element with the slot's highest number lists its key, so equal keys are listed once.
 * After a few rounds with different hashes all keys are listed, nearly always, or there are too
 * many.
 *
 * Local memory: the slots are the bins of sample.cl; the list. */
#ifndef CLSORT_SAMPLE_FEW_H
#define CLSORT_SAMPLE_FEW_H

#include "sorts/msd/array.h"
#include "base/random.h"

#define FEW_ROUNDS 4u /* of 64 keys in 1024 slots, two collide in the first, seldom one later */

#define OWN_SAMPLE (MSD_SAMPLE / GROUP_SIZE) /* of a work-item: neighbours */

struct sample_few_local {
    key_t keys[ONESWEEP_FEW];
    uint num_keys;
};

/* Where element i of the sample lies, which has one of each part of the array; part: at least 1. */
CLSORT_INLINE uint sample_place(const struct msd_params *q, uint i)
{
    return (uint)sampled_place(i, q->count / MSD_SAMPLE);
}

/* Every bit of the key counts, and two keys that share a slot seldom do so in the next round: after
 * one multiplication small whole numbers of f64 shared theirs in all rounds. */
CLSORT_INLINE uint sample_few_hash(key_t key, uint round)
{
    ulong mixed = ((ulong)key + round) * 0x9e3779b97f4a7c15ul;
    mixed = (mixed ^ mixed >> 32) * 0xbf58476d1ce4e5b9ul;
    return (uint)(mixed >> 32);
}

CLSORT_INLINE uint sample_few_slot(key_t key, uint round)
{
    return sample_few_hash(key, round) / (uint)(0x100000000ul / MSD_SAMPLE_BINS);
}

/* The number that element i of the sample writes: above any count, and any of earlier rounds. */
#define SAMPLE_FEW_NUMBER(i, round) (1u + ((round) + 1u) * MSD_SAMPLE + (i))

CLSORT_INLINE uint sample_few_has(__local const struct sample_few_local *shared, uint num_keys,
                                  key_t key)
{
#pragma unroll 1
    for (uint i = 0; i < num_keys; ++i)
        if (shared->keys[i] == key)
            return 1;
    return 0;
}

/* A round, of this work-item's part of the sample; the list has `listed` keys so far. Ends with a
 * barrier. */
CLSORT_INLINE void sample_few_round(const key_t *own, __local struct sample_few_local *shared,
                                    __local uint *slots, uint listed, uint round)
{
    const uint first = (uint)get_local_id(0) * OWN_SAMPLE;
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k)
        if (!sample_few_has(shared, listed, own[k]))
            atomic_max(&slots[sample_few_slot(own[k], round)], SAMPLE_FEW_NUMBER(first + k, round));
    barrier(CLK_LOCAL_MEM_FENCE); /* each slot has a number, the list has been read */
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k) {
        if (slots[sample_few_slot(own[k], round)] == SAMPLE_FEW_NUMBER(first + k, round)) {
            const uint at = atomic_inc(&shared->num_keys);
            if (at < ONESWEEP_FEW)
                shared->keys[at] = own[k];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the list has been written, the slots have been read */
}

/* Lists the sample's different keys; slots: MSD_SAMPLE_BINS words. Returns how many there are, or
 * 0 if they are too many. Some may be left out: the sort looks up each key, and sees that. A round
 * that adds none is the last: each key that is not listed writes to a slot, and a slot's highest
 * number is listed. Ends with a barrier. */
CLSORT_INLINE uint sample_few_list(const key_t *own, __local struct sample_few_local *shared,
                                   __local uint *slots)
{
    uint listed = 0, before = ~0u;
    shared->num_keys = 0; /* by all: see group/merge_local.h. A round adds to it after a barrier. */
#pragma unroll 1
    for (uint round = 0; round < FEW_ROUNDS && listed <= ONESWEEP_FEW && listed != before;
         ++round) {
        before = listed;
        sample_few_round(own, shared, slots, listed, round);
        listed = shared->num_keys;
    }
    return listed > ONESWEEP_FEW ? 0 : listed;
}

/* Writes a list of that many keys in order. */
CLSORT_INLINE void sample_few_write(__local const struct sample_few_local *shared, uint num_keys,
                                    __global struct onesweep_control *control)
{
    GROUP_LOOP(i, 0, num_keys) {
        const key_t key = shared->keys[i];
        uint place = 0;
#pragma unroll 1
        for (uint other = 0; other < num_keys; ++other)
            place += shared->keys[other] < key;
        control->few[place] = key;
    }
    if (get_local_id(0) == 0)
        control->num_few = num_keys;
}

#endif
