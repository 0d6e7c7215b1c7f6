/* job.h: what the files of clsort-mpi share: the command line, the files of the ranks, and how all
 * ranks fail together, with one rank's message. */
#ifndef JOB_H
#define JOB_H

#include <clsort/clsort_mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- options.c: the command line ------------------------------------------------------------- */

struct options {
    const char *input; /* "%r" in it stands for the rank */
    const char *output;
    const char *device; /* NULL: the library chooses */
    clsort_type type;
    clsort_order order;
    clsort_algorithm algorithm;
    uint64_t count;  /* keys to read from each file; UINT64_MAX: all */
    uint64_t memory; /* bytes that a rank may use; 0: its share of the machine's available memory */
    bool verify;
    bool stats;
    bool json;
};

/* Returns false if the program must end with *exit_ret. Only the rank that `speaks` prints. */
bool options_read(int argc, char **argv, bool speaks, struct options *options_ret, int *exit_ret);

/* ---- together.c: all ranks fail together ----------------------------------------------------- */

extern int own_rank, num_ranks;

/* Records what is wrong on this rank, and returns false. Only the first message is kept. */
bool wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns true if nothing is wrong on any rank, nor was what this one has done last. Otherwise the
 * lowest rank with a message prints it. */
bool all_right(bool is_right);

/* Reductions over all ranks. */
uint64_t sum_of(uint64_t number);
uint64_t sum_before(uint64_t number); /* over all lower ranks */
double largest_of(double number);

/* ---- proof.c: whether the result is right ---------------------------------------------------- */

/* The keys of all ranks, whatever their order. Different keys have the same sum by accident once in
 * 2^64. */
struct proof {
    uint64_t count;
    uint64_t sum_of_hashes;
};

/* All ranks call both. The second returns whether the sorted keys are right, and records what is
 * wrong. */
struct proof proof_record(clsort_type type, const void *keys, uint64_t count);
bool proof_verify(clsort_type type, clsort_order order, const struct proof *before,
                  const void *keys, uint64_t count);

/* ---- file.c: the ranks' files, by positioned calls ------------------------------------------- */

/* This rank's share of the input. */
struct share {
    char *name;      /* of the file that this rank reads */
    uint64_t offset; /* bytes */
    uint64_t count;  /* keys */
};

/* Finds this rank's share. Returns false and records why if it cannot. All ranks call it. */
bool share_find(const struct options *options, struct share *share_ret);

/* Whether this rank has enough memory for its share; records it if not. */
bool share_fits(const struct options *options, const struct share *share);

/* Reads the share into memory for free(). Returns NULL and records why if it cannot. */
void *share_read(const struct options *options, const struct share *share);

/* Whether the result can be written, asked before the work: its name is free or a regular file's
 * that can be replaced, the file beside it can be made, and its disk has room for it: for those of
 * this machine's ranks, if each has one. Records it if not. This rank has `count` of the `total`
 * keys. Leaves no file. All ranks call it. */
bool result_is_possible(const struct options *options, uint64_t count, uint64_t total);

/* Writes the keys of all ranks. Lower ranks have `before` of the `total` keys. All ranks call it. A
 * failure is recorded and leaves no file, except that with a file for each rank some may have their
 * names already if another cannot get its own. */
bool result_write(const struct options *options, const void *keys, uint64_t count, uint64_t before,
                  uint64_t total);

#endif
