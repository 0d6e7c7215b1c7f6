/* plan_onesweep.c: steps of stable radix sort from the least significant digit up (cl/onesweep.h): the tables are
 * emptied, and one launch counts all digits and makes all passes. */
#include "route.h"

struct onesweep {
    const struct problem *problem;
    const struct payload *payload;
    struct onesweep_tuning tuning;
    struct onesweep_params params;
    struct buffer_ref keys_to, payload_to;
};

static struct step *add(struct plan *plan, const struct onesweep *onesweep, enum kernel_id kernel,
                        struct shape shape)
{
    struct step *step = plan_add(plan);
    if (!step)
        return NULL;
    step->kernel = kernel;
    step->variant = payload_variant(onesweep->problem, onesweep->payload);
    step->variant.key_first_bit = 0; /* parameters say which bits */
    step->variant.key_num_bits = onesweep->problem->type->bits;
    step->variant.group_size = shape.group_size;
    step->variant.items = shape.items;
    step->variant.lanes = 1;
    step->variant.subgroup = onesweep->tuning.subgroup;
    step->variant.radix_bits = onesweep->tuning.digit_bits;
    if (kernel == KERNEL_ONESWEEP_SORT)
        step->variant.registers = onesweep->tuning.registers;
    else
        step->variant.payload_size = step->variant.payload_index = 0;
    step->num_buffers = PARAM_BUFFERS;
    step->buffers[0] = (struct buffer_ref){BUFFER_KEYS, 0};
    step->buffers[1] = onesweep->keys_to;
    step->buffers[2] = onesweep->payload->from;
    step->buffers[3] = onesweep->payload_to;
    step->buffers[4] = (struct buffer_ref){BUFFER_SCRATCH, 0};
    step->params.onesweep = onesweep->params;
    step->params_size = sizeof step->params.onesweep;
    return step;
}

uint64_t plan_onesweep_tables(const struct route *route, const struct onesweep_tuning *tuning,
                              uint64_t begin, struct onesweep_params *params)
{
    const struct problem *problem = route->problem;
    const uint64_t num_tiles = ceil_div(problem->count, shape_slots(tuning->scatter));
    const uint64_t radix = (uint64_t)1 << tuning->digit_bits;
    const int in_place = problem->in_place && !problem->index_size;
    params->count = (uint32_t)problem->count;
    params->num_tiles = (uint32_t)num_tiles;
    params->num_digits = (uint32_t)ceil_div(problem->num_bits, tuning->digit_bits);
    params->num_bits = problem->num_bits;
    params->first_bit = problem->first_bit;
    params->patience = tuning->patience;
    params->flags = (in_place ? FLAG_IN_PLACE : 0) | (problem->index_size ? 0 : FLAG_STORE_KEYS) |
                    (payload_keeps_order(problem, &route->payload) ? 0 : FLAG_CURSORS);
    params->control = begin;
    params->starts = params->control + sizeof(struct onesweep_control);
    params->words = params->starts + params->num_digits * radix * 4;
    return params->words + 2 * num_tiles * radix * 4 - begin;
}

clsort_status plan_onesweep_add(const struct route *route, const struct onesweep_tuning *tuning,
                                struct buffer_ref keys_to, const struct onesweep_params *params,
                                struct plan *plan)
{
    const struct payload *payload = &route->payload;
    const uint32_t key_size = problem_key_size(route->problem);
    const uint64_t n = route->problem->count;
    struct onesweep onesweep = {
        .problem = route->problem,
        .payload = payload,
        .tuning = *tuning,
        .keys_to = keys_to,
        .payload_to = payload->work,
        .params = *params,
    };
    /* Where another form has looked at the keys, it has emptied the tables, and what moves is told of random
     * keys: nothing. */
    const int is_first = !(params->flags & FLAG_SAMPLES);
    const struct shape shape = onesweep.tuning.scatter;
    if (is_first) {
        struct step *begin = add(plan, &onesweep, KERNEL_ONESWEEP_BEGIN, shape);
        if (!begin)
            return CLSORT_ERROR_HOST_MEMORY;
        begin->num_groups = 1;
    }
    struct step *step = add(plan, &onesweep, KERNEL_ONESWEEP_SORT, shape);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    const uint64_t most = plan_groups(route->facts, onesweep.tuning.groups_per_unit);
    step->num_groups = params->num_tiles < most ? params->num_tiles : most;
    step->local_size = tuning_onesweep_local(&onesweep.tuning, key_size, payload->size);
    if (is_first) {
        const uint64_t moved = params->num_digits * n * (key_size + (uint64_t)payload->size);
        step->bytes_read = n * key_size + moved;
        step->bytes_written = moved;
    }
    return CLSORT_OK;
}

clsort_status plan_onesweep(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct onesweep_tuning *tuning = &route->tuning.onesweep;
    const uint64_t key_bytes = problem->count * problem_key_size(problem);
    /* An argsort's keys are not to be written: it has two more copies of them. */
    const struct buffer_ref keys_to = problem->index_size ? plan_take_scratch(plan, key_bytes)
                                                          : (struct buffer_ref){BUFFER_KEYS_OUT, 0};
    struct onesweep_params params = {.work_keys = plan_take_scratch(plan, key_bytes).offset};
    params.work_payload = plan_take_scratch(plan, problem->count * route->payload.size).offset;
    const uint64_t begin = plan_take_scratch(plan, 0).offset;
    plan_take_scratch(plan, plan_onesweep_tables(route, tuning, begin, &params));
    return plan_onesweep_add(route, tuning, keys_to, &params, plan);
}
