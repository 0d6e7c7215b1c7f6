/* partition.h: steps that partition by digits and by splitters have in common
 * (cl/sorts/partition/partition.h). */
#ifndef PLAN_PARTITION_H
#define PLAN_PARTITION_H

#include "plan/route.h"

/* Groups of a step whose number of tasks the device alone knows: enough for a few rounds. */
uint64_t plan_partition_groups(const struct route *route, uint64_t tasks);

/* How long the lists of a level can become at most. */
struct partition_sizes {
    uint64_t segments, blocks, buckets, leaves;
    uint64_t counts; /* of all blocks' buckets; 0: they are not kept */
};

/* Reserves the second copy of the elements. */
void plan_partition_reserve_copy(const struct route *route, struct step *first, struct plan *plan);

/* Reserves the lists, and between them `own` tables of one kind of partition. */
void plan_partition_reserve(const struct partition_sizes *sizes, const struct table *own,
                            size_t num_own, struct step *first, struct plan *plan);

/* The next level reads what this one has written. */
void plan_partition_swap(struct partition_params *params);

/* Adds the step that lists the arrays as the first level's segments; first: as all steps are. */
void plan_partition_begin(const struct route *route, const struct step *first, uint32_t group_size,
                          struct plan *plan);

/* Adds the step that turns the counts of up to `segments` segments' blocks into places. */
struct step *plan_partition_scan(const struct route *route, const struct step *first,
                                 uint32_t group_size, uint32_t width, uint64_t segments,
                                 struct plan *plan);

#endif
