/* wire.h: collective calls that end on every rank, also when an MPI call fails on one of them.
 *
 * MPI says nothing about a collective call that fails on a single rank: the others may wait for it for
 * ever. So every collective call here is a non-blocking one that is polled, together with a receive, the
 * alarm. A rank whose call fails sends the alarm to all others. A rank that receives it gives up. */
#ifndef WIRE_H
#define WIRE_H

#include "clsort/clsort_mpi.h"

struct wire {
    MPI_Comm comm; /* the caller's, duplicated */
    MPI_Request alarm;
    int rank;
    int size;
    int failed;  /* an MPI call failed here, or the alarm came: all further calls do nothing */
    int pending; /* a collective call was given up: MPI may still use its buffers */
    uint64_t words[3];
    struct wire_side {
        int *counts; /* size each */
        int *places;
        MPI_Datatype *types;
    } sides[2]; /* what is sent, what is received */
};

/* Duplicates the communicator, on all ranks or none. Returns a status, the same everywhere; *wire_ret is NULL
 * unless it is CLSORT_OK. */
int wire_open(MPI_Comm comm, struct wire **wire_ret);
void wire_close(struct wire *wire);

/* Makes all further calls fail, on this rank and on the others. */
void wire_stop(struct wire *wire);

/* free(), unless MPI may still use the memory. */
void wire_free(const struct wire *wire, void *memory);

/* One status for all ranks out of one each: that of the lowest rank that has one. *rank_ret is its rank,
 * or -1. If there is none, but numbers differ between ranks, it is CLSORT_ERROR_MPI_UNEQUAL. */
int wire_agree(struct wire *wire, int status, uint64_t number, int *rank_ret);

/* sums[i]: the sum of all ranks' numbers[i]. */
void wire_sum(struct wire *wire, const uint64_t *numbers, uint64_t *sums, int count);

/* The largest of all ranks' numbers[i], in place. */
void wire_max(struct wire *wire, uint64_t *numbers, int count);

/* sums[i]: the sum of the ranks' numbers[i] before this rank. */
void wire_sums_before(struct wire *wire, const uint64_t *numbers, uint64_t *sums, int count);

/* Each rank's `count` numbers, at all[rank * count], to all ranks. */
void wire_gather(struct wire *wire, uint64_t *all, int count);

/* to[r] goes to rank r, from[r] came from it. */
void wire_swap(struct wire *wire, const uint64_t *to, uint64_t *from);

/* Elements of `size` bytes: `sent` lies in the order of the ranks it goes to, sent_counts[r] elements for
 * rank r, and `received` in the order of those it comes from. is_long: a rank sends or receives more
 * elements than an int counts; all ranks must say the same. Units of so many bytes are counted then. */
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
