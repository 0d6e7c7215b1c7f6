/* A plan of quicksort, and whether any input overflows its lists. Included after check.h. */
#ifndef TESTS_QUICK_PLAN_CASE_H
#define TESTS_QUICK_PLAN_CASE_H

#include "support/data.h"
#include "plan/route.h"

/* A plan, and the parts of it that determine how lists grow. */
struct lists_plan {
    struct plan plan;
    struct problem problem;
    uint32_t num_levels;
    uint32_t num_merges;
    int is_whole; /* one launch for all levels, or one work-group */
    int in_order; /* equal records stay in order without an index */
    const struct partition_params *levels[SPLITTERS_LEVELS + 1]; /* the last: leaves */
    const struct variant *sample;                                /* of the first level */
};

/* Returns false if there is nothing to sort. */
int lists_plan_make(struct lists_plan *l, const struct device_facts *facts,
                    const clsort_desc *desc);

/* How many entries the tables in scratch can hold. */
struct rooms {
    uint64_t segments, owners, pivots, buckets, starts, ids, leaves, splits;
};

struct rooms rooms_of(const struct lists_plan *l, uint32_t item_size);

/* Fills the lists as for bucket sizes that an input could have, and asserts that they are large
 * enough. Returns the largest part of the leaves' capacity that was used. */
double lists_plan_check(const struct lists_plan *l, uint32_t item_size, rng *r);

#endif
