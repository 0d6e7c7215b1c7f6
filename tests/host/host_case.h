/* Runs one clsort_sort() of arrays on the host and checks everything: the result, canaries and
 * unchanged sources. A failure prints what is needed to repeat it. */
#ifndef TESTS_HOST_CASE_H
#define TESTS_HOST_CASE_H

#include "support/sample.h"

/* `sorter` may be NULL. */
void host_case_run(clsort_sorter *sorter, const clsort_desc *desc, data_kind kind, uint64_t seed);

/* The same. If `stable`, equal keys must have kept their order, requested or not. */
void host_case_run_as(clsort_sorter *sorter, const clsort_desc *desc, int stable, data_kind kind,
                      uint64_t seed);

#endif
