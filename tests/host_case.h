/* One clsort_sort() of arrays on the host, checked in every way: result, canaries, kept sources. A
 * failure prints everything that is needed to repeat it. */
#ifndef TESTS_HOST_CASE_H
#define TESTS_HOST_CASE_H

#include "sample.h"

/* sorter may be NULL. */
void host_case_run(clsort_sorter *sorter, const clsort_desc *desc, data_kind kind, uint64_t seed);

/* The same; stable: equal keys must have kept their order, asked for or not. */
void host_case_run_as(clsort_sorter *sorter, const clsort_desc *desc, int stable, data_kind kind,
                      uint64_t seed);

#endif
