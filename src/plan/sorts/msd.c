/* msd.c: steps of the engine for evenly spread keys (cl/sorts/msd/msd.h), which stand before part's
 * levels, or before onesweep. */
#include "plan/route.h"

/* If a group has fewer tiles than this, the device gets half as many groups: some would have much
 * more to do than others, and each has blocks and open digits of its own. Milliseconds on an H200
 * with 4 groups a unit and with 2: 1.9 tiles a group, 2^22 u32, 0.130 and 0.107; 3.9 tiles, 2^22
 * u64, 0.147 and 0.133, u32+u32 0.147 and 0.134; 7.8 tiles, 2^24 u32, 0.255 and 0.278. It is a
 * ratio, so it is no tuning. */
#define MIN_TILES 4
#define MIN_BLOCK_TILES 4 /* tiles whose keys of one digit a block holds, at least */

uint32_t plan_msd_chunk(const struct route *route)
{
    return MSD_CHUNK_BYTES(route->even_bits[0], route->even_item) / route->even_item;
}

/* If a group has less than a block of a digit, blocks are smaller: most would be nearly empty. They
 * still take what several tiles have of a digit, since what does not fit begins a new one. 2^20
 * u64+u64 on an H200: 69 microseconds with 64 elements a block, 78 with 256, which take 2.5 times
 * as much scratch. */
static void cut_blocks(struct route *route, uint64_t groups)
{
    const uint32_t items = route->even.split.items, bits = route->even_bits[0];
    const uint64_t own = route->num_elements / groups >> bits;
    const uint64_t share = shape_slots(route->even.split) >> bits;
    const uint32_t subgroup = route->even.subgroup ? route->even.subgroup : 1;
    const uint32_t least = route->even_in_order ? subgroup : 1; /* its work-items have neighbours */
    const uint32_t chunk = plan_msd_chunk(route);
    while ((uint64_t)items * route->even.block_lanes > own &&
           (uint64_t)items * route->even.block_lanes / 2 >= MIN_BLOCK_TILES * share &&
           route->even.block_lanes > least && items * route->even.block_lanes / 2 % chunk == 0)
        route->even.block_lanes /= 2;
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
    const uint64_t digits = (uint64_t)1 << route->even_bits[0];
    const uint64_t share = shape_slots(route->even.split) >> route->even_bits[0];
    const uint64_t lost = share + 2 > chunk ? (share + 2 - chunk) / 2 : 0;
    const uint64_t filled = block - smaller(lost, block / 3);
    const uint64_t open = filled > share ? digits * (filled - share) / filled / 2 : 0;
    return ceil_div(keys, filled) + open + 2 * square_root(ceil_div(keys, block));
}

/* The groups of level 1 have a part of the tiles each. Blocks for a group's keys: a few more than
 * they fill, and one open for each digit. That is too few where a block holds what two to four
 * tiles have of a digit, and a group has many tiles, since units are few. With 40 units each of 80
 * groups takes 170 blocks for 2.5 million u32, give or take 3, instead of the 128 that it fills. If
 * a group needs more still, the sort is left to part or onesweep. Digits of mapped floats are not
 * as even as random keys'. */
void plan_msd_count_blocks(struct route *route)
{
    const uint64_t slots = shape_slots(route->even.split);
    const uint64_t tiles = ceil_div(route->num_elements, slots);
    if (tiles < MIN_TILES * plan_groups(route->facts, route->even.groups_per_unit) &&
        route->even.groups_per_unit > 1)
        route->even.groups_per_unit /= 2;
    const uint64_t most = plan_groups(route->facts, route->even.groups_per_unit);
    const uint64_t groups = tiles < most ? tiles : most;
    cut_blocks(route, groups);
    const uint64_t block = (uint64_t)route->even.split.items * route->even.block_lanes;
    const uint64_t keys = ceil_div(tiles, groups) * slots, full = ceil_div(keys, block);
    const uint64_t more = route->even_maps ? full / 16 : 0;
    const uint64_t usual = full + full / 32 + more + ((uint64_t)1 << route->even_bits[0]) + 8;
    route->even_groups = groups;
    route->even_group_blocks = larger(usual, likely_blocks(route, keys, block) + more);
    route->even_blocks = groups * route->even_group_blocks;
    plan_msd_place_blocks(route, block * route->even_item);
}

/* How many parts a digit has. Tasks that keep the order have their own place in each leaf, so there
 * are as few as keep nine of ten work-groups busy. */
static uint32_t even_parts(const struct route *route)
{
    const uint64_t groups = plan_groups(route->facts, route->even.groups_per_unit);
    const uint64_t digits = (uint64_t)1 << route->even_bits[0];
    uint32_t parts = 1;
    if (!route->even_in_order)
        return route->even.parts;
    while (parts < route->even.parts &&
           ceil_div(parts * digits, groups) * groups * 9 > parts * digits * 10)
        ++parts;
    return parts;
}

/* Whether leaves that are too large are cut in two (cl/sorts/msd/large.h). Part lists such leaves
 * for its next level, but onesweep would sort all. Short rests lie in rooms of fixed sizes. Halves
 * do not keep equal elements in order, and msd_restore needs the blocks through which leaves are
 * cut. */
static int cuts_leaves(const struct route *route)
{
    return route->form == FORM_MSD_ONESWEEP && !route->even_is_short && !route->even_in_order &&
           !route->payload.is_index;
}

/* From how many of each key on onesweep sorts at once, if the sample sees them. The more there are,
 * the longer leaves take to compare them. Random keys with 16, 24 and 32 of each on an H100,
 * microseconds by leaves that are cut (by onesweep): 2^22 u32 155, 164, 191 (160); u32+u32 198,
 * 214, 240 (205); u64 195, 220, 265 (255); u64+u64 358, 450, 517 (435). 2^20 u64+u64 take 162, 194
 * and 370 (172): where payloads follow slots, one work-item sorts what crowds a word. Other types
 * were not measured, and where leaves are not cut nothing but 32. It is a ratio, so it is no
 * tuning. */
static uint32_t most_repeats(const struct route *route)
{
    const int is_fast = route->key_size == 8 && !route->payload.size;
    return cuts_leaves(route) && !is_fast ? 24 : 32;
}

void plan_msd_tables(const struct route *route, struct msd_params *p, struct part_params *part,
                     struct plan *plan)
{
    const uint64_t digits = (uint64_t)1 << route->even_bits[0];
    const uint64_t leaves = digits << route->even_bits[1];
    const uint64_t blocks = route->even_blocks;
    const uint64_t parts = even_parts(route);
    const uint64_t counts = route->even_in_order ? leaves * parts : leaves;
    const struct table tables[] = {
        {&p->totals, digits * MSD_PAD * 4},
        {&p->counts, counts * 4}, /* follows those, so that both are emptied at once */
        {&p->group_blocks, route->even_in_order ? route->even_groups * digits * 4 : 0},
        {&p->part_begins, route->even_in_order ? digits * parts * 4 : 0},
        {&p->list_begins, (digits + 1) * 4},
        {&p->kinds, blocks * 4},
        {&p->list, blocks * 4},
        {&p->regions, leaves * sizeof(struct msd_region)},
        {&p->rests, route->even_is_short ? plan_msd_rest_bytes(route) : 0},
        {&part->map, route->even_maps ? sizeof(struct part_map) : 0},
    };
    plan_reserve_tables(plan, tables, sizeof tables / sizeof *tables);
    p->blocks = part->work_keys;
    if (route->even_has_rooms) {
        p->rests = p->blocks + route->even_block_bytes;
        p->rest_payloads = p->rests + plan_msd_all_room_items(route) * route->key_size;
    }
    p->out_blocks[0] = (uint32_t)route->even_out_blocks[0];
    p->out_blocks[1] = (uint32_t)route->even_out_blocks[1];
    p->blocks_per_group = (uint32_t)route->even_group_blocks;
    p->num_groups = (uint32_t)route->even_groups;
    p->parts = even_parts(route);
    p->counts_leaves = (uint32_t)plan_msd_counts_leaves(route);
    p->leaf_slots = (uint32_t)shape_slots(route->even.leaf);
    if (cuts_leaves(route))
        p->leaf_slots = MSD_LARGE_MOST(p->leaf_slots);
    if (route->form != FORM_MSD_ONESWEEP && p->leaf_slots > part->leaf_size)
        p->leaf_slots = part->leaf_size; /* which part sorts if bins crowd */
    p->num_room_items = (uint32_t)plan_msd_num_room_items(route);
    p->bits[0] = route->even_bits[0];
    p->bits[1] = route->even_bits[1];
    p->shifts[1] = route->problem->num_bits - p->bits[0] - p->bits[1];
    p->shifts[0] = p->shifts[1] + p->bits[1];
    /* Keys are stretched if their part of the range has a number for four of them, at least. A
     * stretched leaf that part cannot hold ends the engine's work (cl/sorts/msd/offsets.h): all
     * would be sorted twice. */
    part->least_range =
        p->leaf_slots < shape_slots(route->even.leaf) ? UINT64_MAX : route->num_elements / 4;
    part->most_repeats = most_repeats(route);
    part->even_totals = p->totals;
    part->num_even_totals = p->counts_leaves ? (uint32_t)((p->counts - p->totals) / 4 + counts)
                                             : (uint32_t)(digits * MSD_PAD);
    part->flags |=
        FLAG_EVEN | (route->even_maps ? FLAG_MAPS : 0) | (route->even_in_order ? 0 : FLAG_DEALS);
}

/* What all steps have in common. */
static struct step first_step(const struct route *route, struct buffer_ref keys_to,
                              const struct msd_params *p)
{
    struct step first = route_step(route, keys_to);
    first.params.msd = *p;
    first.params_size = sizeof first.params.msd;
    first.variant.subgroup = route->even.subgroup;
    first.variant.keeps_order = (uint32_t)route->even_in_order;
    first.variant.held = route->even.block_lanes;
    first.variant.move_unit = plan_msd_room_unit(route);
    return first;
}

clsort_status plan_msd_add(const struct route *route, struct buffer_ref keys_to,
                           const struct msd_params *p, struct plan *plan)
{
    const struct msd_tuning *tuning = &route->even;
    const uint64_t n = route->num_elements;
    const uint64_t digits = (uint64_t)1 << p->bits[0], leaves = digits << p->bits[1];
    const uint32_t item = route->even_item, rest = plan_msd_rest_size(route);
    const uint32_t element = route->key_size + route->payload.size;
    const uint32_t scan = tuning_scan_local(tuning->split.group_size, tuning->subgroup);
    const uint64_t groups = plan_groups(route->facts, tuning->groups_per_unit);
    const uint32_t offsets_local = (4u << p->bits[1]) + 4 + scan;
    const int is_short = route->even_is_short, has_rooms = is_short || route->even_has_rooms;
    const struct {
        int is_used;
        enum kernel_id kernel;
        struct shape shape;
        uint32_t radix_bits; /* of its digit, or of its bins */
        uint32_t registers, local_size;
        uint32_t bytes_read, bytes_written; /* of a key */
        uint64_t num_groups;
        uint32_t is_again;
    } steps[] = {
        {1, KERNEL_MSD_SPLIT, tuning->split, p->bits[0], tuning->split_registers,
         route->even_local[0], element + (has_rooms ? 0 : item), item, route->even_groups, 0},
        {1, KERNEL_MSD_SCATTER, tuning->split, p->bits[1], tuning->split_registers,
         route->even_local[1], item, rest, groups, 0},
        {has_rooms, KERNEL_MSD_OFFSETS, tuning->split, p->bits[1], 0, offsets_local, 0, 0, digits,
         0},
        {route->even_has_rooms, KERNEL_MSD_SCATTER, tuning->split, p->bits[1],
         tuning->split_registers, route->even_local[1], 0, 0, groups, 1},
        {1, KERNEL_MSD_FINISH, tuning->leaf, tuning->bin_bits, tuning->leaf_registers,
         tuning->leaf_local, rest, element, leaves, 0},
    };
    struct step first = first_step(route, keys_to, p);
    first.params.msd.part.spin_limit = route->tuning.part.spin_limit;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        if (!steps[i].is_used)
            continue;
        struct step *step = plan_add(plan, steps[i].kernel, &first, steps[i].shape);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        if (steps[i].kernel == KERNEL_MSD_FINISH)
            step->variant.held = cuts_leaves(route) ? 2 : 1;
        step->params.msd.is_again = steps[i].is_again;
        step->variant.radix_bits = steps[i].radix_bits;
        step->variant.registers = steps[i].registers;
        step->num_groups = steps[i].num_groups;
        step->local_size = steps[i].local_size;
        step->bytes_read = n * steps[i].bytes_read;
        step->bytes_written = n * steps[i].bytes_written;
    }
    return CLSORT_OK;
}

clsort_status plan_msd_add_restore(const struct route *route, struct buffer_ref keys_to,
                                   const struct msd_params *p, struct plan *plan)
{
    const struct msd_tuning *tuning = &route->even;
    const struct step first = first_step(route, keys_to, p);
    struct step *step = plan_add(plan, KERNEL_MSD_RESTORE, &first, tuning->split);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->variant.radix_bits = p->bits[1];
    step->num_groups = plan_groups(route->facts, tuning->groups_per_unit);
    return CLSORT_OK;
}
