/* sort.h: sorts arrays of the host by its own threads, without a device. */
#ifndef HOST_SORT_H
#define HOST_SORT_H

#include "host/alone/items.h"
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

/* ---- compare.c ---- */

/* An array of keys that are not plain numbers: what clsort_arrays has of them. */
struct compared {
    const struct problem *problem;
    const char *keys; /* records, or the strings' bytes */
    const char *columns[MAX_MEMBERS];
    const void *offsets; /* of strings */
};

/* Whether keys have an order that this finds: not if it is the caller's text. */
int host_compare_takes(const struct problem *problem);

/* Writes where in order the elements come from. Equal ones keep their order. There must be room for
 * two pairs an element in `items`. */
void host_compare_order(const struct compared *compared, struct host_pair *items, uint32_t *order);

/* Writes the strings in this order, and where each begins and the last one ends. */
void host_compare_move_strings(const struct compared *compared, const uint32_t *order, char *bytes,
                               void *offsets);

#endif
