/* What the tests over MPI share. Every rank runs every test and judges its own part; then all ranks
 * agree, so that a test fails on all of them and none is left waiting for another. */
#ifndef TESTS_MPI_RANKS_H
#define TESTS_MPI_RANKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "clsort/clsort_mpi.h"
#include "data.h"

/* How many of `total` elements each rank has. */
typedef enum deal {
    DEAL_EVEN,
    DEAL_UNEVEN, /* in seven sizes, none among them */
    DEAL_FIRST,  /* all on the first rank */
    DEAL_LAST,
    DEAL_GAPS, /* every second rank has none */
    NUM_DEALS
} deal;

typedef struct share {
    uint64_t base; /* elements of the ranks before */
    uint64_t count;
} share;

extern int ranks_own, ranks_size; /* in MPI_COMM_WORLD */

/* What main() returns: starts and ends MPI. Only rank 0 prints, unless CLSORT_TEST_RANKS is set. */
int ranks_run(int argc, char **argv, const struct CMUnitTest *tests, size_t num_tests);

/* This rank's share, and that of any rank of so many. */
share ranks_share(deal how, uint64_t total);
share ranks_share_of(deal how, uint64_t total, int rank, int num_ranks);

/* The largest of all ranks' numbers. */
int ranks_largest(int number);

/* Fails the test on all ranks if `wrong` is not NULL on one of them, which prints it. */
void ranks_expect(const char *wrong, const char *what, const char *file, int line);
#define expect_right(wrong, what) ranks_expect(wrong, what, __FILE__, __LINE__)

/* The same if a status is another than expected. */
void ranks_expect_status(int got, int expected, const char *what, const char *file, int line);
#define expect_mpi(got, expected, what) ranks_expect_status(got, expected, what, __FILE__, __LINE__)

/* A copy of `count` elements between bytes that nobody may write; NULL for none. canary_free() returns 0
 * if they were written. `from` may be NULL: the elements are filled with something. */
void *canary_copy(const void *from, uint64_t count, uint32_t size);
int canary_free(void *elements, uint64_t count, uint32_t size);

#endif
