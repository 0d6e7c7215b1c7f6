/* proof.h: is the result in order over all ranks, and is it the same keys as before? Shares no code with the
 * library. */
#ifndef PROOF_H
#define PROOF_H

#include "options.h"

/* Of all ranks' keys; does not depend on their order. Different keys agree by accident once in 2^64. */
struct proof {
    uint64_t count;
    uint64_t sum_of_hashes;
};

struct proof proof_take(const struct options *options, const void *keys, uint64_t count);

/* Notes what is wrong with the sorted keys. All ranks call. */
bool proof_give(const struct options *options, const struct proof *before, const void *keys,
                uint64_t count);

#endif
