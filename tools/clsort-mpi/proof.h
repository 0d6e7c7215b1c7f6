/* proof.h: checks that the result is in order over all ranks and is a permutation of the input.
 * Shares no code with the library. */
#ifndef PROOF_H
#define PROOF_H

#include "options.h"

/* The keys of all ranks, whatever their order. Different keys have the same sum by accident once in
 * 2^64. */
struct proof {
    uint64_t count;
    uint64_t sum_of_hashes;
};

struct proof proof_record(const struct options *options, const void *keys, uint64_t count);

/* Returns whether the sorted keys are right, and records what is wrong. All ranks call it. */
bool proof_verify(const struct options *options, const struct proof *before, const void *keys,
                  uint64_t count);

#endif
