/* plan_rank.c: steps of rank sort: one launch for arrays that fit in a work-group, else one that
 * streams the whole array past every group, after a copy if it works in place. */
#include "route.h"

static void cut(struct step *step, struct shape shape, uint32_t item_size)
{
    step->variant.group_size = shape.group_size;
    step->variant.items = shape.items;
    step->variant.lanes = 1;
    step->local_size = (uint32_t)shape_slots(shape) * item_size;
}

static uint32_t store_flags(const struct problem *problem, const struct payload *payload)
{
    return (problem->index_size ? 0 : FLAG_STORE_KEYS) |
           (payload->stored ? FLAG_STORE_PAYLOAD : 0) | (payload->is_index ? FLAG_MAKE_INDEX : 0);
}

static void connect(struct step *step, const struct problem *problem, const struct payload *payload,
                    struct buffer_ref keys, struct buffer_ref values)
{
    step->num_buffers = 4;
    step->buffers[0] = keys;
    step->buffers[1] = problem->index_size ? (struct buffer_ref){BUFFER_NONE, 0}
                                           : (struct buffer_ref){BUFFER_KEYS_OUT, 0};
    step->buffers[2] = values;
    step->buffers[3] = payload->work;
    const uint64_t n = num_elements(problem);
    const uint32_t key_size = problem_key_size(problem);
    step->bytes_read = n * (key_size + (payload->is_index ? 0 : payload->size));
    step->bytes_written =
        n * ((problem->index_size ? 0 : key_size) + (payload->stored ? payload->size : 0));
}

static void plan_tile(struct step *step, const struct problem *problem,
                      const struct payload *payload, struct shape shape)
{
    const uint32_t slot_bits = ceil_log2(problem->count);
    const uint64_t arrays_per_tile = shape_slots(shape) >> slot_bits;
    step->kernel = KERNEL_RANK_TILE;
    step->num_groups = ceil_div(problem->num_arrays, arrays_per_tile);
    step->params.tile = (struct tile_params){
        .count = problem->count,
        .num_arrays = problem->num_arrays,
        .tiles_per_array = 1,
        .arrays_per_tile = (uint32_t)arrays_per_tile,
        .slot_bits = slot_bits,
        .flags = store_flags(problem, payload),
    };
    step->params_size = sizeof step->params.tile;
    step->compares = problem->num_arrays * problem->count * (problem->count - 1);
}

static void plan_stream(struct step *step, const struct problem *problem,
                        const struct payload *payload, struct shape shape)
{
    const uint64_t groups_per_array = ceil_div(problem->count, shape_slots(shape));
    step->kernel = KERNEL_RANK_STREAM;
    step->num_groups = groups_per_array * problem->num_arrays;
    step->params.rank = (struct rank_params){
        .count = problem->count,
        .groups_per_array = groups_per_array,
        .flags = store_flags(problem, payload),
    };
    step->params_size = sizeof step->params.rank;
    /* every slot of a group, padding included, meets every element */
    step->compares = step->num_groups * shape_slots(shape) * problem->count;
    /* and every group reads the whole array besides its own elements */
    step->bytes_read *= groups_per_array + 1;
}

clsort_status plan_rank(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct payload *payload = &route->payload;
    const struct tuning *tuning = &route->tuning.general;
    const int fits = route->form == FORM_RANK_TILE;

    struct buffer_ref keys = {BUFFER_KEYS, 0};
    struct buffer_ref values = payload->from;
    if (!fits && problem->in_place && !problem->index_size) {
        const uint32_t key_size = problem_key_size(problem);
        const struct buffer_ref key_copy =
            plan_take_scratch(plan, num_elements(problem) * key_size);
        clsort_status status = payload_copy(route, key_size, keys, key_copy, plan);
        if (status)
            return status;
        keys = key_copy;
        if (values.role != BUFFER_NONE) {
            const struct buffer_ref value_copy =
                plan_take_scratch(plan, num_elements(problem) * payload->size);
            status = payload_copy(route, payload->size, values, value_copy, plan);
            if (status)
                return status;
            values = value_copy;
        }
    }
    struct step *step = plan_add(plan);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->variant = payload_variant(problem, payload);
    cut(step, fits ? tuning->rank_tile : tuning->rank_stream, route->item_size);
    connect(step, problem, payload, keys, values);
    if (fits)
        plan_tile(step, problem, payload, tuning->rank_tile);
    else
        plan_stream(step, problem, payload, tuning->rank_stream);
    return CLSORT_OK;
}
