/* plan.c: what all algorithms need to write steps, and what others read of a plan. */
#include "plan.h"

#include <stdlib.h>

struct step *plan_add(struct plan *plan)
{
    if (plan->num_steps == plan->capacity) {
        const uint32_t capacity = plan->capacity ? 2 * plan->capacity : 32;
        struct step *grown = capacity <= 2 * MAX_MEMBERS * MAX_STEPS
                                 ? realloc(plan->steps, capacity * sizeof *grown)
                                 : NULL;
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
