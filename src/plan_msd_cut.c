/* plan_msd_cut.c: how the engine for evenly spread keys (cl/msd.h) cuts an array: two digits, and
 * leaves of what is left. */
#include "route.h"

#define LEAF_FILL 90      /* percent of a leaf that random keys fill on average, at most */
#define MAX_BLOCK 512     /* keys: less than MSD_NUM_BITS of cl/msd.h can say */
#define MAX_SHORT_BITS 16 /* of a rest that takes two bytes */
#define MAX_LARGE_BITS 9  /* of level 2's digit, whose buckets then hold short rests alone */

static uint32_t wanted_bits(const struct route *route, struct shape leaf)
{
    const uint64_t room = shape_slots(leaf) * LEAF_FILL / 100;
    return ceil_log2(ceil_div(route->num_elements, room ? room : 1));
}

/* No more bins than rests can have; each work-item clears four words of 16. */
static void fit_bins(struct msd_tuning *row, uint32_t rest_bits)
{
    const uint32_t least = 6 + ceil_log2(row->leaf.group_size);
    const uint32_t most = rest_bits > least ? rest_bits : least;
    row->bin_bits = row->bin_bits > most ? most : row->bin_bits < least ? least : row->bin_bits;
}

/* Digits as even as can be. If they are too small for the leaves, these have twice the
 * work-items. */
static int cut_bits(struct route *route)
{
    const uint32_t num_bits = route->problem->num_bits, most = route->tuning.part.digit_bits;
    struct msd_tuning *row = &route->even;
    uint32_t wanted = wanted_bits(route, row->leaf);
    const int is_short = num_bits <= MAX_SHORT_BITS + 2 * most;
    const uint32_t low_most = is_short && most == MAX_LARGE_BITS - 1 ? MAX_LARGE_BITS : most;
    if (wanted == most + low_most + 1 && is_short) {
        row->leaf.group_size *= 2;
        wanted = wanted_bits(route, row->leaf);
    }
    if (wanted > most + low_most || wanted > num_bits)
        return 0;
    route->even_bits[0] = (wanted + 1) / 2 < most ? (wanted + 1) / 2 : most;
    route->even_bits[1] = wanted - route->even_bits[0];
    fit_bins(row, num_bits - wanted);
    return route->even_bits[1] >= 3;
}

/* Level 1 has a work-item for each digit, and an entry of its list names a block. */
static int fits_blocks(const struct route *route)
{
    const struct msd_tuning *row = &route->even;
    const uint32_t chunk = 64 / route->key_size, block = row->split.items * row->block_lanes;
    return row->split.group_size >> route->even_bits[0] > 0 &&
           row->split.group_size % row->block_lanes == 0 && block % chunk == 0 &&
           block <= MAX_BLOCK &&
           plan_msd_num_blocks(route) < (uint64_t)1 << (block < MAX_BLOCK ? 23 : 22);
}

/* What is left over is listed for a level of part's by which no more bits have been sorted. */
static int fits_levels(const struct route *route)
{
    const struct part_levels *levels = &route->levels;
    return levels->num_levels >= 3 && levels->num_split >= 2 &&
           levels->digit_bits[0] + levels->digit_bits[1] <=
               route->even_bits[0] + route->even_bits[1];
}

static int fits_local(const struct route *route)
{
    const struct device_facts *facts = route->facts;
    const struct msd_tuning *row = &route->even;
    const uint32_t rest = plan_msd_rest_size(route);
    const uint32_t item = rest < 4 ? rest : route->key_size;
    return facts->local_size >= PART_SAMPLE_LOCAL &&
           row->leaf.group_size <= facts->max_group_size &&
           tuning_msd_split_local(row, route->even_bits[0], route->key_size) + 4 <=
               facts->local_size &&
           tuning_msd_split_local(row, route->even_bits[1], rest) <= facts->local_size &&
           tuning_msd_leaf_local(row, item) <= facts->local_size;
}

int plan_msd_cut(struct route *route)
{
    route->even = route->msd;
    if (route->problem->num_arrays == 1 && route->problem->type->bits >= 32 &&
        route->num_elements < (uint64_t)1 << 31 && route->num_elements >= PART_SAMPLE &&
        cut_bits(route) && fits_blocks(route) && fits_levels(route) && fits_local(route))
        return 1;
    route->even_bits[0] = route->even_bits[1] = 0;
    return 0;
}
