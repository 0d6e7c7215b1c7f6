/* select_rows.c: selection from rows in one launch: a work-group for each row
 * (cl/select/rows.cl), or for several short ones (cl/select/short.cl). */
#include "plan/route.h"

#define MAX_UNITS 4 /* pieces of a value that the launch moves itself */

/* What all steps have; the shape is the kernel's. Values that the launch does not move are gathered
 * by indices in scratch: *indices_ret. */
static struct step *add_step(const struct route *route, enum kernel_id kernel, struct shape shape,
                             struct plan *plan, struct buffer_ref *indices_ret)
{
    const struct problem *problem = route->problem;
    const struct payload index = {.size = 4, .is_index = 1};
    const struct variant variant = payload_variant(problem, &index);
    const uint32_t piece = problem->value_size ? payload_piece(problem->value_size) : 0;
    const uint32_t num_units = piece ? problem->value_size / piece : 0;
    const int rides = num_units && num_units <= MAX_UNITS;
    *indices_ret = role_ref(problem->index_size ? BUFFER_INDICES : BUFFER_NONE);
    if (num_units && !rides)
        *indices_ret = plan_reserve_buffer(plan, num_wanted(problem) * 4);
    struct step *step = plan_add(plan, kernel, &(struct step){.variant = variant}, shape);
    step->variant.move_unit = rides ? piece : 0;
    STEP_BIND(step, role_ref(BUFFER_KEYS),
              role_ref(problem->in_place ? BUFFER_NONE : BUFFER_KEYS_OUT),
              role_ref(rides ? BUFFER_VALUES : BUFFER_NONE),
              rides ? role_ref(BUFFER_VALUES_OUT) : *indices_ret, role_ref(BUFFER_NONE));
    STEP_PARAMS(step, select) = route->select.params;
    step->params.select.num_units = rides ? num_units : 0;
    step->params.select.flags =
        store_flags(!problem->in_place, indices_ret->role != BUFFER_NONE, 0) |
        (problem->index_size == 8 ? SELECT_FLAG_WIDE_INDEX : 0);
    step->bytes_read = route->num_elements * route->key_size;
    step->bytes_written = num_wanted(problem) * (route->key_size + problem->index_size);
    if (rides) {
        step->bytes_read += num_wanted(problem) * problem->value_size;
        step->bytes_written += num_wanted(problem) * problem->value_size;
    }
    plan->stable = 1;
    return step;
}

void plan_select_gather(const struct route *route, struct buffer_ref indices, struct plan *plan)
{
    const struct problem *problem = route->problem;
    if (problem->value_size && indices.role != BUFFER_NONE)
        plan_places_gather(route, problem->value_size, BUFFER_VALUES, indices, 1, plan);
}

void plan_select_rows(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct select_tuning *tuning = &route->select.tuning;
    struct buffer_ref indices;
    struct step *step = add_step(route, KERNEL_SELECT_ROWS, tuning->shape, plan, &indices);
    plan->algorithm = CLSORT_RADIX;
    step->variant.radix_bits = tuning->digit_bits;
    step->variant.subgroup = tuning_group_votes(route->facts, 1, tuning->shape.group_size);
    step->local_size = route->select.rows_local;
    step->variant.local_size = step->local_size;
    step->num_groups = problem->num_arrays;
    step->bytes_read += route->num_elements * route->key_size; /* counted first */
    plan_select_gather(route, indices, plan);
}

void plan_select_short(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct shape shape = route->select.tuning.short_rows;
    struct buffer_ref indices;
    struct step *step = add_step(route, KERNEL_SELECT_SHORT, shape, plan, &indices);
    plan->algorithm = CLSORT_BITONIC;
    const uint32_t tile_bits = ceil_log2(shape_slots(shape));
    step->variant.banks = route->select.tuning.bank_bytes;
    step->local_size = (uint32_t)shape_slots(shape) * route->select.item_size;
    step->variant.local_size = step->local_size;
    const uint32_t row_bits = route->select.params.index_bits;
    step->num_groups = ceil_div(problem->num_arrays, (uint64_t)1 << (tile_bits - row_bits));
    plan_select_gather(route, indices, plan);
}
