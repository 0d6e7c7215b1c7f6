/* splitters_leaves.c: steps of quicksort behind its levels: leaves are one launch, merges a launch
 * for each pass that a segment of any size could need, or one for all passes. Merges are for
 * samples that mislead; with random elements they find next to nothing to do. */
#include "plan/sorts/partition/splitters.h"

#define MERGERS_PER_UNIT 4

uint32_t plan_splitters_store_flags(const struct splitters *quick)
{
    return (quick->problem->index_size ? 0 : FLAG_STORE_KEYS) |
           (quick->payload->size ? FLAG_STORE_PAYLOAD : 0);
}

void plan_splitters_add_leaves(struct plan *plan, struct splitters *quick)
{
    const struct problem *problem = quick->problem;
    const uint64_t n = quick->route->num_elements;
    const uint64_t size = quick->route->key_size + (uint64_t)quick->payload->size;
    quick->first.params.partition.level = quick->num_levels;
    quick->first.params.partition.flags = plan_splitters_store_flags(quick);
    const uint64_t rounds = quick->route->listed ? 1 : 4; /* most often lists are empty */
    const uint64_t leaves = quick->num_levels
                                ? plan_partition_groups(quick->route, quick->max_leaves) * rounds
                                : problem->num_arrays;
    struct step *step = plan_add(plan, KERNEL_PARTITION_LEAF, &quick->first, quick->tuning->sort);
    step->num_groups = leaves;
    step->variant.registers = quick->tuning->sort_registers;
    step->local_size = quick->sort_local;
    plan_splitters_account(step, quick, n * ceil_log2(smaller(problem->count, quick->leaf_size)),
                           n * size, n * size);
}

/* A launch of merges; left: the only phase that it makes, counted from the end, or 0 for all. */
static void add_merges(struct plan *plan, struct splitters *quick, uint32_t left, uint64_t groups)
{
    quick->first.params.partition.phases_left = left;
    struct step *step = plan_add(plan, KERNEL_PARTITION_MERGES, &quick->first, quick->tuning->sort);
    step->num_groups = groups;
    step->local_size = quick->sort_local; /* bins take more of it than merges need beside a tile */
}

void plan_splitters_add_merges(struct plan *plan, struct splitters *quick)
{
    const uint64_t tiles = plan_splitters_max_blocks(quick, quick->num_levels);
    const uint32_t per_unit = quick->tuning->groups_per_unit;
    quick->first.params.partition.spin_limit = quick->tuning->spin_limit;
    if (quick->num_passes && per_unit) {
        add_merges(plan, quick, 0, smaller(tiles, plan_groups(quick->facts, per_unit)));
        return;
    }
    /* A launch without work takes less time the smaller it is. */
    const uint64_t groups =
        smaller(tiles, ((uint64_t)quick->facts->num_units + 1) * MERGERS_PER_UNIT);
    const uint32_t phases = plan_splitters_may_be_no_order(quick) ? 2 : 1; /* of a pass */
    for (uint32_t left = quick->num_passes * phases; left > 0; --left)
        add_merges(plan, quick, left, groups);
}
