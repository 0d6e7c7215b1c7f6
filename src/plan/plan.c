/* plan.c: makes plans: it has a route chosen, and its planner write the steps. Also what all
 * planners need to write steps, and what others read from a plan. */
#include "plan/route.h"

#include <stdlib.h>

#define NVIDIA_REGISTERS 65536 /* of a compute unit, for the work-items of a group at least */

static int grow(struct plan *plan)
{
    const uint32_t capacity = plan->capacity ? 2 * plan->capacity : 32;
    struct step *grown = capacity <= 2 * MAX_MEMBERS * MAX_STEPS
                             ? realloc(plan->steps, capacity * sizeof *grown)
                             : NULL;
    if (!grown)
        return 0;
    plan->steps = grown;
    plan->capacity = capacity;
    return 1;
}

struct step *plan_add(struct plan *plan, enum kernel_id kernel, const struct step *like,
                      struct shape shape)
{
    if (plan->num_steps == plan->capacity && !grow(plan))
        return NULL;
    struct step *step = &plan->steps[plan->num_steps++];
    *step = *like;
    step->kernel = kernel;
    step->variant.group_size = shape.group_size;
    step->variant.items = shape.items;
    step->variant.lanes = shape.lanes;
    return step;
}

void plan_reserve_tables(struct plan *plan, const struct table *tables, size_t num_tables)
{
    for (size_t i = 0; i < num_tables; ++i) {
        *tables[i].begin =
            (plan->scratch_size + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;
        plan->scratch_size = *tables[i].begin + tables[i].size;
    }
}

uint64_t plan_reserve(struct plan *plan, uint64_t size)
{
    param_u64 begin;
    plan_reserve_tables(plan, &(struct table){&begin, size}, 1);
    return begin;
}

struct buffer_ref plan_reserve_buffer(struct plan *plan, uint64_t size)
{
    return (struct buffer_ref){BUFFER_SCRATCH, plan_reserve(plan, size)};
}

void plan_redirect(struct plan *plan, uint32_t first_step,
                   const struct buffer_ref places[NUM_BUFFER_ROLES])
{
    for (uint32_t i = first_step; i < plan->num_steps; ++i) {
        struct step *step = &plan->steps[i];
        for (uint32_t j = 0; j < step->num_buffers; ++j) {
            const struct buffer_ref *place = &places[step->buffers[j].role];
            if (place->role != BUFFER_NONE) {
                step->buffers[j].role = place->role;
                step->buffers[j].offset += place->offset;
            }
        }
    }
}

/* A planner may plan a sort of something simpler: places plan the whole order, rows and strings
 * their numbers, wide indices narrow ones, segments and arrays a list. The longest chain is places,
 * of rows, of many arrays of numbers, in a list. */
#define MAX_PLAN_DEPTH 4

clsort_status plan_write(struct route *route, struct plan *plan)
{
    static clsort_status (*const planners[])(const struct route *, struct plan *) = {
        [FORM_RANK_TILE] = plan_rank,
        [FORM_RANK_STREAM] = plan_rank,
        [FORM_BITONIC_TILE] = plan_bitonic,
        [FORM_BITONIC] = plan_bitonic,
        [FORM_MERGE] = plan_merge,
        [FORM_CPU_MERGE] = plan_merge,
        [FORM_LSD] = plan_radix,
        [FORM_ONESWEEP] = plan_onesweep,
        [FORM_PART] = plan_part,
        [FORM_MSD_ONESWEEP] = plan_msd_onesweep,
        [FORM_COUNTING] = plan_counting,
        [FORM_CPU_SHORT] = plan_cpu,
        [FORM_CPU_ARRAYS] = plan_cpu,
        [FORM_CPU_BUCKETS] = plan_cpu,
        [FORM_CPU_COUNTING] = plan_cpu,
        [FORM_QUICK] = plan_quick,
        [FORM_QUICK_GROUP] = plan_whole,
        [FORM_QUICK_WHOLE] = plan_whole,
        [FORM_COLUMNS] = plan_columns,
        [FORM_STRINGS] = plan_strings,
        [FORM_PLACES] = plan_places,
        [FORM_SEGMENTS] = plan_segments,
        [FORM_ARRAYS] = plan_arrays,
        [FORM_WIDE_INDEX] = plan_wide_index,
        [FORM_PACKED] = plan_packed,
        [FORM_CHECK] = plan_check,
        [FORM_MERGE_RANGES] = plan_merge_ranges,
        [FORM_RUNS] = plan_runs,
        [FORM_SEARCH] = plan_search,
        [FORM_GATHER] = plan_gather,
        [FORM_SELECT_ROWS] = plan_select_rows,
        [FORM_SELECT_SHORT] = plan_select_short,
        [FORM_SELECT] = plan_select,
    };
    _Static_assert(sizeof planners / sizeof *planners == NUM_FORMS, "a planner for each form");
    plan->algorithm = route->algorithm;
    plan->stable = route->stable;
    if (route->form == FORM_NOTHING)
        return CLSORT_OK;
    if (plan->depth == MAX_PLAN_DEPTH)
        return CLSORT_ERROR_UNSUPPORTED;
    ++plan->depth;
    payload_reserve(&route->payload, plan);
    clsort_status status = planners[route->form](route, plan);
    if (!status)
        status = payload_gather(route, plan);
    --plan->depth;
    return status;
}

clsort_status plan_make(const struct device_facts *facts, const struct problem *problem,
                        struct plan *plan)
{
    struct route route;
    plan->scratch_size = 0;
    plan->num_steps = 0;
    clsort_status status = plan_choose(facts, problem, &route);
    if (!status)
        status = plan_write(&route, plan);
    for (uint32_t i = 0; i < plan->num_steps; ++i) {
        struct step *step = &plan->steps[i];
        struct variant *variant = &step->variant;
        /* Every kernel asserts that its local memory is no more than that. */
        if (step->local_size > variant->local_size)
            variant->local_size = step->local_size;
        /* NVIDIA's compiler alone can be held to a number of registers. */
        const uint32_t most =
            facts->class == DEVICE_NVIDIA ? NVIDIA_REGISTERS / variant->group_size : 0;
        if (variant->registers > most)
            variant->registers = most;
    }
    return status;
}

void plan_finish(struct plan *plan)
{
    free(plan->steps);
    *plan = (struct plan){0};
}

void plan_sums(const struct plan *plan, clsort_plan *sums_ret)
{
    clsort_plan sums = {
        .algorithm = plan->algorithm,
        .stable = (uint32_t)plan->stable,
        .num_steps = plan->num_steps,
        .scratch_size = plan_scratch_asked(plan),
    };
    for (uint32_t i = 0; i < plan->num_steps; ++i) {
        sums.compares += plan->steps[i].compares;
        sums.exchanges += plan->steps[i].exchanges;
        sums.bytes_read += plan->steps[i].bytes_read;
        sums.bytes_written += plan->steps[i].bytes_written;
    }
    *sums_ret = sums;
}

void plan_step(const struct step *step, clsort_step *step_ret)
{
    *step_ret = (clsort_step){
        .kernel = kernel_name(step->kernel),
        .num_groups = step->num_groups,
        .group_size = step->variant.group_size,
        .local_size = step->local_size,
        .compares = step->compares,
        .exchanges = step->exchanges,
        .bytes_read = step->bytes_read,
        .bytes_written = step->bytes_written,
    };
}
