/* split.h: where the sorted elements of each rank are cut, so that every rank gets as many as it wants. */
#ifndef SPLIT_H
#define SPLIT_H

#include "wire.h"
#include "words.h"

/* What split_find() works in; for one search of one wire. */
struct split {
    struct splitter *splitters; /* a border between two ranks each */
    uint64_t *numbers;          /* this rank's, max_numbers */
    uint64_t *sums;             /* of all ranks' numbers */
    uint64_t max_numbers;       /* that a round reduces */
    uint32_t num_rounds;        /* of reductions, for the report */
    uint64_t bytes_reduced;
};

/* Returns 0 if memory is out. */
int split_alloc(struct split *split, int num_ranks);
void split_free(struct split *split, const struct wire *wire);

/* ends[r], for every rank but the last: how many of this rank's `count` sorted elements lie before the end of
 * what rank r gets. targets[r] is the number of elements of all ranks before that end, total those there are.
 * Equal elements are dealt in the order of their ranks. */
void split_find(struct split *split, struct wire *wire, const struct words *words, uint64_t count,
                const uint64_t *targets, uint64_t total, uint64_t *ends);

#endif
