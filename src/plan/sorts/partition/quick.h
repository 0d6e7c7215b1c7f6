/* quick.h: what the files that plan partition quicksort share
 * (cl/sorts/partition/splitters/quick.h): quick.c, which describes the sort and its tables;
 * quick_cut.c, how arrays are cut; quick_levels.c and quick_leaves.c, the steps. */
#ifndef PLAN_QUICK_H
#define PLAN_QUICK_H

#include "plan/route.h"

#define QUICK_GROUPS_PER_UNIT 16

struct quick {
    const struct route *route;
    const struct device_facts *facts;
    const struct problem *problem;
    const struct payload *payload;
    const struct quick_tuning *tuning;
    struct step first; /* what all steps have in common */
    uint64_t leaf_size;
    uint32_t compared_size; /* bytes of an item where drop_payload() has taken the payload away */
    uint32_t sort_local;    /* bytes of local memory */
    int keeps_order;        /* the index decides between equal elements */
    int is_second;          /* most often the tiles of segments do all the work */
    uint32_t num_levels;
    uint32_t num_passes; /* of merging */
    uint64_t bucket_size[QUICK_LEVELS];
    uint64_t max_segments[QUICK_LEVELS + 1];
    uint64_t max_buckets[QUICK_LEVELS];
    uint64_t max_leaves;
};

/* More buckets where they save a level. */
void plan_quick_widen(const struct route *route, struct quick_tuning *tuning);

/* How many levels there are, and how large their buckets. */
void plan_quick_cut(struct quick *quick);

/* Buckets of a segment of this size, at most. */
uint64_t plan_quick_wanted(const struct quick *quick, uint64_t size, uint64_t bucket_size);

/* How long the lists can become. */
void plan_quick_bound_lists(struct quick *quick);
uint64_t plan_quick_max_blocks(const struct quick *quick, uint32_t level);

/* A comparison that the caller wrote may be no order. */
static inline int plan_quick_may_be_no_order(const struct quick *quick)
{
    return quick->problem->record_size && quick->problem->num_members == 0;
}

/* Groups of a step whose number of tasks the device alone knows: enough for a few rounds. */
static inline uint64_t plan_quick_groups(const struct quick *quick, uint64_t tasks)
{
    return smaller(tasks, ((uint64_t)quick->facts->num_units + 1) * QUICK_GROUPS_PER_UNIT);
}

/* What a step does with random elements: nothing, if all are in tiles. */
static inline void plan_quick_account(struct step *step, const struct quick *quick,
                                      uint64_t compares, uint64_t read, uint64_t written)
{
    if (quick->is_second)
        return;
    step->compares = compares;
    step->bytes_read = read;
    step->bytes_written = written;
}

/* Steps of all levels, of leaves, and of merges. */
clsort_status plan_quick_add_levels(struct plan *plan, struct quick *quick);
clsort_status plan_quick_add_leaves(struct plan *plan, struct quick *quick);
clsort_status plan_quick_add_merges(struct plan *plan, struct quick *quick);

/* What of its elements the leaves write. */
uint32_t plan_quick_store_flags(const struct quick *quick);

#endif
