/* wire.h: collective calls that return on every rank, even if an MPI call fails on one of them.
 *
 * MPI does not define what happens if a collective call fails on a single rank: the others may wait
 * forever. So every collective call here is non-blocking and polled, together with a receive, the
 * alarm. A rank whose call fails sends the alarm to all others. A rank that receives it gives
 * up. */
#ifndef WIRE_H
#define WIRE_H

#include "clsort/clsort_mpi.h"

struct wire {
    MPI_Comm comm; /* the caller's, duplicated */
    MPI_Request alarm;
    int rank;
    int size;
    int failed;  /* a call failed here, or the alarm arrived: further calls do nothing */
    int pending; /* a collective call was given up, so MPI may still use its buffers */
    uint64_t words[3];
    struct wire_side {
        int *counts; /* each array has `size` elements */
        int *displacements;
        MPI_Datatype *types;
    } sides[2]; /* sending, receiving */
};

/* Duplicates the communicator on all ranks, or on none. All ranks get the same status; unless it is
 * CLSORT_OK, *wire_ret is NULL. */
int wire_open(MPI_Comm comm, struct wire **wire_ret);
void wire_close(struct wire *wire);

/* Makes all further calls fail, on this rank and on all others. */
void wire_stop(struct wire *wire);

/* free(), unless MPI may still use the memory. */
void wire_free(const struct wire *wire, void *memory);

/* Returns the same status on all ranks: that of the lowest rank that failed, whose number is
 * *rank_ret, or CLSORT_OK and -1. If no rank failed but their numbers differ, the status is
 * CLSORT_ERROR_MPI_UNEQUAL. */
int wire_agree(struct wire *wire, int status, uint64_t number, int *rank_ret);

/* sums[i] becomes the sum of numbers[i] over all ranks. */
void wire_sum(struct wire *wire, const uint64_t *numbers, uint64_t *sums, int count);

/* numbers[i] becomes the largest numbers[i] of all ranks. */
void wire_max(struct wire *wire, uint64_t *numbers, int count);

/* sums[i] becomes the sum of numbers[i] over all lower ranks. */
void wire_prefix_sums(struct wire *wire, const uint64_t *numbers, uint64_t *sums, int count);

/* Sends each rank's `count` numbers, at all[rank * count], to all ranks. */
void wire_gather(struct wire *wire, uint64_t *all, int count);

/* Sends to[r] to rank r and receives from[r] from it. */
void wire_swap(struct wire *wire, const uint64_t *to, uint64_t *from);

/* Elements of `size` bytes. `sent` has sent_counts[r] elements for each rank r, in the order of the
 * ranks; `received` has received_counts[r] elements from each. Set is_long on all ranks if any of
 * them sends or receives more elements than an int counts; MPI then counts units of `unit`
 * bytes. */
struct wire_pieces {
    uint32_t size;
    int is_long;
    uint32_t unit;
    const uint64_t *sent_counts;
    const uint64_t *received_counts;
};
void wire_exchange(struct wire *wire, const struct wire_pieces *pieces, const void *sent,
                   void *received);

#endif
