/* quick_leaves.c: steps of quicksort behind its levels: leaves are one launch, merges a launch
 * for each pass that a segment of any size could need, or one for all passes. Merges are for
 * samples that mislead; with random elements they find next to nothing to do. */
#include "plan/sorts/partition/quick.h"

#define MERGERS_PER_UNIT 4

uint32_t plan_quick_store_flags(const struct quick *quick)
{
    return (quick->problem->index_size ? 0 : FLAG_STORE_KEYS) |
           (quick->payload->size ? FLAG_STORE_PAYLOAD : 0);
}

clsort_status plan_quick_add_leaves(struct plan *plan, struct quick *quick)
{
    const struct problem *problem = quick->problem;
    const uint64_t n = quick->route->num_elements;
    const uint64_t size = quick->route->key_size + (uint64_t)quick->payload->size;
    quick->first.params.quick.level = quick->num_levels;
    quick->first.params.quick.flags = plan_quick_store_flags(quick);
    const uint64_t rounds = quick->route->listed ? 1 : 4; /* most often lists are empty */
    const uint64_t leaves = quick->num_levels ? plan_quick_groups(quick, quick->max_leaves) * rounds
                                              : problem->num_arrays;
    struct step *step = plan_add(plan, KERNEL_QUICK_LEAF, &quick->first, quick->tuning->sort);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = leaves;
    step->variant.registers = quick->tuning->sort_registers;
    step->local_size = quick->sort_local;
    plan_quick_account(step, quick, n * ceil_log2(smaller(problem->count, quick->leaf_size)),
                       n * size, n * size);
    return CLSORT_OK;
}

clsort_status plan_quick_add_merges(struct plan *plan, struct quick *quick)
{
    /* Long segments are to be expected, and quick_rest.cl gives each one work-group. */
    const uint64_t rest_max = quick->route->listed ? 0 : quick->tuning->rest_max;
    if (quick->num_passes && quick->route->num_elements <= rest_max) {
        struct step *step = plan_add(plan, KERNEL_QUICK_REST, &quick->first, quick->tuning->sort);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        step->num_groups = plan_quick_groups(quick, quick->max_segments[quick->num_levels]);
        step->local_size = quick->sort_local;
        return CLSORT_OK;
    }
    if (quick->num_passes && quick->tuning->groups_per_unit) {
        const uint64_t tiles = plan_quick_max_blocks(quick, quick->num_levels);
        quick->first.params.quick.spin_limit = quick->tuning->spin_limit;
        struct step *step = plan_add(plan, KERNEL_QUICK_MERGES, &quick->first, quick->tuning->sort);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        step->num_groups =
            smaller(tiles, plan_groups(quick->facts, quick->tuning->groups_per_unit));
        step->local_size = quick->sort_local + 4;
        return CLSORT_OK;
    }
    /* A launch without work takes less time the smaller it is. */
    const uint64_t blocks = smaller(plan_quick_max_blocks(quick, quick->num_levels),
                                    ((uint64_t)quick->facts->num_units + 1) * MERGERS_PER_UNIT);
    for (uint32_t left = quick->num_passes; left > 0; --left) {
        quick->first.params.quick.passes_left = left;
        const struct shape shape = quick->tuning->sort;
        struct step *step;
        if (plan_quick_may_be_no_order(quick)) {
            step = plan_add(plan, KERNEL_QUICK_SPLIT, &quick->first, shape);
            if (!step)
                return CLSORT_ERROR_HOST_MEMORY;
            step->num_groups = ceil_div(blocks, shape.group_size);
        }
        step = plan_add(plan, KERNEL_QUICK_MERGE, &quick->first, shape);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        step->num_groups = blocks;
        step->local_size = quick->sort_local;
    }
    return CLSORT_OK;
}
