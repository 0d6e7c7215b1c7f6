/* Arrays of numbers or records, and their order, in the words of clsort.h: what the operations on
 * arrays in order are compared with. */
#ifndef TESTS_ORDER_H
#define TESTS_ORDER_H

#include "support/fixture.h"
#include "support/guard.h"
#include "support/oracle.h"

/* What the keys of a description are. */
typedef struct order {
    const char *name;
    clsort_desc desc; /* type or record, order, bits */
} order;

/* All types and some bit ranges in both orders, and records by fields and by a comparison. */
extern const order orders[];
extern const uint32_t num_orders;

/* Bytes of a key, and their alignment on the device. */
uint32_t order_key_size(const order *o);
uint32_t order_alignment(const order *o);

/* Negative, 0 or positive if key a comes before, with or after key b. */
int order_compare(const order *o, const void *a, const void *b);

/* Random keys, many of them equal if `few`. */
void order_fill(const order *o, void *keys, uint64_t count, int few, uint64_t seed);

/* The stable order of keys as indices: by merging, without the library. */
void order_find(const order *o, const void *keys, uint64_t count, uint64_t *indices);

/* Puts keys in their stable order. */
void order_keys(const order *o, void *keys, uint64_t count);

/* Key `at`. */
const void *order_key(const order *o, const void *keys, uint64_t at);

/* A buffer with canaries for elements of this size; data NULL: random bytes. */
void order_guard(const fixture *fix, guard *g, const void *data, uint64_t count, uint32_t size,
                 uint32_t alignment, uint64_t seed);

/* Runs an operation to its end; the test fails if it fails. */
void order_run(const fixture *fix, const clsort_desc *desc, const clsort_buffers *buffers);

/* Fails the test unless the buffer holds these bytes, random ones behind them if there are more,
 * and its canaries. */
void order_expect(const fixture *fix, const order *o, guard *g, const void *bytes, uint64_t size,
                  const char *what);

/* Fails the test if a source was written. */
void order_expect_kept(const fixture *fix, const order *o, guard *g);

#endif
