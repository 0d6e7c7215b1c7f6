/* splitters_steps.c: steps of quicksort: of its levels, three or four launches each; of leaves, one
 * launch; and of merges, a launch for each pass that a segment of any size could need, or one for
 * all passes. Merges are for samples that mislead; with random elements they find next to nothing
 * to do. */
#include "plan/sorts/partition/splitters.h"

#define MANY_BLOCKS 64 /* of an array */
#define MERGERS_PER_UNIT 4

/* If no index settles ties, the keys alone decide, and what moves with them is not read. */
static void drop_payload(struct step *step, const struct splitters *sort)
{
    if (!sort->keeps_order)
        step->variant.payload_size = step->variant.payload_index = 0;
}

/* Bytes of a bucket's number (bucket_id_t). */
static uint64_t id_size(const struct partition_tuning *tuning)
{
    return tuning->bucket_bits > 8 ? 2 : 1;
}

/* What a level's steps share. */
struct level {
    uint32_t number;
    uint64_t segment_groups; /* of steps with a work-group for each segment */
    uint64_t block_groups;   /* and of those with one for each block */
    uint64_t starts_bytes;   /* of the table of blocks' places, with random elements */
};

static struct level level_of(const struct splitters *sort, uint32_t number)
{
    const struct partition_params *p = &sort->first.params.partition;
    const uint64_t first_blocks = sort->problem->num_arrays * p->blocks_per_array;
    const uint64_t blocks = number == 0 ? first_blocks : plan_splitters_max_blocks(sort, number);
    const uint64_t n = sort->route->num_elements;
    const uint64_t likely =
        number == 0 ? blocks : n / p->block_size + n / sort->bucket_size[number - 1];
    return (struct level){
        .number = number,
        .segment_groups = plan_partition_groups(sort->route, sort->max_segments[number]),
        .block_groups = number == 0 ? blocks : plan_partition_groups(sort->route, blocks),
        .starts_bytes = sort->route->moves_in_order ? likely * 4 << sort->tuning->bucket_bits : 0,
    };
}

/* The pivots of each segment. */
static void add_sample(struct plan *plan, const struct splitters *sort, const struct level *level)
{
    struct step *step = plan_add(plan, KERNEL_PARTITION_PIVOTS, &sort->first, sort->tuning->sample);
    step->num_groups = level->segment_groups;
    drop_payload(step, sort);
    step->local_size = tuning_splitters_sample_local(sort->tuning, sort->compared_size);
}

/* The bucket of each element, the buckets' sizes, where they begin, and what becomes of them. */
static void add_count(struct plan *plan, const struct splitters *sort, const struct level *level)
{
    const struct partition_tuning *tuning = sort->tuning;
    const uint64_t n = sort->route->num_elements;
    const uint32_t i = level->number;
    const uint64_t size = i == 0 ? sort->problem->count : sort->bucket_size[i - 1];
    const uint32_t depth = ceil_log2(plan_splitters_wanted(sort, size, sort->bucket_size[i]));
    struct step *step = plan_add(plan, KERNEL_PARTITION_COUNT, &sort->first, tuning->count);
    step->num_groups = level->block_groups;
    drop_payload(step, sort);
    step->variant.keeps_order |= (uint32_t)sort->route->moves_in_order;
    step->local_size = tuning_splitters_count_local(tuning, sort->compared_size);
    plan_splitters_account(step, sort, n * (depth + 1), n * sort->route->key_size,
                           n * id_size(tuning) + level->starts_bytes);
}

/* The places of blocks, where equal records stay in order: of few buckets at once if an array has
 * many blocks, so that many groups go over them. */
static void add_scan(struct plan *plan, const struct splitters *sort, const struct level *level)
{
    const int has_many =
        level->number == 0 && sort->first.params.partition.blocks_per_array >= MANY_BLOCKS;
    struct step *step =
        plan_partition_scan(sort->route, &sort->first, sort->tuning->count.group_size,
                            has_many ? 4 : 1u << sort->tuning->bucket_bits,
                            sort->max_segments[level->number], plan);
    plan_splitters_account(step, sort, 0, 2 * level->starts_bytes, level->starts_bytes);
}

/* The elements to their buckets. */
static void add_scatter(struct plan *plan, const struct splitters *sort, const struct level *level)
{
    const struct partition_tuning *tuning = sort->tuning;
    const struct route *route = sort->route;
    const uint64_t n = route->num_elements;
    const uint64_t size = route->key_size + (uint64_t)sort->route->payload.size;
    struct step *step = plan_add(plan, KERNEL_PARTITION_SCATTER, &sort->first, tuning->scatter);
    step->num_groups = level->block_groups;
    /* The kernel compares nothing: all types of a size share it, ascending and descending. */
    step->variant.key_signed = step->variant.key_mantissa = step->variant.key_descending = 0;
    step->variant.key_first_bit = 0;
    step->variant.key_num_bits = step->variant.key_bits;
    step->variant.keeps_order = (uint32_t)route->moves_in_order;
    step->local_size =
        (uint32_t)tuning_splitters_scatter_local(tuning, route->item_size, route->moves_in_order);
    plan_splitters_account(step, sort, 0, n * (size + id_size(tuning)) + level->starts_bytes,
                           n * size);
}

/* The steps of a level. Bytes are counted for random elements, which stay in the sort to the
 * last level. */
static void add_level(struct plan *plan, struct splitters *sort, uint32_t number)
{
    struct partition_params *p = &sort->first.params.partition;
    const int is_last = number + 1 == sort->num_levels;
    const struct level level = level_of(sort, number);
    p->level = number;
    p->bucket_size = (uint32_t)sort->bucket_size[number];
    p->next_bucket_size = is_last ? 0 : (uint32_t)sort->bucket_size[number + 1];
    p->next_block_size = is_last ? p->leaf_size : p->block_size;
    add_sample(plan, sort, &level);
    add_count(plan, sort, &level);
    if (sort->route->moves_in_order)
        add_scan(plan, sort, &level);
    add_scatter(plan, sort, &level);
    plan_partition_swap(p);
}

void plan_splitters_add_levels(struct plan *plan, struct splitters *sort)
{
    plan_partition_begin(sort->route, &sort->first, sort->tuning->count.group_size, plan);
    for (uint32_t level = 0; level < sort->num_levels; ++level)
        add_level(plan, sort, level);
}

void plan_splitters_add_leaves(struct plan *plan, struct splitters *sort)
{
    const struct problem *problem = sort->problem;
    const uint64_t n = sort->route->num_elements;
    const uint64_t size = sort->route->key_size + (uint64_t)sort->route->payload.size;
    sort->first.params.partition.level = sort->num_levels;
    const uint64_t rounds = sort->route->listed ? 1 : 4; /* most often lists are empty */
    const uint64_t leaves = sort->num_levels
                                ? plan_partition_groups(sort->route, sort->max_leaves) * rounds
                                : problem->num_arrays;
    struct step *step = plan_add(plan, KERNEL_PARTITION_LEAF, &sort->first, sort->tuning->leaf);
    step->num_groups = leaves;
    step->variant.registers = sort->tuning->leaf_registers;
    step->local_size = sort->leaf_local;
    plan_splitters_account(step, sort, n * ceil_log2(smaller(problem->count, sort->leaf_size)),
                           n * size, n * size);
}

/* A launch of merges; left: the only phase that it makes, counted from the end, or 0 for all. */
static void add_merges(struct plan *plan, struct splitters *sort, uint32_t left, uint64_t groups)
{
    sort->first.params.partition.phases_left = left;
    struct step *step = plan_add(plan, KERNEL_PARTITION_MERGES, &sort->first, sort->tuning->leaf);
    step->num_groups = groups;
    step->local_size = sort->leaf_local; /* bins take more of it than merges need beside a tile */
}

void plan_splitters_add_merges(struct plan *plan, struct splitters *sort)
{
    const uint64_t tiles = plan_splitters_max_blocks(sort, sort->num_levels);
    const uint32_t per_unit = sort->tuning->groups_per_unit;
    sort->first.params.partition.spin_limit = sort->tuning->spin_limit;
    if (sort->num_passes && per_unit) {
        add_merges(plan, sort, 0, smaller(tiles, plan_groups(sort->route->facts, per_unit)));
        return;
    }
    /* A launch without work takes less time the smaller it is. */
    const uint64_t groups =
        smaller(tiles, ((uint64_t)sort->route->facts->num_units + 1) * MERGERS_PER_UNIT);
    const uint32_t phases = plan_splitters_may_be_no_order(sort) ? 2 : 1; /* of a pass */
    for (uint32_t left = sort->num_passes * phases; left > 0; --left)
        add_merges(plan, sort, left, groups);
}
