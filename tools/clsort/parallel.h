/* parallel.h: work that falls into independent items, done by as many threads as there are
 * processors. */
#ifndef CLSORT_TOOL_PARALLEL_H
#define CLSORT_TOOL_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

/* Calls work(context, i) for every i below num_items, in rising order, by up to 16 threads, the
 * caller among them. After one has returned false, those not yet begun are left out. Returns
 * whether all were true. */
bool parallel_for(uint64_t num_items, bool (*work)(void *context, uint64_t item), void *context);

/* The same by up to num_threads threads, at most 16, each with its number, counted from 0. */
bool parallel_for_by(uint32_t num_threads, uint64_t num_items,
                     bool (*work)(void *context, uint32_t thread, uint64_t item), void *context);

/* The number of threads of parallel_for(). */
uint32_t parallel_threads(void);

#endif
