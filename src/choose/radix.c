/* radix.c: which radix sort of GPUs a route takes: by counting, by the engine for keys
 * that are spread evenly (cl/sorts/msd/msd.h), from the lowest digit in one launch
 * (cl/sorts/onesweep/onesweep.h) or from the highest (cl/sorts/partition/digits/part.h); and what
 * stands behind it for keys that a sample shows to be skewed. */
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

/* Whether onesweep is faster than radix sort in three launches a pass, */
static int onesweep_pays(const struct route *route, const struct onesweep_tuning *row)
{
    const int is_stable_pair = route->payload.size && route->keeps_order;
    return route->problem->count >= (is_stable_pair ? row->stable_min : row->min_count);
}

/* and faster than MSD radix sort, too. */
static int onesweep_is_first(const struct route *route, const struct onesweep_tuning *row)
{
    const int is_stable_pair = route->payload.size && route->keeps_order;
    return onesweep_pays(route, row) &&
           route->problem->count < (is_stable_pair ? row->stable_max : row->max_count);
}

int plan_takes_part(struct route *route, int has_least)
{
    const struct problem *problem = route->problem;
    const uint32_t payload_size = route->payload.size;
    tuning_row(route->facts, TUNING_PART, route->key_size, payload_size, &route->tuning);
    struct part_tuning *row = &route->tuning.part;
    const uint64_t from = route->facts->part_min ? route->facts->part_min : row->min_count;
    const uint64_t least = has_least ? from : 0;
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

/* Whether the engine sorts evenly spread keys. */
static void choose_even(struct route *route)
{
    const struct problem *problem = route->problem;
    union tuning_row row;
    if (route->keeps_order || (route->payload.size && problem_shows_order(problem)))
        return;
    tuning_row(route->facts, TUNING_MSD, route->key_size, route->payload.size, &row);
    if (!row.msd.leaf.group_size || problem->count < row.msd.min_count)
        return;
    const uint32_t key_slot = route->key_size < 4 ? 4 : route->key_size;
    tuning_fit_msd(route->facts, route->payload.size ? 8 : key_slot, &row.msd);
    route->msd = row.msd;
    /* part's lists must have room for what the engine leaves. */
    if (row.msd.leaf.group_size && plan_msd_cut(route) &&
        !plan_part_bound_lists(route, &route->levels))
        route->even_bits[0] = route->even_bits[1] = 0;
}

/* Whether onesweep sorts the keys that the sample shows to be skewed. */
static void choose_fallback(struct route *route, const struct onesweep_tuning *onesweep)
{
    const struct problem *problem = route->problem;
    if (problem->count < PART_SAMPLE || route->facts->local_size < plan_part_sample_local(problem))
        return;
    route->second_tuning.onesweep = *onesweep;
    route->has_fallback = problem->count >= onesweep->skew_min &&
                          fits_onesweep(route, &route->second_tuning.onesweep);
}

/* Whether the engine is to stand before onesweep. Floats, few of which are even as bits, begin
 * where the engine sorts by itself, unless equal keys are to keep their order. */
static int msd_onesweep_pays(const struct route *route, const struct msd_tuning *row)
{
    const int is_pair = route->payload.size && !route->payload.is_index;
    const uint64_t count = route->problem->count;
    if (route->even_in_order)
        return count >= row->stable_min && count < row->stable_max;
    if (count >= (is_pair ? row->pairs_max : row->onesweep_max))
        return 0;
    if (route->problem->type->kind == KEY_FLOAT)
        return count >= row->min_count;
    return count >= (is_pair ? row->pairs_min : row->onesweep_min);
}

/* Whether the engine sorts evenly spread keys, and onesweep all others: of keys alone, with their
 * index, or in pairs. A narrow whole number and its index are one number, so equal keys keep their
 * order anyway. */
static int takes_msd_onesweep(struct route *route, const struct onesweep_tuning *onesweep)
{
    const struct problem *problem = route->problem;
    const int is_joined =
        route->payload.is_index && route->item_size == 8 && problem->type->kind != KEY_FLOAT;
    const uint32_t key_slot = route->key_size < 4 ? 4 : route->key_size;
    union tuning_row row;
    if (problem_shows_order(problem))
        return 0;
    tuning_row(route->facts, TUNING_MSD, route->key_size, route->payload.size, &row);
    route->even_in_order = route->payload.size && route->keeps_order && !is_joined;
    if (!row.msd.leaf.group_size || !msd_onesweep_pays(route, &row.msd)) {
        route->even_in_order = 0;
        return 0;
    }
    if (route->even_in_order) {
        row.msd.leaf_registers = row.msd.order_leaf_registers;
        row.msd.split_registers = row.msd.order_split_registers;
        row.msd.groups_per_unit = row.msd.order_groups_per_unit;
    }
    tuning_fit_msd(route->facts, route->payload.size ? 8 : key_slot, &row.msd);
    route->msd = row.msd;
    route->second_tuning.onesweep = *onesweep;
    const enum route_form form = route->form;
    route->form = FORM_MSD_ONESWEEP;
    if (row.msd.leaf.group_size && fits_onesweep(route, &route->second_tuning.onesweep) &&
        plan_takes_part(route, 0) && plan_msd_cut(route)) {
        route->has_fallback = 1;
        return 1;
    }
    route->form = form;
    route->even_in_order = 0;
    return 0;
}

int plan_choose_radix(struct route *route)
{
    if (plan_counting_takes(route)) {
        route->form = FORM_COUNTING;
        return 1;
    }
    union tuning_row row;
    tuning_row(route->facts, TUNING_ONESWEEP, route->key_size, route->payload.size, &row);
    const struct onesweep_tuning onesweep = row.onesweep;
    if (takes_msd_onesweep(route, &onesweep)) {
        ; /* it has set the form */
    } else if (onesweep_is_first(route, &onesweep) && fits_onesweep(route, &row.onesweep)) {
        route->form = FORM_ONESWEEP;
        route->tuning = row;
    } else if (plan_takes_part(route, 1)) {
        route->form = FORM_PART;
        choose_even(route);
        choose_fallback(route, &onesweep);
    } else if (onesweep_pays(route, &onesweep) && fits_onesweep(route, &row.onesweep)) {
        route->form = FORM_ONESWEEP;
        route->tuning = row;
    } else {
        return 0;
    }
    route->stable = !route->payload.size || route->keeps_order;
    return 1;
}
