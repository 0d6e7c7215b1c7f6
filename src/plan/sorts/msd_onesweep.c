/* msd_onesweep.c: steps of the engine for evenly spread keys (cl/sorts/msd/msd.h), with onesweep
 * behind it. Keys are alone, in pairs, in which equal keys may change places or not, or with their
 * element's index, which keeps equal keys in order. Onesweep sorts keys that are not spread evenly,
 * and all keys if anything does not fit. Until then the engine leaves the input as it was, restores
 * it, or leaves the same elements in its place. */
#include "plan/route.h"

static clsort_status add_sample(const struct route *route, const struct part_params *part,
                                struct plan *plan)
{
    const struct part_tuning *tuning = &route->tuning.part;
    const struct shape shape = plan_part_sample_shape(route->facts);
    struct step *step =
        plan_add(plan, KERNEL_PART_SAMPLE, &(struct step){.variant = route->variant}, shape);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->variant.subgroup = tuning->subgroup;
    step->variant.radix_bits = tuning->digit_bits;
    step->variant.payload_size = step->variant.payload_index = 0;
    step->num_groups = 1;
    step->local_size = plan_part_sample_local(route->problem);
    step->num_buffers = PARAM_BUFFERS;
    step->buffers[0] = (struct buffer_ref){BUFFER_KEYS, 0};
    step->buffers[4] = (struct buffer_ref){BUFFER_SCRATCH, 0};
    step->params.part = *part;
    step->params_size = sizeof step->params.part;
    return CLSORT_OK;
}

clsort_status plan_msd_onesweep(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const uint64_t key_bytes = route->num_elements * route->key_size;
    /* An argsort must not write its keys: it sorts copies of them. */
    const struct buffer_ref keys_to = problem->index_size ? plan_reserve_buffer(plan, key_bytes)
                                                          : (struct buffer_ref){BUFFER_KEYS_OUT, 0};
    struct onesweep_params onesweep = {0};
    struct msd_params msd = {0};
    struct part_params part = {
        .digits_mask = ~(uint64_t)0 >> (64 - problem->num_bits),
        .count = (uint32_t)problem->count,
        .num_arrays = 1,
        .num_bits = problem->num_bits,
        .first_bit = problem->first_bit,
        .flags = FLAG_SAMPLES | FLAG_NO_LEVELS | FLAG_FILLS |
                 (problem->index_size ? 0 : FLAG_STORE_KEYS),
    };
    plan_part_data(route, &part, plan);
    plan_msd_tables(route, &msd, &part, plan);
    plan_reserve(plan, plan_part_onesweep(route, &part, plan_reserve(plan, 0), &onesweep));
    onesweep.flags |= FLAG_NO_LEVELS;
    msd.part = part;
    const uint32_t first_step = plan->num_steps;
    clsort_status status = add_sample(route, &part, plan);
    if (!status)
        status = plan_msd_add(route, keys_to, &msd, plan);
    if (!status && problem->in_place && !problem->index_size && route->payload.is_index)
        status = plan_msd_add_restore(route, keys_to, &msd, plan);
    const uint32_t end_main = plan->num_steps;
    if (!status)
        status = plan_onesweep_add(route, &route->second_tuning.onesweep, keys_to, &onesweep, plan);
    for (uint32_t i = first_step; i < plan->num_steps; ++i)
        plan->steps[i].role = i < end_main ? CLSORT_ROLE_MAIN : CLSORT_ROLE_FALLBACK;
    return status;
}
