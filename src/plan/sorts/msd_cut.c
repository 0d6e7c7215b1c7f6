/* msd_cut.c: how msd (cl/sorts/msd/msd.h) cuts an array of evenly spread keys: two digits,
 * leaves of what is left, and blocks for level 1. */
#include "base/params.h"
#include "plan/route.h"

#define MAX_BLOCK 512      /* items: less than MSD_NUM_BITS of cl/sorts/msd/msd.h can say */
#define MAX_SHORT_BITS 16  /* of a rest that takes two bytes */
#define MAX_SHORT_ITEMS 32 /* of a leaf's work-item; they are loaded by eight, and one time more */
#define SHORT_RUN 8        /* cl/sorts/msd/finish_short.h */
#define MAX_LARGE_BITS 9   /* of a digit, if buckets hold short rests or groups are wide */
/* Leaves of floats may be 2 / 0.89 times as large as the average: of mapped ones
 * (cl/sorts/msd/map.h), and of random bits without infinities, of which one exponent is twice as
 * frequent. */
#define FLOAT_SPREAD 2

/* If a group has fewer tiles than this, the device gets half as many groups: some would have much
 * more to do than others, and each has blocks and open digits of its own. With 4 groups a unit 2^22
 * u32 take an H200 0.130 ms, with 2 0.107; 2^24 0.255 and 0.278. A ratio, it is no tuning. */
#define MIN_TILES 4
#define MIN_BLOCK_TILES 4 /* tiles whose keys of one digit a block holds, at least */

/* An array that is being cut. */
struct cutter {
    const struct route *route;
    struct msd_tuning fitted; /* the row, fitted to the device */
    uint32_t spread;          /* leaves may have as many times the average */
    int may_be_wide;          /* groups of 512 digits */
    uint32_t rest;            /* bytes of an element in a leaf */
    struct msd_cut cut;       /* so far */
};

/* Whether leaves sort keys with slots, which payloads follow. */
static int has_slots(const struct cutter *c)
{
    return c->route->payload.size && (c->route->item_size == 16 || c->cut.in_order);
}

/* Bytes of what a leaf sorts of an element, if it is not short (cl/sorts/msd/finish.h). */
static uint32_t rest_size(const struct cutter *c)
{
    return !c->route->payload.size ? c->route->key_size
           : c->cut.in_order       ? c->route->item_size / 2
                                   : 8;
}

/* If a payload does not fit beside the rest of the key, the number of its slot stands there. */
static struct leaf_cut leaf_cut(const struct cutter *c)
{
    const uint64_t elements = c->route->num_elements * c->spread;
    return (struct leaf_cut){elements, c->route->problem->num_bits,
                             has_slots(c) ? LEAF_SLOT_BITS : 0,
                             has_slots(c) ? 8 * rest_size(c) : 64};
}

/* The bits that both digits need so that leaves fit. */
static uint32_t wanted_bits(const struct cutter *c, struct shape leaf)
{
    const struct leaf_cut cut = leaf_cut(c);
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

static uint32_t chunk_items(const struct cutter *c)
{
    return MSD_CHUNK_BYTES(c->cut.bits[0], c->cut.item) / c->cut.item;
}

/* If a group has less than a block of a digit, blocks are smaller: most would be nearly empty. They
 * still take what several tiles have of a digit, since what does not fit begins a new one. 2^20
 * u64+u64 on an H200: 69 microseconds with 64 elements a block, 78 with 256, which take 2.5 times
 * as much scratch. */
static void cut_blocks(struct cutter *c, uint64_t groups)
{
    const uint32_t items = c->cut.tuning.split.items, bits = c->cut.bits[0];
    const uint64_t own = c->route->num_elements / groups >> bits;
    const uint64_t share = shape_slots(c->cut.tuning.split) >> bits;
    const uint32_t subgroup = c->cut.tuning.subgroup ? c->cut.tuning.subgroup : 1;
    const uint32_t least = c->cut.in_order ? subgroup : 1; /* its work-items have neighbours */
    const uint32_t chunk = chunk_items(c);
    while ((uint64_t)items * c->cut.tuning.block_lanes > own &&
           (uint64_t)items * c->cut.tuning.block_lanes / 2 >= MIN_BLOCK_TILES * share &&
           c->cut.tuning.block_lanes > least && items * c->cut.tuning.block_lanes / 2 % chunk == 0)
        c->cut.tuning.block_lanes /= 2;
}

/* How many blocks of level 1 a group's `keys` take, if they are random. What a tile has of a digit
 * goes together, in whole chunks. If it does not fit in the open block, a new one begins with it,
 * and the rest of the block stays empty: half of a tile's share on average, less half a chunk. If
 * the share is a block, it takes one and a half, at most. A digit's last block is between a share
 * and full. Twice the root of the blocks is about six deviations: in a simulation of 4 to 142 units
 * and 2^20 to 2^28 keys, a group has the blocks that it takes on average and five deviations at
 * least. */
static uint64_t likely_blocks(const struct cutter *c, uint64_t keys, uint64_t block)
{
    const uint64_t chunk = chunk_items(c);
    const uint64_t digits = (uint64_t)1 << c->cut.bits[0];
    const uint64_t share = shape_slots(c->cut.tuning.split) >> c->cut.bits[0];
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
static void count_blocks(struct cutter *c)
{
    const uint64_t slots = shape_slots(c->cut.tuning.split);
    const uint64_t tiles = ceil_div(c->route->num_elements, slots);
    if (tiles < MIN_TILES * plan_groups(c->route->facts, c->cut.tuning.groups_per_unit) &&
        c->cut.tuning.groups_per_unit > 1)
        c->cut.tuning.groups_per_unit /= 2;
    const uint64_t most = plan_groups(c->route->facts, c->cut.tuning.groups_per_unit);
    const uint64_t groups = tiles < most ? tiles : most;
    cut_blocks(c, groups);
    const uint64_t block = (uint64_t)c->cut.tuning.split.items * c->cut.tuning.block_lanes;
    const uint64_t keys = ceil_div(tiles, groups) * slots, full = ceil_div(keys, block);
    const uint64_t more = c->cut.maps ? full / 16 : 0;
    const uint64_t usual = full + full / 32 + more + ((uint64_t)1 << c->cut.bits[0]) + 8;
    c->cut.groups = groups;
    c->cut.group_blocks = larger(usual, likely_blocks(c, keys, block) + more);
}

/* Few leaves, if level 1's counters of 16 bits hold a group's keys; or, of 8 bits, several times
 * what a group has of a leaf. */
static int counts_leaves(const struct cutter *c)
{
    const uint64_t slots = shape_slots(c->cut.tuning.split);
    const uint64_t tiles = ceil_div(c->route->num_elements, slots);
    const uint64_t keys = ceil_div(tiles, c->cut.groups) * slots;
    const uint32_t bits = c->cut.bits[0] + c->cut.bits[1];
    const int are_bytes = c->cut.in_order || c->cut.bits[0] > MSD_FEW_BITS;
    return !c->cut.is_short && bits <= MSD_COUNTED_BITS &&
           (are_bytes ? keys >> bits <= UINT8_MAX / 8 : keys <= UINT16_MAX);
}

/* The scratch of blocks and of rests. Rooms are as msd_capacity() makes them, whatever the digits
 * are: of all elements, and of two digits. */
static void count_bytes(struct cutter *c)
{
    const uint64_t n = c->route->num_elements, slots = shape_slots(c->cut.tuning.split);
    const uint64_t leaves = (uint64_t)1 << (c->cut.bits[0] + c->cut.bits[1]);
    const uint64_t rests = n + 2 * (n >> c->cut.bits[0]);
    const uint64_t most = rests + rests / 4 + leaves * (2 + MSD_ROOM_MORE + MSD_ALIGNMENT);
    const uint64_t block = (uint64_t)c->cut.tuning.split.items * c->cut.tuning.block_lanes;
    c->cut.num_room_items = ceil_div(most, MSD_ALIGNMENT) * MSD_ALIGNMENT;
    c->cut.rest_bytes = c->cut.is_short ? 2 * (c->cut.num_room_items + 2 * slots) : 0;
    c->cut.block_bytes = c->cut.groups * c->cut.group_blocks * block * c->cut.item;
}

/* The tables of scratch take less than a sixteenth of what both take. */
static int has_room(const struct cutter *c)
{
    const uint32_t element = c->route->key_size + c->route->payload.size;
    const uint64_t bytes = c->cut.block_bytes + c->cut.rest_bytes;
    const uint64_t most = c->route->facts->max_alloc;
    return bytes * 100 <= c->route->num_elements * element * c->cut.tuning.room &&
           bytes <= most - most / 16;
}

/* In order, blocks are numbered, a sub-group has neighbours of a block, and level 2 has a work-item
 * for each digit, too. */
static int fits_order(const struct cutter *c)
{
    const struct msd_tuning *row = &c->cut.tuning;
    return !c->cut.in_order || ((c->cut.group_blocks >> (32 - MSD_KIND_BITS)) == 0 &&
                                row->block_lanes % (row->subgroup ? row->subgroup : 1) == 0 &&
                                row->split.group_size >> c->cut.bits[1] > 0);
}

/* Level 1 has a work-item for each digit, and an entry of its list names a block. */
static int fits_blocks(const struct cutter *c)
{
    const struct msd_tuning *row = &c->cut.tuning;
    const uint32_t chunk = chunk_items(c), block = row->split.items * row->block_lanes;
    return fits_order(c) && row->split.group_size >> c->cut.bits[0] > 0 &&
           row->split.group_size % row->block_lanes == 0 && block % chunk == 0 &&
           block <= MAX_BLOCK &&
           c->cut.groups * c->cut.group_blocks >> (block < MAX_BLOCK ? 23 : 22) == 0;
}

static uint32_t sample_local(const struct problem *problem)
{
    const int has_map = problem->type->kind == KEY_FLOAT && problem->type->bits == 64;
    return (MSD_SAMPLE_BINS + MSD_SAMPLE) * 4 + 24 + ONESWEEP_FEW * 8 + 8 + 32 +
           (has_map ? 16 + 2 * SAMPLE_GROUP * 4 : 0);
}

/* Work-items load short rests by runs. A tile has slots for all of the last run, if local memory
 * does: 2^28 u32, each there eight times, leave leaves that are a fifth larger than others. */
static void fill_runs(const struct cutter *c, struct msd_tuning *row)
{
    struct msd_tuning filled = *row;
    filled.leaf.items |= SHORT_RUN - 1;
    if (c->cut.is_short && tuning_msd_leaf_local(&filled, c->rest) <= c->route->facts->local_size)
        *row = filled;
}

/* How much local memory the kernels need, and whether the device has it. */
static int fits_local(struct cutter *c)
{
    const struct device_facts *facts = c->route->facts;
    struct msd_tuning *row = &c->cut.tuning;
    const struct split_items items = {c->cut.item, c->cut.is_short, c->cut.in_order};
    fill_runs(c, row);
    tuning_msd_split_local(row, c->cut.bits, &items, c->cut.local);
    row->leaf_local = tuning_msd_leaf_local(row, c->rest);
    return facts->local_size >= sample_local(c->route->problem) &&
           row->leaf.group_size <= facts->max_group_size &&
           row->split.group_size <= facts->max_group_size &&
           (!has_slots(c) || shape_slots(row->leaf) <= 1 << MSD_MAX_SLOT_BITS) &&
           c->cut.local[0] <= facts->local_size && c->cut.local[1] <= facts->local_size &&
           row->leaf_local <= facts->local_size;
}

/* Digits as even as possible. With short rests, level 2's digit may have one bit more; if leaves
 * are still too large, they get twice the work-items. Other digits may have a bit more if groups
 * are twice as wide. Returns whether the device can. */
static int cut_bits(struct cutter *c, int is_short, uint32_t wanted)
{
    const uint32_t num_bits = c->route->problem->num_bits, usual = c->fitted.digit_bits;
    const int may_be_large = usual == MAX_LARGE_BITS - 1;
    const uint32_t low_most = is_short && may_be_large ? MAX_LARGE_BITS : usual;
    c->cut.tuning = c->fitted;
    c->cut.is_short = is_short;
    c->rest = is_short ? 2 : rest_size(c);
    if (is_short && wanted == usual + low_most + 1) {
        c->cut.tuning.leaf.group_size *= 2;
        /* As many work-items on a unit as before, or more. */
        c->cut.tuning.leaf_registers = c->cut.tuning.leaf_registers * 4 / 5 / 8 * 8;
        wanted = wanted_bits(c, c->cut.tuning.leaf);
    }
    const int is_wide = c->may_be_wide && !is_short && !c->cut.in_order && may_be_large &&
                        wanted > usual + low_most;
    const uint32_t most = is_wide ? MAX_LARGE_BITS : usual;
    if (is_wide)
        widen_split(&c->cut.tuning);
    if (wanted > most + (is_wide ? most : low_most) || wanted > num_bits ||
        (is_short && num_bits - wanted > MAX_SHORT_BITS))
        return 0;
    c->cut.bits[0] = (wanted + 1) / 2 < most ? (wanted + 1) / 2 : most;
    c->cut.bits[1] = wanted - c->cut.bits[0];
    const uint32_t has_parity = /* FINISH_HAS_PARITY */
        c->route->payload.size && !has_slots(c) && !c->route->payload.is_index;
    fit_bins(&c->cut.tuning, num_bits - wanted + has_parity);
    count_blocks(c);
    count_bytes(c);
    /* Each value of a short rest has a bin; cl/sorts/msd/finish_short.h counts on it. */
    const int is_exact = c->cut.tuning.bin_bits >= num_bits - wanted;
    /* A pair's chunk of 32 bytes would be 16 of keys and 16 of payloads in the output: onesweep is
     * as fast. */
    return c->cut.bits[1] >= 3 && !(is_wide && c->route->payload.size) &&
           (!is_short || (is_exact && c->cut.tuning.leaf.items < MAX_SHORT_ITEMS)) &&
           fits_blocks(c) && fits_local(c);
}

/* Cuts for keys that are spread as wide as this. */
static int cut(struct cutter *c, const struct msd_tuning *row, uint32_t spread)
{
    c->fitted = *row;
    c->spread = spread;
    c->cut.maps = spread > 1 && c->route->problem->num_bits == 64;
    /* Some exponents of floats are more frequent than others: their leaves find no room. */
    const int is_long = c->route->problem->num_bits > 32 || c->route->payload.size ||
                        c->route->problem->type->kind == KEY_FLOAT;
    const struct leaf_cut leaf = leaf_cut(c);
    /* Microseconds of u64+u64's leaves on an H200 before and after: 2^22 180 and 52, 2^24 283 and
     * 190. */
    c->fitted.bin_bits -= plan_leaf_shrink(&leaf, &c->fitted.leaf);
    const uint32_t wanted = wanted_bits(c, c->fitted.leaf);
    const int is_short = !is_long && c->route->problem->num_bits <= wanted + MAX_SHORT_BITS;
    return (is_short && cut_bits(c, 1, wanted) && has_room(c)) || cut_bits(c, 0, wanted);
}

/* Short rests lie in rooms of fixed sizes. Halves do not keep equal elements in order, and
 * msd_restore needs the blocks through which leaves are cut. */
static int cuts_leaves(const struct cutter *c)
{
    return !c->cut.is_short && !c->cut.in_order && !c->route->payload.is_index;
}

/* If leaves of floats cannot be as small as they should be, those of frequent exponents are cut in
 * two, where leaves are. */
static int cut_any(struct cutter *c, const struct msd_tuning *row)
{
    const struct problem *problem = c->route->problem;
    const int is_float = problem->type->kind == KEY_FLOAT;
    if (is_float && problem->num_bits == problem->type->bits && cut(c, row, FLOAT_SPREAD))
        return 1;
    return cut(c, row, 1) && (!is_float || cuts_leaves(c));
}

/* Wide groups come last: 2^28 f64 take an H100 7.9 ms by them, and 6.7 by leaves that are too large
 * for random bits. */
static int cut_array(struct cutter *c)
{
    const struct msd_tuning row = c->fitted;
    const struct problem *problem = c->route->problem;
    c->cut.item = c->route->payload.size ? c->route->item_size : c->route->key_size;
    if (problem->num_arrays != 1 || problem->type->bits < 32 ||
        c->route->num_elements >= (uint64_t)1 << 31 || c->route->num_elements < MSD_SAMPLE)
        return 0;
    for (c->may_be_wide = 0; c->may_be_wide < 2; ++c->may_be_wide)
        if (cut_any(c, &row))
            return 1;
    return 0;
}

/* Looks up the row, and fits it if there are enough elements. Floats, few of which are even as
 * bits, begin later, unless equal keys are to keep their order. */
static int fit_row(struct cutter *c)
{
    const struct route *route = c->route;
    const uint32_t key_slot = route->key_size < 4 ? 4 : route->key_size;
    c->fitted = tuning_row(route->facts, TUNING_MSD, route->key_size, route->payload.size).msd;
    struct msd_tuning *fitted = &c->fitted;
    if (route->problem->count < (c->cut.in_order                           ? fitted->stable_min
                                 : route->problem->type->kind == KEY_FLOAT ? fitted->float_min
                                                                           : fitted->min_count))
        return 0;
    if (c->cut.in_order) {
        fitted->leaf_registers = fitted->order_leaf_registers;
        fitted->split_registers = fitted->order_split_registers;
        fitted->groups_per_unit = fitted->order_groups_per_unit;
    }
    tuning_fit_msd(route->facts, route->payload.size ? 8 : key_slot, fitted);
    return fitted->leaf.group_size != 0;
}

/* A narrow whole number and its index are one number, so equal keys keep their order anyway. */
int plan_msd_takes(const struct route *route, struct msd_cut *cut_ret)
{
    const int is_joined =
        route->payload.is_index && route->item_size == 8 && route->problem->type->kind != KEY_FLOAT;
    struct cutter c = {.route = route};
    c.cut.in_order = route->payload.size && route->keeps_order && !is_joined;
    if (problem_shows_order(route->problem) || !fit_row(&c) ||
        !plan_onesweep_cut(route, &c.cut.behind) || !cut_array(&c))
        return 0;
    c.cut.counts_leaves = counts_leaves(&c);
    c.cut.cuts_leaves = cuts_leaves(&c);
    c.cut.sample_local = sample_local(route->problem);
    *cut_ret = c.cut;
    return 1;
}
