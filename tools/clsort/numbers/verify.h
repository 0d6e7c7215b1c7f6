/* verify.h: is it sorted, and is it the same keys as before? */
#ifndef CLSORT_TOOL_VERIFY_H
#define CLSORT_TOOL_VERIFY_H

#include "numbers/key.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first position, counted from 0, whose key should stand before the one in front of it; count
 * where the keys are in order. */
uint64_t find_disorder(const struct elements *elements, clsort_order order, const void *keys,
                       uint64_t count);

/* A number that does not depend on the order of the keys, each taken together with its value: the
 * sum of their XXH3 hashes. Different multisets agree by accident once in 2^64. value_size may
 * be 0. */
uint64_t multiset_hash(const void *keys, size_t key_size, const void *values, size_t value_size,
                       uint64_t count);

/* What is said where they differ. */
#define NO_PERMUTATION "the output is not a permutation of the input"

/* Whether the indices name every key once, in the order of the keys, equal ones in the order of the
 * input. Each has its own place in that order: where all rise, none is there twice. False with
 * *position_ret the first index that is wrong. */
bool verify_indices(const struct elements *elements, clsort_order order, const void *keys,
                    const void *indices, size_t index_size, uint64_t count, uint64_t *position_ret);

#endif
