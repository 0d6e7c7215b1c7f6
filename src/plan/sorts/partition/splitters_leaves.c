/* splitters_leaves.c: steps of quicksort behind its levels: leaves are one launch, merges a launch
 * for each pass that a segment of any size could need, or one for all passes. Merges are for
 * samples that mislead; with random elements they find next to nothing to do. */
#include "plan/sorts/partition/splitters.h"

#define MERGERS_PER_UNIT 4

uint32_t plan_splitters_store_flags(const struct splitters *sort)
{
    return (sort->problem->index_size ? 0 : FLAG_STORE_KEYS) |
           (sort->payload->size ? FLAG_STORE_PAYLOAD : 0);
}

void plan_splitters_add_leaves(struct plan *plan, struct splitters *sort)
{
    const struct problem *problem = sort->problem;
    const uint64_t n = sort->route->num_elements;
    const uint64_t size = sort->route->key_size + (uint64_t)sort->payload->size;
    sort->first.params.partition.level = sort->num_levels;
    sort->first.params.partition.flags = plan_splitters_store_flags(sort);
    const uint64_t rounds = sort->route->listed ? 1 : 4; /* most often lists are empty */
    const uint64_t leaves = sort->num_levels
                                ? plan_partition_groups(sort->route, sort->max_leaves) * rounds
                                : problem->num_arrays;
    struct step *step = plan_add(plan, KERNEL_PARTITION_LEAF, &sort->first, sort->tuning->leaf);
    step->num_groups = leaves;
    step->variant.registers = sort->tuning->leaf_registers;
    step->local_size = sort->leaf_local;
    plan_splitters_account(step, sort, n * ceil_log2(smaller(problem->count, sort->leaf_size)),
                           n * size, n * size);
}

/* A launch of merges; left: the only phase that it makes, counted from the end, or 0 for all. */
static void add_merges(struct plan *plan, struct splitters *sort, uint32_t left, uint64_t groups)
{
    sort->first.params.partition.phases_left = left;
    struct step *step = plan_add(plan, KERNEL_PARTITION_MERGES, &sort->first, sort->tuning->leaf);
    step->num_groups = groups;
    step->local_size = sort->leaf_local; /* bins take more of it than merges need beside a tile */
}

void plan_splitters_add_merges(struct plan *plan, struct splitters *sort)
{
    const uint64_t tiles = plan_splitters_max_blocks(sort, sort->num_levels);
    const uint32_t per_unit = sort->tuning->groups_per_unit;
    sort->first.params.partition.spin_limit = sort->tuning->spin_limit;
    if (sort->num_passes && per_unit) {
        add_merges(plan, sort, 0, smaller(tiles, plan_groups(sort->facts, per_unit)));
        return;
    }
    /* A launch without work takes less time the smaller it is. */
    const uint64_t groups =
        smaller(tiles, ((uint64_t)sort->facts->num_units + 1) * MERGERS_PER_UNIT);
    const uint32_t phases = plan_splitters_may_be_no_order(sort) ? 2 : 1; /* of a pass */
    for (uint32_t left = sort->num_passes * phases; left > 0; --left)
        add_merges(plan, sort, left, groups);
}
