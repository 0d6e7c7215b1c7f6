/* split.h: finds where to split each rank's sorted elements, so that every rank gets the count that
 * it wants. */
#ifndef SPLIT_H
#define SPLIT_H

#include "host/alone/key_words.h"
#include "wire.h"

/* Working memory of split_find(), for one search on one wire. */
struct split {
    struct splitter *splitters; /* one for each border between two ranks */
    uint64_t *numbers;          /* this rank's, max_numbers */
    uint64_t *sums;             /* sums of all ranks' numbers */
    uint64_t max_numbers;       /* the most numbers that a round reduces */
    uint32_t num_rounds;        /* reductions so far, for the report */
    uint64_t bytes_reduced;
};

/* Returns 0 if there is no memory. */
int split_alloc(struct split *split, int num_ranks);
void split_free(struct split *split, const struct wire *wire);

/* Fills in ends[r] for every rank r except the last: how many of this rank's `count` sorted
 * elements lie before the end of rank r's share. targets[r] is the number of elements of all ranks
 * before that end, of `total` elements. Equal elements go to the shares in the order of their
 * ranks. */
void split_find(struct split *split, struct wire *wire, const struct words *words, uint64_t count,
                const uint64_t *targets, uint64_t total, uint64_t *ends);

#endif
