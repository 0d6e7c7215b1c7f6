/* What the tests over MPI share. Every rank runs every test and judges its own part. Then all ranks
 * agree, so a test fails on all ranks or on none, and no rank waits for another that has
 * stopped. */
#ifndef TESTS_MPI_RANKS_H
#define TESTS_MPI_RANKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "clsort/clsort_mpi.h"
#include "support/data.h"

/* How many of `total` elements each rank has. */
typedef enum deal {
    DEAL_EVEN,
    DEAL_UNEVEN, /* in seven sizes, one of which is 0 */
    DEAL_FIRST,  /* all on the first rank */
    DEAL_LAST,
    DEAL_GAPS, /* every second rank has none */
    NUM_DEALS
} deal;

typedef struct share {
    uint64_t base; /* elements on the ranks before this one */
    uint64_t count;
} share;

extern int ranks_own, ranks_size; /* in MPI_COMM_WORLD */

/* Starts MPI, runs the tests and ends MPI. Returns the exit status for main(). Only rank 0 prints,
 * unless CLSORT_TEST_RANKS is set. */
int ranks_run(int argc, char **argv, const struct CMUnitTest *tests, size_t num_tests);

/* This rank's share, and the share of any rank among a given number of ranks. */
share ranks_share(deal how, uint64_t total);
share ranks_share_of(deal how, uint64_t total, int rank, int num_ranks);

/* The largest of all ranks' numbers. */
int ranks_largest(int number);

/* Fails the test on all ranks if any rank passes a sentence as `wrong`, instead of NULL. That rank
 * prints it. */
void ranks_expect(const char *wrong, const char *what, const char *file, int line);
#define expect_right(wrong, what) ranks_expect(wrong, what, __FILE__, __LINE__)

/* Fails the test on all ranks if any rank got another status than it expected. */
void ranks_expect_status(int got, int expected, const char *what, const char *file, int line);
#define expect_mpi(got, expected, what) ranks_expect_status(got, expected, what, __FILE__, __LINE__)

/* Copies `count` elements to new memory with guard bytes on both sides; returns NULL if `count` is
 * 0. If `from` is NULL, the elements have arbitrary bytes. canary_free() returns 0 if a guard byte
 * has changed. */
void *canary_copy(const void *from, uint64_t count, uint32_t size);
int canary_free(void *elements, uint64_t count, uint32_t size);

#endif
