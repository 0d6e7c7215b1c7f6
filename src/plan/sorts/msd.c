/* msd.c: steps of msd, radix sort of evenly spread keys (cl/sorts/msd/msd.h), with onesweep behind
 * it. Keys are alone, in pairs, in which equal keys may change places or not, or with their
 * element's index, which keeps equal keys in order. Onesweep sorts keys that are not spread evenly,
 * and all keys if anything does not fit. Until then msd leaves the input as it was, restores it, or
 * leaves the same elements in its place. */
#include "plan/route.h"

/* How many parts a digit has. Tasks that keep the order have their own place in each leaf, so there
 * are as few as keep nine of ten work-groups busy. */
static uint32_t num_parts(const struct route *route)
{
    const uint64_t groups = plan_groups(route->facts, route->msd.tuning.groups_per_unit);
    const uint64_t digits = (uint64_t)1 << route->msd.bits[0];
    uint32_t parts = 1;
    if (!route->msd.in_order)
        return route->msd.tuning.parts;
    while (parts < route->msd.tuning.parts &&
           ceil_div(parts * digits, groups) * groups * 9 > parts * digits * 10)
        ++parts;
    return parts;
}

/* From how many of each key on onesweep sorts at once, if the sample sees them: the more there are,
 * the longer leaves take to compare them. 2^22 u32+u32 with 16, 24 and 32 of each take an H100 198,
 * 214 and 240 us by leaves that are cut, and 205 by onesweep. It is a ratio, so it is no tuning. */
static uint32_t most_repeats(const struct route *route)
{
    const int is_fast = route->key_size == 8 && !route->payload.size;
    return route->msd.cuts_leaves && !is_fast ? 24 : 32;
}

/* Level 1's blocks lie where onesweep has its second copy. */
static void take_tables(const struct route *route, struct msd_params *p,
                        struct onesweep_params *onesweep, struct plan *plan)
{
    const uint64_t digits = (uint64_t)1 << route->msd.bits[0];
    const uint64_t leaves = digits << route->msd.bits[1];
    const uint64_t groups = route->msd.groups, blocks = groups * route->msd.group_blocks;
    const uint64_t parts = p->parts;
    const uint64_t counts = route->msd.in_order ? leaves * parts : leaves;
    const uint64_t key_bytes = route->num_elements * route->key_size;
    const uint64_t block_bytes = route->msd.block_bytes;
    const uint64_t beside = block_bytes > key_bytes ? block_bytes - key_bytes : 0;
    const struct table tables[] = {
        {&p->blocks, key_bytes},
        {&onesweep->work_payload, larger(route->num_elements * route->payload.size, beside)},
        {&p->control, sizeof(struct msd_control)},
        {&p->totals, digits * MSD_PAD * 4},
        {&p->counts, counts * 4}, /* follows those, so that both are emptied at once */
        {&p->group_blocks, route->msd.in_order ? groups * digits * 4 : 0},
        {&p->part_begins, route->msd.in_order ? digits * parts * 4 : 0},
        {&p->list_begins, (digits + 1) * 4},
        {&p->kinds, blocks * 4},
        {&p->list, blocks * 4},
        {&p->regions, leaves * sizeof(struct msd_region)},
        {&p->rests, route->msd.rest_bytes},
        {&p->map, route->msd.maps ? sizeof(struct float_map) : 0},
    };
    plan_reserve_tables(plan, tables, sizeof tables / sizeof *tables);
    p->num_totals = route->msd.counts_leaves ? (uint32_t)((p->counts - p->totals) / 4 + counts)
                                             : (uint32_t)(digits * MSD_PAD);
    plan_onesweep_tables(route, &route->msd.behind, onesweep, plan);
    onesweep->flags |= ONESWEEP_FLAG_BEHIND;
    onesweep->engine = p->control;
    onesweep->work_keys = p->blocks;
    p->onesweep = onesweep->control;
    p->onesweep_size = (uint32_t)(onesweep->tile_states - onesweep->control);
}

/* Keys are stretched if their part of the range has a number for four of them, at least. */
static struct msd_params params_of(const struct route *route)
{
    const struct problem *problem = route->problem;
    const uint32_t *bits = route->msd.bits;
    const uint32_t slots = (uint32_t)shape_slots(route->msd.tuning.leaf);
    return (struct msd_params){
        .least_range = route->num_elements / 4,
        .digits_mask = ~(uint64_t)0 >> (64 - problem->num_bits),
        .count = (uint32_t)problem->count,
        .num_bits = problem->num_bits,
        .first_bit = problem->first_bit,
        .flags = (problem->index_size ? 0 : FLAG_STORE_KEYS) |
                 (route->msd.maps ? MSD_FLAG_MAPS : 0) | (route->msd.in_order ? 0 : MSD_FLAG_DEALS),
        .spin_limit = route->msd.tuning.spin_limit,
        .most_repeats = most_repeats(route),
        .blocks_per_group = (uint32_t)route->msd.group_blocks,
        .parts = num_parts(route),
        .shifts = {problem->num_bits - bits[0], problem->num_bits - bits[0] - bits[1]},
        .bits = {bits[0], bits[1]},
        .num_room_items = (uint32_t)route->msd.num_room_items,
        .num_groups = (uint32_t)route->msd.groups,
        .leaf_slots = route->msd.cuts_leaves ? MSD_LARGE_MOST(slots) : slots,
        .counts_leaves = (uint32_t)route->msd.counts_leaves,
    };
}

static void add_sample(const struct route *route, const struct step *first, struct plan *plan)
{
    struct shape shape = {SAMPLE_GROUP, 1, 1};
    tuning_fit_shape(route->facts, &shape);
    struct step like = *first;
    like.variant = route->variant;
    like.variant.subgroup = first->variant.subgroup;
    like.variant.payload_size = like.variant.payload_index = 0;
    struct step *step = plan_add(plan, KERNEL_MSD_SAMPLE, &like, shape);
    step->num_groups = 1;
    step->local_size = route->msd.sample_local;
}

static void add_levels(const struct route *route, const struct step *first, struct plan *plan)
{
    const struct msd_tuning *tuning = &route->msd.tuning;
    const struct msd_params *p = &first->params.msd;
    const uint64_t n = route->num_elements;
    const uint64_t digits = (uint64_t)1 << p->bits[0], leaves = digits << p->bits[1];
    const uint32_t item = route->msd.item, element = route->key_size + route->payload.size;
    const uint32_t scan = tuning_scan_local(tuning->split.group_size, tuning->subgroup);
    const uint64_t groups = plan_groups(route->facts, tuning->groups_per_unit);
    const uint32_t offsets_local = (4u << p->bits[1]) + 4 + scan;
    const int is_short = route->msd.is_short;
    const uint32_t rest = is_short ? 2 : element; /* bytes of an element behind level 2 */
    const struct {
        int is_used;
        enum kernel_id kernel;
        struct shape shape;
        uint32_t radix_bits; /* of its digit, or of its bins */
        uint32_t registers, local_size;
        uint32_t bytes_read, bytes_written; /* of a key */
        uint64_t num_groups;
    } steps[] = {
        {1, KERNEL_MSD_SPLIT, tuning->split, p->bits[0], tuning->split_registers,
         route->msd.local[0], element + (is_short ? 0 : item), item, route->msd.groups},
        {1, KERNEL_MSD_SCATTER, tuning->split, p->bits[1], tuning->split_registers,
         route->msd.local[1], item, rest, groups},
        {is_short, KERNEL_MSD_OFFSETS, tuning->split, p->bits[1], 0, offsets_local, 0, 0, digits},
        {1, KERNEL_MSD_FINISH, tuning->leaf, tuning->bin_bits, tuning->leaf_registers,
         tuning->leaf_local, rest, element, leaves},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        if (!steps[i].is_used)
            continue;
        struct step *step = plan_add(plan, steps[i].kernel, first, steps[i].shape);
        if (steps[i].kernel == KERNEL_MSD_FINISH) {
            step->variant.block_lanes = 1;
            step->variant.cuts_leaves = (uint32_t)route->msd.cuts_leaves;
        }
        step->variant.radix_bits = steps[i].radix_bits;
        step->variant.registers = steps[i].registers;
        step->num_groups = steps[i].num_groups;
        step->local_size = steps[i].local_size;
        step->bytes_read = n * steps[i].bytes_read;
        step->bytes_written = n * steps[i].bytes_written;
    }
}

/* In place with an index, the keys are put back if a leaf did not fit. */
static void add_restore(const struct route *route, const struct step *first, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct msd_tuning *tuning = &route->msd.tuning;
    if (!problem->in_place || problem->index_size || !route->payload.is_index)
        return;
    struct step *step = plan_add(plan, KERNEL_MSD_RESTORE, first, tuning->split);
    step->variant.radix_bits = route->msd.bits[1];
    step->num_groups = plan_groups(route->facts, tuning->groups_per_unit);
}

void plan_msd(const struct route *route, struct plan *plan)
{
    const struct buffer_ref keys_to = route_keys_to(route, plan);
    struct onesweep_params onesweep = {0};
    struct msd_params p = params_of(route);
    take_tables(route, &p, &onesweep, plan);
    struct step first = route_step(route, keys_to); /* what all steps have in common */
    STEP_PARAMS(&first, msd) = p;
    first.variant.subgroup = route->msd.tuning.subgroup;
    first.variant.keeps_order = (uint32_t)route->msd.in_order;
    first.variant.block_lanes = route->msd.tuning.block_lanes;
    first.variant.short_rests = (uint32_t)route->msd.is_short;
    const uint32_t first_step = plan->num_steps;
    add_sample(route, &first, plan);
    add_levels(route, &first, plan);
    add_restore(route, &first, plan);
    const uint32_t end_main = plan->num_steps;
    plan_onesweep_add(route, &route->msd.behind, keys_to, &onesweep, plan);
    for (uint32_t i = first_step; i < plan->num_steps; ++i)
        plan->steps[i].role = i < end_main ? CLSORT_ROLE_MAIN : CLSORT_ROLE_FALLBACK;
}
