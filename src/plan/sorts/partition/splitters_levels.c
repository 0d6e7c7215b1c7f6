/* splitters_levels.c: steps of quicksort's levels: three or four launches each. */
#include "plan/sorts/partition/splitters.h"

#define MANY_BLOCKS 64 /* of an array */

/* If no index settles ties, the keys alone decide, and what moves with them is not read. */
static void drop_payload(struct step *step, const struct splitters *quick)
{
    if (!quick->keeps_order)
        step->variant.payload_size = step->variant.payload_index = 0;
}

/* Bytes of a bucket's number (bucket_id_t). */
static uint64_t id_size(const struct quick_tuning *tuning)
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

static struct level level_of(const struct splitters *quick, uint32_t number)
{
    const struct partition_params *p = &quick->first.params.partition;
    const uint64_t first_blocks = quick->problem->num_arrays * p->blocks_per_array;
    const uint64_t blocks = number == 0 ? first_blocks : plan_splitters_max_blocks(quick, number);
    const uint64_t n = quick->route->num_elements;
    const uint64_t likely =
        number == 0 ? blocks : n / p->block_size + n / quick->bucket_size[number - 1];
    return (struct level){
        .number = number,
        .segment_groups = plan_partition_groups(quick->route, quick->max_segments[number]),
        .block_groups = number == 0 ? blocks : plan_partition_groups(quick->route, blocks),
        .starts_bytes = quick->route->moves_in_order ? likely * 4 << quick->tuning->bucket_bits : 0,
    };
}

/* The pivots of each segment. */
static void add_sample(struct plan *plan, const struct splitters *quick, const struct level *level)
{
    struct step *step =
        plan_add(plan, KERNEL_PARTITION_PIVOTS, &quick->first, quick->tuning->sample);
    step->num_groups = level->segment_groups;
    drop_payload(step, quick);
    step->local_size = tuning_quick_sample_local(quick->tuning, quick->compared_size);
}

/* The bucket of each element, the buckets' sizes, where they begin, and what becomes of them. */
static void add_count(struct plan *plan, const struct splitters *quick, const struct level *level)
{
    const struct quick_tuning *tuning = quick->tuning;
    const uint64_t n = quick->route->num_elements;
    const uint32_t i = level->number;
    const uint64_t size = i == 0 ? quick->problem->count : quick->bucket_size[i - 1];
    const uint32_t depth = ceil_log2(plan_splitters_wanted(quick, size, quick->bucket_size[i]));
    struct step *step = plan_add(plan, KERNEL_PARTITION_COUNT, &quick->first, tuning->count);
    step->num_groups = level->block_groups;
    drop_payload(step, quick);
    step->variant.keeps_order |= (uint32_t)quick->route->moves_in_order;
    step->variant.splitters = 1;
    step->local_size = tuning_quick_count_local(tuning, quick->compared_size);
    plan_splitters_account(step, quick, n * (depth + 1), n * quick->route->key_size,
                           n * id_size(tuning) + level->starts_bytes);
}

/* The places of blocks, where equal records stay in order: of few buckets at once if an array has
 * many blocks, so that many groups go over them. */
static void add_scan(struct plan *plan, const struct splitters *quick, const struct level *level)
{
    const int has_many =
        level->number == 0 && quick->first.params.partition.blocks_per_array >= MANY_BLOCKS;
    struct step *step =
        plan_partition_scan(quick->route, &quick->first, quick->tuning->count.group_size,
                            has_many ? 4 : 1u << quick->tuning->bucket_bits,
                            quick->max_segments[level->number], plan);
    plan_splitters_account(step, quick, 0, 2 * level->starts_bytes, level->starts_bytes);
}

/* The elements to their buckets. */
static void add_scatter(struct plan *plan, const struct splitters *quick, const struct level *level)
{
    const struct quick_tuning *tuning = quick->tuning;
    const struct route *route = quick->route;
    const uint64_t n = route->num_elements;
    const uint64_t size = route->key_size + (uint64_t)quick->payload->size;
    struct step *step = plan_add(plan, KERNEL_PARTITION_SCATTER, &quick->first, tuning->move);
    step->num_groups = level->block_groups;
    plan_partition_drop_order(step);
    step->variant.keeps_order = (uint32_t)route->moves_in_order;
    step->variant.splitters = 1;
    step->local_size = route->moves_in_order
                           ? (uint32_t)tuning_quick_move_in_order_local(tuning, route->item_size)
                           : tuning_quick_move_local(tuning, route->item_size);
    plan_splitters_account(step, quick, 0, n * (size + id_size(tuning)) + level->starts_bytes,
                           n * size);
}

/* The steps of a level. Bytes are counted for random elements, which stay in the sort to the
 * last level. */
static void add_level(struct plan *plan, struct splitters *quick, uint32_t number)
{
    struct partition_params *p = &quick->first.params.partition;
    const int is_last = number + 1 == quick->num_levels;
    const struct level level = level_of(quick, number);
    p->level = number;
    p->bucket_size = (uint32_t)quick->bucket_size[number];
    p->next_bucket_size = is_last ? 0 : (uint32_t)quick->bucket_size[number + 1];
    p->next_block_size = is_last ? p->leaf_size : p->block_size;
    add_sample(plan, quick, &level);
    add_count(plan, quick, &level);
    if (quick->route->moves_in_order)
        add_scan(plan, quick, &level);
    add_scatter(plan, quick, &level);
    plan_partition_swap(p);
}

void plan_splitters_add_levels(struct plan *plan, struct splitters *quick)
{
    plan_partition_begin(quick->route, &quick->first, quick->tuning->count.group_size, plan);
    for (uint32_t level = 0; level < quick->num_levels; ++level)
        add_level(plan, quick, level);
}
