/* msd_cut.c: how the engine for evenly spread keys (cl/sorts/msd/msd.h) cuts an array: two digits,
 * and leaves of what is left. */
#include "plan/route.h"

#define MAX_BLOCK 512      /* items: less than MSD_NUM_BITS of cl/sorts/msd/msd.h can say */
#define MAX_SHORT_BITS 16  /* of a rest that takes two bytes */
#define MAX_SHORT_ITEMS 32 /* of a leaf's work-item; they are loaded by eight, and one time more */
#define MAX_LARGE_BITS 9   /* of a digit, if buckets hold short rests or groups are wide */
/* Leaves of floats may be 2 / 0.89 times as large as the average: of mapped ones
 * (cl/sorts/msd/map.h), and of random bits without infinities, of which one exponent is twice as
 * frequent. */
#define FLOAT_SPREAD 2

/* Bytes of what a leaf sorts of an element, if it is not short (cl/sorts/msd/finish.h). */
static uint32_t rest_size(const struct route *route)
{
    return !route->payload.size ? route->key_size : route->even_in_order ? route->item_size / 2 : 8;
}

/* If a payload does not fit beside the rest of the key, the number of its slot stands there. What
 * the engine leaves to part has slots as part's. */
static struct leaf_cut leaf_cut(const struct route *route)
{
    const uint32_t slot_bits = route->form == FORM_MSD_ONESWEEP ? LEAF_SLOT_BITS : PART_SLOT_BITS;
    const uint64_t elements = route->num_elements * route->even_spread;
    return (struct leaf_cut){elements, route->problem->num_bits,
                             route_has_slots(route) ? slot_bits : 0,
                             route_has_slots(route) ? 8 * rest_size(route) : 64};
}

/* The bits that both digits need so that leaves fit. */
static uint32_t wanted_bits(const struct route *route, struct shape leaf)
{
    const struct leaf_cut cut = leaf_cut(route);
    return plan_leaf_bits(&cut, leaf);
}

/* No more bins than rests have values, and at least the four words of 16 bits that each work-item
 * clears. */
static void fit_bins(struct msd_tuning *row, uint32_t rest_bits)
{
    const uint32_t least = 6 + ceil_log2(row->leaf.group_size);
    const uint32_t most = rest_bits > least ? rest_bits : least;
    row->bin_bits = row->bin_bits > most ? most : row->bin_bits < least ? least : row->bin_bits;
}

/* For 512 buckets a group has twice the work-items, with half as many elements each. Half as many
 * groups are as many work-items, and have as many buckets that are being filled: 2^30 u64 take an
 * H100 26.7 ms with two groups a unit, 28.9 with three, 32.8 with four and 30.9 with one. A quarter
 * as many parts of twice as many digits keep half as many groups as busy: 26.2 ms. */
static void widen_split(struct msd_tuning *row)
{
    row->split.group_size *= 2;
    row->split.items = (row->split.items + 1) / 2;
    row->block_lanes *= 2;
    row->groups_per_unit = (row->groups_per_unit + 1) / 2;
    row->parts = (row->parts + 3) / 4;
}

/* A pair's chunk of 32 bytes would be 16 of keys and 16 of payloads in the output: there part is
 * faster, 34 ms of 2^30 u32+u32 on an H100 instead of 44. */
static int is_too_narrow(const struct route *route)
{
    return route->payload.size && !route->even_has_rooms;
}

/* Digits as even as possible. With short rests, level 2's digit may have one bit more; if leaves
 * are still too large, they get twice the work-items. Other digits may have a bit more if groups
 * are twice as wide. */
static int cut_bits(struct route *route, int is_short, uint32_t wanted)
{
    const uint32_t num_bits = route->problem->num_bits, usual = route->tuning.part.digit_bits;
    const int may_be_large = usual == MAX_LARGE_BITS - 1;
    const uint32_t low_most = is_short && may_be_large ? MAX_LARGE_BITS : usual;
    route->even = route->msd;
    route->even_is_short = is_short;
    route->even_rest = is_short ? 2 : rest_size(route);
    if (is_short && wanted == usual + low_most + 1) {
        route->even.leaf.group_size *= 2;
        /* As many work-items on a unit as before, or more. */
        route->even.leaf_registers = route->even.leaf_registers * 4 / 5 / 8 * 8;
        wanted = wanted_bits(route, route->even.leaf);
    }
    const int is_wide = route->even_may_be_wide && !is_short && !route->even_in_order &&
                        may_be_large && wanted > usual + low_most;
    const uint32_t most = is_wide ? MAX_LARGE_BITS : usual;
    if (is_wide)
        widen_split(&route->even);
    if (wanted > most + (is_wide ? most : low_most) || wanted > num_bits ||
        (is_short && num_bits - wanted > MAX_SHORT_BITS))
        return 0;
    route->even_bits[0] = (wanted + 1) / 2 < most ? (wanted + 1) / 2 : most;
    route->even_bits[1] = wanted - route->even_bits[0];
    const uint32_t has_parity = /* FINISH_HAS_PARITY */
        route->payload.size && !route_has_slots(route) && !route->payload.is_index;
    fit_bins(&route->even, num_bits - wanted + has_parity);
    plan_msd_count_blocks(route);
    /* Each value of a short rest has a bin; cl/sorts/msd/finish_short.h counts on it. */
    const int is_exact = route->even.bin_bits >= num_bits - wanted;
    return route->even_bits[1] >= 3 && !(is_wide && is_too_narrow(route)) &&
           (!is_short || (is_exact && route->even.leaf.items < MAX_SHORT_ITEMS));
}

/* In order, blocks are numbered, a sub-group has neighbours of a block, and level 2 has a work-item
 * for each digit, too. */
static int fits_order(const struct route *route)
{
    const struct msd_tuning *row = &route->even;
    return !route->even_in_order || ((route->even_group_blocks >> (32 - MSD_KIND_BITS)) == 0 &&
                                     row->block_lanes % (row->subgroup ? row->subgroup : 1) == 0 &&
                                     row->split.group_size >> route->even_bits[1] > 0);
}

/* Level 1 has a work-item for each digit, and an entry of its list names a block. */
static int fits_blocks(const struct route *route)
{
    const struct msd_tuning *row = &route->even;
    const uint32_t chunk = plan_msd_chunk(route), block = row->split.items * row->block_lanes;
    return fits_order(route) && row->split.group_size >> route->even_bits[0] > 0 &&
           row->split.group_size % row->block_lanes == 0 && block % chunk == 0 &&
           block <= MAX_BLOCK && route->even_blocks >> (block < MAX_BLOCK ? 23 : 22) == 0;
}

/* What the engine leaves is listed for a level of part that has sorted by no more bits than it; if
 * onesweep is behind the engine, nothing is listed. */
static int fits_levels(const struct route *route)
{
    const struct part_levels *levels = &route->levels;
    if (route->form == FORM_MSD_ONESWEEP)
        return 1;
    return levels->num_levels >= 3 && levels->num_split >= 2 &&
           levels->digit_bits[0] + levels->digit_bits[1] <=
               route->even_bits[0] + route->even_bits[1];
}

/* How much local memory the kernels need, and whether the device has it. */
static int fits_local(struct route *route)
{
    const struct device_facts *facts = route->facts;
    struct msd_tuning *row = &route->even;
    const struct split_items items = {route->even_item, route->even_is_short, route->even_in_order,
                                      route->even_has_rooms};
    tuning_msd_split_local(row, route->even_bits, &items, route->even_local);
    row->leaf_local = tuning_msd_leaf_local(row, route->even_rest);
    return facts->local_size >= plan_part_sample_local(route->problem) &&
           row->leaf.group_size <= facts->max_group_size &&
           row->split.group_size <= facts->max_group_size &&
           (!route_has_slots(route) || shape_slots(row->leaf) <= 1 << MSD_MAX_SLOT_BITS) &&
           route->even_local[0] <= facts->local_size && route->even_local[1] <= facts->local_size &&
           row->leaf_local <= facts->local_size;
}

static int fits(struct route *route)
{
    return fits_blocks(route) && fits_levels(route) && fits_local(route);
}

/* Cuts for keys as even_spread and even_maps say. */
static int cut(struct route *route)
{
    /* Some exponents of floats are more frequent than others: their leaves find no room. */
    const int is_long = route->problem->num_bits > 32 || route->payload.size ||
                        route->problem->type->kind == KEY_FLOAT;
    const struct leaf_cut leaf = leaf_cut(route);
    /* Microseconds of u64+u64's leaves on an H200 before and after: 2^22 180 and 52, 2^24 283 and
     * 190. */
    route->msd.bin_bits -= plan_leaf_shrink(&leaf, &route->msd.leaf);
    const uint32_t wanted = wanted_bits(route, route->msd.leaf);
    const int is_short = !is_long && route->problem->num_bits <= wanted + MAX_SHORT_BITS;
    return (is_short && cut_bits(route, 1, wanted) && fits(route) && plan_msd_has_room(route)) ||
           (cut_bits(route, 0, wanted) && fits(route));
}

/* Cuts for keys that are spread as wide as this. */
static int cut_spread(struct route *route, const struct msd_tuning *row, uint32_t spread)
{
    route->msd = *row;
    route->even_spread = spread;
    route->even_maps = spread > 1 && route->problem->num_bits == 64;
    return cut(route);
}

/* If leaves of floats cannot be as small as they should be, part sorts those that do not fit. With
 * onesweep in its place all would be sorted twice. */
static int cut_any(struct route *route, const struct msd_tuning *row)
{
    const struct problem *problem = route->problem;
    const int is_float = problem->type->kind == KEY_FLOAT;
    if (is_float && problem->num_bits == problem->type->bits &&
        cut_spread(route, row, FLOAT_SPREAD))
        return 1;
    return !(is_float && route->form == FORM_MSD_ONESWEEP) && cut_spread(route, row, 1);
}

/* Wide groups come last, of floats only with part behind: 2^28 f64 take an H100 7.9 ms by them, and
 * 6.7 by leaves that are too large for random bits, of which part sorts some. */
int plan_msd_cut(struct route *route)
{
    const struct msd_tuning row = route->msd;
    const struct problem *problem = route->problem;
    if (problem->num_arrays == 1 && problem->type->bits >= 32 &&
        route->num_elements < (uint64_t)1 << 31 && route->num_elements >= PART_SAMPLE) {
        route->even_item = route->payload.size ? route->item_size : route->key_size;
        route->even_may_be_wide = 0;
        if (cut_any(route, &row))
            return 1;
        route->even_may_be_wide =
            !(problem->type->kind == KEY_FLOAT && route->form == FORM_MSD_ONESWEEP);
        if (cut_any(route, &row))
            return 1;
    }
    route->even_bits[0] = route->even_bits[1] = 0;
    return 0;
}
