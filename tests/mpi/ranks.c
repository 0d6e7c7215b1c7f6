#include "ranks.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY_SIZE = 64, CANARY = 0xa5 };

int ranks_own, ranks_size;

static uint64_t weight(deal how, int rank, int num_ranks)
{
    switch (how) {
    case DEAL_EVEN:
        return 1;
    case DEAL_UNEVEN:
        return ((uint64_t)rank * 3 + 1) % 7;
    case DEAL_FIRST:
        return rank == 0;
    case DEAL_LAST:
        return rank == num_ranks - 1;
    default:
        return rank % 2 == 0;
    }
}

share ranks_share_of(deal how, uint64_t total, int rank, int num_ranks)
{
    uint64_t all = 0, before = 0;
    for (int other = 0; other < num_ranks; ++other) {
        all += weight(how, other, num_ranks);
        before += other < rank ? weight(how, other, num_ranks) : 0;
    }
    const uint64_t base = total * before / all;
    return (share){base, total * (before + weight(how, rank, num_ranks)) / all - base};
}

share ranks_share(deal how, uint64_t total)
{
    return ranks_share_of(how, total, ranks_own, ranks_size);
}

/* The largest number of all ranks. Polls, so that a waiting rank leaves its core to the others,
 * which MPICH's own waiting does not. */
int ranks_largest(int number)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int is_done = 0;
    MPI_Iallreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    while (!MPI_Test(&request, &is_done, MPI_STATUS_IGNORE) && !is_done)
        sched_yield();
    return number;
}

void ranks_expect(const char *wrong, const char *what, const char *file, int line)
{
    if (wrong)
        fprintf(stderr, "%s:%d: rank %d of %d: %s: %s\n", file, line, ranks_own, ranks_size, what,
                wrong);
    if (ranks_largest(wrong != NULL))
        _fail(file, line);
}

void ranks_expect_status(int got, int expected, const char *what, const char *file, int line)
{
    char text[512];
    snprintf(text, sizeof text, "got \"%s\", expected \"%s\"", clsort_mpi_status_text(got),
             clsort_mpi_status_text(expected));
    ranks_expect(got == expected ? NULL : text, what, file, line);
}

void *canary_copy(const void *from, uint64_t count, uint32_t size)
{
    const size_t bytes = (size_t)count * size;
    char *all = test_alloc(bytes + 2 * CANARY_SIZE);
    if (!count) {
        free(all);
        return NULL;
    }
    memset(all, CANARY, bytes + 2 * CANARY_SIZE);
    if (from)
        memcpy(all + CANARY_SIZE, from, bytes);
    return all + CANARY_SIZE;
}

int canary_free(void *elements, uint64_t count, uint32_t size)
{
    int is_intact = 1;
    if (!elements)
        return 1;
    unsigned char *begin = (unsigned char *)elements - CANARY_SIZE;
    const unsigned char *behind = (unsigned char *)elements + (size_t)count * size;
    for (int i = 0; i < CANARY_SIZE; ++i)
        is_intact &= begin[i] == CANARY && behind[i] == CANARY;
    free(begin);
    return is_intact;
}

int ranks_run(int argc, char **argv, const struct CMUnitTest *tests, size_t num_tests)
{
    if (MPI_Init(&argc, &argv))
        return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks_own);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_size);
    if (ranks_own && !getenv("CLSORT_TEST_RANKS") && !freopen("/dev/null", "w", stdout))
        return 1;
    /* PoCL sometimes fails when several processes fill one cache. */
    const char *cache = getenv("POCL_CACHE_DIR");
    char own_cache[4096];
    if (cache && *cache && ranks_own) {
        snprintf(own_cache, sizeof own_cache, "%s.%d", cache, ranks_own);
        setenv("POCL_CACHE_DIR", own_cache, 1);
    }
    const int failed = _cmocka_run_group_tests("mpi", tests, num_tests, NULL, NULL);
    MPI_Finalize();
    return failed != 0;
}
