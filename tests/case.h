/* One sort on the device, checked in every way: result, canaries, kept sources, scratch, a second
 * run. A failure prints everything that is needed to repeat it. */
#ifndef TESTS_CASE_H
#define TESTS_CASE_H

#include "data.h"
#include "fixture.h"

typedef struct sort_case {
    clsort_desc desc;
    data_kind data;
    uint64_t seed;
    int own_scratch;   /* the library's own scratch instead of one of the test's */
    const void *bytes; /* the keys, repeated, if num_bytes is not 0; else they are made by data */
    uint64_t num_bytes;
} sort_case;

/* Runs the case, unless it is of an algorithm that the fixture leaves out; the test fails if anything
 * is wrong. Returns 1; or 0, having done nothing, if the
 * algorithm does not take so many keys or would make so many compares that it takes too long. */
int case_run(const fixture *fix, const sort_case *c);

/* The same with data, seed and scratch chosen from the fixture's seed and the description. */
int case_run_desc(const fixture *fix, const clsort_desc *desc, data_kind data);

/* Whether a sort of this description launches the kernel. */
int case_launches(clsort_sorter *sorter, const clsort_desc *desc, const char *kernel);

#endif
