/* plan_onesweep.c: steps of stable radix sort from the least significant digit up (cl/onesweep.h): the tables are
 * emptied, and one launch counts all digits and makes all passes. */
#include "payload.h"

#define MAX_ONESWEEP ((uint64_t)1 << 30) /* a word's count has 30 bits */

struct onesweep {
    const struct device_facts *facts;
    const struct problem *problem;
    const struct payload *payload;
    struct onesweep_tuning tuning;
    struct onesweep_params params;
    struct buffer_ref keys_to, payload_to;
};

static int is_possible(const struct problem *problem, const struct onesweep_tuning *tuning)
{
    if (!tuning->digit_bits || problem->num_arrays != 1 || problem->count >= MAX_ONESWEEP)
        return 0;
    /* A kernel finds a word of the two tables by a number of 32 bits. */
    const uint64_t num_tiles = ceil_div(problem->count, shape_slots(tuning->scatter));
    return num_tiles <= UINT32_MAX >> (tuning->digit_bits + 1);
}

int plan_onesweep_takes(const struct device_facts *facts, const struct problem *problem)
{
    struct plan unused = {0};
    const struct payload payload = payload_choose(problem, &unused, 1, 0);
    const struct onesweep_tuning tuning =
        tuning_onesweep(facts, problem_key_size(problem), payload.size);
    if (!is_possible(problem, &tuning))
        return 0;
    return payload.size && payload_keeps_order(problem, &payload)
               ? problem->count >= tuning.stable_min
               : problem->count >= tuning.min_count && problem->count < tuning.max_count;
}

int plan_onesweep_helps(const struct device_facts *facts, const struct problem *problem,
                        const struct payload *payload)
{
    const struct onesweep_tuning tuning =
        tuning_onesweep(facts, problem_key_size(problem), payload->size);
    return is_possible(problem, &tuning) && problem->count >= tuning.skew_min;
}

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

uint64_t plan_onesweep_tables(const struct device_facts *facts, const struct problem *problem,
                              const struct payload *payload, uint64_t begin,
                              struct onesweep_params *params)
{
    const struct onesweep_tuning tuning =
        tuning_onesweep(facts, problem_key_size(problem), payload->size);
    const uint64_t num_tiles = ceil_div(problem->count, shape_slots(tuning.scatter));
    const uint64_t radix = (uint64_t)1 << tuning.digit_bits;
    const int in_place = problem->in_place && !problem->index_size;
    params->count = (uint32_t)problem->count;
    params->num_tiles = (uint32_t)num_tiles;
    params->num_digits = (uint32_t)ceil_div(problem->num_bits, tuning.digit_bits);
    params->num_bits = problem->num_bits;
    params->first_bit = problem->first_bit;
    params->patience = tuning.patience;
    params->flags = (in_place ? FLAG_IN_PLACE : 0) | (problem->index_size ? 0 : FLAG_STORE_KEYS) |
                    (payload_keeps_order(problem, payload) ? 0 : FLAG_CURSORS);
    params->control = begin;
    params->starts = params->control + sizeof(struct onesweep_control);
    params->words = params->starts + params->num_digits * radix * 4;
    return params->words + 2 * num_tiles * radix * 4 - begin;
}

clsort_status plan_onesweep_add(const struct device_facts *facts, const struct problem *problem,
                                const struct payload *payload, struct buffer_ref keys_to,
                                const struct onesweep_params *params, struct plan *plan)
{
    const uint32_t key_size = problem_key_size(problem);
    const uint64_t n = problem->count;
    struct onesweep onesweep = {
        .facts = facts,
        .problem = problem,
        .payload = payload,
        .tuning = tuning_onesweep(facts, key_size, payload->size),
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
    const uint64_t most = plan_groups(facts, onesweep.tuning.groups_per_unit);
    step->num_groups = params->num_tiles < most ? params->num_tiles : most;
    step->local_size = tuning_onesweep_local(&onesweep.tuning, key_size, payload->size);
    if (is_first) {
        const uint64_t moved = params->num_digits * n * (key_size + (uint64_t)payload->size);
        step->bytes_read = n * key_size + moved;
        step->bytes_written = moved;
    }
    return CLSORT_OK;
}

clsort_status plan_onesweep(const struct device_facts *facts, const struct problem *problem,
                            struct plan *plan)
{
    const struct payload payload = payload_choose(problem, plan, 1, 0);
    const uint64_t key_bytes = problem->count * problem_key_size(problem);
    plan->stable = !payload.size || payload_keeps_order(problem, &payload);
    /* An argsort's keys are not to be written: it has two more copies of them. */
    const struct buffer_ref keys_to = problem->index_size ? plan_take_scratch(plan, key_bytes)
                                                          : (struct buffer_ref){BUFFER_KEYS_OUT, 0};
    struct onesweep_params params = {.work_keys = plan_take_scratch(plan, key_bytes).offset};
    params.work_payload = plan_take_scratch(plan, problem->count * payload.size).offset;
    const uint64_t begin = plan_take_scratch(plan, 0).offset;
    plan_take_scratch(plan, plan_onesweep_tables(facts, problem, &payload, begin, &params));
    const clsort_status status =
        plan_onesweep_add(facts, problem, &payload, keys_to, &params, plan);
    return status ? status : payload_gather(facts, problem, &payload, plan);
}
