/* digits_cut.c: how the sort from the most significant digit down cuts arrays into levels of
 * digits, segments, blocks and leaves. The first levels have enough digits to make leaves of random
 * keys. Later levels, until no bit is left, find work only where keys crowd. */
#include "plan/route.h"

#define SHORT_SEGMENT 2048 /* elements: such segments fit in most devices' local memory */
#define MIN_BIN_BITS 4

static struct leaf_cut leaf_cut(const struct route *route)
{
    return (struct leaf_cut){route->problem->count, route->problem->num_bits,
                             route->payload.size ? REST_SLOT_BITS : 0, 64};
}

/* Deals the bits that random keys need to levels, evenly, then those that are left. */
static void deal_bits(const struct route *route, const struct partition_tuning *tuning,
                      struct digits_levels *levels)
{
    const struct problem *problem = route->problem;
    const uint32_t most = tuning->bucket_bits;
    const uint32_t deep =
        levels->deep_is_one && most > tuning->deep_bits ? tuning->deep_bits : most;
    /* Where most segments are short, one launch costs less than two for each level, 5 instead of 25
     * us. It takes half as long again for long ones (H200, segments of 10^4). */
    const int is_deep = route->listed && levels->deep_is_one &&
                        problem->count / SHORT_SEGMENT < route->listed->num_segments;
    const struct leaf_cut cut = leaf_cut(route);
    const uint64_t leaf_bits = smaller(larger(plan_leaf_bits(&cut, tuning->leaf), 1), cut.num_bits);
    uint32_t wanted = is_deep ? 0 : (uint32_t)leaf_bits;
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

/* How long the lists can become. A segment is larger than a leaf. Two leaves of a level begin at
 * least half a leaf apart, or one of them is larger than half a leaf or has a segment beside it.
 * Copies are whole leaves, except a segment's last. Returns false if a number of 32 bits could not
 * say which digit of which block, or segment, is meant. */
static int bound_lists(const struct route *route, struct digits_levels *levels)
{
    const uint64_t n = route->num_elements;
    const uint64_t by_size = n / (levels->leaf_size + 1);
    int are_small = 1;
    levels->max_segments[0] =
        route->listed ? ceil_div(n, route->listed_tile) : route->problem->num_arrays;
    levels->max_leaves = 8 * ceil_div(n, levels->leaf_size) + 2 * levels->max_segments[0];
    for (uint32_t i = 0; i < levels->num_levels; ++i) {
        const uint64_t digits = levels->max_segments[i] << levels->table_bits[i];
        levels->max_blocks[i] = n / levels->block_size + levels->max_segments[i];
        are_small &= levels->max_blocks[i] <= UINT32_MAX >> levels->digit_bits[i];
        levels->max_segments[i + 1] = smaller(digits, by_size);
        levels->max_leaves += 2 * levels->max_segments[i + 1];
        if (levels->max_segments[i + 1] == 0)
            levels->num_levels = i + 1;
    }
    return are_small && levels->max_leaves <= UINT32_MAX;
}

/* 2^22 stable u64+u64 take an H200 0.38 ms instead of 0.52. */
static void shrink_leaf(const struct route *route, struct partition_tuning *row)
{
    const struct leaf_cut cut = leaf_cut(route);
    const uint32_t bins = row->bin_bits - MIN_BIN_BITS, num = plan_leaf_shrink(&cut, &row->leaf);
    row->bin_bits -= num < bins ? num : bins;
    row->leaf_local = tuning_digits_leaf_local(row, route->key_size, route->payload.size);
}

static int cut(const struct route *route, const struct partition_tuning *tuning,
               struct digits_levels *levels_ret)
{
    *levels_ret = (struct digits_levels){
        /* A stable sort cannot: it scans between counting and scattering. */
        .deep_is_one = tuning->groups_per_unit && !route->keeps_order,
        .leaf_size = shape_slots(tuning->leaf),
        .block_size = shape_slots(tuning->scatter) * tuning->block_tiles,
    };
    deal_bits(route, tuning, levels_ret);
    return levels_ret->block_size <= MAX_STEP && bound_lists(route, levels_ret);
}

int plan_digits_takes(const struct route *route, struct partition_tuning *row_ret,
                      struct digits_levels *levels_ret)
{
    const struct problem *problem = route->problem;
    const uint32_t payload_size = route->payload.size;
    const struct digits_element element = {route->key_size, payload_size, route->keeps_order};
    /* Keys without a payload cannot keep their order. */
    if ((!payload_size && problem_shows_order(problem)) || route->num_elements > MAX_NUMBERED)
        return 0;
    struct partition_tuning row = tuning_digits(route->facts, element);
    if (!row.bucket_bits || (!route->listed && problem->count < row.min_count))
        return 0;
    if (!route->listed && problem->type->kind != KEY_FLOAT) /* exponents make leaves uneven */
        shrink_leaf(route, &row);
    *row_ret = row;
    return cut(route, &row, levels_ret);
}
