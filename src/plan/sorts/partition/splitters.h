/* splitters.h: what the files that plan partition quicksort share
 * (cl/sorts/partition/splitters.h): splitters.c, which describes the sort and its tables;
 * splitters_cut.c, how arrays are cut; splitters_steps.c, the steps. */
#ifndef PLAN_SPLITTERS_H
#define PLAN_SPLITTERS_H

#include "plan/sorts/partition/partition.h"

struct splitters {
    const struct route *route;
    const struct problem *problem;
    const struct partition_tuning *tuning;
    struct step first; /* what all steps have in common */
    uint64_t leaf_size;
    uint32_t compared_size; /* bytes of an item where drop_payload() has taken the payload away */
    uint32_t leaf_local;    /* bytes of local memory */
    int keeps_order;        /* the index decides between equal elements */
    uint32_t num_levels;
    uint32_t num_passes; /* of merging */
    uint64_t bucket_size[SPLITTERS_LEVELS];
    uint64_t max_segments[SPLITTERS_LEVELS + 1];
    uint64_t max_buckets[SPLITTERS_LEVELS];
    uint64_t max_leaves;
};

/* More buckets where they save a level. */
void plan_splitters_widen(const struct route *route, struct partition_tuning *tuning);

/* How many levels there are, and how large their buckets. */
void plan_splitters_cut(struct splitters *sort);

/* Buckets of a segment of this size, at most. */
uint64_t plan_splitters_wanted(const struct splitters *sort, uint64_t size, uint64_t bucket_size);

/* How long the lists can become. */
void plan_splitters_bound_lists(struct splitters *sort);
uint64_t plan_splitters_max_blocks(const struct splitters *sort, uint32_t level);

/* A comparison that the caller wrote may be no order. */
static inline int plan_splitters_may_be_no_order(const struct splitters *sort)
{
    return sort->problem->record_size && sort->problem->num_members == 0;
}

/* What a step does with random elements: nothing behind tiles, which have most often done all. */
static inline void plan_splitters_account(struct step *step, const struct splitters *sort,
                                          uint64_t compares, uint64_t read, uint64_t written)
{
    if (sort->route->listed)
        return;
    step->compares = compares;
    step->bytes_read = read;
    step->bytes_written = written;
}

/* Steps of all levels, of leaves, and of merges. */
void plan_splitters_add_levels(struct plan *plan, struct splitters *sort);
void plan_splitters_add_leaves(struct plan *plan, struct splitters *sort);
void plan_splitters_add_merges(struct plan *plan, struct splitters *sort);

#endif
