/* simulated.h: the search for the borders between any number of ranks, in one process.
 *
 * It is the library's own search (src/mpi/split.c). The search depends only on sums over all ranks:
 * how many elements are at most a probe. So one rank that holds all elements takes the same rounds
 * and reduces the same numbers as num_ranks ranks. It does not matter how the elements are spread
 * over them. test_mpi compares the two. */
#ifndef SIMULATED_H
#define SIMULATED_H

#include <stdint.h>

#include "clsort/clsort.h"

struct simulated {
    uint32_t num_rounds;
    uint64_t bytes_reduced;
};

/* `sorted` has desc->count elements in order, and targets[r] is the number of elements on ranks 0
 * to r. Returns NULL, or what is wrong, such as a border that is not at its target. MPI must be
 * initialized; the search involves no other process. */
const char *simulated_split(const clsort_desc *desc, const void *sorted, int num_ranks,
                            const uint64_t *targets, struct simulated *simulated_ret);

#endif
