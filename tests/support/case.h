/* Runs one sort on the device and checks everything: the result, canaries, unchanged sources,
 * scratch, and a second run. A failure prints what is needed to repeat it. */
#ifndef TESTS_CASE_H
#define TESTS_CASE_H

#include "data.h"
#include "fixture.h"

typedef struct sort_case {
    clsort_desc desc;
    data_kind data;
    uint64_t seed;
    int own_scratch;   /* use the library's scratch, not the test's */
    const void *bytes; /* if num_bytes is not 0: the keys, repeated; otherwise data says */
    uint64_t num_bytes;
    int is_once; /* there is no second run */
} sort_case;

/* Runs the case; the test fails if anything is wrong. Returns 1, also if the fixture leaves out the
 * algorithm. Returns 0 and does nothing if the algorithm does not take this many keys, or if their
 * comparisons would take too long. */
int case_run(const fixture *fix, const sort_case *c);

/* The same; the data's seed and the kind of scratch follow from the fixture's seed and the
 * description. */
int case_run_desc(const fixture *fix, const clsort_desc *desc, data_kind data);

/* The same of these keys, desc->count as they are stored, in the library's own scratch; the test
 * fails if they are left out. */
void case_run_keys(const fixture *fix, const clsort_desc *desc, const void *keys);

/* Whether a sort of this description launches the kernel, and how many times. */
int case_launches(clsort_sorter *sorter, const clsort_desc *desc, const char *kernel);
uint32_t case_num_launches(clsort_sorter *sorter, const clsort_desc *desc, const char *kernel);

#endif
