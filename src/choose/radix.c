/* radix.c: which radix sort of GPUs a route takes: by counting, by msd for keys that are
 * spread evenly with onesweep behind it (cl/sorts/msd/msd.h), from the lowest digit in one launch
 * (cl/sorts/onesweep/onesweep.h), or from the highest (cl/sorts/partition/digits/part.h). */
#include "plan/route.h"

/* If there are few tiles, a unit has few work-items. Then tiles have twice as many, with half of
 * the elements each. */
static void widen_onesweep(const struct device_facts *facts, struct onesweep_tuning *row)
{
    if (row->scatter.group_size * 2 > facts->max_group_size)
        return;
    row->scatter.group_size *= 2;
    row->scatter.items = (row->scatter.items + 1) / 2;
    row->groups_per_unit = (row->groups_per_unit + 1) / 2;
    row->registers = row->registers * 4 / 5 / 8 * 8;
}

/* Fits the row, and says whether onesweep can sort this. Its kernel finds a word of its two tables
 * by a number of 32 bits. */
static int fits_onesweep(struct route *route, struct onesweep_tuning *row)
{
    const struct problem *problem = route->problem;
    if (problem->num_arrays != 1 || problem->count > MAX_NUMBERED)
        return 0;
    if (problem->count < row->wide_max)
        widen_onesweep(route->facts, row);
    tuning_fit_onesweep(route->facts, route->key_size, route->payload.size, row);
    if (!row->digit_bits)
        return 0;
    route->num_tiles = (uint32_t)ceil_div(problem->count, shape_slots(row->scatter));
    return route->num_tiles <= UINT32_MAX >> (row->digit_bits + 1);
}

/* Whether onesweep is faster than radix sort in three launches a pass. */
static int takes_onesweep(struct route *route)
{
    const int is_stable_pair = route->payload.size && route->keeps_order;
    union tuning_row *row = &route->tuning;
    tuning_row(route->facts, TUNING_ONESWEEP, route->key_size, route->payload.size, row);
    return route->problem->count >=
               (is_stable_pair ? row->onesweep.stable_min : row->onesweep.min_count) &&
           fits_onesweep(route, &row->onesweep);
}

int plan_takes_part(struct route *route, int has_least)
{
    const struct problem *problem = route->problem;
    const uint32_t payload_size = route->payload.size;
    tuning_row(route->facts, TUNING_PART, route->key_size, payload_size, &route->tuning);
    struct part_tuning *row = &route->tuning.part;
    const uint64_t least = has_least ? row->min_count : 0;
    /* Keys without a payload cannot keep their order. */
    if ((!payload_size && problem_shows_order(problem)) || route->num_elements > MAX_NUMBERED ||
        problem->count < least)
        return 0;
    tuning_fit_part(route->facts, route->key_size, payload_size, row);
    if (!row->digit_bits)
        return 0;
    if (!route->listed && problem->type->kind != KEY_FLOAT) /* exponents make leaves uneven */
        plan_part_shrink_leaf(route, row);
    return plan_part_cut(route, &route->levels);
}

/* Floats, few of which are even as bits, begin later, unless equal keys are to keep their order. */
static uint64_t msd_least(const struct route *route, const struct msd_tuning *row)
{
    return route->msd.in_order                       ? row->stable_min
           : route->problem->type->kind == KEY_FLOAT ? row->float_min
                                                     : row->min_count;
}

/* Whether msd sorts evenly spread keys, and onesweep all others: of keys alone, with their
 * index, or in pairs. A narrow whole number and its index are one number, so equal keys keep their
 * order anyway. */
static int takes_msd(struct route *route)
{
    const struct problem *problem = route->problem;
    const uint32_t payload_size = route->payload.size;
    const int is_joined =
        route->payload.is_index && route->item_size == 8 && problem->type->kind != KEY_FLOAT;
    const uint32_t key_slot = route->key_size < 4 ? 4 : route->key_size;
    union tuning_row row, onesweep;
    if (problem_shows_order(problem))
        return 0;
    tuning_row(route->facts, TUNING_MSD, route->key_size, payload_size, &row);
    route->msd.in_order = payload_size && route->keeps_order && !is_joined;
    if (problem->count < msd_least(route, &row.msd))
        return 0;
    if (route->msd.in_order) {
        row.msd.leaf_registers = row.msd.order_leaf_registers;
        row.msd.split_registers = row.msd.order_split_registers;
        row.msd.groups_per_unit = row.msd.order_groups_per_unit;
    }
    tuning_fit_msd(route->facts, payload_size ? 8 : key_slot, &row.msd);
    tuning_row(route->facts, TUNING_ONESWEEP, route->key_size, payload_size, &onesweep);
    route->msd.fitted = row.msd;
    route->second_tuning = onesweep;
    return row.msd.leaf.group_size && fits_onesweep(route, &route->second_tuning.onesweep) &&
           plan_msd_cut(route);
}

int plan_choose_radix(struct route *route)
{
    if (plan_counting_takes(route)) {
        route->form = FORM_COUNTING;
        return 1;
    }
    if (takes_msd(route))
        route->form = FORM_MSD;
    else if (takes_onesweep(route))
        route->form = FORM_ONESWEEP;
    else if (plan_takes_part(route, 1))
        route->form = FORM_PART;
    else
        return 0;
    route->stable = !route->payload.size || route->keeps_order;
    return 1;
}
