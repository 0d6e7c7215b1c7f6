/* onesweep.c: steps of stable radix sort from the least significant digit up
 * (cl/sorts/onesweep/onesweep.h): one launch empties the tables, another counts all digits and
 * makes all passes. */
#include "plan/route.h"

/* If there are few tiles, a unit has few work-items. Then tiles have twice as many, with half of
 * the elements each. */
static void widen(const struct device_facts *facts, struct onesweep_tuning *row)
{
    if (row->scatter.group_size * 2 > facts->max_group_size)
        return;
    row->scatter.group_size *= 2;
    row->scatter.items = (row->scatter.items + 1) / 2;
    row->groups_per_unit = (row->groups_per_unit + 1) / 2;
    row->registers = row->registers * 4 / 5 / 8 * 8;
}

static struct onesweep_tuning row_of(const struct route *route)
{
    return tuning_row(route->facts, TUNING_ONESWEEP, route->key_size, route->payload.size).onesweep;
}

/* The kernel finds a word of its two tables by a number of 32 bits. */
int plan_onesweep_cut(const struct route *route, struct onesweep_tuning *row_ret)
{
    const struct problem *problem = route->problem;
    struct onesweep_tuning row = row_of(route);
    if (problem->num_arrays != 1 || problem->count > MAX_NUMBERED)
        return 0;
    if (problem->count < row.wide_max)
        widen(route->facts, &row);
    tuning_fit_onesweep(route->facts, route->key_size, route->payload.size, &row);
    if (!row.digit_bits)
        return 0;
    *row_ret = row;
    return ceil_div(problem->count, shape_slots(row.scatter)) <= UINT32_MAX >> (row.digit_bits + 1);
}

int plan_onesweep_takes(const struct route *route, struct onesweep_tuning *row_ret)
{
    return route->problem->count >= row_of(route).min_count && plan_onesweep_cut(route, row_ret);
}

void plan_onesweep_tables(const struct route *route, const struct onesweep_tuning *tuning,
                          struct onesweep_params *params, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const uint64_t radix = (uint64_t)1 << tuning->digit_bits;
    const int in_place = problem->in_place && !problem->index_size;
    params->count = (uint32_t)problem->count;
    params->num_tiles = (uint32_t)ceil_div(problem->count, shape_slots(tuning->scatter));
    params->portion = (uint32_t)larger(tuning->portion / shape_slots(tuning->scatter), 1);
    params->num_digits = (uint32_t)ceil_div(problem->num_bits, tuning->digit_bits);
    params->num_bits = problem->num_bits;
    params->first_bit = problem->first_bit;
    params->spin_limit = tuning->spin_limit;
    params->flags = (in_place ? FLAG_IN_PLACE : 0) | (problem->index_size ? 0 : FLAG_STORE_KEYS) |
                    (route->keeps_order ? 0 : FLAG_UNORDERED);
    const uint64_t bins_size = params->num_digits * radix * 4;
    params->control = plan_reserve(plan, sizeof(struct onesweep_control) + bins_size +
                                             2 * params->num_tiles * radix * 4);
    params->bin_offsets = params->control + sizeof(struct onesweep_control);
    params->tile_states = params->bin_offsets + bins_size;
}

void plan_onesweep_add(const struct route *route, const struct onesweep_tuning *tuning,
                       struct buffer_ref keys_to, const struct onesweep_params *params,
                       struct plan *plan)
{
    const uint32_t payload_size = route->payload.size;
    struct step first = route_step(route, keys_to);
    STEP_PARAMS(&first, onesweep) = *params;
    first.variant.subgroup = tuning->subgroup;
    first.variant.radix_bits = tuning->digit_bits;
    /* Random keys leave onesweep behind another sort nothing to move, so its step says so. */
    const int is_fallback = (params->flags & ONESWEEP_FLAG_BEHIND) != 0;
    if (!is_fallback) /* what the sort adds to */
        plan_fill(route, (struct buffer_ref){BUFFER_SCRATCH, params->control}, 4,
                  (params->tile_states - params->control) / 4, 1, plan);
    struct step *step = plan_add(plan, KERNEL_ONESWEEP_SORT, &first, tuning->scatter);
    step->variant.registers = tuning->registers;
    step->num_groups =
        smaller(params->num_tiles, plan_groups(route->facts, tuning->groups_per_unit));
    step->local_size = tuning->local_size;
    if (!is_fallback) {
        const uint64_t n = route->num_elements;
        const uint64_t moved = params->num_digits * n * (route->key_size + (uint64_t)payload_size);
        step->bytes_read = n * route->key_size + moved;
        step->bytes_written = moved;
    }
}

void plan_onesweep(const struct route *route, struct plan *plan)
{
    const struct onesweep_tuning *tuning = &route->onesweep;
    const uint64_t key_bytes = route->num_elements * route->key_size;
    const struct buffer_ref keys_to = route_keys_to(route, plan);
    struct onesweep_params params = {.work_keys = plan_reserve(plan, key_bytes)};
    params.work_payload = plan_reserve(plan, route->num_elements * route->payload.size);
    plan_onesweep_tables(route, tuning, &params, plan);
    plan_onesweep_add(route, tuning, keys_to, &params, plan);
}
