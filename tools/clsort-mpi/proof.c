/* proof.c: whether the keys of all ranks are in order and those from before. It shares no code with
 * the library. */
#include "job.h"

#include "bench/opponents/input.h"
#include "numbers/verify.h"

#include <inttypes.h>
#include <stdlib.h>

/* A key's hash are two rounds of splitmix64. */
struct proof proof_record(clsort_type type, const void *keys, uint64_t count)
{
    const size_t size = clsort_type_size(type);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i)
        sum += bench_random(bench_random(key_load(size, keys, i), 0), 0);
    return (struct proof){sum_of(count), sum_of(sum)};
}

/* Checks the border between this rank's keys and those of the nearest lower rank that has any. */
static bool check_border(clsort_type type, clsort_order order, const void *keys, uint64_t count)
{
    const size_t size = clsort_type_size(type);
    const struct key_type *key = &key_types[type];
    uint64_t *all = calloc((size_t)num_ranks, 3 * sizeof *all);
    uint64_t own[3] = {count, 0, 0};
    if (count) {
        own[1] = key_rank(key, key_load(size, keys, 0));
        own[2] = key_rank(key, key_load(size, keys, count - 1));
    }
    if (!all)
        MPI_Abort(MPI_COMM_WORLD, 2); /* the other ranks wait, and nothing has been written */
    MPI_Allgather(own, 3, MPI_UINT64_T, all, 3, MPI_UINT64_T, MPI_COMM_WORLD);
    bool is_right = true;
    for (int rank = own_rank - 1; count && rank >= 0; --rank) {
        if (!all[3 * rank])
            continue;
        const uint64_t last = all[3 * rank + 2];
        if (order == CLSORT_DESCENDING ? own[1] > last : own[1] < last)
            is_right = wrong("ranks %d and %d are not in order", rank, own_rank);
        break;
    }
    free(all);
    return is_right;
}

bool proof_verify(clsort_type type, clsort_order order, const struct proof *before,
                  const void *keys, uint64_t count)
{
    const struct elements elements = elements_of_type(type);
    const struct proof after = proof_record(type, keys, count);
    bool is_right = check_border(type, order, keys, count);
    if (after.count != before->count || after.sum_of_hashes != before->sum_of_hashes)
        is_right = wrong("the result is not a permutation of the input");
    const uint64_t place = find_disorder(&elements, order, keys, count);
    return place == count ? is_right
                          : wrong("rank %d: key %" PRIu64 " is not in order", own_rank, place);
}
