/* msd_case.c: see msd_case.h. */
#include "msd_case.h"

#include <stdlib.h>
#include <string.h>

clsort_sorter *msd_sorter(const fixture *fix, const char *tuning)
{
    fixture_limit(fix, "cpu=0");
    clsort_sorter *sorter = tuned_sorter(fix, tuning);
    fixture_end_limit();
    return sorter;
}

int msd_compare_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

int msd_compare_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The key of a part of the array that the sample takes: cl/base/random.h. */
static uint32_t sampled(uint32_t seed, uint32_t bound)
{
    uint32_t x = seed * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return (uint32_t)((uint64_t)(x ^ x >> 16) * bound >> 32);
}

int msd_is_sampled(uint32_t count, uint32_t i)
{
    const uint32_t part = count / 2048, stratum = i / part;
    return stratum < 2048 && i % part == sampled(stratum, part);
}

/* Every 32nd of the unseen keys is in one of three leaves, by its highest eight bits. */
static uint32_t some_leaves_key(uint32_t i, uint32_t random)
{
    static const uint32_t leaves[] = {0x07000000, 0x63000000, 0x63000000, 0xc9000000};
    return i % 32 ? random : leaves[i / 32 % 4] | random >> 8;
}

uint32_t msd_even_key(msd_adversary adversary, uint32_t i, rng *r)
{
    const uint32_t random = (uint32_t)rng_next(r);
    const int is_seen = msd_is_sampled(MSD_NUM_EVEN, i);
    switch (adversary) {
    case RUNS:
        return is_seen ? random : i / 100 * 0x9e3779b9u >> 24 << 24 | random >> 8;
    case ONE_LEAF:
        return is_seen ? random : 0x5a000000u | random >> 8;
    case FEW_BINS:
        return random & 0xffc00003u;
    case SOME_LEAVES:
        return is_seen ? random : some_leaves_key(i, random);
    default:
        return is_seen ? random : 0x5a5a5a5au;
    }
}

void msd_check_pairs(const uint32_t *before, const uint32_t *keys, const uint32_t *values,
                     uint32_t count)
{
    unsigned char *seen = test_alloc(count);
    memset(seen, 0, count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(i == 0 || keys[i - 1] <= keys[i]);
        assert_true(values[i] < count && !seen[values[i]]++);
        assert_int_equal(keys[i], before[values[i]]);
    }
    free(seen);
}

void msd_check_keys(clsort_sorter *sorter, const clsort_desc *desc, uint32_t *keys)
{
    const size_t bytes = (size_t)desc->count * sizeof *keys;
    uint32_t *expected = test_alloc(bytes), *out = test_alloc(bytes);
    memcpy(expected, keys, bytes);
    memset(out, 0, bytes);
    qsort(expected, (size_t)desc->count, sizeof *expected, msd_compare_u32);
    const clsort_arrays arrays = {.keys = keys, .keys_out = desc->out_of_place ? out : NULL};
    expect_status(clsort_sort(sorter, desc, &arrays), CLSORT_OK);
    assert_memory_equal(desc->out_of_place ? out : keys, expected, bytes);
    free(expected);
    free(out);
}
