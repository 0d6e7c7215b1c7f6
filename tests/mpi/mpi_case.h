/* mpi_case.h: one sort over all ranks, against the oracle. */
#ifndef TESTS_MPI_MPI_CASE_H
#define TESTS_MPI_MPI_CASE_H

#include "ranks.h"
#include "support/sample.h"
#include "simulated.h"

/* One sort. */
typedef struct mpi_case {
    clsort_desc desc; /* count: over all ranks */
    data_kind data;
    deal from, to;      /* to: only with has_to */
    int has_to;         /* clsort_mpi_sort_to() */
    uint64_t max_short; /* 0: as usual */
} mpi_case;

/* Sorts and checks. Fails on all ranks or on none. */
void mpi_case_run(const mpi_case *plan);

/* Another seed at each call, the same on all ranks. */
uint64_t mpi_case_seed(void);

/* Simulates the search for the borders of the shares `to` of num_ranks ranks among all sorted
 * keys. */
const char *mpi_case_simulate(const sample *s, deal to, int num_ranks,
                              struct simulated *simulated_ret);

#endif
