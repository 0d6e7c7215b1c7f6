/* sort.h: sorts arrays of the host by its own threads, without a device. */
#ifndef HOST_SORT_H
#define HOST_SORT_H

#include "plan/plan.h"

/* Whether up to num_threads threads of the host sort this problem: the algorithm is AUTO, the keys
 * are numbers, and there are no more of them than the tuning says for the device. */
int host_sort_takes(const struct device_facts *facts, const struct problem *problem,
                    uint32_t num_threads);

/* Sorts arrays that have been checked, by the calling thread and up to num_threads - 1 others. The
 * sort is always stable. Returns 0, with nothing written, if there is no memory. */
int host_sort(const struct problem *problem, const clsort_arrays *arrays, uint32_t num_threads);

/* ---- by_index.c ---- */

/* The elements of array `array` in a role's memory; NULL stays NULL. */
void *host_array_of(const struct problem *problem, const clsort_arrays *arrays,
                    enum buffer_role role, uint64_t array);

/* Sorts by up to num_threads threads. Returns 0, with nothing written, if there is no memory. */
int host_sort_by_index(const struct problem *problem, const clsort_arrays *arrays,
                       uint32_t num_threads);

#endif
