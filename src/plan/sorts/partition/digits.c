/* digits.c: steps of radix sort from the most significant digit down
 * (cl/sorts/partition/digits.h). A level is two or three launches, the leaves are two. */
#include "plan/sorts/partition/partition.h"

#define SCAN_WIDTH 32 /* digits of a work-group: neighbours read neighbouring counts */

struct digits {
    const struct route *route;
    const struct partition_tuning *tuning;
    const struct digits_levels *levels;
    struct step first;    /* what all steps have in common */
    uint32_t count_local; /* bytes of local memory */
};

/* All levels share these tables, or take turns in two of a kind. */
static void take_tables(struct digits *sort, struct plan *plan)
{
    const struct digits_levels *levels = sort->levels;
    struct partition_params *p = &sort->first.params.partition;
    struct partition_sizes sizes = {.leaves = levels->max_leaves};
    for (uint32_t i = 0; i < levels->num_levels; ++i) {
        const uint64_t segments = levels->max_segments[i], blocks = levels->max_blocks[i];
        const uint32_t bits = levels->digit_bits[i];
        sizes.segments = larger(sizes.segments, segments);
        sizes.blocks = larger(sizes.blocks, blocks);
        sizes.buckets = larger(sizes.buckets, segments << bits);
        if (sort->route->keeps_order)
            sizes.counts = larger(sizes.counts, blocks << bits);
    }
    const struct table own[] = {
        {&p->next_totals, sizes.buckets * 4},
        {&p->crowded, sizes.leaves * 4},
    };
    p->max_totals = (uint32_t)smaller(sizes.buckets, UINT32_MAX);
    plan_partition_reserve_copy(sort->route, &sort->first, plan);
    plan_partition_reserve(&sizes, own, sizeof own / sizeof *own, &sort->first, plan);
}

/* As many groups for the blocks of a level as there are blocks, where their number is known, or
 * about; else a few rounds' worth. */
static uint64_t level_groups(const struct digits *sort, uint32_t level)
{
    const int is_first = level == 0 && !sort->route->listed;
    const int known = level < 2 && !sort->route->listed;
    const uint64_t blocks =
        is_first ? sort->route->problem->num_arrays * sort->first.params.partition.blocks_per_array
                 : sort->levels->max_blocks[level];
    return known ? blocks : plan_partition_groups(sort->route, blocks);
}

/* Bytes are counted for random keys, which need only the first levels. */
static uint64_t level_elements(const struct digits *sort, uint32_t level)
{
    return level < sort->levels->num_split ? sort->route->num_elements : 0;
}

static void add_count(struct plan *plan, struct digits *sort, uint32_t level)
{
    struct partition_params *p = &sort->first.params.partition;
    const struct digits_levels *levels = sort->levels;
    p->level = level;
    p->digit_bits = levels->digit_bits[level];
    p->next_digit_bits = level + 1 < levels->num_levels ? levels->table_bits[level + 1] : 0;
    const struct shape shape = {sort->tuning->scatter.group_size, sort->tuning->count.items, 1};
    struct step *step = plan_add(plan, KERNEL_PARTITION_COUNT, &sort->first, shape);
    step->num_groups = level_groups(sort, level);
    step->local_size = sort->count_local;
    step->bytes_read = level_elements(sort, level) * sort->route->key_size;
}

static void add_level(struct plan *plan, struct digits *sort, uint32_t level)
{
    add_count(plan, sort, level);
    if (sort->route->keeps_order)
        plan_partition_scan(sort->route, &sort->first, sort->tuning->scatter.group_size, SCAN_WIDTH,
                            sort->levels->max_segments[level], plan);
    struct step *step =
        plan_add(plan, KERNEL_PARTITION_SCATTER, &sort->first, sort->tuning->scatter);
    step->variant.keeps_order = (uint32_t)sort->route->keeps_order;
    step->variant.registers = sort->tuning->scatter_registers;
    step->num_groups = level_groups(sort, level);
    step->local_size = sort->tuning->scatter_local;
    step->bytes_read = step->bytes_written =
        level_elements(sort, level) * (sort->route->key_size + (uint64_t)sort->route->payload.size);
    plan_partition_swap(&sort->first.params.partition);
}

/* How many levels have launches of their own. One launch does those that random keys do not need;
 * it is all levels where most segments are short. */
static uint32_t num_launched(const struct digits *sort)
{
    const struct digits_levels *levels = sort->levels;
    if (!levels->deep_is_one || levels->num_levels <= levels->num_split)
        return levels->num_levels;
    return levels->num_split;
}

static void add_deep(struct plan *plan, struct digits *sort, uint32_t first)
{
    struct partition_params *p = &sort->first.params.partition;
    p->level = first;
    p->digit_bits = sort->levels->digit_bits[first];
    p->next_digit_bits = sort->levels->table_bits[first ? first : 1];
    p->num_levels = sort->levels->num_levels;
    p->bits_left = sort->levels->bits_left[first];
    p->spin_limit = sort->tuning->spin_limit;
    struct step *step =
        plan_add(plan, KERNEL_PARTITION_LEVELS, &sort->first, sort->tuning->scatter);
    step->variant.registers = sort->tuning->scatter_registers;
    step->num_groups = smaller(sort->levels->max_blocks[first],
                               plan_groups(sort->route->facts, sort->tuning->groups_per_unit));
    step->local_size = (uint32_t)larger(sort->count_local, sort->tuning->scatter_local) + 4;
}

static void add_leaves(struct plan *plan, struct digits *sort)
{
    const uint64_t most = 2 * plan_partition_groups(sort->route, UINT64_MAX);
    const int stores_keys = !sort->route->problem->index_size;
    struct step leaves = sort->first;
    leaves.params.partition.flags |= stores_keys ? FLAG_STORE_KEYS : 0;
    leaves.local_size = sort->tuning->leaf_local;
    /* A key that is sorted by a part of its bits is no rest: its leaf moves elements by slots. */
    leaves.variant.keeps_order =
        (uint32_t)(sort->route->keeps_order || problem_shows_order(sort->route->problem));
    leaves.variant.radix_bits = sort->tuning->bin_bits;
    struct step *step = plan_add(plan, KERNEL_PARTITION_RESTS, &leaves, sort->tuning->leaf);
    step->num_groups = smaller(sort->levels->max_leaves, most);
    step->variant.registers = sort->tuning->leaf_registers;
    route_count_bytes(sort->route, store_flags(stores_keys, 1, 0), step);
    step = plan_add(plan, KERNEL_PARTITION_CROWDED, &leaves, sort->tuning->leaf);
    step->num_groups = smaller(sort->levels->max_leaves,
                               plan_groups(sort->route->facts, sort->tuning->crowded_per_unit));
}

/* What all steps have in common. */
static struct step first_step(const struct route *route)
{
    const struct problem *problem = route->problem;
    const struct digits_levels *levels = &route->levels;
    struct step first = route_step(route, (struct buffer_ref){BUFFER_KEYS_OUT, 0});
    first.params_size = sizeof first.params.partition;
    first.variant.subgroup = route->digits.subgroup;
    first.variant.radix_bits = route->digits.bucket_bits;
    first.params.partition = (struct partition_params){
        .digits_mask = ~(uint64_t)0 >> (64 - problem->num_bits),
        .count = (uint32_t)problem->count,
        .num_arrays = (uint32_t)problem->num_arrays,
        .blocks_per_array = (uint32_t)ceil_div(problem->count, levels->block_size),
        .block_size = (uint32_t)levels->block_size,
        .buckets_per_array = 1u << levels->digit_bits[0],
        .digit_bits = levels->digit_bits[0],
        .num_bits = problem->num_bits,
        .first_bit = problem->first_bit,
        .leaf_size = (uint32_t)levels->leaf_size,
        .fill_size = (uint32_t)levels->leaf_size,
        .flags = (problem->in_place && !problem->index_size ? FLAG_IN_PLACE : 0) |
                 (route->keeps_order ? 0 : FLAG_UNORDERED),
    };
    return first;
}

void plan_digits(const struct route *route, struct plan *plan)
{
    const struct digits_levels *levels = &route->levels;
    struct digits sort = {
        .route = route,
        .tuning = &route->digits,
        .levels = levels,
        .count_local = tuning_digits_count_local(&route->digits),
        .first = first_step(route),
    };
    take_tables(&sort, plan);
    if (route->listed) /* what lists the first level's segments, and empties what it adds to */
        plan_segments_list(route, &sort.first, plan);
    else
        plan_partition_begin(route, &sort.first, sort.tuning->scatter.group_size, plan);
    const uint32_t end_launched = num_launched(&sort);
    for (uint32_t level = 0; level < end_launched; ++level)
        add_level(plan, &sort, level);
    if (end_launched < levels->num_levels)
        add_deep(plan, &sort, end_launched);
    add_leaves(plan, &sort);
}
