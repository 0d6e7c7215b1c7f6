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

/* Negative, 0 or positive if element i of `a` comes before, with or after element j of `b`, as the
 * description says: numbers by their bits, records by their fields, or rows. Numbers and records
 * are a[0], columns one array each. */
int oracle_compare_elements(const clsort_desc *desc, void *const *a, uint64_t i, void *const *b,
                            uint64_t j);

/* The same of elements i and j of what the context is. */
typedef int oracle_comparison(const void *context, uint64_t i, uint64_t j);

/* Elements as a description says. The context of oracle_compare_keys(). */
typedef struct oracle_keys {
    const clsort_desc *desc;
    void *const *arrays;
} oracle_keys;

int oracle_compare_keys(const void *keys, uint64_t i, uint64_t j);

/* Strings that begin at offsets, of which the last `tail` bytes are not compared. One whose end is
 * before its begin has no bytes. The context of oracle_compare_strings(). */
typedef struct oracle_strings {
    const unsigned char *bytes;
    const uint64_t *offsets;
    uint64_t tail;
} oracle_strings;

/* The bytes of a string that are compared. */
uint64_t oracle_string_size(const oracle_strings *s, uint64_t i);
int oracle_compare_strings(const void *strings, uint64_t i, uint64_t j);

/* The order of `count` elements from number `first` on: order[i] is the number of the element that
 * belongs at place first + i. Equal ones keep their order. */
void oracle_order(uint64_t first, uint64_t count, oracle_comparison *compare, const void *context,
                  uint64_t *order);

/* The order of one array of desc->count numbers, which may be NULL if there are none. */
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
