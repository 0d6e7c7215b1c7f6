/* The oracle: the result that a sort must give, computed on the host from the words of clsort.h, in
 * another way than the library does. Floats are decoded to real numbers and compared, ordered forms
 * are counted, and a stable merge sort of indices makes the order. */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "data.h"

/* Negative, 0 or positive if key a comes before, with or after key b, in ascending order by all
 * bits. */
int oracle_compare(clsort_type type, uint64_t a, uint64_t b);

/* A key's ordered form, which is the number of keys of its type that come before it; and back. */
uint64_t oracle_rank(clsort_type type, uint64_t bits);
uint64_t oracle_from_rank(clsort_type type, uint64_t rank);

/* True if the description sorts by all bits of the key. */
int oracle_all_bits(const clsort_desc *desc);

/* The bits that the description sorts by, as a number. */
uint64_t oracle_window(const clsort_desc *desc, uint64_t bits);

/* The order of one array of desc->count keys: order[i] is the index of the key that belongs at
 * position i. Equal keys keep their order. */
void oracle_sort(const clsort_desc *desc, const void *keys, uint64_t *order);

/* out[i] = in[order[i]], for elements of `size` bytes. */
void oracle_gather(void *out, const void *in, uint32_t size, const uint64_t *order, uint64_t count);

/* A fingerprint of a multiset of (key, value) pairs; of keys alone if value_size is 0. */
typedef struct multiset {
    uint64_t sum;
    uint64_t xored;
} multiset;

multiset multiset_of(const void *keys, uint32_t key_size, const void *values, uint32_t value_size,
                     uint64_t count);
int multiset_equal(multiset a, multiset b);

#endif
