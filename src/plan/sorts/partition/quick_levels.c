/* quick_levels.c: steps of quicksort's levels: three or four launches each. */
#include "plan/sorts/partition/quick.h"

/* If no index settles ties, the keys alone decide, and what moves with them is not read. */
static void drop_payload(struct step *step, const struct quick *quick)
{
    if (!quick->keeps_order)
        step->variant.payload_size = step->variant.payload_index = 0;
}

/* The kernel compares nothing: all types of a size share it, ascending and descending. */
static void drop_order(struct step *step)
{
    step->variant.keeps_order = 0;
    step->variant.key_signed = step->variant.key_mantissa = step->variant.key_descending = 0;
    step->variant.key_first_bit = 0;
    step->variant.key_num_bits = step->variant.key_bits;
}

static void exchange(param_u64 *a, param_u64 *b)
{
    const param_u64 kept = *a;
    *a = *b;
    *b = kept;
}

/* The kernel sees no elements, so all types share it. */
static void drop_elements(struct step *step)
{
    step->variant.payload_size = step->variant.payload_index = 0;
    step->variant.record_size = step->variant.record_text = 0;
    step->variant.key_bits = 32;
    drop_order(step);
}

/* Bytes of a bucket's number (quick_id_t). */
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

static struct level level_of(const struct quick *quick, uint32_t number)
{
    const struct quick_params *p = &quick->first.params.quick;
    const uint64_t first_blocks = quick->problem->num_arrays * p->blocks_per_array;
    const uint64_t blocks = number == 0 ? first_blocks : plan_quick_max_blocks(quick, number);
    const uint64_t n = quick->route->num_elements;
    const uint64_t likely =
        number == 0 ? blocks : n / p->block_size + n / quick->bucket_size[number - 1];
    return (struct level){
        .number = number,
        .segment_groups = plan_quick_groups(quick, quick->max_segments[number]),
        .block_groups = number == 0 ? blocks : plan_quick_groups(quick, blocks),
        .starts_bytes = quick->route->moves_in_order ? likely * 4 << quick->tuning->bucket_bits : 0,
    };
}

/* The pivots of each segment. */
static clsort_status add_sample(struct plan *plan, const struct quick *quick,
                                const struct level *level)
{
    struct step *step = plan_add(plan, KERNEL_QUICK_SAMPLE, &quick->first, quick->tuning->sample);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = level->segment_groups;
    drop_payload(step, quick);
    step->local_size = tuning_quick_sample_local(quick->tuning, quick->compared_size);
    return CLSORT_OK;
}

/* The bucket of each element, the buckets' sizes, where they begin, and what becomes of them. */
static clsort_status add_count(struct plan *plan, const struct quick *quick,
                               const struct level *level)
{
    const struct quick_tuning *tuning = quick->tuning;
    const uint64_t n = quick->route->num_elements;
    const uint32_t i = level->number;
    const uint64_t size = i == 0 ? quick->problem->count : quick->bucket_size[i - 1];
    const uint32_t depth = ceil_log2(plan_quick_wanted(quick, size, quick->bucket_size[i]));
    struct step *step = plan_add(plan, KERNEL_QUICK_COUNT, &quick->first, tuning->count);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = level->block_groups;
    drop_payload(step, quick);
    step->variant.keeps_order |= (uint32_t)quick->route->moves_in_order;
    step->local_size = tuning_quick_count_local(tuning, quick->compared_size);
    plan_quick_account(step, quick, n * (depth + 1), n * quick->route->key_size,
                       n * id_size(tuning) + level->starts_bytes);
    return CLSORT_OK;
}

/* The places of blocks, where equal records stay in order. */
static clsort_status add_starts(struct plan *plan, const struct quick *quick,
                                const struct level *level)
{
    const struct shape shape = {quick->tuning->count.group_size, 1, 1};
    const uint64_t buckets = (uint64_t)1 << quick->tuning->bucket_bits;
    const int has_many =
        level->number == 0 && quick->first.params.quick.blocks_per_array >= QUICK_MANY_BLOCKS;
    const uint64_t width = smaller(shape.group_size, has_many ? 4 : buckets);
    const uint64_t segments = quick->max_segments[level->number];
    struct step *step = plan_add(plan, KERNEL_QUICK_STARTS, &quick->first, shape);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = plan_quick_groups(quick, segments * ceil_div(buckets, width));
    step->local_size = shape.group_size * 4;
    drop_elements(step);
    plan_quick_account(step, quick, 0, 2 * level->starts_bytes, level->starts_bytes);
    return CLSORT_OK;
}

/* The elements to their buckets. */
static clsort_status add_scatter(struct plan *plan, const struct quick *quick,
                                 const struct level *level)
{
    const struct quick_tuning *tuning = quick->tuning;
    const struct route *route = quick->route;
    const uint64_t n = route->num_elements;
    const uint64_t size = route->key_size + (uint64_t)quick->payload->size;
    struct step *step = plan_add(plan, KERNEL_QUICK_SCATTER, &quick->first, tuning->move);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = level->block_groups;
    drop_order(step);
    step->variant.keeps_order = (uint32_t)route->moves_in_order;
    step->local_size = route->moves_in_order
                           ? (uint32_t)tuning_quick_move_in_order_local(tuning, route->item_size)
                           : tuning_quick_move_local(tuning, route->item_size);
    plan_quick_account(step, quick, 0, n * (size + id_size(tuning)) + level->starts_bytes,
                       n * size);
    return CLSORT_OK;
}

/* The steps of a level. Bytes are counted for random elements, which stay in the sort to the
 * last level. */
static clsort_status add_level(struct plan *plan, struct quick *quick, uint32_t number)
{
    struct quick_params *p = &quick->first.params.quick;
    const int is_last = number + 1 == quick->num_levels;
    const struct level level = level_of(quick, number);
    p->level = number;
    p->bucket_size = (uint32_t)quick->bucket_size[number];
    p->next_bucket_size = is_last ? 0 : (uint32_t)quick->bucket_size[number + 1];
    p->next_block_size = is_last ? p->leaf_size : p->block_size;
    if (add_sample(plan, quick, &level) || add_count(plan, quick, &level) ||
        (quick->route->moves_in_order && add_starts(plan, quick, &level)) ||
        add_scatter(plan, quick, &level))
        return CLSORT_ERROR_HOST_MEMORY;
    exchange(&p->segments, &p->next_segments);
    exchange(&p->owners, &p->next_owners);
    return CLSORT_OK;
}

clsort_status plan_quick_add_levels(struct plan *plan, struct quick *quick)
{
    clsort_status status = CLSORT_OK;
    for (uint32_t level = 0; level < quick->num_levels && !status; ++level)
        status = add_level(plan, quick, level);
    return status;
}
