/* rank.c: steps of rank sort. Arrays that fit in a work-group are sorted in one launch. For
 * longer ones, one launch streams the whole array past every work-group, after a copy if it is in
 * place. */
#include "plan/route.h"

static uint32_t flags_of(const struct route *route)
{
    return store_flags(!route->problem->index_size, route->payload.stored, route->payload.is_index);
}

/* The step without its parameters; it reads the keys and values given. */
static struct step *add_step(struct plan *plan, const struct route *route, enum kernel_id kernel,
                             struct shape shape, struct buffer_ref keys, struct buffer_ref values)
{
    const int is_argsort = route->problem->index_size != 0;
    shape.lanes = 1;
    struct step *step = plan_add(plan, kernel, &(struct step){.variant = route->variant}, shape);
    step->local_size = (uint32_t)shape_slots(shape) * route->item_size;
    STEP_BIND(step, keys, role_ref(is_argsort ? BUFFER_NONE : BUFFER_KEYS_OUT), values,
              route->payload.work);
    route_count_bytes(route, flags_of(route), step);
    return step;
}

static void add_tile(struct plan *plan, const struct route *route)
{
    const struct problem *problem = route->problem;
    const struct shape shape = route->general.rank_tile;
    struct step *step =
        add_step(plan, route, KERNEL_RANK_TILE, shape, role_ref(BUFFER_KEYS), route->payload.from);
    STEP_PARAMS(step, tile) = plan_divide_tiles(problem, shape);
    step->params.tile.flags = flags_of(route);
    step->num_groups = ceil_div(problem->num_arrays, step->params.tile.arrays_per_tile);
    step->compares = problem->num_arrays * problem->count * (problem->count - 1);
}

static void add_stream(struct plan *plan, const struct route *route, struct buffer_ref keys,
                       struct buffer_ref values)
{
    const struct problem *problem = route->problem;
    const struct shape shape = route->general.rank_stream;
    const uint64_t groups_per_array = ceil_div(problem->count, shape_slots(shape));
    struct step *step = add_step(plan, route, KERNEL_RANK_STREAM, shape, keys, values);
    step->num_groups = groups_per_array * problem->num_arrays;
    STEP_PARAMS(step, rank) = (struct rank_params){
        .count = problem->count,
        .groups_per_array = groups_per_array,
        .flags = flags_of(route),
    };
    /* Every slot of a work-group, padding included, meets every element, */
    step->compares = step->num_groups * shape_slots(shape) * problem->count;
    /* and every work-group reads the whole array besides its own elements. */
    step->bytes_read *= groups_per_array + 1;
}

/* A copy of the input, so that the output may be written over it; *ref becomes the copy. */
static void add_copy(struct plan *plan, const struct route *route, uint32_t size,
                     struct buffer_ref *ref)
{
    const struct buffer_ref copy = plan_reserve_buffer(plan, route->num_elements * size);
    payload_copy(route, size, route->problem->count, *ref, copy, plan);
    *ref = copy;
}

void plan_rank(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    struct buffer_ref keys = {BUFFER_KEYS, 0};
    struct buffer_ref values = route->payload.from;
    if ((uint64_t)1 << ceil_log2(problem->count) <= shape_slots(route->general.rank_tile)) {
        add_tile(plan, route);
        return;
    }
    if (problem->in_place && !problem->index_size) {
        add_copy(plan, route, route->key_size, &keys);
        if (values.role != BUFFER_NONE)
            add_copy(plan, route, route->payload.size, &values);
    }
    add_stream(plan, route, keys, values);
}
