/* simulated.h: the search for the borders between any number of ranks, in one process.
 *
 * It is the library's own search (src/mpi/split.c). What it does depends only on sums over all ranks: how many
 * elements there are up to a probe. So one rank that holds all elements, and is told that there are
 * num_ranks, takes the same rounds and reduces the same numbers as num_ranks ranks that hold them together,
 * however they are spread. test_mpi compares the two. */
#ifndef SIMULATED_H
#define SIMULATED_H

#include <stdint.h>

#include "clsort/clsort.h"

struct simulated {
    uint32_t num_rounds;
    uint64_t bytes_reduced;
};

/* `sorted` are desc->count elements in order, targets[r] those of ranks 0 to r. Returns NULL, or what is
 * wrong; a border that lies elsewhere than wanted is. MPI has to be initialized; no other process has
 * a part in it. */
const char *simulated_split(const clsort_desc *desc, const void *sorted, int num_ranks,
                            const uint64_t *targets, struct simulated *simulated_ret);

#endif
