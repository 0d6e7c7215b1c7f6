/* What the tests of operations share, and those of searches. */
#ifndef TESTS_OPERATIONS_H
#define TESTS_OPERATIONS_H

#include "support/case.h"
#include "order.h"

enum { NUM_OPERATION_SIZES = 14 };
extern const uint64_t operation_sizes[NUM_OPERATION_SIZES];

/* The orders of numbers: two for each type. */
enum { NUM_NUMBER_ORDERS = 24 };

/* Whether a case is left out. Compiling takes most of the time, so most types have one order here
 * and the other on a limited device. Oclgrind simulates the largest for minutes, and needs no type
 * twice. */
int leaves_out(const fixture *fix, uint32_t i, uint64_t size);

/* Stores a number of index_size bytes at place `at`. */
void number_store(void *numbers, uint64_t at, uint32_t size, uint64_t value);

/* Keys of several arrays, each in order, or almost. */
void *sorted_arrays(const order *o, uint64_t count, uint64_t num_arrays, int few, uint64_t seed);

/* Short arrays, of which a GPU's work-group has several: their counts, and how many there are of
 * each. So few fill some work-groups of PoCL, and not the last one. */
typedef struct short_arrays {
    uint64_t count, num_arrays;
} short_arrays;
enum { NUM_SHORT_ARRAYS = 7 };
extern const short_arrays operation_arrays[NUM_SHORT_ARRAYS];

/* A fixture whose sorter has GPUs' kernels, and the end of it. */
fixture operations_as_gpu(const fixture *fix);
void operations_end(fixture *own);

/* operations_search.c */
void test_search(void **state);
void test_search_sample(void **state);
void test_search_short(void **state);
void test_search_nothing(void **state);

#endif
