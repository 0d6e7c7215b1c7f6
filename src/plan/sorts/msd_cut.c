/* msd_cut.c: how msd (cl/sorts/msd/msd.h) cuts an array of evenly spread keys: two digits,
 * leaves of what is left, and blocks for level 1. */
#include "base/params.h"
#include "plan/sorts/msd.h"

#define MAX_BLOCK 512      /* items: less than MSD_NUM_BITS of cl/sorts/msd/msd.h can say */
#define MAX_SHORT_BITS 16  /* of a rest that takes two bytes */
#define MAX_SHORT_ITEMS 32 /* of a leaf's work-item; they are loaded by eight, and one time more */
#define MAX_LARGE_BITS 9   /* of a digit, if buckets hold short rests or groups are wide */
/* Leaves of floats may be 2 / 0.89 times as large as the average: of mapped ones
 * (cl/sorts/msd/map.h), and of random bits without infinities, of which one exponent is twice as
 * frequent. */
#define FLOAT_SPREAD 2

/* If a group has fewer tiles than this, the device gets half as many groups: some would have much
 * more to do than others, and each has blocks and open digits of its own. Milliseconds on an H200
 * with 4 groups a unit and with 2: 1.9 tiles a group, 2^22 u32, 0.130 and 0.107; 3.9 tiles, 2^22
 * u64, 0.147 and 0.133, u32+u32 0.147 and 0.134; 7.8 tiles, 2^24 u32, 0.255 and 0.278. It is a
 * ratio, so it is no tuning. */
#define MIN_TILES 4
#define MIN_BLOCK_TILES 4 /* tiles whose keys of one digit a block holds, at least */

/* Bytes of what a leaf sorts of an element, if it is not short (cl/sorts/msd/finish.h). */
static uint32_t rest_size(const struct route *route)
{
    return !route->payload.size ? route->key_size : route->msd.in_order ? route->item_size / 2 : 8;
}

/* If a payload does not fit beside the rest of the key, the number of its slot stands there. */
static struct leaf_cut leaf_cut(const struct route *route)
{
    const uint64_t elements = route->num_elements * route->msd.spread;
    return (struct leaf_cut){elements, route->problem->num_bits,
                             route_has_slots(route) ? LEAF_SLOT_BITS : 0,
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

uint32_t plan_msd_chunk(const struct route *route)
{
    return MSD_CHUNK_BYTES(route->msd.bits[0], route->msd.item) / route->msd.item;
}

/* If a group has less than a block of a digit, blocks are smaller: most would be nearly empty. They
 * still take what several tiles have of a digit, since what does not fit begins a new one. 2^20
 * u64+u64 on an H200: 69 microseconds with 64 elements a block, 78 with 256, which take 2.5 times
 * as much scratch. */
static void cut_blocks(struct route *route, uint64_t groups)
{
    const uint32_t items = route->msd.row.split.items, bits = route->msd.bits[0];
    const uint64_t own = route->num_elements / groups >> bits;
    const uint64_t share = shape_slots(route->msd.row.split) >> bits;
    const uint32_t subgroup = route->msd.row.subgroup ? route->msd.row.subgroup : 1;
    const uint32_t least = route->msd.in_order ? subgroup : 1; /* its work-items have neighbours */
    const uint32_t chunk = plan_msd_chunk(route);
    while ((uint64_t)items * route->msd.row.block_lanes > own &&
           (uint64_t)items * route->msd.row.block_lanes / 2 >= MIN_BLOCK_TILES * share &&
           route->msd.row.block_lanes > least &&
           items * route->msd.row.block_lanes / 2 % chunk == 0)
        route->msd.row.block_lanes /= 2;
}

/* How many blocks of level 1 a group's `keys` take, if they are random. What a tile has of a digit
 * goes together, in whole chunks. If it does not fit in the open block, a new one begins with it,
 * and the rest of the block stays empty: half of a tile's share on average, less half a chunk. If
 * the share is a block, it takes one and a half, at most. A digit's last block is between a share
 * and full. Twice the root of the blocks is about six deviations: in a simulation of 4 to 142 units
 * and 2^20 to 2^28 keys, a group has the blocks that it takes on average and five deviations at
 * least. */
static uint64_t likely_blocks(const struct route *route, uint64_t keys, uint64_t block)
{
    const uint64_t chunk = plan_msd_chunk(route);
    const uint64_t digits = (uint64_t)1 << route->msd.bits[0];
    const uint64_t share = shape_slots(route->msd.row.split) >> route->msd.bits[0];
    const uint64_t lost = share + 2 > chunk ? (share + 2 - chunk) / 2 : 0;
    const uint64_t filled = block - smaller(lost, block / 3);
    const uint64_t open = filled > share ? digits * (filled - share) / filled / 2 : 0;
    return ceil_div(keys, filled) + open + 2 * square_root(ceil_div(keys, block));
}

/* The groups of level 1 have a part of the tiles each. Blocks for a group's keys: a few more than
 * they fill, and one open for each digit. That is too few where a block holds what two to four
 * tiles have of a digit, and a group has many tiles, since units are few. With 40 units each of 80
 * groups takes 170 blocks for 2.5 million u32, give or take 3, instead of the 128 that it fills. If
 * a group needs more still, the sort is left to onesweep. Digits of mapped floats are not
 * as even as random keys'. */
static void count_blocks(struct route *route)
{
    const uint64_t slots = shape_slots(route->msd.row.split);
    const uint64_t tiles = ceil_div(route->num_elements, slots);
    if (tiles < MIN_TILES * plan_groups(route->facts, route->msd.row.groups_per_unit) &&
        route->msd.row.groups_per_unit > 1)
        route->msd.row.groups_per_unit /= 2;
    const uint64_t most = plan_groups(route->facts, route->msd.row.groups_per_unit);
    const uint64_t groups = tiles < most ? tiles : most;
    cut_blocks(route, groups);
    const uint64_t block = (uint64_t)route->msd.row.split.items * route->msd.row.block_lanes;
    const uint64_t keys = ceil_div(tiles, groups) * slots, full = ceil_div(keys, block);
    const uint64_t more = route->msd.maps ? full / 16 : 0;
    const uint64_t usual = full + full / 32 + more + ((uint64_t)1 << route->msd.bits[0]) + 8;
    route->msd.groups = groups;
    route->msd.group_blocks = larger(usual, likely_blocks(route, keys, block) + more);
}

/* Few leaves, if level 1's counters of 16 bits hold a group's keys; or, of 8 bits, several times
 * what a group has of a leaf. */
int plan_msd_counts_leaves(const struct route *route)
{
    const uint64_t slots = shape_slots(route->msd.row.split);
    const uint64_t tiles = ceil_div(route->num_elements, slots);
    const uint64_t keys = ceil_div(tiles, route->msd.groups) * slots;
    const uint32_t bits = route->msd.bits[0] + route->msd.bits[1];
    const int are_bytes = route->msd.in_order || route->msd.bits[0] > MSD_FEW_BITS;
    return !route->msd.is_short && bits <= MSD_COUNTED_BITS &&
           (are_bytes ? keys >> bits <= UINT8_MAX / 8 : keys <= UINT16_MAX);
}

/* Digits as even as possible. With short rests, level 2's digit may have one bit more; if leaves
 * are still too large, they get twice the work-items. Other digits may have a bit more if groups
 * are twice as wide. */
static int cut_bits(struct route *route, int is_short, uint32_t wanted)
{
    const uint32_t num_bits = route->problem->num_bits, usual = route->msd.fitted.digit_bits;
    const int may_be_large = usual == MAX_LARGE_BITS - 1;
    const uint32_t low_most = is_short && may_be_large ? MAX_LARGE_BITS : usual;
    route->msd.row = route->msd.fitted;
    route->msd.is_short = is_short;
    route->msd.rest = is_short ? 2 : rest_size(route);
    if (is_short && wanted == usual + low_most + 1) {
        route->msd.row.leaf.group_size *= 2;
        /* As many work-items on a unit as before, or more. */
        route->msd.row.leaf_registers = route->msd.row.leaf_registers * 4 / 5 / 8 * 8;
        wanted = wanted_bits(route, route->msd.row.leaf);
    }
    const int is_wide = route->msd.may_be_wide && !is_short && !route->msd.in_order &&
                        may_be_large && wanted > usual + low_most;
    const uint32_t most = is_wide ? MAX_LARGE_BITS : usual;
    if (is_wide)
        widen_split(&route->msd.row);
    if (wanted > most + (is_wide ? most : low_most) || wanted > num_bits ||
        (is_short && num_bits - wanted > MAX_SHORT_BITS))
        return 0;
    route->msd.bits[0] = (wanted + 1) / 2 < most ? (wanted + 1) / 2 : most;
    route->msd.bits[1] = wanted - route->msd.bits[0];
    const uint32_t has_parity = /* FINISH_HAS_PARITY */
        route->payload.size && !route_has_slots(route) && !route->payload.is_index;
    fit_bins(&route->msd.row, num_bits - wanted + has_parity);
    count_blocks(route);
    /* Each value of a short rest has a bin; cl/sorts/msd/finish_short.h counts on it. */
    const int is_exact = route->msd.row.bin_bits >= num_bits - wanted;
    /* A pair's chunk of 32 bytes would be 16 of keys and 16 of payloads in the output: onesweep is
     * as fast. */
    return route->msd.bits[1] >= 3 && !(is_wide && route->payload.size) &&
           (!is_short || (is_exact && route->msd.row.leaf.items < MAX_SHORT_ITEMS));
}

/* As msd_capacity() makes rooms, whatever the digits are: of all elements, and of two digits. */
uint64_t plan_msd_num_room_items(const struct route *route)
{
    const uint64_t leaves = (uint64_t)1 << (route->msd.bits[0] + route->msd.bits[1]);
    const uint64_t rests = route->num_elements + 2 * (route->num_elements >> route->msd.bits[0]);
    const uint64_t most = rests + rests / 8 + leaves * (2 + MSD_ROOM_MORE + MSD_ALIGNMENT);
    return ceil_div(most, MSD_ALIGNMENT) * MSD_ALIGNMENT;
}

uint64_t plan_msd_rest_bytes(const struct route *route)
{
    const uint64_t behind = 2 * shape_slots(route->msd.row.split);
    return route->msd.is_short ? 2 * (plan_msd_num_room_items(route) + behind) : 0;
}

uint64_t plan_msd_block_bytes(const struct route *route)
{
    const uint64_t block = (uint64_t)route->msd.row.split.items * route->msd.row.block_lanes;
    return route->msd.groups * route->msd.group_blocks * block * route->msd.item;
}

/* The tables of scratch take less than a sixteenth of what both take. */
static int has_room(const struct route *route)
{
    const uint32_t element = route->key_size + route->payload.size;
    const uint64_t bytes = plan_msd_block_bytes(route) + plan_msd_rest_bytes(route);
    const uint64_t most = route->facts->max_alloc;
    return bytes * 100 <= route->num_elements * element * route->msd.row.room &&
           bytes <= most - most / 16;
}

/* In order, blocks are numbered, a sub-group has neighbours of a block, and level 2 has a work-item
 * for each digit, too. */
static int fits_order(const struct route *route)
{
    const struct msd_tuning *row = &route->msd.row;
    return !route->msd.in_order || ((route->msd.group_blocks >> (32 - MSD_KIND_BITS)) == 0 &&
                                    row->block_lanes % (row->subgroup ? row->subgroup : 1) == 0 &&
                                    row->split.group_size >> route->msd.bits[1] > 0);
}

/* Level 1 has a work-item for each digit, and an entry of its list names a block. */
static int fits_blocks(const struct route *route)
{
    const struct msd_tuning *row = &route->msd.row;
    const uint32_t chunk = plan_msd_chunk(route), block = row->split.items * row->block_lanes;
    return fits_order(route) && row->split.group_size >> route->msd.bits[0] > 0 &&
           row->split.group_size % row->block_lanes == 0 && block % chunk == 0 &&
           block <= MAX_BLOCK &&
           route->msd.groups * route->msd.group_blocks >> (block < MAX_BLOCK ? 23 : 22) == 0;
}

uint32_t plan_msd_sample_local(const struct problem *problem)
{
    const int has_map = problem->type->kind == KEY_FLOAT && problem->type->bits == 64;
    return (MSD_SAMPLE_BINS + MSD_SAMPLE) * 4 + 24 + ONESWEEP_FEW * 8 + 8 + 32 +
           (has_map ? 16 + 2 * SAMPLE_GROUP * 4 : 0);
}

/* How much local memory the kernels need, and whether the device has it. */
static int fits_local(struct route *route)
{
    const struct device_facts *facts = route->facts;
    struct msd_tuning *row = &route->msd.row;
    const struct split_items items = {route->msd.item, route->msd.is_short, route->msd.in_order};
    tuning_msd_split_local(row, route->msd.bits, &items, route->msd.local);
    row->leaf_local = tuning_msd_leaf_local(row, route->msd.rest);
    return facts->local_size >= plan_msd_sample_local(route->problem) &&
           row->leaf.group_size <= facts->max_group_size &&
           row->split.group_size <= facts->max_group_size &&
           (!route_has_slots(route) || shape_slots(row->leaf) <= 1 << MSD_MAX_SLOT_BITS) &&
           route->msd.local[0] <= facts->local_size && route->msd.local[1] <= facts->local_size &&
           row->leaf_local <= facts->local_size;
}

static int fits(struct route *route)
{
    return fits_blocks(route) && fits_local(route);
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
    route->msd.fitted.bin_bits -= plan_leaf_shrink(&leaf, &route->msd.fitted.leaf);
    const uint32_t wanted = wanted_bits(route, route->msd.fitted.leaf);
    const int is_short = !is_long && route->problem->num_bits <= wanted + MAX_SHORT_BITS;
    return (is_short && cut_bits(route, 1, wanted) && fits(route) && has_room(route)) ||
           (cut_bits(route, 0, wanted) && fits(route));
}

/* Cuts for keys that are spread as wide as this. */
static int cut_spread(struct route *route, const struct msd_tuning *row, uint32_t spread)
{
    route->msd.fitted = *row;
    route->msd.spread = spread;
    route->msd.maps = spread > 1 && route->problem->num_bits == 64;
    return cut(route);
}

/* Short rests lie in rooms of fixed sizes. Halves do not keep equal elements in order, and
 * msd_restore needs the blocks through which leaves are cut. */
int plan_msd_cuts_leaves(const struct route *route)
{
    return !route->msd.is_short && !route->msd.in_order && !route->payload.is_index;
}

/* If leaves of floats cannot be as small as they should be, those of frequent exponents are cut in
 * two, where leaves are. */
static int cut_any(struct route *route, const struct msd_tuning *row)
{
    const struct problem *problem = route->problem;
    const int is_float = problem->type->kind == KEY_FLOAT;
    if (is_float && problem->num_bits == problem->type->bits &&
        cut_spread(route, row, FLOAT_SPREAD))
        return 1;
    return cut_spread(route, row, 1) && (!is_float || plan_msd_cuts_leaves(route));
}

/* Wide groups come last: 2^28 f64 take an H100 7.9 ms by them, and 6.7 by leaves that are too large
 * for random bits. */
int plan_msd_cut(struct route *route)
{
    const struct msd_tuning row = route->msd.fitted;
    const struct problem *problem = route->problem;
    route->msd.item = route->payload.size ? route->item_size : route->key_size;
    if (problem->num_arrays != 1 || problem->type->bits < 32 ||
        route->num_elements >= (uint64_t)1 << 31 || route->num_elements < MSD_SAMPLE)
        return 0;
    for (route->msd.may_be_wide = 0; route->msd.may_be_wide < 2; ++route->msd.may_be_wide)
        if (cut_any(route, &row))
            return 1;
    return 0;
}
