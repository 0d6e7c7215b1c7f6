/* plan.c: chooses the algorithm, and what all algorithms need to write steps. */
#include "payload.h"

#include <stdlib.h>

#define SCRATCH_ALIGNMENT 128 /* bytes, between parts of scratch: the widest access of a GPU */

struct step *plan_add(struct plan *plan)
{
    if (plan->num_steps == plan->capacity) {
        const uint32_t capacity = plan->capacity ? 2 * plan->capacity : 32;
        struct step *grown =
            capacity <= 2 * MAX_STEPS ? realloc(plan->steps, capacity * sizeof *grown) : NULL;
        if (!grown)
            return NULL;
        plan->steps = grown;
        plan->capacity = capacity;
    }
    struct step *step = &plan->steps[plan->num_steps++];
    *step = (struct step){0};
    return step;
}

struct buffer_ref plan_take_scratch(struct plan *plan, uint64_t size)
{
    const uint64_t offset = ceil_div(plan->scratch_size, SCRATCH_ALIGNMENT) * SCRATCH_ALIGNMENT;
    plan->scratch_size = offset + size;
    return (struct buffer_ref){BUFFER_SCRATCH, offset};
}

/* The rows of the algorithms, in the order of the public enumeration. */
static const struct {
    clsort_status (*plan)(const struct device_facts *, const struct problem *, struct plan *);
} algorithms[] = {
    [CLSORT_RANK] = {plan_rank},
    [CLSORT_BITONIC] = {plan_bitonic},
    [CLSORT_RADIX] = {plan_radix},
};
_Static_assert(sizeof algorithms / sizeof *algorithms == CLSORT_NUM_ALGORITHMS, "one row each");

static clsort_algorithm choose(const struct device_facts *facts, const struct problem *problem)
{
    if (problem->algorithm != CLSORT_AUTO)
        return problem->algorithm;
    struct plan unused = {0};
    const struct payload payload = payload_choose(problem, &unused, 1, 1);
    const struct tuning tuning = tuning_for(facts, payload_item_size(problem, &payload));
    if (problem->count <= tuning.rank_auto_max && !plan_rank_allows(problem))
        return CLSORT_RANK;
    return problem->count >= tuning.radix_auto_min ? CLSORT_RADIX : CLSORT_BITONIC;
}

clsort_status plan_make(const struct device_facts *facts, const struct problem *problem,
                        struct plan *plan)
{
    plan->algorithm = choose(facts, problem);
    plan->stable = problem->stable;
    plan->scratch_size = 0;
    plan->num_steps = 0;
    if (problem->algorithm == CLSORT_RANK && plan_rank_allows(problem))
        return CLSORT_ERROR_ALGORITHM_COUNT;
    const int nothing = num_elements(problem) == 0 ||
                        (problem->count == 1 && problem->in_place && !problem->index_size);
    if (nothing) {
        plan->stable = 1;
        return CLSORT_OK;
    }
    return algorithms[plan->algorithm].plan(facts, problem, plan);
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
        .scratch_size = plan->scratch_size,
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
