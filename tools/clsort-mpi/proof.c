#include "proof.h"

#include "numbers/key.h"
#include "together.h"

#include <inttypes.h>
#include <stdlib.h>

/* Two rounds of splitmix64. */
static uint64_t hash(uint64_t x)
{
    for (int i = 0; i < 2; ++i) {
        x += UINT64_C(0x9e3779b97f4a7c15);
        x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
        x ^= x >> 31;
    }
    return x;
}

struct proof proof_record(const struct options *options, const void *keys, uint64_t count)
{
    const size_t size = clsort_type_size(options->type);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i)
        sum += hash(key_load(size, keys, i));
    return (struct proof){sum_of(count), sum_of(sum)};
}

static bool is_behind(const struct options *options, uint64_t rank, uint64_t next)
{
    return options->order == CLSORT_DESCENDING ? next > rank : next < rank;
}

/* Checks the border between this rank's keys and those of the nearest lower rank that has any. */
static bool check_border(const struct options *options, const void *keys, uint64_t count)
{
    const size_t size = clsort_type_size(options->type);
    const struct key_type *type = &key_types[options->type];
    uint64_t *all = calloc((size_t)num_ranks, 3 * sizeof *all);
    uint64_t own[3] = {count, 0, 0};
    if (count) {
        own[1] = key_rank(type, key_load(size, keys, 0));
        own[2] = key_rank(type, key_load(size, keys, count - 1));
    }
    if (!all)
        MPI_Abort(MPI_COMM_WORLD, 2); /* the other ranks wait, and nothing has been written */
    MPI_Allgather(own, 3, MPI_UINT64_T, all, 3, MPI_UINT64_T, MPI_COMM_WORLD);
    bool is_right = true;
    for (int rank = own_rank - 1; count && rank >= 0; --rank) {
        if (!all[3 * rank])
            continue;
        if (is_behind(options, all[3 * rank + 2], own[1]))
            is_right = wrong("ranks %d and %d are not in order", rank, own_rank);
        break;
    }
    free(all);
    return is_right;
}

bool proof_verify(const struct options *options, const struct proof *before, const void *keys,
                  uint64_t count)
{
    const size_t size = clsort_type_size(options->type);
    const struct key_type *type = &key_types[options->type];
    const struct proof after = proof_record(options, keys, count);
    bool is_right = check_border(options, keys, count);
    if (after.count != before->count || after.sum_of_hashes != before->sum_of_hashes)
        is_right = wrong("the result is not a permutation of the input");
    uint64_t last = count ? key_rank(type, key_load(size, keys, 0)) : 0;
    for (uint64_t i = 1; is_right && i < count; ++i) {
        const uint64_t rank = key_rank(type, key_load(size, keys, i));
        if (is_behind(options, last, rank))
            is_right = wrong("rank %d: key %" PRIu64 " is not in order", own_rank, i);
        last = rank;
    }
    return is_right;
}
