/* What the tests of operations share, and those of searches. */
#ifndef TESTS_OPERATIONS_H
#define TESTS_OPERATIONS_H

#include "case.h"
#include "order.h"

enum { NUM_OPERATION_SIZES = 14 };
extern const uint64_t operation_sizes[NUM_OPERATION_SIZES];

/* Whether a case is left out: Oclgrind simulates the largest for minutes, and needs no type
 * twice. */
int leaves_out(const fixture *fix, uint32_t i, uint64_t size);

/* Stores a number of index_size bytes at place `at`. */
void number_store(void *numbers, uint64_t at, uint32_t size, uint64_t value);

/* Keys of several arrays, each in order, or almost. */
void *sorted_arrays(const order *o, uint64_t count, uint64_t num_arrays, int few, uint64_t seed);

/* operations_search.c */
void test_search(void **state);
void test_search_sample(void **state);
void test_search_nothing(void **state);

#endif
