/* plan_part_cut.c: how the sort from the most significant digit down cuts arrays into levels of
 * digits, segments, blocks and leaves. The first levels have enough digits to make leaves of random
 * keys. Later levels, until no bit is left, find work only where keys crowd. */
#include "route.h"

#define SHORT_SEGMENT 2048 /* elements: such segments fit in most devices' local memory */
#define LEAF_FILL 90       /* percent of a leaf that random keys fill on average, at most */
#define MIN_LEAF_GROUP 64  /* work-items */
#define MIN_BIN_BITS 4

/* How many bits of a key a leaf sorts by, at most. */
static uint32_t leaf_bits(const struct route *route)
{
    return route->payload.size ? 64 - PART_SLOT_BITS : 64;
}

/* How many bits make leaves of random keys. */
static uint32_t split_bits(const struct route *route, uint64_t leaf_size)
{
    const struct problem *problem = route->problem;
    const uint64_t room = leaf_size * LEAF_FILL / 100;
    uint32_t wanted = ceil_log2(ceil_div(problem->count, room ? room : 1));
    if (problem->num_bits > leaf_bits(route) && wanted < problem->num_bits - leaf_bits(route))
        wanted = problem->num_bits - leaf_bits(route);
    if (wanted > problem->num_bits)
        wanted = problem->num_bits;
    return wanted ? wanted : 1;
}

/* Deals the bits that random keys need to levels, evenly, then those that are left. */
static void deal_bits(const struct route *route, const struct part_tuning *tuning,
                      struct part_levels *levels)
{
    const struct problem *problem = route->problem;
    const uint32_t most = tuning->digit_bits;
    const uint32_t deep =
        levels->deep_is_one && most > tuning->deep_bits ? tuning->deep_bits : most;
    /* Where most segments are short, one launch costs less than two for each level, 5 instead of 25
     * us. It takes half as long again for long ones (H200, segments of 10^4). */
    const int is_deep = route->listed && levels->deep_is_one &&
                        problem->count / SHORT_SEGMENT < route->listed->num_segments;
    uint32_t wanted = is_deep ? 0 : split_bits(route, levels->leaf_size);
    uint32_t left = problem->num_bits;
    levels->num_split = (wanted + most - 1) / most;
    for (uint32_t i = 0; left > 0; ++i) {
        const uint32_t num = levels->num_split > i ? levels->num_split - i : 0;
        const uint32_t rest = is_deep && i == 0 ? most : deep;
        const uint32_t bits = num ? (wanted + num - 1) / num : left < rest ? left : rest;
        levels->bits_left[i] = left;
        levels->digit_bits[i] = levels->table_bits[i] = bits;
        if (!num && levels->deep_is_one) /* what the tables have room for */
            levels->table_bits[i] = left < most ? left : most;
        wanted -= num ? bits : 0;
        left -= bits;
        levels->num_levels = i + 1;
    }
}

/* How long the lists can become. A segment is larger than a leaf, or has too many bits for one. Two
 * leaves of a level begin at least half a leaf apart, or one of them is larger than half a leaf or
 * has a segment beside it. Copies are whole leaves, except a segment's last. Returns false if a
 * number of 32 bits could not say which digit of which block, or segment, is meant. */
int plan_part_bound_lists(const struct route *route, struct part_levels *levels)
{
    const uint64_t n = route->num_elements;
    const uint64_t by_size = n / (levels->leaf_size + 1);
    const uint32_t even_bits = route->even_bits[0] + route->even_bits[1];
    /* Leaves that the engine may leave after two levels. */
    const uint64_t even = even_bits ? (uint64_t)1 << even_bits : 0;
    int are_small = 1;
    levels->max_segments[0] =
        route->listed ? ceil_div(n, route->listed_tile) : route->problem->num_arrays;
    levels->max_leaves = 8 * ceil_div(n, levels->leaf_size) + 2 * levels->max_segments[0] + even;
    for (uint32_t i = 0; i < levels->num_levels; ++i) {
        const uint32_t left = levels->bits_left[i] - levels->digit_bits[i];
        const uint64_t digits = levels->max_segments[i] << levels->table_bits[i];
        const uint64_t most = digits < n ? digits : n;
        levels->max_blocks[i] = n / levels->block_size + levels->max_segments[i];
        are_small &= levels->max_blocks[i] <= UINT32_MAX >> levels->digit_bits[i];
        if (levels->bits_left[i] > levels->leaf_bits)
            levels->max_leaves += most;
        levels->max_segments[i + 1] = left > levels->leaf_bits || most < by_size ? most : by_size;
        if (i == 1 && even > levels->max_segments[2])
            levels->max_segments[2] = even;
        levels->max_leaves += 2 * levels->max_segments[i + 1];
        if (levels->max_segments[i + 1] == 0)
            levels->num_levels = i + 1;
    }
    return are_small && levels->max_leaves <= UINT32_MAX;
}

/* Keys of 64 bits with payloads need many leaves, which then are small. Such get smaller groups, as
 * long as they need not be more. A work-item has an element more, since the sizes of small leaves
 * vary more. 2^22 stable u64+u64 take an H200 0.40 ms instead of 0.52. */
void plan_part_shrink_leaf(const struct route *route, struct part_tuning *row)
{
    struct shape half = {row->leaf.group_size / 2, row->leaf.items + 1, row->leaf.lanes};
    for (; half.group_size >= MIN_LEAF_GROUP &&
           split_bits(route, shape_slots(half)) <= split_bits(route, shape_slots(row->leaf));
         half.group_size /= 2) {
        row->leaf = half;
        row->bin_bits -= row->bin_bits > MIN_BIN_BITS;
    }
    row->leaf_local = tuning_part_leaf_local(row, route->key_size, route->payload.size);
}

int plan_part_cut(const struct route *route, struct part_levels *levels_ret)
{
    const struct part_tuning *tuning = &route->tuning.part;
    *levels_ret = (struct part_levels){
        /* A stable sort cannot: it scans between counting and scattering. */
        .deep_is_one = tuning->groups_per_unit && !route->keeps_order,
        .leaf_bits = leaf_bits(route),
        .leaf_size = shape_slots(tuning->leaf),
        .block_size = shape_slots(tuning->scatter) * tuning->block_tiles,
    };
    deal_bits(route, tuning, levels_ret);
    return plan_part_bound_lists(route, levels_ret);
}
